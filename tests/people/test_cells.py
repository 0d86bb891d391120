"""Typing columns: which are numbers, which stay text, and what is noted."""

from __future__ import annotations

from array import array

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.people.cells import number, read_column
from ares_core.people.names import look_key
from ares_core.people.reading import read_csv


def _column(*cells: str) -> tuple[str, list[object], tuple[str, ...]]:
    """Return dtype, values (None if missing) and notes of a column 'x', read from row 2 on."""
    values, notes = read_column("x", ["\0".join(cells)], array("q", range(2, 2 + len(cells))))
    shown = [None if pd.isna(value) else value for value in values.tolist()]
    return str(values.dtype), shown, tuple(notes)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0", 0),
        ("-7", -7),
        (" 4 ", 4),
        ("9007199254740992", 2**53),
        ("1.50", 1.5),
        ("-0.0", 0.0),
        ("-0", 0.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("2.5E-3", 0.0025),
        ("0e9", 0.0),
    ],
)
def test_plain_numbers_are_numbers(cell: str, value: float) -> None:
    """Decimal and scientific numbers are read, with or without spaces around them."""
    assert number(cell) == value
    assert type(number(cell)) is type(value)


@pytest.mark.parametrize(
    "cell",
    [
        "",
        " ",
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "0x10",
        "1_000",
        "1,000",
        "1,5",
        "+1",
        "+1.5",
        "007",
        "-01.5",
        "1 000",
        "9007199254740993",
        "-9007199254740993",
        "1" * 5000,
        "1e999",
        "-1e999",
        "1e-999",
        "١",
        "１",
        "1.2.3",
        "--1",
        "e5",
        ".",
        "-",
        "1e",
        "½",
        "$5",
        "5%",
        "true",
    ],
)
def test_nothing_else_is_a_number(cell: str) -> None:
    """What another program might take for a number, and what a float cannot hold, is not one."""
    assert number(cell) is None


@given(st.integers(-(2**53), 2**53))
def test_every_exact_integer_comes_back(value: int) -> None:
    """An integer that a float can hold is read as itself."""
    assert number(str(value)) == value


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_every_float_comes_back(values: list[float]) -> None:
    """A float written with all its digits is read as itself, bit for bit."""
    dtype, read, notes = _column(*map(repr, values))
    assert dtype == "float64"
    assert list(map(repr, read)) == list(map(repr, values))
    assert not any("rounded" in note for note in notes)


CASES: list[tuple[str, tuple[str, ...], str, list[object], tuple[str, ...]]] = [
    ("integers", ("1", "-2", "0"), "int64", [1, -2, 0], ()),
    ("decimals", ("1", "2.50"), "float64", [1.0, 2.5], ()),
    ("decimals with a gap", ("1.5", "", "2"), "float64", [1.5, None, 2.0], ()),
    ("minus zero", ("-0", "1"), "float64", [-0.0, 1.0], ()),
    ("text", ("a", "", "b"), "str", ["a", None, "b"], ()),
    ("spaces in text", ("a", " b ", " "), "str", ["a", " b ", " "], ()),
    ("yes and no", ("yes", "no"), "str", ["yes", "no"], ()),
    ("true and false", ("True", "FALSE", "true"), "bool", [True, False, True], ()),
    ("true or false beside a number", ("True", "0"), "str", ["True", "0"], ()),
    ("true or false beside a word", ("False", "maybe"), "str", ["False", "maybe"], ()),
    ("true with a gap", ("True", "", "False"), "boolean", [True, None, False], ()),
    ("letters for true and false", ("t", "f"), "str", ["t", "f"], ()),
    (
        "spaces around true",
        (" True", "false"),
        "bool",
        [True, False],
        ("Column 'x' holds spaces around true or false in 1 cell (' True' in row 2), left out.",),
    ),
    (
        "integers with a gap",
        ("1", "", "3"),
        "float64",
        [1.0, None, 3.0],
        ("Column 'x' holds whole numbers and 1 empty cell, so its numbers are kept as decimals.",),
    ),
    ("nothing", ("", ""), "str", [None, None], ()),  # the schema says why it is left out
    ("spaces", ("", " "), "str", [None, " "], ("Column 'x' holds nothing but spaces.",)),
    (
        "spaces around numbers",
        ("1", " 2", "3 "),
        "int64",
        [1, 2, 3],
        ("Column 'x' holds spaces around numbers in 2 cells (' 2', first in row 3), left out.",),
    ),
    (
        "spaces for a number",
        ("1.5", "  "),
        "float64",
        [1.5, None],
        ("Column 'x' holds only spaces in 1 cell ('  ' in row 3), read as missing.",),
    ),
    (
        "codes like powers",
        ("12E3", "5"),
        "float64",
        [12000.0, 5.0],
        ("Column 'x' holds scientific notation in 1 cell ('12E3' in row 2), read as numbers.",),
    ),
    (
        "too many digits",
        ("0.12345678901234567890", "1"),
        "float64",
        [0.12345678901234568, 1.0],
        ("Column 'x' holds more digits than a number keeps in 1 cell ('0.12345678901234567890' in row 2), rounded.",),
    ),
    (
        "a unit lost",
        ("12345678901234567.0", "1"),
        "float64",
        [12345678901234568.0, 1.0],
        ("Column 'x' holds more digits than a number keeps in 1 cell ('12345678901234567.0' in row 2), rounded.",),
    ),
    (
        "leading zeros",
        ("10115", "00123", "00124"),
        "str",
        ["10115", "00123", "00124"],
        ("Column 'x' stays text: 2 cells ('00123', first in row 3) have leading zeros.",),
    ),
    (
        "long identifiers",
        ("1", "9007199254740993"),
        "str",
        ["1", "9007199254740993"],
        ("Column 'x' stays text: 1 cell ('9007199254740993' in row 3) has more digits than a number keeps.",),
    ),
    (
        "overflow",
        ("1", "1e999"),
        "str",
        ["1", "1e999"],
        ("Column 'x' stays text: 1 cell ('1e999' in row 3) is beyond the range of numbers.",),
    ),
    (
        "decimal commas",
        ("1,5", "2", "1,234"),
        "str",
        ["1,5", "2", "1,234"],
        (
            "Column 'x' stays text: 2 cells ('1,5', first in row 2) look like numbers with decimal commas; "
            "if they are, write them with decimal points.",
        ),
    ),
    (
        "thousands",
        ("1,500", "2"),
        "str",
        ["1,500", "2"],
        (
            "Column 'x' stays text: 1 cell ('1,500' in row 2) looks like a number with a thousands separator; "
            "if it is one, write it without.",
        ),
    ),
    (
        "plus signs",
        ("+5", "2"),
        "str",
        ["+5", "2"],
        ("Column 'x' stays text: 1 cell ('+5' in row 2) begins with a plus sign.",),
    ),
    (
        "zeros and a word",
        ("007", "NA"),
        "str",
        ["007", "NA"],
        (
            "Column 'x' stays text: 1 cell ('007' in row 2) has leading zeros.",
            "Column 'x' would be a number but for 1 cell ('NA' in row 3); "
            'list such words under "missing" in the schema, or mend the cells.',
        ),
    ),
    (
        "words for missing",
        ("1", "n/a", "n/a", "2.5", "?"),
        "str",
        ["1", "n/a", "n/a", "2.5", "?"],
        (
            "Column 'x' would be a number but for 3 cells ('n/a', first in row 3); "
            'list such words under "missing" in the schema, or mend the cells.',
        ),
    ),
    (
        "a typing slip",
        (*"1234567890", "1o"),
        "str",
        [*"1234567890", "1o"],
        (
            "Column 'x' would be a number but for 1 cell ('1o' in row 12); "
            'list such words under "missing" in the schema, or mend the cells.',
        ),
    ),
    (
        "a word in text",
        ("red", "NULL"),
        "str",
        ["red", "NULL"],
        (
            "Column 'x' holds a word that may mean missing in 1 cell ('NULL' in row 3); "
            'if it means that no value is known, list it under "missing" in the schema.',
        ),
    ),
    (
        "look-alikes",
        ("Paris", "Rome", "paris ", "PARIS"),
        "str",
        ["Paris", "Rome", "paris ", "PARIS"],
        (
            "Column 'x' holds values that look alike, 'Paris' (row 2) and 'paris ' (row 4) (2 such pairs); "
            "they stay different values.",
        ),
    ),
]


