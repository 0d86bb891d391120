"""Answers of services: whatever JSON comes, it becomes an array of the right length or a sentence."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import ModelError
from ares_core.models.endpoint.answers import as_array
from ares_core.models.endpoint.dialects import MLflow, OpenInference, Tensor, cells_of
from ares_core.models.reading import Reading

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers() | FINITE | st.text(max_size=3)
WORDS = st.text("abcé ", max_size=3)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)
SHAPES = st.lists(st.integers(-2, 5) | JSON, max_size=3) | JSON
TENSORS = st.fixed_dictionaries(
    {}, optional={"datatype": st.sampled_from(["FP64", "INT64", "BYTES"]) | JSON, "shape": SHAPES, "data": JSON}
)
DOCUMENTS = JSON | st.fixed_dictionaries({"outputs": JSON | st.lists(TENSORS, max_size=3)})


def told_or(found: Any, rows: int) -> None:
    """Check that what a callable returns is one answer for each row, or that it says what is wrong."""
    try:
        array = found()
    except ModelError as error:
        assert str(error).endswith(".")
        assert error.hint.endswith(".")
    else:
        assert len(array) == rows
        assert array.ndim in (1, 2)


@given(JSON | st.lists(JSON, max_size=4), st.integers(1, 4))
def test_any_list_is_an_array_or_a_sentence(values: Any, rows: int) -> None:
    """No JSON a service may send ends in an error nobody foresaw."""
    told_or(lambda: as_array(values, rows), rows)


@given(DOCUMENTS, st.integers(1, 4), st.sampled_from(["label", "score"]))
def test_any_document_is_an_array_or_a_sentence(document: Any, rows: int, output: Any) -> None:
    """Neither do documents of either protocol, nor reading what they hold."""
    tensor = (Tensor("y", "INT64", 1),)
    for dialect in (MLflow("/invocations"), OpenInference("/v2/models/m/infer", tensor, tensor)):
        for reading in (Reading("1"), Reading("", 0.5)):
            told_or(lambda: reading.read(dialect.answers(document, rows, output), rows), rows)  # noqa: B023


@given(st.lists(st.booleans() | st.integers(-9, 9), min_size=1) | st.lists(WORDS, min_size=1))
def test_plain_answers_arrive_as_they_are(values: list[Any]) -> None:
    """Labels of one kind keep their values and their order."""
    assert as_array(values, len(values)).tolist() == values


def test_cells_are_what_json_can_hold() -> None:
    """Numbers stay numbers, whole ones whole; empty cells of every kind become null."""
    frame = pd.DataFrame({"a": [1, 2], "b": [1.5, np.nan], "c": pd.Series(["x", None], dtype="str")})
    assert cells_of(frame) == [[1, 1.5, "x"], [2, None, None]]
    assert [type(cell) for cell in cells_of(frame)[0]] == [int, float, str]
    truths = pd.DataFrame({"a": [True, False], "b": pd.array([None, True], dtype="boolean")})
    assert json.dumps(cells_of(truths)) == "[[true, null], [false, true]]"


@pytest.mark.parametrize("datatype", ["INT64", "UINT8", "FP32", "BOOL"])
def test_cells_are_written_as_the_tensor_wants(datatype: str) -> None:
    """Whole numbers, floats and truth values each in their own way; a missing cell is null."""
    dialect = OpenInference("/x", (Tensor("a", datatype, 1),), (Tensor("y", "INT64", 1),))
    (part,) = dialect.question(["a"], [[1.0], [None]])["inputs"]
    expected = {"INT64": 1, "UINT8": 1, "FP32": 1.0, "BOOL": True}[datatype]
    assert part["data"] == [expected, None]
    assert type(part["data"][0]) is type(expected)
