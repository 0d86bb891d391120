"""What a model file is, is told by its content."""

from __future__ import annotations

import gzip
import io
import pickle
import tomllib
from pathlib import Path

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto

from ares_core.errors import ModelError
from ares_core.models.formats import FORMATS, RULES, detect
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
