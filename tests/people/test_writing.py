"""Writing CSV: nothing a spreadsheet would run, and nothing lost."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.people.reading import read_csv
from ares_core.people.writing import escape_cell, write_csv


@pytest.mark.parametrize("cell", ["=1+1", "+5", "-cmd", "@SUM(A1)", "\t=1", "\r=1", "-", "-1+1", "-1e999"])
def test_formulas_are_disarmed(cell: str) -> None:
    """A cell that a spreadsheet would run gets an apostrophe in front."""
    assert escape_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "a", "-5", "-1.5e3", "a=b", "1-2", " =1", "'=1"])
def test_other_cells_are_left_alone(cell: str) -> None:
    """Numbers and ordinary text are written as they are."""
    assert escape_cell(cell) == cell


@given(st.text())
def test_no_escaped_cell_begins_a_formula(cell: str) -> None:
    """After escaping, only numbers begin with a sign."""
    escaped = escape_cell(cell)
    assert not escaped.startswith(("=", "+", "@", "\t", "\r"))
    assert not escaped.startswith("-") or float(escaped) <= 0


def test_a_table_is_written_as_it_is() -> None:
    """Numbers keep their digits, missing cells are empty, names and text are escaped."""
    frame = pd.DataFrame({"n": [1, -2], "=x": [0.1, float("nan")], "t": pd.array(["=1", None], dtype="str")})
    assert write_csv(frame) == "n,'=x,t\r\n1,0.1,'=1\r\n-2,,\r\n"


_INTEGERS = st.integers(-(2**53), 2**53)
_FLOATS = st.floats(allow_infinity=False)
_TEXTS = st.text('ab,"\r\n é=')


@given(st.lists(st.tuples(_INTEGERS, _FLOATS, _TEXTS), min_size=1))
def test_what_is_written_can_be_read(rows: list[tuple[int, float, str]]) -> None:
    """Any table survives being written and read, cell by cell, formulas disarmed."""
    back = read_csv(write_csv(pd.DataFrame(rows, columns=["n", "f", "t"])).encode()).frame
    assert back["n"].tolist() == [integer for integer, _, _ in rows]
    for (_, real, text), read_real, read_text in zip(rows, back["f"], back["t"], strict=True):
        assert read_real == real or (pd.isna(read_real) and pd.isna(real))
        assert read_text == escape_cell(text) or (pd.isna(read_text) and not text)
