"""Inference: what a column is guessed to be, where numbers are cut, what is left out and why."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.people.feature import Change, Feature, Kind
from ares_core.people.infer import (
    NUMBER_LEVELS,
    infer_feature,
    infer_features,
    level_names,
    readable_cuts,
    value_levels,
)
from ares_core.people.levels import Interval, Missing, Value
from ares_core.people.schema import Schema
from ares_core.people.schema_file import schema_for
from tests.people.frames import REAL, ROUND, WHOLE, frames


def series(cells: Any, name: str = "x") -> pd.Series[Any]:
    text = any(isinstance(cell, str) for cell in cells)
    return pd.Series(cells, name=name, dtype="str" if text else None)


def names(feature: Feature) -> list[str]:
    return [level.name for level in feature.levels]


@pytest.mark.parametrize(
    ("cells", "kind", "levels"),
    [
        (["b", "a", "b"], Kind.CATEGORY, ["a", "b"]),
        (["yes", "no"], Kind.CATEGORY, ["no", "yes"]),
        (["True", "False"], Kind.CATEGORY, ["False", "True"]),
        ([0, 1], Kind.CATEGORY, ["0", "1"]),
        ([-1, 1], Kind.CATEGORY, ["-1", "1"]),
        ([0.5, 2.5], Kind.CATEGORY, ["0.5", "2.5"]),
        ([True, False], Kind.CATEGORY, ["False", "True"]),
        ([3, 1, 2], Kind.ORDERED, ["1", "2", "3"]),
        ([3.0, 1.0, 2.0], Kind.ORDERED, ["1", "2", "3"]),
        ([10_000, -10_000, 5], Kind.ORDERED, ["-10,000", "5", "10,000"]),
        ([1.5, 2.5, 3.5], Kind.NUMBER, ["below 2.5", "2.5 to below 3.5", "3.5 or more"]),
        ([1, 2, 3, 4, 5, 6], Kind.ORDERED, ["1", "2", "3", "4", "5", "6"]),
        (["01", "1"], Kind.CATEGORY, ["01", "1"]),
        ([1.0000001, 1.0000002], Kind.CATEGORY, ["1.0000001", "1.0000002"]),
        (["a", None], Kind.CATEGORY, ["a", "not known"]),
        (["not known", None], Kind.CATEGORY, ["not known", "not known (2)"]),
        ([4.0, math.nan], Kind.CATEGORY, ["4", "not known"]),
        ([1.0, 2.0, 3.0, math.nan], Kind.ORDERED, ["1", "2", "3", "not known"]),
    ],
)
def test_kinds_and_levels_by_hand(cells: list[Any], kind: Kind, levels: list[str]) -> None:
    """Text and pairs are categories, few whole numbers are ordered, others are cut, gaps are a level."""
    feature = infer_feature(series(cells))
    assert (feature.kind, names(feature)) == (kind, levels)
    assert feature.columns == ("x",)


def test_seven_whole_numbers_are_a_number() -> None:
    """Seven different whole numbers are cut, not listed."""
    assert infer_feature(series(range(7))).kind is Kind.NUMBER


@pytest.mark.parametrize("name", ["SK_ID_CURR", "customerId", "loan number", "Unnamed: 0", "account_no", "key"])
def test_different_whole_numbers_under_such_a_name_are_identifiers(name: str) -> None:
    """Numbers with gaps between them may be amounts, unless the column's name says that they number people."""
    gaps = pd.DataFrame({name: [7 * i * i for i in range(30)], "amount": [7 * i * i for i in range(30)]})
    features, ignored = infer_features(gaps)
    assert [feature.name for feature in features] == ["amount"]
    assert dict(ignored) == {name: "every row holds a different whole number, like an identifier"}


@pytest.mark.parametrize(
    "cells",
    [
        [*range(19)],  # too few people to tell
        [*range(29), 28],
        [*range(29), 29.5],
        [*range(29), math.nan],
    ],
)
def test_numbers_that_are_not_all_different_whole_ones_are_no_identifiers(cells: list[float]) -> None:
    """An identifier has one whole number for each person."""
    features, ignored = infer_features(pd.DataFrame({"id": cells}))
    assert [feature.name for feature in features] == ["id"]
    assert not ignored


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([1, 1, 1], "every row holds the same value"),
        (["a", "a"], "every row holds the same value"),
        ([math.nan, math.nan], "every cell is empty"),
        (pd.array([None, None], dtype="str"), "every cell is empty"),
        ([f"t{i}" for i in range(101)] * 2, "it holds 101 different texts"),
        ([f"customer {i}" for i in range(20)], "every row holds a different text"),
        (range(100, 120), "every row holds a different whole number, like an identifier"),
        ([float(i) for i in reversed(range(20))], "every row holds a different whole number, like an identifier"),
    ],
)
def test_useless_columns_are_left_out_with_the_reason(cells: Any, reason: str) -> None:
    """Constants, empty columns and identifiers tell nothing about groups of people."""
    features, ignored = infer_features(pd.DataFrame({"x": cells}))
    assert (features, ignored) == ((), (("x", reason),))


