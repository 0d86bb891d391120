"""The objective: its four terms counted plainly, and the laws the method rests on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.recourse import Triple, Workbench, learn, prepare
from ares_core.recourse.workbench import Subgroups
from ares_core.settings import Settings, Weights
from tests.recourse.readings import rule
from tests.recourse.terms import Terms, empty_value, terms
from tests.recourse.worlds import World, change, random_world, size_of

SETTINGS = Settings(support=0.05, min_people=2, max_rules=6, selection="paper")


@cache
def setting(seed: int) -> tuple[World, Workbench, Subgroups, list[Triple]]:
    """Return a world and all the rules there are over sex."""
    world = random_world(seed)
    bench = prepare(world.model, world.table, SETTINGS, ("sex",))
    groups = bench.subgroups(("sex",))
    frozen = bench.table.position("sex")
    options = bench.candidates.options
    free = [
        option
        for option, condition in enumerate(options.condition.tolist())
        if frozen not in bench.predicates(bench.candidates.conditions[condition])
    ]
    every = [
        Triple(group, int(options.condition[option]), option)
        for group in range(len(groups.itemsets))
        for option in free
    ]
    return world, bench, groups, every


def counted(seed: int, triples: list[Triple]) -> Terms:
    world, bench, groups, _ = setting(seed)
    return terms(bench, groups, triples, bench.prices(SETTINGS, world.costs), bench.split.learn)


WEIGHT = st.floats(0, 10)
WEIGHTS = st.builds(Weights, WEIGHT, WEIGHT, WEIGHT, WEIGHT)
SEEDS = st.integers(0, 2)


@st.composite
def rule_sets(draw: st.DrawFn, most: int = 6) -> tuple[int, list[Triple]]:
    seed = draw(SEEDS)
    every = setting(seed)[3]
    return seed, draw(st.lists(st.sampled_from(every), max_size=most, unique=True))


@given(rule_sets())
def test_the_terms_are_sums_over_rules_and_a_union_of_people(drawn: tuple[int, list[Triple]]) -> None:
    """Failures, costs and magnitudes add up rule by rule; people covered twice count once."""
    seed, triples = drawn
    world, bench, groups, _ = setting(seed)
    features = {feature.name: feature for feature in bench.table.features}
    coverage = bench.coverage(groups, triples)
    learn = bench.split.learn.tolist()
    covered = {place for row in coverage.covers for place in learn if row[place]}
    failed = [
        (number, place)
        for number in range(len(triples))
        for place in learn
        if coverage.covers[number, place] and not coverage.works[number, place]
    ]
    pairs = [rule(bench, groups.itemsets, triple)[1] for triple in triples]
    sizes = [size_of(features[name], dict(pair[0])[name], level) for pair in pairs for name, level in change(pair)]
    cost = sum(world.costs.of(name) for pair in pairs for name, _ in change(pair))
    assert counted(seed, triples) == Terms(len(failed), len(covered), cost, sum(sizes))


@settings(max_examples=200)
@given(rule_sets(), st.data(), WEIGHTS)
def test_a_rule_adds_less_the_more_rules_there_are(
    drawn: tuple[int, list[Triple]], data: st.DataObject, weights: Weights
) -> None:
    """Submodular: what a rule adds to a part of a set is at least what it adds to the whole set."""
    seed, triples = drawn
    added = data.draw(st.sampled_from(setting(seed)[3]).filter(lambda triple: triple not in triples))
    part = [triple for triple in triples if data.draw(st.booleans())]
    small = counted(seed, [*part, added]).gain(weights) - counted(seed, part).gain(weights)
    large = counted(seed, [*triples, added]).gain(weights) - counted(seed, triples).gain(weights)
    assert small >= large - 1e-9


@settings(max_examples=200)
@given(rule_sets(most=SETTINGS.max_rules), WEIGHTS)
def test_the_objective_is_never_negative(drawn: tuple[int, list[Triple]], weights: Weights) -> None:
    """Within the limits the value of no rules plus the gain is at least 0, for any weights."""
    seed, triples = drawn
    world, bench, _, _ = setting(seed)
    weighted = Settings(max_rules=SETTINGS.max_rules, weights=weights)
    whole = empty_value(bench, bench.prices(weighted, world.costs), weighted, len(bench.split.learn))
    assert whole + counted(seed, triples).gain(weights) >= -1e-9


@given(SEEDS, WEIGHTS)
def test_no_rules_gain_nothing(seed: int, weights: Weights) -> None:
    """The gain is measured from the empty set."""
    assert counted(seed, []) == Terms(0, 0, 0.0, 0)
    assert counted(seed, []).gain(weights) == 0


def test_the_gain_weighs_each_term_once() -> None:
    """λ2·cover − λ1·incorrect − λ3·cost − λ4·change, by hand."""
    assert Terms(3, 50, 4.5, 7).gain(Weights(2.0, 1.5, 0.5, 0.25)) == pytest.approx(75 - 6 - 2.25 - 1.75)


def test_the_value_of_no_rules_is_made_of_the_papers_constants() -> None:
    """λ1·|X_aff|·ε1 + λ3·C_max·ε1·ε2 + λ4·M_max·ε1·ε2, with the largest cost and step of any one feature."""
    world, bench, _, _ = setting(0)
    weights = Weights(2.0, 1.0, 0.5, 0.25)
    asked = Settings(max_rules=6, max_width=5, weights=weights)
    free = [feature for feature in bench.table.features if feature.change != "frozen"]
    dearest = max(world.costs.of(feature.name) for feature in free)
    known = [(feature, len(feature.levels) - (feature.missing is not None)) for feature in free]
    most = max(size_of(feature, 0, levels - 1) for feature, levels in known)
    found = empty_value(bench, bench.prices(asked, world.costs), asked, 30)
    assert found == pytest.approx(2.0 * 30 * 6 + 0.5 * dearest * 6 * 5 + 0.25 * most * 6 * 5)


@pytest.mark.parametrize("term", ["correctness", "coverage", "feature_cost", "feature_change"])
def test_each_weight_changes_some_answer(term: str) -> None:
    """Raising one weight alone makes the search choose other rules in some world."""
    assert any(_chosen(seed, Weights(1, 1, 0.1, 0.1)) != _chosen(seed, _raised(term)) for seed in range(3))


def _raised(term: str) -> Weights:
    return replace(Weights(1, 1, 0.1, 0.1), **{term: 4.0})


def _chosen(seed: int, weights: Weights) -> tuple[Triple, ...]:
    world, bench, _, _ = setting(seed)
    return learn(bench, replace(SETTINGS, weights=weights), world.costs, ("sex",)).triples


@given(rule_sets(), WEIGHTS)
def test_the_penalties_of_the_search_are_those_of_the_recount(
    drawn: tuple[int, list[Triple]], weights: Weights
) -> None:
    """λ2·cover less the penalty of each rule is the gain that the recount finds."""
    seed, triples = drawn
    world, bench, _, _ = setting(seed)
    prices = bench.prices(replace(SETTINGS, weights=weights), world.costs)
    penalties = 0.0
    for triple in triples:
        alone = counted(seed, [triple])
        penalties += prices.penalty(alone.incorrect, alone.feature_cost, alone.feature_change)
    whole = counted(seed, triples)
    assert prices.reward * whole.cover - penalties == pytest.approx(whole.gain(weights), abs=1e-6)