@pytest.mark.parametrize(
    ("cells", "dtype", "values", "notes"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_each_column_is_what_its_cells_say(
    cells: tuple[str, ...], dtype: str, values: list[object], notes: tuple[str, ...]
) -> None:
    """Type, values and notes are those a careful reader would write down."""
    assert _column(*cells) == (dtype, values, notes)


@pytest.mark.parametrize("word", ["NA", "n/a", "null", "None", "?", "nan", "NaN", "-", ".", "\\N", "#N/A"])
def test_no_word_is_taken_for_missing(word: str) -> None:
    """Words that other readers turn into missing stay what they are, and are noted."""
    dtype, values, notes = _column("1", word, "2")
    assert (dtype, values) == ("str", ["1", word, "2"])
    assert f"would be a number but for 1 cell ({word!r} in row 3)" in notes[0]


def test_notes_call_rows_by_the_line_of_the_file() -> None:
    """Blank lines and line breaks in cells do not shift the rows that notes speak of."""
    notes = read_csv(b'a,b\n"x\ny",1\n\nz,n/a\n').notes
    assert any("('n/a' in row 5)" in note for note in notes)


def test_blocks_are_one_column() -> None:
    """A column packed in several blocks is typed as a whole."""
    values, notes = read_column("x", ["1\x002", "3\x00a"], array("q", [2, 3, 4, 5]))
    assert values.tolist() == ["1", "2", "3", "a"]
    assert notes == []
    values, _ = read_column("x", ["1\x002", "3.5"], array("q", [2, 3, 4]))
    assert values.dtype == np.float64


def test_long_cells_are_cut_in_notes() -> None:
    """A note stays a sentence even when the cell is a page."""
    _, _, notes = _column("1", "0" * 5000)
    assert len(notes[0]) < 120


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Age", " age "),
        ("a b", "a  b"),
        ("ﬁne", "fine"),
        ("a\u200bb", "ab"),
        ("Вос", "Boc"),
        ("x²", "X2"),
        ("ΑΒ", "ab"),
    ],
)
def test_look_alikes_share_a_key(one: str, other: str) -> None:
    """Texts that a reader could take for one another have one key."""
    assert look_key(one) == look_key(other)


@pytest.mark.parametrize(("one", "other"), [("age", "wage"), ("a_b", "a b"), ("é", "e"), ("в", "b"), ("1", "l")])
def test_texts_that_can_be_told_apart_do_not(one: str, other: str) -> None:
    """Texts that a reader can tell apart have two keys."""
    assert look_key(one) != look_key(other)
