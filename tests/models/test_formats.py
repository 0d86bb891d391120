"""What a model file is, is told by its content."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import struct
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lightgbm import LGBMClassifier
from onnx import ModelProto
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

from ares_core.errors import ModelError
from ares_core.models.formats import FORMATS, RULES, detect, require_reader
from tests.models.hostile.files import honest_lightgbm, honest_skops, honest_xgboost
from tests.models.hostile.onnx_files import honest_onnx

TOP = Path(__file__).resolve().parents[2]


def compressed(method: str) -> bytes:
    """Return a joblib file compressed in a way."""
    file = io.BytesIO()
    joblib.dump({"a": [1.0]}, file, compress=(method, 3))
    return file.getvalue()


CONTENTS = {
    "skops": [honest_skops()],
    "onnx": [honest_onnx()],
    "xgboost": [honest_xgboost("json"), honest_xgboost("ubj"), b'\n { "version" : [3, 0, 0], "learner": {}}'],
    "lightgbm": [honest_lightgbm(), honest_lightgbm().replace(b"\n", b"\r\n")],
    "pickle": [
        *(pickle.dumps([1], protocol) for protocol in (2, 3, 4, 5)),
        *(compressed(method) for method in ("zlib", "gzip", "bz2", "xz", "lzma")),
        gzip.compress(pickle.dumps([1])),
    ],
    RULES: [b'{"format": "ares-rules", "rules": []}', b'\xef\xbb\xbf\n{"rules": []}', b'{"format": "ares-run"}'],
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_files_are_told_apart(kind: str) -> None:
    """Each form is recognised, whatever the file is called."""
    assert [detect(content, "model.txt") for content in CONTENTS[kind]] == [kind] * len(CONTENTS[kind])


def zipped(names: Sequence[str], comment: bytes = b"") -> bytes:
    """Return a zip archive of small files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
        archive.comment = comment
    return file.getvalue()