@pytest.mark.parametrize(
    "cells",
    [
        [f"t{i}" for i in range(100)] * 2,
        [f"t{i}" for i in range(19)],
        [number * number for number in range(500)],
        ["a", None, None],
    ],
)
def test_useful_columns_are_kept(cells: list[Any]) -> None:
    """A hundred texts that repeat, few rows, different numbers, and one value beside gaps are all kept."""
    features, ignored = infer_features(pd.DataFrame({"x": series(cells)}))
    assert [feature.name for feature in features] == ["x"]
    assert ignored == ()


@pytest.mark.parametrize(
    ("name", "frozen"),
    [
        ("sex", True),
        ("Gender", True),
        ("RACE", True),
        ("age", True),
        ("applicant_age", True),
        ("ApplicantSex", True),
        ("age at loan", True),
        ("MALE", True),
        ("wage", False),
        ("savings", False),
        ("message", False),
        ("Essex", False),
        ("stage", False),
        ("brace", False),
    ],
)
def test_protected_names_are_frozen(name: str, frozen: bool) -> None:
    """Sex, race, age and the like are frozen, as whole words in any style, and only as whole words."""
    assert (infer_feature(series([1, 2], name)).change is Change.FROZEN) == frozen


def test_a_protected_choice_of_several_columns_is_frozen_too() -> None:
    """One-hot race and sex, and a ladder of ages, may not become something people are told to change."""
    rng = np.random.default_rng(0)
    race, age = rng.integers(0, 3, 200), rng.integers(18, 80, 200)
    frame = pd.DataFrame(
        {
            "race_a": race == 0,
            "race_b": race == 1,
            "race_c": race == 2,
            "man": race > 0,
            "female": race == 0,
            "Age_geq_25": age >= 25,
            "Age_geq_60": age >= 60,
        }
    ).astype(int)
    features, _ = infer_features(frame[["race_a", "race_b", "race_c", "Age_geq_25", "Age_geq_60"]])
    assert {feature.name: feature.change for feature in features} == {
        "race": Change.FROZEN,
        "Age": Change.FROZEN,
    }
    features, _ = infer_features(frame[["man", "female"]])
    assert [(feature.name, feature.change) for feature in features] == [("man / female", Change.FROZEN)]


def test_features_stand_in_the_order_of_their_first_columns() -> None:
    """A choice stands where the first of its columns stands, whatever order its columns have in it."""
    numbers = np.arange(60) % 7
    frame = pd.DataFrame({"p": numbers, "x_geq_4": numbers >= 4, "q": numbers * 2, "x_geq_2": numbers >= 2})
    assert Schema.infer(frame).names == ("p", "x", "q")


def test_declared_missing_cells_are_no_level_and_no_number() -> None:
    """-9 shapes neither the kind nor the cuts once it means missing, and every interval leaves it out."""
    cells = series([-9] * 50 + list(range(50)))
    feature = infer_feature(cells, missing=[-9])
    spans = [level for level in feature.levels if isinstance(level, Interval)]
    assert feature.levels[-1] == Missing(values=(-9,))
    assert all(span.excluded == (-9,) for span in spans)
    assert min(span.low for span in spans if span.low is not None) > 0
    assert names(infer_feature(series(["a", "NA", "b"]), missing=["NA"])) == ["a", "b", "not known"]
    assert infer_feature(series([1, 2, 3, -9, -8, -7, -6]), missing=[-9, -8, -7, -6]).kind is Kind.ORDERED


def test_when_everything_is_declared_missing_only_missing_is_left() -> None:
    """A column of nothing but -9 has one level."""
    assert infer_feature(series([-9, -9]), missing=[-9]).levels == (Missing(values=(-9,)),)


