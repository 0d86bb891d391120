"""Posing: the search problem says what the rules say, and no candidate is lost or made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ares_core.recourse import Workbench, prepare
from ares_core.recourse.candidates import apart
from ares_core.recourse.learn import question
from ares_core.recourse.posing import Posed, pose
from ares_core.settings import Settings, Weights
from tests.recourse.readings import conjunction, rule
from tests.recourse.worlds import Rule, World, random_world, rules

SHAPE = {"support": 0.08, "width": 2, "changes": 2, "people": 2, "subgroup": 2, "most": 4}
SETTINGS = Settings(
    support=0.08, condition_width=2, max_changes=2, min_people=2, subgroup_width=2, max_width=4, selection="paper"
)
INTERESTS = [("sex",), ("job", "sex"), ()]


def posed(seed: int, interest: tuple[str, ...], settings: Settings = SETTINGS) -> tuple[World, Workbench, Posed]:
    world = random_world(seed, 50, 4)
    bench = prepare(world.model, world.table, settings, interest)
    return world, bench, question(bench, settings, world.costs, interest)


def every_rule(world: World, bench: Workbench, interest: tuple[str, ...], **shape: int) -> list[Rule]:
    learners = {int(place) for place in bench.affected[bench.split.learn]}
    return rules(world, learners, {**SHAPE, **shape}, interest)


@pytest.mark.parametrize("interest", INTERESTS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_the_candidates_counted_are_the_rules_there_are(seed: int, interest: tuple[str, ...]) -> None:
    """The number in the certificate is the number of triples a plain enumeration finds."""
    world, bench, found = posed(seed, interest)
    assert found.candidates == len(every_rule(world, bench, interest))
    assert found.candidates > 0


@pytest.mark.parametrize("most", [2, 3, 4])
def test_wider_rules_than_allowed_are_no_candidates(most: int) -> None:
    """Lowering max_width after the model was asked leaves exactly the narrower triples."""
    world, bench, _ = posed(1, ())
    settings = replace(SETTINGS, max_width=most)
    found = question(bench, settings, world.costs, ())
    # The subgroups and conditions come from the workbench; the width of the whole rule is what changes.
    assert found.candidates == len(every_rule(world, bench, (), most=most))


@pytest.mark.parametrize("seed", range(3))
def test_the_people_of_the_problem_weigh_as_many_as_there_are(seed: int) -> None:
    """People alike in every level are one weighted person, and the weights add up to the learn people."""
    _, bench, found = posed(seed, ("sex",))
    assert found.problem.people.sum() == len(bench.split.learn)
    codes = bench.table.codes[bench.affected[bench.split.learn]]
    assert len(found.problem.people) == len({tuple(row) for row in codes.tolist()})


@pytest.mark.parametrize("interest", INTERESTS, ids=str)
@pytest.mark.parametrize("weights", [Weights(), Weights(1.0, 1.0, 0.6, 0.3), Weights(3.0, 1.0, 0.0, 0.0)], ids=str)
def test_each_pair_gains_what_its_best_rule_gains(interest: tuple[str, ...], weights: Weights) -> None:
    """For every subgroup and condition the problem has the best rule there, unless it gains nothing alone."""
    world, bench, _ = posed(2, interest)
    found = question(bench, replace(SETTINGS, weights=weights), world.costs, interest)
    best: dict[object, float] = {}
    for each in every_rule(world, bench, interest):
        loss = (
            weights.correctness * len(each.covers - each.helps)
            + weights.feature_cost * each.cost
            + weights.feature_change * each.magnitude
        )
        gain = weights.coverage * len(each.covers) - loss
        key = each.subgroup, each.pair[0]
        best[key] = max(best.get(key, -np.inf), gain)
    itemsets, candidates = bench.subgroups(interest, "paper").itemsets, bench.candidates
    listed = {}
    for group, place in np.argwhere(np.isfinite(found.problem.penalty)).tolist():
        names = (
            conjunction(bench.table, candidates.items, itemsets[group]),
            conjunction(bench.table, candidates.items, candidates.conditions[found.kept[place]]),
        )
        listed[names] = found.problem.gain([(group, place)])
    assert listed == pytest.approx({key: gain for key, gain in best.items() if gain > 1e-12})


@pytest.mark.parametrize("seed", range(3))
def test_subgroup_and_condition_are_apart_when_they_name_different_features(seed: int) -> None:
    """Checked pair by pair on the features' names."""
    _, bench, _ = posed(seed, ())
    itemsets = bench.subgroups(()).itemsets
    items = bench.candidates.items
    found = apart(bench.candidates, itemsets)
    for row, group in enumerate(itemsets):
        subgroup = {name for name, _ in conjunction(bench.table, items, group)}
        for column, itemset in enumerate(bench.candidates.conditions):
            condition = {name for name, _ in conjunction(bench.table, items, itemset)}
            assert found[row, column] == (not subgroup & condition)


def test_pairs_become_rules_and_rules_pairs() -> None:
    """Every pair of the problem is one rule of that subgroup and condition; its numbers lead back to it."""
    _, bench, found = posed(0, ("sex",))
    finite = np.argwhere(np.isfinite(found.problem.penalty))
    pairs = tuple((int(group), int(place)) for group, place in finite)
    named = found.named(pairs)
    assert found.places(named) == pairs
    assert len(set(named)) == len(pairs) > 0
    itemsets = bench.subgroups(("sex",), "paper").itemsets
    for pair, triple in zip(named, found.triples(pairs), strict=True):
        assert (triple.subgroup, triple.condition) == pair
        rule(bench, itemsets, triple)


def test_numbers_that_are_no_candidates_any_more_have_no_place() -> None:
    """A condition that can no longer help is left out of a warm start."""
    _, bench, found = posed(0, ("sex",))
    gone = next(number for number in range(len(bench.candidates.conditions)) if number not in found.kept)
    assert found.places([(0, gone), (0, 10**9)]) == ()


def asking_for(bench: Workbench, found: Posed, people: int) -> Posed:
    groups = bench.subgroups(("sex",), found.question.settings.selection)
    return pose(bench, groups, groups.tally, replace(found.question, min_people=people))


def test_asking_for_more_people_leaves_fewer_candidates() -> None:
    """The least number of people counts over subgroup and condition together."""
    world, bench, found = posed(1, ("sex",))
    every = every_rule(world, bench, ("sex",))
    for people in (2, 4, 6):
        expected = sum(len(each.covers) >= people for each in every)
        assert asking_for(bench, found, people).candidates == expected


def test_invented_people_do_not_make_a_rule_one_of_enough_real_people() -> None:
    """With stand-ins a rule still needs `min_people` real learn people."""
    settings = replace(SETTINGS, selection="robust")
    _, bench, found = posed(1, ("sex",), settings)
    assert bench.standins > 100
    groups = bench.subgroups(("sex",), "robust")
    for people in (2, 4):
        counted = asking_for(bench, found, people)
        choosers = [int(place) for place in groups.people]
        expected = 0
        for group, condition in np.argwhere(apart(bench.candidates, groups.itemsets)).tolist():
            levels = bench.predicates(bench.candidates.conditions[condition])
            inside = [
                place
                for place in choosers
                if groups.masks[group, place]
                and all(bench.levels[place, feature] == level for feature, level in levels.items())
            ]
            real = sum(place < len(bench.affected) for place in inside)
            if real >= people:
                expected += int((bench.candidates.options.condition == condition).sum())
        assert counted.candidates == expected
        assert counted.problem.people.sum() == pytest.approx(len(bench.split.learn))
