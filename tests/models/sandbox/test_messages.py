"""Messages survive the way there and back, and nothing a process may send does more than raise one kind of error."""

from __future__ import annotations

import json
import math
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.raw import Signature, Wanted
from ares_core.models.sandbox.limits import MOST_NOTE
from ares_core.models.sandbox.messages import (
    GarbledError,
    dump_array,
    dump_rows,
    dump_signature,
    head,
    load_array,
    load_rows,
    load_signature,
    open_message,
    plain,
)
from ares_core.models.sandbox.trouble import refusal

DTYPES = st.sampled_from(["?", "i1", "i4", "i8", "u2", "f4", "f8", "U1", "U7"])
SHAPES = arrays.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=5)
NAMES = st.text(max_size=20)
WANTED = st.builds(Wanted, NAMES, st.sampled_from(["number", "text", "any"]), st.tuples(NAMES, NAMES))
LABELS = st.one_of(NAMES, st.integers(), st.booleans(), st.floats(allow_nan=False))


@given(DTYPES.flatmap(lambda dtype: arrays.arrays(dtype, SHAPES)))
def test_arrays_come_back(array: NDArray[np.generic]) -> None:
    """Numbers and text in up to two dimensions arrive as they were sent."""
    back = load_array(memoryview(dump_array(array)))
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()


def test_an_array_by_columns_comes_back() -> None:
    """An array that lies in memory column by column is the same array."""
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert np.array_equal(load_array(memoryview(dump_array(array))), array)


@given(st.binary(max_size=300))
def test_no_bytes_do_more_than_raise(content: bytes) -> None:
    """Whatever bytes are read as an array, a message, a description or an error, they are one or are refused."""
    for read in (load_array, load_signature):
        try:
            read(memoryview(content))
        except GarbledError:
            continue
    try:
        open_message(content)
    except GarbledError:
        assert len(content) < 5
    assert refusal(memoryview(content)).reason


@given(st.data())
def test_a_changed_head_does_no_more_than_raise(data: st.DataObject) -> None:
    """One byte of an array's file changed gives an array of the same bytes or an error, never a surprise."""
    whole = bytearray(dump_array(np.arange(12, dtype=np.int64).reshape(3, 4)))
    whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(GarbledError):
        assert load_array(memoryview(whole)).nbytes == 96


@pytest.mark.parametrize("head", [b"(" * 9_000, b"{'descr': [('a', '<f8')], }", b"{'descr': '|O', 'shape': ()}", b""])
def test_strange_heads_are_not_evaluated(head: bytes) -> None:
    """A head that is deep, of records, of objects or empty is no head of ours."""
    with pytest.raises(GarbledError, match="not an array"):
        load_array(memoryview(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + b"\n"))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b'["nonsense", "x"]', "unknown kind"),
        (b"\xff\xfe{{{{", "not even its error"),
        (b"[1, 2, 3]", "not even its error"),
        (b'[["failed"], "x"]', "unknown kind"),
        (b"[" * 50_000, "not even its error"),
    ],
)
def test_strange_errors_are_garbled(said: bytes, words: str) -> None:
    """An error that is none of ours is said to be unreadable."""
    trouble = refusal(memoryview(said))
    assert trouble.reason == "garbled"
    assert words in trouble.detail


def test_objects_do_not_travel() -> None:
    """An array of objects cannot be written, so no pickle is."""
    with pytest.raises(ValueError, match="allow_pickle"):
        dump_array(np.array([None, "a"], dtype=object))


@given(st.lists(WANTED, max_size=4), st.lists(LABELS, max_size=4), st.sampled_from([("label",), ("label", "score")]))
def test_descriptions_come_back(columns: list[Wanted], classes: list[str], outputs: tuple[str, ...]) -> None:
    """What a model says of itself arrives as it was sent."""
    said = Signature(tuple(columns), tuple(classes), outputs, 3, ("job",), ("Made elsewhere.",))  # type: ignore[arg-type]
    assert load_signature(memoryview(dump_signature(said))) == said


