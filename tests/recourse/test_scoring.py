"""Scoring: weights of rules by counting bits, against weights of rules by counting people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from ares_core.costs import Costs
from ares_core.recourse import Workbench, learn, prepare
from ares_core.recourse import scoring as room
from ares_core.recourse.bits import pack
from ares_core.recourse.objective import Prices
from ares_core.recourse.scoring import count_pairs
from ares_core.recourse.workbench import Subgroups
from ares_core.settings import Settings, Weights
from tests.recourse.worlds import random_world

WEIGHTS = [Weights(), Weights(2.0, 1.0, 0.7, 0.3), Weights(0.0, 1.0, 1.0, 0.0), Weights(1.0, 1.0, 0.0, 0.0)]
SELECTIONS = pytest.mark.parametrize("selection", ["paper", "robust"])


def benched(seed: int, selection: str = "paper") -> tuple[Workbench, Subgroups]:
    world = random_world(seed, 50)
    settings = Settings(support=0.08, min_people=2, condition_width=2, selection=selection)
    bench = prepare(world.model, world.table, settings, ("sex",))
    return bench, bench.subgroups(("sex", "job"), selection)


def prices(bench: Workbench, weights: Weights, person: float = 1.0) -> Prices:
    """Give every move a cost of its own."""
    return Prices(weights, np.random.default_rng(0).integers(1, 9, len(bench.candidates.moves)) / 2.0, person)


def people_of(bench: Workbench, groups: Subgroups, condition: int) -> set[int]:
    """Return the people rules are chosen on who are in a condition, as places among the subjects."""
    levels = bench.predicates(bench.candidates.conditions[condition])
    return {
        int(place)
        for place in groups.people
        if all(bench.levels[place, feature] == level for feature, level in levels.items())
    }


def may_be_a_rule(bench: Workbench, groups: Subgroups, group: int, condition: int, covered: set[int]) -> bool:
    """Say whether subgroup and condition name different features and describe at least two real people."""
    named = bench.predicates(groups.itemsets[group]).keys() & bench.predicates(bench.candidates.conditions[condition])
    return not named and sum(place < len(bench.affected) for place in covered) >= 2


def options_of(bench: Workbench, condition: int) -> Iterator[int]:
    owners = bench.candidates.options.condition
    yield from (number for number, owner in enumerate(owners) if owner == condition)


def weight(bench: Workbench, covered: set[int], option: int, priced: Prices) -> float:
    """Add up one rule: failures, cost and magnitude; with stand-ins, infinite if it helps none of the real people."""
    move, weights = int(bench.candidates.options.move[option]), priced.weights
    real = [place for place in covered if place < len(bench.affected)]
    if bench.standins and not any(bench.evaluation.works[move, place] for place in real):
        return math.inf
    failures = sum(not bench.evaluation.works[move, place] for place in covered)
    cost, size = float(priced.move_costs[move]), int(bench.candidates.options.magnitude[option])
    return (
        weights.correctness * priced.person_weight * failures
        + weights.feature_cost * cost
        + weights.feature_change * size
    )


@SELECTIONS
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("person", [1.0, 0.3])
def test_penalties_are_the_lightest_weights_of_rules_counted_plainly(
    selection: str, weights: Weights, person: float
) -> None:
    """For each subgroup and condition the lightest move that fits; infinite where there is none, or no rule."""
    bench, groups = benched(1, selection)
    priced = prices(bench, weights, person)
    found = groups.tally.penalties(priced)
    assert found.shape == (len(groups.itemsets), len(bench.candidates.conditions))
    for condition in range(0, found.shape[1], 1 if selection == "paper" else 5):
        inside, fitting = people_of(bench, groups, condition), list(options_of(bench, condition))
        for group in range(found.shape[0]):
            covered = {place for place in inside if groups.masks[group, place]}
            expected = min((weight(bench, covered, option, priced) for option in fitting), default=math.inf)
            expected = expected if may_be_a_rule(bench, groups, group, condition, covered) else math.inf
            assert found[group, condition] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_every_rule_helps_somebody_who_exists(seed: int) -> None:
    """However well a move does for stand-ins, the rules chosen each help one of the learn people at least."""
    bench, _ = benched(seed, "robust")
    costs = Costs.unit(bench.table.schema.names)
    found = learn(bench, replace(bench.settings, weights=Weights(0.2, 1.0, 0.01, 0.005)), costs, ("sex", "job"))
    helped = (found.coverage.covers & found.coverage.works)[:, bench.split.learn].any(axis=1)
    assert bench.standins and len(found.rules) and helped.all()


@SELECTIONS
@pytest.mark.parametrize("seed", range(3))
def test_the_best_options_are_those_the_penalties_speak_of(seed: int, selection: str) -> None:
    """Each fits its condition, weighs exactly the penalty, and is the first that does, asked once or more."""
    bench, groups = benched(seed, selection)
    priced = prices(bench, WEIGHTS[1])
    found = groups.tally.penalties(priced)
    pairs = [(int(group), int(condition)) for group, condition in np.argwhere(np.isfinite(found))]
    options = groups.tally.best_options(pairs, priced)
    for (group, condition), option in zip(pairs, options, strict=True):
        weights = dict(
            zip(groups.tally.options(group).tolist(), groups.tally.weights(group, priced).tolist(), strict=True)
        )
        assert bench.candidates.options.condition[option] == condition
        assert weights[option] == found[group, condition]
        earlier = [other for other in options_of(bench, condition) if other < option]
        assert all(weights[other] > weights[option] for other in earlier)
    again = groups.tally.best_options([pairs[0], pairs[-1], pairs[0]], priced)
    assert again == [options[0], options[-1], options[0]]
    assert groups.tally.best_options([], priced) == []


@SELECTIONS
@pytest.mark.parametrize("seed", range(3))
def test_covers_counts_the_people_of_subgroup_and_condition(seed: int, selection: str) -> None:
    """Only people rules are chosen on: check people are never counted."""
    bench, groups = benched(seed, selection)
    assert not set(groups.people.tolist()) & set(bench.split.check.tolist())
    for condition in range(len(bench.candidates.conditions)):
        inside = people_of(bench, groups, condition)
        expected = [sum(bool(mask[place]) for place in inside) for mask in groups.masks]
        assert groups.tally.pairs.covers[:, condition].tolist() == expected


def test_failures_are_the_people_covered_and_not_helped() -> None:
    """A person the rule does not cover is no failure, whatever the move does for others."""
    bench, groups = benched(0)
    options = bench.candidates.options
    for group in range(len(groups.itemsets)):
        found = dict(zip(groups.tally.options(group).tolist(), groups.tally.failures(group).tolist(), strict=True))
        for option in list(found)[::3]:
            inside = people_of(bench, groups, int(options.condition[option]))
            covered = [place for place in inside if groups.masks[group, place]]
            works = bench.evaluation.works[options.move[option]]
            assert found[option] == sum(not works[place] for place in covered)
        for condition in {int(options.condition[option]) for option in found}:
            expected = [found[option] for option in options_of(bench, condition)]
            assert groups.tally.failures_at(group, condition).tolist() == expected


@pytest.mark.parametrize(("name", "value"), [("MOST_COUNTS", 0), ("MOST_WORDS", 1), ("MOST_WORDS", 10)])
def test_how_much_is_remembered_or_counted_at_once_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    """Counting anew, or in small pieces, gives the same penalties to the last bit."""
    bench, groups = benched(2)
    priced = prices(bench, WEIGHTS[1])
    expected = groups.tally.penalties(priced)
    monkeypatch.setattr(room, name, value)
    again = bench.tally(groups.itemsets, groups.masks, groups.people, 2)
    assert (again.penalties(priced) == expected).all()


@pytest.mark.parametrize("people", [1, 64, 200])
def test_people_in_both_are_counted_pair_by_pair(people: int) -> None:
    """Every subgroup with every condition, by the sizes of plain intersections."""
    groups, conditions = np.random.default_rng(people).random((2, 4, people)) < 0.5
    expected = [[int((group & condition).sum()) for condition in conditions] for group in groups]
    assert count_pairs(pack(groups), pack(conditions)).tolist() == expected


def test_a_tally_without_people_or_conditions_breaks_nothing() -> None:
    """Nobody to learn from means nobody covered; no condition means no pair."""
    bench, groups = benched(0)
    nobody = bench.tally(groups.itemsets, groups.masks, groups.people[:0], 0)
    assert not nobody.pairs.covers.any()
    assert len(nobody.options(0)) and not nobody.failures(0).any()
    world = random_world(0, 300)
    empty = prepare(world.model, world.table, Settings(min_people=1000, selection="paper"), ("sex",))
    found = empty.subgroups(("sex",), "paper")
    assert found.tally.penalties(prices(empty, WEIGHTS[0])).shape == (len(found.itemsets), 0)
