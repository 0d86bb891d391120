"""Feature: what may change, by how much, and at which level each row is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import DataError, SchemaError
from ares_core.people.feature import MOST_LEVELS, Change, Feature, Kind, check_intervals
from ares_core.people.levels import Choice, Interval, Missing, Value
from tests.people.frames import category, house, number

SIZE = 4


def ordered(change: Change, forbidden: frozenset[str] = frozenset(), missing: bool = True) -> Feature:
    values = ("a", "b", "c") if missing else ("a", "b", "c", "d")
    return category(
        "x", *values, missing=() if missing else None, kind=Kind.ORDERED, change=change, forbidden=forbidden
    )


@pytest.mark.parametrize("change", list(Change))
def test_missing_is_never_a_start_or_a_target(change: Change) -> None:
    """Nobody may be told to become unknown, nor does an unknown person have something to change from."""
    feature = ordered(change)
    assert feature.missing == SIZE - 1
    assert not any(feature.allows(level, 3) or feature.allows(3, level) for level in range(SIZE))


def test_each_change_allows_its_own_direction() -> None:
    """Free goes anywhere else, increase only up, decrease only down, frozen nowhere."""
    expected = {
        Change.FREE: lambda a, b: a != b,
        Change.INCREASE: lambda a, b: b > a,
        Change.DECREASE: lambda a, b: b < a,
        Change.FROZEN: lambda a, b: False,
    }
    for change, (start, target) in product(Change, product(range(SIZE), repeat=2)):
        feature = ordered(change, missing=False)
        assert feature.allows(start, target) == expected[change](start, target), (change, start, target)


@given(st.sampled_from(list(Change)), st.sets(st.sampled_from("abc")))
def test_a_forbidden_level_is_no_target_but_may_be_left(change: Change, forbidden: set[str]) -> None:
    """Forbidding takes targets away and nothing else."""
    free, strict = ordered(change), ordered(change, frozenset(forbidden))
    for start, target in product(range(SIZE), repeat=2):
        barred = free.levels[target].name in forbidden
        assert strict.allows(start, target) == (free.allows(start, target) and not barred)


def test_magnitude_is_one_for_a_category_and_levels_crossed_otherwise() -> None:
    """A category has no distances; ordered and number features do."""
    for start, target in product(range(3), repeat=2):
        if start != target:
            assert category("x", "a", "b", "c").magnitude(start, target) == 1
            assert ordered(Change.FREE).magnitude(start, target) == abs(start - target)
            assert number("x", 1, 2).magnitude(start, target) == abs(start - target)


def test_the_title_is_the_label_or_else_the_name() -> None:
    """People read labels where there are any."""
    assert category("x", "a").title == "x"
    assert category("x", "a", label="Job").title == "Job"


@pytest.mark.parametrize(
    ("feature", "column", "codes"),
    [
        (category("x", "a", "b"), pd.array(["b", "a", "b"], dtype="str"), [1, 0, 1]),
        (category("x", "a", missing=()), pd.array(["a", None], dtype="str"), [0, 1]),
        (category("x", "a", missing=("NA",)), pd.array(["NA", "a", None], dtype="str"), [1, 0, 1]),
        (category("x", 0, 1, missing=(-9,)), [0, 1, -9], [0, 1, 2]),
        (category("x", 0, 1), [True, False], [1, 0]),
        (number("x", 10, 20), [9, 10, 19, 20], [0, 1, 1, 2]),
        (number("x", 0, missing=(-9,)), [-9.0, -8.0, 0.0, np.nan], [2, 0, 1, 2]),
        (number("x"), [3, -3], [0, 0]),
    ],
)
def test_codes_by_hand(feature: Feature, column: Any, codes: list[int]) -> None:
    """Each row gets the index of its level; missing wins over intervals."""
    assert feature.codes(pd.DataFrame({"x": column})).tolist() == codes


@given(
    st.lists(st.integers(-5, 5), unique=True, max_size=4).map(sorted),
    st.sets(st.integers(-5, 5), max_size=2),
    st.lists(st.none() | st.integers(-6, 6), min_size=1, max_size=30),
)
def test_every_row_is_at_exactly_one_level(cuts: list[int], missing: set[int], cells: list[int | None]) -> None:
    """Whatever the cuts and the declared missing numbers, the levels part the rows, and codes says so."""
    feature = number("x", *cuts, missing=tuple(missing))
    frame = pd.DataFrame({"x": np.array(cells, dtype=float)})
    masks = np.array([level.mask(frame, "x") for level in feature.levels])
    assert (masks.sum(axis=0) == 1).all()
    assert (masks.argmax(axis=0) == feature.codes(frame)).all()


def test_codes_of_a_choice_read_all_its_columns() -> None:
    """A choice is one level for each assignment of its columns."""
    assert house().codes(pd.DataFrame({"Rents": [1, 0, 0], "Owns": [0, 0, 1]})).tolist() == [1, 2, 0]


@pytest.mark.parametrize(("no", "yes"), [(0, 1), (0.0, 1.0), (False, True), ("no", "yes")])
def test_rows_of_a_choice_are_looked_up_as_they_are_compared(
    no: Any, yes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking whole rows up, some at a time, finds the level whose mask holds, whatever type the flags are of."""
    monkeypatch.setattr("ares_core.people.feature.BLOCK_ROWS", 3)
    said = ("no", "yes") if isinstance(no, str) else (0, 1)
    levels = tuple(
        Choice(name, (("Rents", said[rents]), ("Owns", said[owns])))
        for name, owns, rents in (("owns", 1, 0), ("rents", 0, 1), ("neither", 0, 0))
    )
    feature = Feature("House", Kind.CATEGORY, ("Owns", "Rents"), levels)
    places = np.array([0, 1, 2, 2, 0, 1, 1])
    frame = pd.DataFrame({"Owns": [yes if at == 0 else no for at in places], "x": 1})
    frame["Rents"] = [yes if at == 1 else no for at in places]
    frame = frame.astype({"Owns": "str", "Rents": "str"}) if isinstance(no, str) else frame
    assert feature.codes(frame).tolist() == places.tolist()
    assert [level.mask(frame, "Owns").tolist() for level in levels] == [(places == at).tolist() for at in range(3)]


