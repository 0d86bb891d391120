"""Forms of file that cannot be opened as a model here, each with how to turn it into one that can."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

START = 4_000  # bytes of a file, or of what it compresses, that tell its form
MOST_PACKED = 1_000_000  # bytes read from a compressed file to see how its content starts
MOST_MEMORY = 64_000_000  # bytes that unpacking may take
MOST_ENTRIES = 1_000_000  # of a zip archive
LONGEST_NAME = 300  # bytes of a name in it

FROM_KERAS = (
    'Load it in Keras 3, run model.predict(rows) once and then model.export("model.onnx", format="onnx"), and bring '
    "that file."
)
FROM_TORCH = (
    'Run torch.onnx.export(model, (rows,), "model.onnx", dynamic_shapes=({0: "rows"},), external_data=False) with two '
    "rows as an example, and bring that file."
)
FROM_CATBOOST = (
    'Run model.save_model("model.onnx", format="onnx") in CatBoost and bring that file. CatBoost writes no ONNX for a '
    "model with text categories: serve that one with MLflow and give its address."
)
FROM_LIGHTGBM = 'Run model.booster_.save_model("model.txt") and bring that file.'
FROM_XGBOOST = 'Run model.save_model("model.json") and bring that file.'
TO_SKOPS = 'Run skops.io.dump(model, "model.skops") where the model was trained, and bring that file.'
SERVED = "Serve it with MLflow and give its address."


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A form of file that is not opened here.

    Parameters
    ----------
    words
        What a sentence calls it.
    hint
        What to do in its place, with the line of code that converts it where there is one.
    """

    words: str
    hint: str


CATBOOST = Unreadable("a CatBoost model in its own binary form", FROM_CATBOOST)
CATBOOST_JSON = Unreadable("a CatBoost model in JSON", FROM_CATBOOST)
PMML = Unreadable("PMML", "Export the model to ONNX from the program that wrote it, and bring that file.")
HDF5 = Unreadable("an HDF5 file, the older form of a Keras model", FROM_KERAS)
KERAS = Unreadable("a Keras model", FROM_KERAS)
KERAS_JSON = Unreadable("the layers of a Keras model in JSON, without its weights", FROM_KERAS)
TORCH = Unreadable("a PyTorch file", FROM_TORCH)
SAVED_MODEL = Unreadable(
    "a TensorFlow SavedModel",
    "Run python -m tf2onnx.convert --saved-model FOLDER --output model.onnx, and bring that file.",
)
TFLITE = Unreadable(
    "a TensorFlow Lite model",
    "Run python -m tf2onnx.convert --tflite model.tflite --output model.onnx, and bring that file.",
)
R_DATA = Unreadable(
    "an R data file (.rds or .RData)",
    "In R, save an XGBoost or LightGBM model in its library's own form: xgb.save(model, 'model.json') or "
    "lgb.save(model, 'model.txt'). Serve any other model and give its address.",
)
ML_MODEL = Unreadable(
    "MLflow's description of a model (MLmodel), not the model itself",
    "Run mlflow models serve -m FOLDER, with the folder it lies in, and give the address that ends in /invocations.",
)
H2O = Unreadable("an H2O model (MOJO)", SERVED)
LIGHTGBM_DUMP = Unreadable("a dump of a LightGBM model, not the model itself", FROM_LIGHTGBM)
XGBOOST_DUMP = Unreadable("a dump of an XGBoost model, not the model itself", FROM_XGBOOST)
XGBOOST_OLD = Unreadable("an XGBoost model in the old binary form", f"In XGBoost 3.0 or older: {FROM_XGBOOST}")
WEB_PAGE = Unreadable("a web page", "Download the file itself and bring that.")
LFS = Unreadable("a Git LFS pointer in place of the file", "Run git lfs pull and bring the file that it fetches.")
TABLE = Unreadable("a table", "Give it as the data, and choose a model file as the model.")
ARRAYS = Unreadable("a NumPy archive of arrays", "Bring the model itself, not its numbers.")
ZIP = Unreadable("a zip archive without a model known here", "Unpack it and bring the model file that it holds.")
TAR = Unreadable("a tar archive", "Unpack it and bring the model file that it holds.")
BROKEN_ZIP = Unreadable("a zip archive that was cut off", "Save the model again and choose that file.")