@given(st.lists(st.one_of(ROUND, WHOLE, REAL).map(float), min_size=1, max_size=60))
def test_cuts_are_observed_increasing_and_never_the_smallest(numbers: list[float]) -> None:
    """So every level of a number has somebody in it, whatever the numbers are."""
    cuts = readable_cuts(np.array(numbers))
    assert set(cuts) <= set(numbers)
    assert all(low < high for low, high in pairwise(cuts))
    assert not cuts or cuts[0] > min(numbers)
    assert len(cuts) < NUMBER_LEVELS
    assert bool(cuts) == (len(set(numbers)) > 1)
    edges = [-math.inf, *cuts, math.inf]
    assert all(any(low <= number < high for number in numbers) for low, high in pairwise(edges))


@pytest.mark.parametrize(
    ("numbers", "cuts"),
    [
        (range(1, 1001), [200, 400, 600, 800]),
        ([0] * 90 + [1] * 5 + [2] * 5, [1]),
        ([5, 5, 5], []),
        ([], []),
        (np.arange(1000) / 1000, [0.2, 0.4, 0.6, 0.8]),
        (np.arange(-500, 500), [-300, -100, 100, 300]),
        ([1e300, 2e300, 3e300, -1e300], [1e300, 2e300]),
        ([-1.7e308] * 8 + [1.7e308] * 32, [1.7e308]),
    ],
)
def test_cuts_by_hand(numbers: Any, cuts: list[float]) -> None:
    """Cuts are round numbers near the fifths; a heap of equal numbers takes no cut of its own."""
    assert readable_cuts(np.array(numbers, dtype=float)) == cuts


def test_whole_cuts_are_written_without_decimals() -> None:
    """Files say 12, not 12.0."""
    assert all(isinstance(cut, int) for cut in readable_cuts(np.arange(50, dtype=float)))


def test_the_infinite_makes_no_cut_but_has_a_level() -> None:
    """A frame with infinities infers; they belong to the outermost levels."""
    frame = pd.DataFrame({"x": [-math.inf, *np.arange(0.5, 30), math.inf]})
    feature = infer_feature(frame["x"])
    codes = feature.codes(frame)
    assert (codes[0], codes[-1]) == (0, len(feature.levels) - 1)
    assert all(level.low is None or math.isfinite(level.low) for level in feature.levels if isinstance(level, Interval))


def test_level_names_tell_close_cuts_apart() -> None:
    """As many digits are shown as it takes."""
    cuts = [1.0000001, 1.0000002, 1.0000003]
    assert len(set(level_names(cuts, series(cuts), "m"))) == 4
    assert level_names([2, 6], series([0, 1, 2, 6]), "years") == [
        "below 2 years",
        "2 to 5 years",
        "6 years or more",
    ]
    assert level_names([2, 6], series([1.5, 2, 6]), "") == ["below 2", "2 to below 6", "6 or more"]
    assert level_names([2.5], series([1, 2, 6]), "") == ["below 2.5", "2.5 or more"]


def test_a_lowest_level_of_one_whole_number_is_called_by_it() -> None:
    """Nobody says 'below 1 prior arrests'."""
    assert level_names([1, 3], series([0, 0, 1, 2, 9]), "") == ["0", "1 to 2", "3 or more"]
    assert level_names([1, 3], series([0, 0.5, 1, 2, 9]), "")[0] == "below 1"


def test_values_are_levels_in_order_of_value() -> None:
    """Numbers sort as numbers, text as text."""
    assert value_levels(series([10, 9])) == [Value("9", 9), Value("10", 10)]
    assert value_levels(series(["10", "9"])) == [Value("10", "10"), Value("9", "9")]


@settings(max_examples=150)
@given(frames())
def test_any_table_infers_a_schema_that_its_own_file_gives_back(frame: pd.DataFrame) -> None:
    """Infer, write as JSON, read: the same schema. And every row is at exactly one level of every feature."""
    schema = Schema.infer(frame)
    written = json.loads(json.dumps(schema.to_json(), allow_nan=False))
    assert schema_for(frame, written) == schema
    named = [column for feature in schema.features for column in feature.columns]
    assert sorted([*named, *dict(schema.ignored)]) == sorted(frame.columns)
    for feature in schema.features:
        masks = np.array([level.mask(frame, feature.columns[0]) for level in feature.levels])
        assert (masks.sum(axis=0) == 1).all()
        assert (masks.argmax(axis=0) == feature.codes(frame)).all()
        assert masks.any(axis=1).all()