@pytest.mark.parametrize(
    "said",
    [
        [],
        [[["a", "number", []]], [], [], None, [], []],
        [[["a", "number", []]] * 20_000, [], ["label"], None, [], []],
        [[["a", "picture", []]], [], ["label"], None, [], []],
        [[[1, "number", []]], [], ["label"], None, [], []],
        [[["a", "number", "xyz"]], [], ["label"], None, [], []],
        [[["a", "number"]], [], ["label"], None, [], []],
        [[], [None], ["label"], None, [], []],
        [[], [["nested"]], ["label"], None, [], []],
        [[], [], ["label"], 0, [], []],
        [[], [], ["label"], True, [], []],
        [[], [], ["label"], 20_000, [], []],
        [[], [], ["label"], None, "job", []],
        [[], [], ["label"], None, ["job"] * 20_000, []],
        [[], [], ["label"], None, [], [1]],
        [[], [], ["label"], None, [], ["a note"] * 21],
        [[], [], ["label"]],
        {"columns": 1},
        ["x" * 3_000_000, [], ["label"], None, [], []],
    ],
)
def test_strange_descriptions_are_refused(said: object) -> None:
    """A description that is not one, or more than anybody wants to hear, is refused."""
    with pytest.raises(GarbledError):
        load_signature(memoryview(json.dumps(said).encode()))


def test_notes_are_cleaned_and_cut() -> None:
    """A sentence from the process is on one line, printable and not too long."""
    said = load_signature(memoryview(dump_signature(Signature(notes=("a\x1b[31m\nb " + "x" * 1_000,)))))
    assert len(said.notes[0]) == MOST_NOTE
    assert said.notes[0].isprintable()


def test_missing_truths_are_nan() -> None:
    """True, false and missing arrive as pandas reads them from a CSV file, where a model may have met them."""
    frame = pd.DataFrame({"card": pd.array([True, None, False], dtype="boolean")})
    cells = load_rows(dump_rows(frame))["card"].tolist()
    assert cells[::2] == [True, False]
    assert isinstance(cells[1], float)
    assert np.isnan(cells[1])


def test_rows_come_back() -> None:
    """Numbers, whole numbers, truth, text and what is missing arrive with their types."""
    frame = pd.DataFrame(
        {
            "a": [1.5, None, 3.0],
            "b": [1, 2, 3],
            "c": [True, False, True],
            "d": ["x", None, "é\n\0"],
            "e": pd.Categorical(["u", "v", "u"]),
        }
    )
    pd.testing.assert_frame_equal(load_rows(dump_rows(frame)), frame)
    pd.testing.assert_frame_equal(load_rows(dump_rows(frame.loc[:0, "a":"d"])), frame.loc[:0, "a":"d"])


def test_every_type_of_a_table_arrives() -> None:
    """Whole numbers, decimals, true and false and text stay so; beside true and false an empty cell arrives as NaN."""
    cells = {
        "int64": [1, 2, 3],
        "float64": [1.5, math.nan, 2.0],
        "bool": [True, False, True],
        "boolean": [True, None, False],
        "str": ["x", None, "True"],
    }
    frame = pd.DataFrame({kind: pd.array(held, dtype=kind) for kind, held in cells.items()})
    arrived = load_rows(dump_rows(frame))
    types = {str(name): str(kind) for name, kind in arrived.dtypes.items()}
    assert types == {**{kind: kind for kind in cells}, "boolean": "object"}
    assert arrived["boolean"].tolist()[::2] == [True, False]
    assert math.isnan(arrived["boolean"].tolist()[1])
    pd.testing.assert_frame_equal(arrived.drop(columns="boolean"), frame.drop(columns="boolean"))
    whole = load_rows(dump_rows(frame.iloc[[0, 2]]))["boolean"]
    assert (whole.dtype, whole.tolist()) == (object, [True, False])


def test_mixed_columns_are_explained() -> None:
    """A column of numbers and text has no type to travel as."""
    with pytest.raises(ModelError, match="cannot be sent to the model"):
        dump_rows(pd.DataFrame({"a": pd.Series([1, "two", b"three"], dtype=object)}))


@given(st.text())
def test_text_from_outside_is_one_line_that_can_be_printed(text: str) -> None:
    """Whatever a process says is cut, on one line, and moves no cursor."""
    clean = plain(text, 50)
    assert clean.isprintable()
    assert len(clean) <= 50


def test_a_message_has_letter_number_and_content() -> None:
    """What is put into a message comes out of it."""
    letter, number, content = open_message(head(b"A", 7) + b"rest")
    assert (letter, number, bytes(content)) == (b"A", 7, b"rest")