@pytest.mark.parametrize(
    ("feature", "frame", "words"),
    [
        (
            category("x", "a"),
            {"x": pd.array(["a", "b"], dtype="str")},
            "row 3 (the header is row 1), which holds 'x' = 'b'",
        ),
        (
            category("x", "a"),
            {"x": pd.array(["a", "a", None], dtype="str")},
            "row 4 (the header is row 1), which holds 'x' = an empty cell",
        ),
        (category("x", "1"), {"x": [1]}, "row 2 (the header is row 1), which holds 'x' = 1"),
        (number("x", 1), {"x": pd.array(["3"], dtype="str")}, "row 2 (the header is row 1), which holds 'x' = '3'"),
        (number("x", 1), {"x": [0.0, np.nan]}, "row 3 (the header is row 1), which holds 'x' = an empty cell"),
        (
            house(),
            {"Owns": [0, 1], "Rents": [1, 1]},
            "row 3 (the header is row 1), which holds 'Owns' = 1, 'Rents' = 1",
        ),
    ],
)
def test_a_row_at_no_level_is_named(feature: Feature, frame: dict[str, Any], words: str) -> None:
    """The message says which row, which cells and which feature."""
    with pytest.raises(DataError) as caught:
        feature.codes(pd.DataFrame(frame))
    assert words in caught.value.problem
    assert repr(feature.name) in caught.value.problem
    assert caught.value.hint.endswith(".")


def test_a_table_without_the_column_is_named() -> None:
    """A schema for another table fails with a sentence, not with a KeyError."""
    with pytest.raises(DataError, match="no column 'Rents'"):
        house().codes(pd.DataFrame({"Owns": [1]}))


def feature(levels: tuple[Any, ...], **rest: Any) -> Feature:
    return Feature("x", **{"kind": Kind.CATEGORY, "columns": ("x",), "levels": levels, **rest})


A, B = Value("a", 1), Value("b", 2)


@pytest.mark.parametrize(
    ("levels", "rest", "words"),
    [
        ((A, Value("a", 2)), {}, "two levels named 'a'"),
        ((A, Value("b", 1)), {}, "has 1 at two levels, 'a' and 'b'"),
        ((A, Value("b", 1.0)), {}, "at two levels"),
        ((A, B, Missing(values=(2,))), {}, "has 2 at two levels, 'b' and 'not known'"),
        ((Missing(), A), {}, "missing level before another"),
        ((A, B), {"change": Change.INCREASE}, "is a category but its change is 'increase only'"),
        ((A, B), {"change": Change.DECREASE}, "is a category but its change is 'decrease only'"),
        ((A, B), {"forbidden": frozenset({"c"})}, "forbids 'c'"),
        ((A, B), {"columns": ("x", "y")}, "2 columns but a level without an assignment"),
        (
            (Choice("a", (("x", 1), ("y", 0))), Choice("b", (("y", 0), ("x", 1)))),
            {"columns": ("x", "y")},
            "the same values",
        ),
        (tuple(Value(str(i), i) for i in range(MOST_LEVELS + 1)), {}, "1,001 levels, more than 1,000"),
    ],
)
def test_a_feature_that_contradicts_itself_cannot_exist(
    levels: tuple[Any, ...], rest: dict[str, Any], words: str
) -> None:
    """Every contradiction is a SchemaError with a sentence that names the feature, and a hint."""
    with pytest.raises(SchemaError) as caught:
        feature(levels, **rest)
    assert words in caught.value.problem
    assert "'x'" in caught.value.problem
    assert caught.value.problem.endswith(".") and caught.value.hint.endswith(".")


@pytest.mark.parametrize(
    "spans",
    [
        [],
        [(None, 5)],
        [(0, None)],
        [(None, 5), (6, None)],
        [(None, 5), (4, None)],
        [(5, None), (None, 5)],
    ],
)
def test_intervals_with_gaps_or_overlaps_are_refused(spans: list[tuple[float | None, float | None]]) -> None:
    """The levels of a number cover the line once."""
    levels = tuple(Interval(str(index), *span) for index, span in enumerate(spans))
    with pytest.raises(SchemaError, match="do not cover every number once"):
        check_intervals(feature(levels, kind=Kind.NUMBER))


def test_intervals_that_cover_the_line_pass() -> None:
    """Cuts make such levels, with or without a missing level behind them."""
    check_intervals(number("x", 1, 2, missing=(-9,)))
    check_intervals(number("x"))


def test_a_feature_is_a_value() -> None:
    """Equal features are equal and hash alike, so that they can key a cache."""
    assert len({house(), house(), replace(house(), label="Home")}) == 2
    assert all(a == b for a, b in pairwise([number("x", 1), number("x", 1)]))
