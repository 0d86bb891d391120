"""Formats: which forms a model file may have, told apart by their content and never by their name."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.util import find_spec

from ares_core.errors import ModelError
from ares_core.models.unreadable import (
    is_packed,
    is_pickle,
    pickle_hint,
    table_form,
    unpacked_start,
    unreadable_form,
)

PICKLE_VARIABLE = "ARES_ALLOW_PICKLE"
RULES = "rules"  # JSON that this program wrote itself, and reads without a process of its own
ACCEPTED = "a skops file, a single ONNX file, XGBoost's JSON or UBJSON, LightGBM's text, or a rule model in JSON"


@dataclass(frozen=True, slots=True)
class Format:
    """A form of model file that is opened in a sandbox.

    Parameters
    ----------
    kind
        What it is called in one word.
    words
        What a sentence calls it.
    package
        The package that reads it, as it is imported.
    requirement
        The same as it is installed.
    """

    kind: str
    words: str
    package: str
    requirement: str


FORMATS = {
    form.kind: form
    for form in (
        Format("skops", "a skops file", "skops", "skops>=0.16,<0.17"),
        Format("onnx", "an ONNX file", "onnxruntime", "onnxruntime>=1.24,<2"),
        Format("xgboost", "an XGBoost file", "xgboost", "xgboost-cpu>=3.2,<4"),
        Format("lightgbm", "a LightGBM file", "lightgbm", "lightgbm>=4.6,<5"),
        Format("pickle", "a pickle", "joblib", "joblib>=1.5,<2"),
    )
}

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_LZ4 = b"\x04\x22M\x18"  # which joblib may compress a pickle with; nothing here unpacks it
_XGBOOST_JSON = re.compile(rb'\s*\{\s*"(?:learner|version)"\s*:')
_XGBOOST_BINARY = re.compile(rb"\{[#LliUIS\$]")
_LIGHTGBM = re.compile(rb"tree\r?\nversion=")
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
# The fields of an ONNX model by number, and how each is written: 0 as a number, 2 as a length and so many bytes.
_ONNX_FIELDS = {1: 0, 2: 2, 3: 2, 4: 2, 5: 0, 6: 2, 7: 2, 8: 2, 14: 2, 20: 2, 25: 2, 26: 2}
_ONNX_GRAPH = 7
_MOST_FIELDS = 10_000
_INSIDE_SKOPS = ("xgboost", "lightgbm")


def detect(content: bytes, name: str = "model") -> str:
    """Return what a model file is: a key of `FORMATS`, or `RULES`.

    Raises
    ------
    ModelError
        If it is empty or none of those.
    """
    if not content:
        raise ModelError(f"The model file {name!r} is empty.", "Save the model again and choose that file.")
    form = unreadable_form(content)
    kind = None if form else _by_magic(content)
    if kind is None:
        form = form or table_form(content)
        if form is not None:
            raise ModelError(f"The file {name!r} is {form.words}. Such files are not opened here.", form.hint)
        raise ModelError(f"The file {name!r} is no model that can be read here.", f"Use {ACCEPTED}.")
    return kind


def _by_magic(content: bytes) -> str | None:
    if content.startswith(_ZIP):
        return "skops"
    if is_pickle(content[:300]) or content.startswith(_LZ4):
        return "pickle"
    if is_packed(content) and is_pickle(unpacked_start(content)):
        return "pickle"
    if _XGBOOST_JSON.match(content) or _XGBOOST_BINARY.match(content):
        return "xgboost"
    if _LIGHTGBM.match(content):
        return "lightgbm"
    if _JSON.match(content):
        return RULES
    return "onnx" if _is_onnx(content) else None


def require_reader(kind: str, name: str, content: bytes = b"") -> Format:
    """Return the format of a kind if files of it may be opened here.

    Parameters
    ----------
    content
        The file, which tells which library's model a pickle holds.

    Raises
    ------
    ModelError
        If the package that reads it is not installed, or the operator does not allow pickles.
    """
    form = FORMATS[kind]
    if kind == "pickle" and os.environ.get(PICKLE_VARIABLE) != "1":
        raise ModelError(
            f"The file {name!r} is a pickle, which can do anything when it is opened, so it is not.",
            f"{pickle_hint(content)} Whoever runs this server can allow pickles with {PICKLE_VARIABLE}=1.",
        )
    if find_spec(form.package) is None:
        raise ModelError(
            f"The file {name!r} is {form.words}, and the package that reads it is not installed.",
            f"Install it with: pip install '{form.requirement}'",
        )
    return form


def extra_packages(content: bytes, kind: str) -> tuple[str, ...]:
    """Return the installed packages a skops file may need for the models of other libraries inside it.

    Packages are imported before the process is locked, which is before it sees the file. So the file's raw bytes are
    searched for their names. A compressed file hides them, and gets all that are installed.
    """
    if kind != "skops":
        return ()
    compressed = content[8:10] != b"\0\0"  # how the first member of the zip file is stored
    named = (package for package in _INSIDE_SKOPS if compressed or f'"{package}.'.encode() in content)
    return tuple(package for package in named if find_spec(package) is not None)


def _is_onnx(content: bytes) -> bool:
    """Whether the bytes are the outermost fields of an ONNX model, one after the other up to the end."""
    place, seen = 0, set()
    for _ in range(_MOST_FIELDS):
        if place == len(content):
            return _ONNX_GRAPH in seen
        tag, place = _number(content, place)
        if _ONNX_FIELDS.get(tag >> 3) != tag & 7:
            return False
        seen.add(tag >> 3)
        value, place = _number(content, place)
        place += value if tag & 7 == 2 else 0
        if place > len(content):
            return False
    return False


def _number(content: bytes, place: int) -> tuple[int, int]:
    """Read a number of at most ten bytes, seven bits in each, and return it with the place after it."""
    value = 0
    for position, byte in enumerate(content[place : place + 10]):
        value |= (byte & 0x7F) << (7 * position)
        if byte < 0x80:
            return value, place + position + 1
    return 0, len(content) + 1
