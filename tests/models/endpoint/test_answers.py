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
from ares_core.models.endpoint.columns import Answer
from ares_core.models.endpoint.description import Description, Tensor
from ares_core.models.endpoint.dialects import MLflow, cells_of
from ares_core.models.endpoint.open_inference import OpenInference
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
RECORDS = st.lists(st.dictionaries(st.sampled_from("abc"), SCALARS, max_size=3), max_size=4)
DOCUMENTS = (
    JSON
    | st.fixed_dictionaries({"outputs": JSON | st.lists(TENSORS, max_size=3)})
    | st.fixed_dictionaries({"predictions": JSON | RECORDS})
)


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


def one_of(answer: Answer) -> Any:
    """Return the labels of an answer, or its scores where it has no labels."""
    return answer.scores if answer.labels is None else answer.labels


@given(JSON | st.lists(JSON, max_size=4), st.integers(1, 4))
def test_any_list_is_an_array_or_a_sentence(values: Any, rows: int) -> None:
    """No JSON a service may send ends in an error nobody foresaw."""
    told_or(lambda: as_array(values, rows), rows)


@given(DOCUMENTS, st.integers(1, 4), st.sampled_from(["label", "score"]))
def test_any_document_is_an_array_or_a_sentence(document: Any, rows: int, output: Any) -> None:
    """Neither do documents of either protocol, nor reading what they hold."""
    tensor = (Tensor("y", "INT64"),)
    for dialect in (MLflow("/invocations"), OpenInference("/v2/models/m/infer", Description(tensor, tensor))):
        for reading in (Reading("1"), Reading("", 0.5)):
            told_or(lambda: reading.read(one_of(dialect.answers(document, rows, output, None)), rows), rows)  # noqa: B023


@given(st.lists(st.booleans() | st.integers(-9, 9), min_size=1) | st.lists(WORDS, min_size=1))
def test_plain_answers_arrive_as_they_are(values: list[Any]) -> None:
    """Labels of one kind keep their values and their order."""
    assert as_array(values, len(values)).tolist() == values


def test_cells_are_what_json_can_hold() -> None:
    """Each cell keeps its type: true and false, whole numbers, numbers and text; empty cells become null."""
    frame = pd.DataFrame(
        {
            "a": [1, 2],
            "b": [1.5, np.nan],
            "c": pd.Series(["False", None], dtype="str"),
            "d": [False, True],
            "e": pd.Series([True, None], dtype="boolean"),
        }
    )
    cells = cells_of(frame)
    assert cells == [[1, 1.5, "False", False, True], [2, None, None, True, None]]
    assert [type(cell) for cell in cells[0]] == [int, float, str, bool, bool]
    assert json.dumps(cells) == '[[1, 1.5, "False", false, true], [2, null, null, true, null]]'


SENT: list[tuple[str, Any, Any]] = [
    ("INT64", 1.0, 1),
    ("INT64", True, 1),
    ("UINT8", 3, 3),
    ("FP32", 1, 1.0),
    ("FP64", False, 0.0),
    ("FP64", None, None),
    ("BOOL", True, True),
    ("BOOL", 0, False),
    ("BOOL", 1.0, True),
    ("BYTES", "007", "007"),
    ("BYTES", None, None),
    ("BYTES", True, "True"),
    ("BYTES", 1.0, "1"),
    ("BYTES", 2.5, "2.5"),
]
REFUSED: dict[tuple[str, Any], str] = {
    ("INT64", 2.5): "The service wants whole numbers in 'a', but a cell holds '2.5'.",
    ("INT64", None): "The service wants whole numbers in 'a', which has empty cells.",
    ("INT64", "1"): "The service wants whole numbers in 'a', but a cell holds '1'.",
    ("BOOL", None): "The service wants true or false in 'a', which has empty cells.",
    ("BOOL", "False"): "The service wants true or false in 'a', but a cell holds 'False'.",
    ("BOOL", 2): "The service wants true or false in 'a', but a cell holds '2'.",
    ("FP64", "1"): "The service wants numbers in 'a', but a cell holds '1'.",
}


@pytest.mark.parametrize(("datatype", "cell", "sent"), SENT)
@pytest.mark.parametrize("width", [1, -1])
def test_cells_are_sent_as_the_tensor_wants(datatype: str, cell: Any, sent: Any, width: int) -> None:
    """Whole numbers, floats, truth values and text each go in their own type, alone or in a matrix."""
    dialect = OpenInference("/x", Description((Tensor("a", datatype, width),)))
    (part,) = dialect.question(["a"], [[cell]], "label")["inputs"]
    assert (part["data"], type(part["data"][0])) == ([sent], type(sent))


@pytest.mark.parametrize(("datatype", "cell"), REFUSED)
def test_cells_that_cannot_be_sent_exactly_are_refused(datatype: str, cell: Any) -> None:
    """Nothing is rounded, and nothing missing becomes false or zero."""
    dialect = OpenInference("/x", Description((Tensor("a", datatype),)))
    with pytest.raises(ModelError) as caught:
        dialect.question(["a"], [[cell]], "label")
    assert str(caught.value) == REFUSED[datatype, cell]
