"""Messages between a model's process and its parent: a letter, a number that ties answer to question, and bytes.

The parent trusts nothing that comes back: arrays are read with their size checked and never unpickled, texts are cut
and cleaned, and what does not fit is an error.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
from typing import Any, cast, get_args

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.labels import MOST_LABEL
from ares_core.models.raw import Kind, Label, Output, Signature, Wanted
from ares_core.models.sandbox.limits import MOST_COLUMNS, MOST_NOTE, MOST_NOTES, MOST_TEXT

BEGIN, LOAD, LABELS, SCORES = b"B", b"M", b"L", b"S"  # to the process
READY, DESCRIBED, ANSWERED, REFUSED = b"R", b"D", b"A", b"E"  # from it
QUESTIONS: dict[Output, bytes] = {"label": LABELS, "score": SCORES}

LABEL_BYTES = np.dtype(f"U{MOST_LABEL}").itemsize
_HEAD = struct.Struct("<cI")
_MOST_ABOUT = 2_000_000  # bytes in which a model describes itself
# The whole head of a `.npy` file with numbers or text in at most two dimensions. NumPy's own reader evaluates it as an
# expression of Python, which is more than a hostile head deserves.
_ARRAY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<dtype>[<|](?:b1|[iu][1248]|f[248]|U\d{1,6}))', "
    rb"'fortran_order': (?P<order>True|False), 'shape': \((?P<shape>|\d{1,12},|\d{1,12}, \d{1,12})\), \} *\n",
    re.DOTALL,
)


class GarbledError(Exception):
    """What came from the process is not what the parent may take."""


def head(letter: bytes, number: int) -> bytes:
    """Return the beginning of a message."""
    return _HEAD.pack(letter, number)


def open_message(body: bytes) -> tuple[bytes, int, memoryview]:
    """Return letter, number and content of a message.

    Raises
    ------
    GarbledError
        If it is too short to have them.
    """
    if len(body) < _HEAD.size:
        raise GarbledError("a message without a head")
    letter, number = _HEAD.unpack_from(body)
    return letter, number, memoryview(body)[_HEAD.size :]


def dump_rows(frame: pd.DataFrame) -> memoryview:
    """Write rows as an Arrow stream.

    Raises
    ------
    ModelError
        If a column mixes numbers and text.
    """
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False, nthreads=1)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ModelError(
            f"The rows cannot be sent to the model: {plain(str(error.args[0]))}.",
            "Let each column hold either numbers or text.",
        ) from error
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return memoryview(sink.getvalue())


def load_rows(content: memoryview) -> pd.DataFrame:
    """Read rows from an Arrow stream; only the process does so, and it trusts its parent."""
    frame: pd.DataFrame = pa.ipc.open_stream(pa.py_buffer(content)).read_all().to_pandas(use_threads=False)
    # A CSV file with true, false and empty cells is read as objects with NaN, so that is what a model was trained on.
    for name in [name for name, dtype in frame.dtypes.items() if isinstance(dtype, pd.BooleanDtype)]:
        frame[name] = frame[name].astype(object).where(frame[name].notna(), np.nan)
    return frame


def dump_array(array: NDArray[Any]) -> bytes:
    """Write an array as `.npy`."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def load_array(content: memoryview) -> NDArray[Any]:
    """Read an array of numbers or labels from `.npy`, if its size is what its head says.

    Raises
    ------
    GarbledError
        If it is not.
    """
    found = _ARRAY.match(content)
    if found is None:
        raise GarbledError("not an array of numbers or text")
    dtype = np.dtype(found["dtype"].decode())
    if dtype.kind == "U" and dtype.itemsize > LABEL_BYTES:
        raise GarbledError(f"labels wider than {MOST_LABEL} characters")
    shape = tuple(int(length) for length in found["shape"].split(b",") if length.strip())
    rest = content[found.end() :]
    # Comparing before anything is allocated: the head of a short message may speak of terabytes.
    if math.prod(shape) * dtype.itemsize != len(rest):
        raise GarbledError("an array of another size than it says")
    flat = np.frombuffer(rest, dtype=dtype).copy() if len(rest) else np.zeros(math.prod(shape), dtype=dtype)
    return flat.reshape(shape, order="F" if found["order"] == b"True" else "C")


def dump_signature(signature: Signature) -> bytes:
    """Write what a model says of itself."""
    columns = [
        [column.name, column.kind, list(column.values), column.blanks, column.closed] for column in signature.columns
    ]
    about = [columns, signature.classes, signature.outputs, signature.width, signature.lacking, signature.notes]
    return json.dumps([*about, signature.first_wins]).encode()


def load_signature(content: memoryview) -> Signature:
    """Read what a model says of itself.

    Raises
    ------
    GarbledError
        If that is more than anybody wants to hear, or not of the right form.
    """
    if len(content) > _MOST_ABOUT:
        raise GarbledError("a description without end")
    try:
        columns, classes, outputs, width, lacking, notes, first_wins = json.loads(bytes(content))
        wanted = tuple(_wanted(*column) for column in columns)
        labels = tuple(_label(label) for label in classes)
        answers = tuple(output for output in get_args(Output) if output in outputs)
        unknown = _texts(lacking, MOST_COLUMNS)
        sentences = tuple(plain(note, MOST_NOTE) for note in _texts(notes, MOST_NOTES))
    except (ValueError, TypeError, RecursionError) as error:
        raise GarbledError("not a description") from error
    if len(wanted) > MOST_COLUMNS or len(labels) > MOST_COLUMNS or not answers or not _is_width(width):
        raise GarbledError("a description nobody can use")
    return Signature(wanted, labels, answers, width, unknown, sentences, first_wins=first_wins is True)


def _texts(texts: object, most: int) -> tuple[str, ...]:
    if not isinstance(texts, list) or len(texts) > most or not all(isinstance(text, str) for text in texts):
        raise TypeError("not a list of texts")
    return tuple(texts)


def _is_width(width: object) -> bool:
    return width is None or (type(width) is int and 0 < width <= MOST_COLUMNS)


def _wanted(name: object, kind: object, values: object, blanks: object, closed: object) -> Wanted:
    if kind not in get_args(Kind) or not isinstance(name, str) or not isinstance(values, list):
        raise TypeError("not a column")
    if not isinstance(blanks, bool | None) or not isinstance(closed, bool):
        raise TypeError("not a column")
    return Wanted(name, cast(Kind, kind), tuple(_label(value) for value in values), blanks, closed)


def _label(label: object) -> Label:
    if isinstance(label, str) and len(label) > MOST_LABEL:
        raise TypeError("not a label")
    if isinstance(label, str | bool | int | float):
        return label
    raise TypeError("not a label")


def plain(text: str, most: int = MOST_TEXT) -> str:
    """Return text from outside on one line, without what cannot be printed, and not too long."""
    clean = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 20 * most]).split())
    return clean if len(clean) <= most else clean[: most - 1] + "…"
