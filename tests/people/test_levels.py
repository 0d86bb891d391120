"""Levels: who is at them, how they are named, how files write them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.people.levels import (
    Cell,
    Choice,
    Interval,
    Missing,
    Value,
    as_held,
    equals,
    interval_name,
    interval_names,
    is_cell,
    is_number,
    number_text,
    plain,
    unused,
)

EDGES = st.lists(st.floats(allow_nan=False, allow_infinity=False), unique=True, max_size=6).map(sorted)


def masks(frame: pd.DataFrame, column: str, *levels: Value | Interval | Missing) -> list[list[bool]]:
    return [level.mask(frame, column).tolist() for level in levels]


def test_an_interval_holds_its_low_edge_and_not_its_high_edge() -> None:
    """[10, 20) holds 10 and 19.9, and holds neither 9.9 nor 20 nor an empty cell."""
    frame = pd.DataFrame({"x": [9.9, 10, 19.9, 20, math.nan]})
    assert Interval("", 10, 20).mask(frame, "x").tolist() == [False, True, True, False, False]


def test_open_ends_hold_everything_beyond_them_even_the_infinite() -> None:
    """An interval without an end reaches all the way, so the levels of a number cover the line."""
    frame = pd.DataFrame({"x": [-math.inf, -1e308, 0.0, 1e308, math.inf, math.nan]})
    low, high, any_number = masks(frame, "x", Interval("", None, 0), Interval("", 0, None), Interval("", None, None))
    assert low == [True, True, False, False, False, False]
    assert high == [False, False, True, True, True, False]
    assert any_number == [True] * 5 + [False]


@given(EDGES, st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_intervals_between_cuts_hold_every_number_exactly_once(cuts: list[float], numbers: list[float]) -> None:
    """Half-open intervals cover the line and never overlap."""
    edges = [None, *cuts, None]
    frame = pd.DataFrame({"x": [*numbers, *cuts]})
    levels = [Interval("", low, high) for low, high in pairwise(edges)]
    assert (np.sum(masks(frame, "x", *levels), axis=0) == 1).all()


@pytest.mark.parametrize(("low", "high"), [(5, 5), (6, 5), (math.nan, 5), (5, math.nan)])
def test_an_empty_interval_cannot_exist(low: float, high: float) -> None:
    """Whoever builds an interval nobody can be in made a mistake."""
    with pytest.raises(ValueError, match="empty"):
        Interval("", low, high)


def test_excluded_numbers_belong_to_missing_and_to_no_interval() -> None:
    """-9 means missing: it is below 0 and yet not in the interval below 0."""
    frame = pd.DataFrame({"x": [-9, -8, 3]})
    below, missing = masks(frame, "x", Interval("", None, 0, (-9,)), Missing(values=(-9,)))
    assert below == [False, True, False]
    assert missing == [True, False, False]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((), [False, True, False, False]),
        (("NA",), [True, True, False, False]),
        (("NA", "?"), [True, True, True, False]),
        ((-9,), [False, True, False, False]),
    ],
)
def test_missing_holds_empty_cells_and_the_declared_words(values: tuple[str | int, ...], expected: list[bool]) -> None:
    """The word "NA" is like any other until it is declared to mean missing."""
    frame = pd.DataFrame({"x": pd.array(["NA", None, "?", "skilled"], dtype="str")})
    assert Missing(values=values).mask(frame, "x").tolist() == expected


@pytest.mark.parametrize(
    ("cells", "value", "expected"),
    [
        ([1, 2], 1, [True, False]),
        ([1, 2], 1.0, [True, False]),
        ([1, 2], "1", [False, False]),
        ([1.0, math.nan], 1, [True, False]),
        ([True, False], 1, [True, False]),
        ([2**53, 2**53 + 1], 2**53 + 1, [False, True]),
        ([1, 2], 10**300, [False, False]),
    ],
)
def test_numbers_equal_numbers_only(cells: list[float], value: str | float, expected: list[bool]) -> None:
    """1 and 1.0 are the same, 1 and "1" are not."""
    assert equals(pd.Series(cells), value).tolist() == expected


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_text_equals_text_only(dtype: str) -> None:
    """The text "1" is not the number 1, and an empty cell equals nothing."""
    cells = pd.Series(["1", "01", None], dtype=dtype)
    assert equals(cells, "1").tolist() == [True, False, False]
    assert equals(cells, 1).tolist() == [False, False, False]


@pytest.mark.parametrize("dtype", ["bool", "boolean"])
@pytest.mark.parametrize("value", [True, "True", "TRUE", "true", 1])
def test_true_equals_true_however_a_file_writes_it(dtype: str, value: Cell) -> None:
    """Files from before tables kept true and false write them as text; other text and numbers are never equal."""
    cells = pd.Series([True, False], dtype=dtype)
    assert equals(cells, value).tolist() == [True, False]
    assert as_held(cells, value) is True
    for other in ("t", "yes", "1", 2, 0.5):
        assert not equals(cells, other).any()


def test_an_empty_cell_is_neither_true_nor_false() -> None:
    """Nullable true and false with an empty cell compare like text with one."""
    cells = pd.Series([True, None, False], dtype="boolean")
    assert equals(cells, True).tolist() == [True, False, False]
    assert equals(cells, False).tolist() == [False, False, True]
    assert Missing().mask(cells.to_frame("x"), "x").tolist() == [False, True, False]
    assert Missing(values=(False,)).mask(cells.to_frame("x"), "x").tolist() == [False, True, True]


def test_true_is_one_of_numbers_and_a_word_of_text() -> None:
    """A file may write true for the number 1 or the word True; nothing else is meant by it."""
    assert equals(pd.Series([1, 0]), True).tolist() == [True, False]
    assert equals(pd.Series(["True", "true", "1"], dtype="str"), True).tolist() == [True, False, False]


@pytest.mark.parametrize("dtype", ["bool", "boolean"])
def test_true_and_false_are_in_no_interval(dtype: str) -> None:
    """Pandas calls true and false numbers; a range of numbers holds neither."""
    frame = pd.DataFrame({"x": pd.array([True, False], dtype=dtype)})
    assert not Interval("", None, None).mask(frame, "x").any()


def test_text_is_in_no_interval() -> None:
    """A range asked of a text column holds nobody, rather than failing inside numpy."""
    frame = pd.DataFrame({"x": pd.array(["12", None], dtype="str")})
    assert not Interval("", None, None).mask(frame, "x").any()


def test_a_choice_needs_every_column() -> None:
    """Only rows that agree in all columns are at a level of a choice."""
    frame = pd.DataFrame({"Owns": [1, 0, 1, 0], "Rents": [0, 1, 1, 0]})
    assert Choice("owns", (("Owns", 1), ("Rents", 0))).mask(frame, "House").tolist() == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("level", "written"),
    [
        (Value("skilled", "A173"), {"equals": "A173"}),
        (Interval("x", 3, None), {"at_least": 3, "below": None}),
        (Interval("x", None, 3.5, (-9,)), {"at_least": None, "below": 3.5, "except": [-9]}),
        (Choice("owns", (("Owns", 1), ("Rents", 0))), {"equals": "owns", "columns": {"Owns": 1, "Rents": 0}}),
        (Missing(), {"missing": True}),
        (Missing(values=(-9, "NA")), {"missing": True, "values": [-9, "NA"]}),
    ],
)
def test_levels_are_written_as_the_run_file_promises(
    level: Value | Interval | Choice | Missing, written: dict[str, object]
) -> None:
    """Declared missing numbers stand under "except" of an interval and "values" of missing."""
    assert level.to_json() == written


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(3), 3),
        (np.float64(3.0), 3),
        (3.0, 3),
        (3.5, 3.5),
        (-0.0, 0),
        (True, True),
        (np.bool_(False), False),
        ("3", "3"),
        (2**60, 2**60),
        (1e300, 1e300),
        (np.str_("a"), "a"),
    ],
)
def test_plain_gives_what_json_can_write(value: object, expected: str | float) -> None:
    """Cells become bool, int, float or str; whole numbers become int, but a float never grows digits it had not."""
    result = plain(value)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("value", "number", "cell"),
    [
        (1, True, True),
        (1.5, True, True),
        (-(10**300), True, True),
        ("a", False, True),
        (True, False, True),
        (math.nan, False, False),
        (math.inf, False, False),
        (10**400, False, False),
        (None, False, False),
        ([1], False, False),
        ({}, False, False),
        ("\ud800", False, False),
        ("\U0001f600", False, True),
    ],
)
def test_json_values_that_can_stand_in_a_cell(value: object, number: bool, cell: bool) -> None:
    """NaN, the infinite, integers no float reaches, null, lists and objects are not cells."""
    assert (is_number(value), is_cell(value)) == (number, cell)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1500, "1500"),
        (9999, "9999"),
        (10_000, "10,000"),
        (-25_000.0, "-25,000"),
        (0.5, "0.5"),
        (1 / 3, "0.333333"),
        (1234.5678, "1234.57"),
        (12_345.678, "12,345.68"),
        (1_234_567.8, "1,234,567.8"),
        (1e300, "1e+300"),
        (1e-7, "1e-07"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_numbers_read_as_people_write_them(number: float, text: str) -> None:
    """Thousands stand apart from 10,000 on, decimals are few, and ordinary numbers show no power of ten."""
    assert number_text(number) == text


@pytest.mark.parametrize(
    ("low", "high", "unit", "whole", "name"),
    [
        (None, None, "", False, "any number"),
        (None, 12, "months", False, "below 12 months"),
        (12, 24, "months", False, "12 to below 24 months"),
        (24, None, "months", False, "24 months or more"),
        (2, 6, "", True, "2 to 5"),
        (1, 2, "", True, "1"),
        (1, 2, "", False, "1 to below 2"),
        (0.5, 10_000, "EUR", False, "0.5 to below 10,000 EUR"),
        (7500, 15_000, "", True, "7,500 to 14,999"),
        (9722.5, 14_917, "", False, "9,722.5 to below 14,917"),
        (2000, 7500, "", True, "2000 to 7499"),
    ],
)
def test_intervals_are_named_in_words(low: float | None, high: float | None, unit: str, whole: bool, name: str) -> None:
    """Whole numbers name the last number inside, others the first number outside."""
    assert interval_name(low, high, unit, whole=whole) == name


def test_the_levels_of_one_feature_are_written_in_one_style() -> None:
    """Thousands are set apart in all names, or in none."""
    assert interval_names([None, 2500, 7500, 15_000, None], whole=True) == [
        "below 2,500",
        "2,500 to 7,499",
        "7,500 to 14,999",
        "15,000 or more",
    ]
    assert interval_names([None, 2500, None], "EUR") == ["below 2500 EUR", "2500 EUR or more"]


def test_a_name_that_is_taken_gets_a_number() -> None:
    """`unused` never returns a name that is taken."""
    assert unused("a", set()) == "a"
    assert unused("a", {"a", "a (2)"}) == "a (3)"
