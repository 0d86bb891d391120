"""Costs: the values, COSTS.csv, JSON, and which features comparisons link."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.costs import Answer, Comparison, Costs, FeatureCost, components, read_costs
from ares_core.errors import CostError

Write = Callable[[str | bytes], Path]

FEATURES = ("income", "savings", "car")
positive = st.floats(min_value=1e-6, max_value=1e6)
feature_costs = st.builds(
    lambda numbers, source: FeatureCost(numbers[1], numbers[0], numbers[2], source),
    st.tuples(positive, positive, positive).map(sorted),
    st.sampled_from(["unit", "learned", "direct"]),
)
many_costs = st.dictionaries(st.text(max_size=5), feature_costs, max_size=5).map(Costs)


def test_unit_costs_count_changes() -> None:
    """Every feature costs exactly 1."""
    costs = Costs.unit(FEATURES)
    assert list(costs) == list(FEATURES)
    assert costs["car"] == FeatureCost(1.0, 1.0, 1.0, "unit")
    assert costs.vector(["car", "income", "car"]).tolist() == [1.0, 1.0, 1.0]


def test_direct_entry_overrides_and_is_marked() -> None:
    """Only the entered features change, and the original costs stay as they were."""
    before = Costs.unit(FEATURES)
    after = before.with_direct({"income": 4})
    assert after["income"] == FeatureCost(4.0, 4.0, 4.0, "direct")
    assert after.vector(FEATURES).tolist() == [4.0, 1.0, 1.0]
    assert after["car"].source == "unit"
    assert before.of("income") == 1.0


def test_costs_are_values() -> None:
    """Equal in any order, with one hash, the same after pickling, and blind to later changes outside."""
    source = {"a": FeatureCost(2.0, 1.0, 3.0, "learned"), "b": FeatureCost(1.0, 1.0, 1.5, "learned")}
    one, other = Costs(source), Costs(dict(reversed(source.items())))
    source.clear()
    assert one == other == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(other)
    assert one != Costs.unit("ab")
    with pytest.raises(AttributeError):
        one.entries = {}  # type: ignore[misc]


@given(many_costs)
def test_json_brings_costs_back(costs: Costs) -> None:
    """Costs survive JSON text exactly, with the keys the run file promises."""
    data = json.loads(json.dumps(costs.to_json()))
    assert Costs.from_json(data) == costs
    assert all(list(entry) == ["cost", "low", "high", "source"] for entry in data.values())


@pytest.mark.parametrize(
    "numbers",
    [
        (0, 0, 0),
        (-1, -1, -1),
        (math.nan, 1, 2),
        (math.inf, 1, math.inf),
        (1, 0, 2),
        (1, 1e-300, 2),
        (1e160, 1e160, 1e160),
    ],
)
def test_a_cost_is_neither_nothing_nor_endless(numbers: tuple[float, float, float]) -> None:
    """A free or negative change has no cost here, nor one whose square is no number."""
    with pytest.raises(CostError, match="a number from a billionth to a billion"):
        FeatureCost(*numbers, "direct")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((1.0, 2.0, 3.0, "learned"), "outside its interval"),
        ((4.0, 2.0, 3.0, "learned"), "outside its interval"),
        ((1.0, 1.0, 1.0, "guess"), "source 'guess'"),
    ],
)
def test_a_cost_agrees_with_its_interval_and_source(arguments: tuple[Any, ...], problem: str) -> None:
    """The interval holds the cost, and the source is one of three."""
    with pytest.raises(CostError, match=problem):
        FeatureCost(*arguments)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "not a JSON object"),
        ({"a": 1.0}, "The cost of 'a' is 1.0."),
        ({"a": {"cost": 1}}, "The cost of 'a' is"),
        ({"a": {"cost": "1", "low": 1, "high": 1, "source": "unit"}}, "not all numbers"),
        ({"a": {"cost": True, "low": 1, "high": 1, "source": "unit"}}, "not all numbers"),
        ({"a": {"cost": 2, "low": 1, "high": 1, "source": "unit"}}, "The cost of 'a' cannot be used"),
        ({"a": {"cost": 1, "low": 1, "high": 1, "source": ["unit"]}}, "The cost of 'a' cannot be used"),
        ({"a": {"cost": 10**400, "low": 1, "high": 1, "source": "unit"}}, "too large"),
    ],
)
def test_json_that_is_not_costs_is_refused(data: object, problem: str) -> None:
    """Each fault is named with its feature."""
    with pytest.raises(CostError, match=problem):
        Costs.from_json(data)


@pytest.mark.parametrize(
    ("entered", "problem", "hint"),
    [
        ({"incme": 2.0}, "'incme', which is not a feature", "Did you mean 'income'?"),
        ({"income": 0.0}, "The cost of 'income' is 0.0", "positive number"),
        ({"car": math.nan}, "The cost of 'car' is nan", "positive number"),
    ],
)
def test_direct_entry_is_checked(entered: dict[str, float], problem: str, hint: str) -> None:
    """An unknown feature is met with the nearest known name."""
    with pytest.raises(CostError, match=problem) as caught:
        Costs.unit(FEATURES).with_direct(entered)
    assert hint in caught.value.hint


def test_asking_for_an_unknown_cost_is_an_error() -> None:
    """The hint lists the features there are."""
    with pytest.raises(CostError, match="Feature 'CAR ' has no cost") as caught:
        Costs.unit(FEATURES).vector(["income", "CAR "])
    assert caught.value.hint == "Did you mean 'car'? The features are 'income', 'savings', 'car'."


def test_features_the_file_does_not_name_cost_one(write: Write) -> None:
    """COSTS.csv may be partial; what it holds is marked direct."""
    costs = read_costs(write("feature,cost\ncar,2.5\nsavings,3\n"), FEATURES)
    assert costs.vector(FEATURES).tolist() == [1.0, 3.0, 2.5]
    assert [costs[name].source for name in FEATURES] == ["unit", "direct", "direct"]
    assert read_costs(write("feature,cost\n"), FEATURES) == Costs.unit(FEATURES)


@pytest.mark.parametrize(
    ("content", "problem", "hint"),
    [
        ("", "'file.csv' is empty.", "feature,cost"),
        ("feature,price\ncar,1\n", "no column 'cost'", "feature,cost"),
        ("feature,cost\ncar,1,5\n", "Row 2 of 'file.csv' has 3 fields but the header has 2.", "quotes"),
        (
            "feature,cost\ncar,1\nincme,2\n",
            "Row 3 of 'file.csv' names 'incme', which is not a feature.",
            "Did you mean 'income'? The features are 'income', 'savings', 'car'.",
        ),
        ("feature,cost\nzzz,2\n", "names 'zzz'", "The features are 'income', 'savings', 'car'."),
        ("feature,cost\ncar,1\n\ncar,1\n", "Row 4 of 'file.csv' names 'car' a second time.", "one row"),
        ("feature,cost\ncar,cheap\n", "Row 2 of 'file.csv' gives 'car' the cost 'cheap'", "positive number"),
        ("feature,cost\ncar,\n", "gives 'car' the cost ''", "positive number"),
        ("feature,cost\ncar,-1\n", "gives 'car' the cost '-1'", "positive number"),
        ("feature,cost\ncar,0\n", "gives 'car' the cost '0'", "positive number"),
        ("feature,cost\ncar,nan\n", "gives 'car' the cost 'nan'", "positive number"),
        ("feature,cost\ncar,1e999\n", "gives 'car' the cost '1e999'", "positive number"),
        ("feature,cost\ncar,1_000\n", "gives 'car' the cost '1_000'", "positive number"),
        ('feature,cost\ncar,"2,5"\n', "gives 'car' the cost '2,5'", "decimal point"),
        (b"\x00\x01\x02", "it holds NUL bytes", "UTF-8"),
    ],
)
def test_a_bad_costs_file_is_named_with_what_to_do(write: Write, content: str | bytes, problem: str, hint: str) -> None:
    """Each bad row is named, and the hint says what would be right."""
    with pytest.raises(CostError) as caught:
        read_costs(write(content), FEATURES)
    assert problem in caught.value.problem
    assert hint in caught.value.hint


def test_components_follow_links_through_others() -> None:
    """Ties link, "cannot say" does not, unknown names are passed over, and groups come largest first."""
    answers = [
        Comparison("e", "d"),
        Comparison("c", "a", Answer.TIE),
        Comparison("a", "b"),
        Comparison("a", "d", Answer.CANNOT_SAY),
        Comparison("a", "z"),
        Comparison("b", "c"),
    ]
    assert components(answers, "abcdef") == (("a", "b", "c"), ("d", "e"), ("f",))
    assert components([], "ab") == (("a",), ("b",))
    assert components(answers, "") == ()


@given(st.lists(st.permutations("abcdef").map(lambda names: (names[0], names[1]))))
def test_components_partition_the_features(pairs: list[tuple[str, str]]) -> None:
    """Every feature is in one group, and no comparison crosses groups."""
    groups = components([Comparison(*pair) for pair in pairs], "abcdef")
    assert sorted(name for group in groups for name in group) == list("abcdef")
    home = {name: group for group in groups for name in group}
    assert all(home[first] == home[second] for first, second in pairs)
    assert len(groups) >= 6 - len(pairs)