def tarred() -> bytes:
    """Return a compressed tar archive."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("model.pkl"))
    return file.getvalue()


RDS = b"X\n\0\0\0\3\0\4\3\1"  # how R begins a file, before it compresses it
UNREADABLE: dict[str, tuple[bytes, str, str]] = {
    "CatBoost": (
        b"CBM1x)\0\0\x14",
        "a CatBoost model in its own binary form",
        'model.save_model("model.onnx", format=',
    ),
    "CatBoost JSON": (b'{\n  "features_info":\n {}}', "a CatBoost model in JSON", 'save_model("model.onnx"'),
    "CatBoost JSON with categories": (b'{\n"ctr_data": {}}', "a CatBoost model in JSON", "serve that one with MLflow"),
    "PMML": (b'<?xml version="1.0"?>\n<!-- a -->\n<PMML version="4.4">', "PMML", "Export the model to ONNX"),
    "PMML with a prefix": (b'\xef\xbb\xbf<p:PMML xmlns:p="x">', "PMML", "Export the model to ONNX"),
    "HDF5": (b"\x89HDF\r\n\x1a\n\0\0", "an HDF5 file", 'model.export("model.onnx", format="onnx")'),
    "Keras": (zipped(["metadata.json", "config.json", "model.weights.h5"]), "a Keras model", "model.export("),
    "Keras JSON": (b'{"module": "keras", "class_name": "Sequential"}', "the layers of a Keras model", "model.export("),
    "PyTorch": (zipped(["net/data.pkl", "net/version", "net/data/0"]), "a PyTorch file", "torch.onnx.export(model, "),
    "old PyTorch": (b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M", "a PyTorch file", "torch.onnx.export("),
    "SavedModel": (b"\x08\x01\x12\x05saved_model_main_op", "a TensorFlow SavedModel", "tf2onnx.convert --saved-model"),
    "TensorFlow Lite": (b"\x1c\0\0\0TFL3\0", "a TensorFlow Lite model", "tf2onnx.convert --tflite"),
    "RDS": (gzip.compress(RDS), "an R data file", "xgb.save(model"),
    "RDS with bz2": (bz2.compress(RDS), "an R data file", "lgb.save(model"),
    "RDS with xz": (lzma.compress(RDS), "an R data file", "give its address"),
    "RData": (gzip.compress(b"RDX3\nX\n"), "an R data file", "xgb.save(model"),
    "MLmodel": (
        b"artifact_path: m\nflavors:\n  python_function:\n    env: x\nmlflow_version: 3.17.2\n",
        "MLflow's description of a model",
        "mlflow models serve -m FOLDER",
    ),
    "H2O": (zipped(["model.ini", "trees/t00.bin"]), "an H2O model", "Serve it with MLflow"),
    "LightGBM dump": (b'{"name": "tree", "version": "v4"}', "a dump of a LightGBM model", "booster_.save_model("),
    "XGBoost dump": (b"booster[0]:\n0:[a<1] yes=1,no=2\n", "a dump of an XGBoost model", 'save_model("model.json")'),
    "XGBoost JSON dump": (b'[\n  { "nodeid": 0, "depth": 0', "a dump of an XGBoost model", "save_model("),
    "old XGBoost": (b"binf\0\0\0?", "an XGBoost model in the old binary form", "In XGBoost 3.0 or older"),
    "a table": (b"income,debts\n1,2\n3,4\n", "a table", "Give it as the data"),
    "a table of tabs": (b"income\tdebts\n1\t2\n", "a table", "Give it as the data"),
    "Excel": (zipped(["[Content_Types].xml", "xl/workbook.xml"]), "a table", "Give it as the data"),
    "Parquet": (b"PAR1\x15\x04", "a table", "Give it as the data"),
    "NumPy": (zipped(["a.npy", "b.npy"]), "a NumPy archive", "Bring the model itself"),
    "a zip archive": (zipped(["readme.txt", "model.pkl"]), "a zip archive without a model", "Unpack it"),
    "a broken zip archive": (honest_skops()[:-200], "a zip archive that was cut off", "Save the model again"),
    "an old pickle": (
        pickle.dumps(DecisionTreeClassifier(), 0),
        "a pickle of the oldest kind",
        'skops.io.dump(model, "model.skops")',
    ),
    "a tar archive": (tarred(), "a tar archive", "Unpack it"),
    "a web page": (b"\n<!DOCTYPE html><html>PMML <PMML >", "a web page", "Download the file itself"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid x\n", "a Git LFS pointer", "git lfs pull"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_other_files_are_named_for_what_they_are(name: str) -> None:
    """A file that is not opened here is named by its content, with what to do in its place."""
    content, words, hint = UNREADABLE[name]
    with pytest.raises(ModelError) as caught:
        detect(content, "model.skops")
    assert str(caught.value).startswith(f"The file 'model.skops' is {words}")
    assert hint in caught.value.hint
    assert caught.value.hint.endswith(".")


@pytest.mark.parametrize(
    ("model", "line"),
    [
        (DecisionTreeClassifier(), 'skops.io.dump(model, "model.skops")'),
        (XGBClassifier(), 'model.save_model("model.json")'),
        (LGBMClassifier(), 'model.booster_.save_model("model.txt")'),
        ([1], 'skops.io.dump(model, "model.skops")'),
    ],
)
@pytest.mark.parametrize("protocol", [0, 2, 4, "compressed"])
def test_a_pickle_is_refused_with_the_line_that_saves_its_model(model: object, line: str, protocol: int | str) -> None:
    """The library of the outermost class tells in which form the model is saved."""
    file = io.BytesIO()
    joblib.dump(model, file, compress=3) if isinstance(protocol, str) else pickle.dump(model, file, protocol)
    with pytest.raises(ModelError, match="is a pickle, which can do anything") as caught:
        require_reader("pickle", "model.pkl", file.getvalue())
    assert line in caught.value.hint


def test_a_skops_file_is_found_behind_many_names_and_a_comment() -> None:
    """Its schema comes last; a comment or bytes before the archive do not hide it."""
    names = [f"{number}.npy" for number in range(3_000)]
    assert detect(zipped([*names, "schema.json"], comment=b"c" * 60_000)) == "skops"
    assert detect(b"PK\x03\x04" + b"junk" + zipped(["schema.json"])) == "skops"
    with pytest.raises(ModelError, match="a NumPy archive"):
        detect(zipped([*names, "deeper/schema.json.npy"]))


def test_a_zip_directory_that_lies_ends_in_a_sentence() -> None:
    """Counts, sizes and places that point anywhere are no reason to fail."""
    whole = zipped(["schema.json"])
    end = whole.rfind(b"PK\x05\x06")
    for size, place in ((0, 0), (2**32 - 1, 2**32 - 1), (1, 2**31), (len(whole) * 2, 10)):
        lying = whole[: end + 12] + struct.pack("<II", size, place) + whole[end + 20 :]
        try:
            assert detect(lying) == "skops"
        except ModelError as error:
            assert "a zip archive that was cut off" in str(error)


def test_a_compressed_bomb_is_only_looked_into() -> None:
    """No more than the first bytes are unpacked."""
    for content in (
        gzip.compress(bytes(50_000_000)),
        bz2.compress(bytes(50_000_000)),
        lzma.compress(bytes(10_000_000)),
    ):
        with pytest.raises(ModelError, match="no model that can be read here"):
            detect(content)


@given(st.binary(max_size=200))
def test_any_bytes_are_something_or_refused(content: bytes) -> None:
    """Looking at a file never fails in another way than with a sentence."""
    try:
        assert detect(content) in (*FORMATS, RULES)
    except ModelError as error:
        assert error.hint.endswith(".")


def test_a_file_cut_off_is_no_onnx() -> None:
    """ONNX has no mark at its beginning, so its outermost fields must fit to the last byte, the graph among them."""
    whole = honest_onnx()
    for length in range(len(whole)):
        try:
            detect(whole[:length])
        except ModelError:
            continue
        assert ModelProto.FromString(whole[:length]).graph.node, "cut after a whole field, it still is a model"


def test_install_lines_agree() -> None:
    """The line a user is told, the extra of the package and the requirement files name the same versions."""
    extras = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    lines = "".join((TOP / name).read_text("utf-8") for name in ("requirements.txt", "requirements-models.txt"))
    for kind in ("skops", "onnx", "xgboost", "lightgbm"):
        requirement = FORMATS[kind].requirement
        assert f"{requirement} " in lines
        assert kind == "skops" or extras[kind] == [requirement]
    assert extras["models"] == ["ares-audit[onnx,xgboost,lightgbm]"]