_TORCH_MAGIC = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."
_MAGIC: tuple[tuple[bytes, Unreadable], ...] = (
    (b"CBM1", CATBOOST),
    (b"\x89HDF\r\n\x1a\n", HDF5),
    (_TORCH_MAGIC, TORCH),
    (b"binf", XGBOOST_OLD),
    (b"RDX2\n", R_DATA),
    (b"RDX3\n", R_DATA),
    (b"X\n\0\0\0", R_DATA),
    (b"PAR1", TABLE),
    (b"version https://git-lfs", LFS),
)
_PATTERNS: tuple[tuple[re.Pattern[bytes], Unreadable], ...] = (
    (re.compile(rb"\s*<(?:!doctype\s+)?html", re.IGNORECASE), WEB_PAGE),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*(?=<)(?s:.{0,2000}?)<(?:\w{1,20}:)?PMML[\s>]"), PMML),
    (re.compile(rb'\s*\{\s*"(?:ctr_data|features_info|model_info|oblivious_trees|scale_and_bias)"\s*:'), CATBOOST_JSON),
    (re.compile(rb'\s*\{\s*"(?:class_name|module)"\s*:'), KERAS_JSON),
    (re.compile(rb'\s*\{\s*"name"\s*:\s*"tree"\s*,'), LIGHTGBM_DUMP),
    (re.compile(rb'\s*\[?\s*\{\s*"nodeid"\s*:|(?:booster\[0\]:\s+)?0:\[[^\]\n]{1,200}\] yes='), XGBOOST_DUMP),
    (re.compile(rb".{4}TFL3", re.DOTALL), TFLITE),
    (re.compile(rb".{257}ustar", re.DOTALL), TAR),
    (re.compile(rb"(?=(?s:.*)^flavors:)(?:[\w.]+:.*\n|[ -].*\n)+", re.MULTILINE), ML_MODEL),
)
_ZIP_NAMES: tuple[tuple[frozenset[bytes], Unreadable], ...] = (
    (frozenset({b"config.json", b"metadata.json"}), KERAS),
    (frozenset({b"model.ini"}), H2O),
    (frozenset({b"saved_model.pb"}), SAVED_MODEL),
    (frozenset({b"MLmodel"}), ML_MODEL),
    (frozenset({b"xl/workbook.xml"}), TABLE),
    (frozenset({b"data.pkl"}), TORCH),
)
_SAVED_MODEL = re.compile(rb"\x08\x01\x12")
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_OLD_PICKLE = re.compile(rb"c[A-Za-z_][\w.]{0,100}\r?\n[A-Za-z_]\w{0,100}\r?\n")
_PICKLED_CLASS = re.compile(rb"(?:c|\x8c.)(xgboost|lightgbm|catboost|torch|keras|tensorflow|sklearn|imblearn)[.\n\x94]")
_UNPACKERS: tuple[tuple[bytes, Callable[[], zlib._Decompress | bz2.BZ2Decompressor | lzma.LZMADecompressor]], ...] = (
    (b"x", zlib.decompressobj),
    (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    (b"BZh", bz2.BZ2Decompressor),
    (b"\xfd7zXZ", lambda: lzma.LZMADecompressor(memlimit=MOST_MEMORY)),
    (b"]\0\0", lambda: lzma.LZMADecompressor(memlimit=MOST_MEMORY)),
)


def unreadable_form(content: bytes) -> Unreadable | None:
    """Return which form of file that is not opened here some bytes have; None where they have none of them."""
    start = content[:START]
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_form(content)
    found = _by_start(start)
    if found is None and is_packed(start):
        found = _by_start(unpacked_start(content))
    if found is None and _SAVED_MODEL.match(start) and b"saved_model_main_op" in content:
        found = SAVED_MODEL
    if found is None and _OLD_PICKLE.match(start):
        found = Unreadable("a pickle of the oldest kind", pickle_hint(content))
    return found


def table_form(content: bytes) -> Unreadable | None:
    """Return `TABLE` for lines of text with the same number of separators in each."""
    lines = [line for line in content[:START].split(b"\n")[:5] if line.strip()]
    if len(content) > START and len(lines) > 2:
        lines = lines[:-1]  # the last one may be cut
    if len(lines) < 2 or b"\0" in content[:START]:
        return None
    counts = {sign: {line.count(sign) for line in lines} for sign in (b",", b";", b"\t")}
    return TABLE if any(len(found) == 1 and 0 not in found for found in counts.values()) else None


def is_packed(content: bytes) -> bool:
    """Say whether bytes start as a compressed file does."""
    return any(content.startswith(magic) for magic, _ in _UNPACKERS)


def unpacked_start(content: bytes) -> bytes:
    """Return how the content of a compressed file starts, at most `START` bytes; nothing where it is damaged."""
    for magic, make in _UNPACKERS:
        if content.startswith(magic):
            try:
                return make().decompress(content[:MOST_PACKED], START)
            except (zlib.error, OSError, EOFError, lzma.LZMAError, MemoryError):
                return b""
    return content[:START]


def is_pickle(start: bytes) -> bool:
    """Say whether bytes start as a pickle does."""
    return _PICKLE.match(start) is not None


def pickle_hint(content: bytes) -> str:
    """Return how to save the model of a pickle in another form, by the library of its outermost class."""
    found = _PICKLED_CLASS.search(unpacked_start(content)[:200])
    lines = {
        b"xgboost": FROM_XGBOOST,
        b"lightgbm": FROM_LIGHTGBM,
        b"catboost": FROM_CATBOOST,
        b"torch": FROM_TORCH,
        b"keras": FROM_KERAS,
        b"tensorflow": FROM_KERAS,
    }
    return TO_SKOPS if found is None else lines.get(found[1], TO_SKOPS)


def _by_start(start: bytes) -> Unreadable | None:
    for magic, form in _MAGIC:
        if start.startswith(magic):
            return form
    return next((form for pattern, form in _PATTERNS if pattern.match(start)), None)


def _zip_form(content: bytes) -> Unreadable | None:
    """Return what a zip archive holds, by the names in its directory; None for a skops file."""
    seen: set[bytes] = set()
    arrays = True
    for name in _zip_names(content):
        if name == b"schema.json":
            return None
        arrays = arrays and name.endswith(b".npy")
        seen.update((name, name.rpartition(b"/")[2]) if len(seen) < START else ())
    for names, form in _ZIP_NAMES:
        if names <= seen:
            return form
    if not seen:
        return BROKEN_ZIP
    return ARRAYS if arrays else ZIP


def _zip_names(content: bytes) -> Iterator[bytes]:
    """Yield the names in the directory at the end of a zip archive; nothing is unpacked."""
    end = content.rfind(b"PK\x05\x06", max(0, len(content) - 66_000))
    size, place = (int.from_bytes(content[end + at : end + at + 4], "little") for at in (12, 16))
    if end < 0 or place == 0xFFFFFFFF:  # the latter is larger than any file that is taken
        return
    # Bytes put before the archive move its directory, which ends where this record starts.
    place = end - size if content[place : place + 4] != b"PK\x01\x02" else place
    for _ in range(MOST_ENTRIES):
        if place < 0 or content[place : place + 4] != b"PK\x01\x02":
            return
        name, extra, comment = (int.from_bytes(content[place + at : place + at + 2], "little") for at in (28, 30, 32))
        yield content[place + 46 : place + 46 + min(name, LONGEST_NAME)]
        place += 46 + name + extra + comment
