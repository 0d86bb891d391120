"""Learning: the exact answer against brute force over every set of rules, and what changes may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from ares_core.recourse import Learned, Workbench, agreed, cost_sweep, learn, learn_frontier, learn_live, prepare
from ares_core.settings import Settings, Weights
from tests.recourse.readings import rule
from tests.recourse.terms import terms
from tests.recourse.worlds import Rule, World, random_world, rules

SHAPE = {"support": 0.08, "width": 2, "changes": 2, "people": 2, "subgroup": 1, "most": 3}
SETTINGS = Settings(
    support=0.08,
    condition_width=2,
    max_changes=2,
    min_people=2,
    subgroup_width=1,
    max_width=3,
    max_rules=3,
    max_subgroups=2,
    selection="paper",
)
WEIGHTS = [Weights(), Weights(1.0, 1.0, 0.6, 0.3), Weights(3.0, 1.0, 0.1, 0.0), Weights(0.2, 1.0, 0.0, 0.5)]
INTEREST = ("job", "sex")


def prepared(seed: int, settings: Settings = SETTINGS, people: int = 60) -> tuple[World, Workbench]:
    """Ask the model once, and let it answer nobody afterwards."""
    world = random_world(seed, people, 4)
    bench = prepare(world.model, world.table, settings, ("sex",))
    return world, bench


def candidates(world: World, bench: Workbench, interest: Sequence[str] = INTEREST) -> list[Rule]:
    return rules(world, {int(place) for place in bench.affected[bench.split.learn]}, SHAPE, interest)


def price(each: Rule, weights: Weights) -> float:
    """Return what a rule costs: λ1·incorrect + λ3·cost + λ4·change."""
    return (
        weights.correctness * len(each.covers - each.helps)
        + weights.feature_cost * each.cost
        + weights.feature_change * each.magnitude
    )


def best_gain(every: list[Rule], settings: Settings, size: int) -> float:
    """Try every set of at most `size` rules in at most `max_subgroups` subgroups."""
    weights = settings.weights
    bits = [sum(1 << place for place in each.covers) for each in every]
    prices = [price(each, weights) for each in every]
    best = 0.0

    def extend(begin: int, covered: int, paid: float, chosen: tuple[int, ...]) -> None:
        nonlocal best
        best = max(best, weights.coverage * covered.bit_count() - paid)
        if len(chosen) == size:
            return
        for number in range(begin, len(every)):
            groups = {every[other].subgroup for other in (*chosen, number)}
            if len(groups) <= settings.max_subgroups:
                extend(number + 1, covered | bits[number], paid + prices[number], (*chosen, number))

    extend(0, 0, 0.0, ())
    return best


def gain_of(found: Learned, every: list[Rule], bench: Workbench) -> float:
    """Add up the gain of the rules returned, each looked up in the plain list."""
    known = {(each.subgroup, each.pair): each for each in every}
    chosen = [known[rule(bench, found.groups.itemsets, triple)] for triple in found.triples]
    weights = found.settings.weights
    covered = set().union(*(each.covers for each in chosen))
    return weights.coverage * len(covered) - sum(price(each, weights) for each in chosen)


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_the_exact_answer_is_the_best_of_all_sets_of_rules(seed: int, weights: Weights) -> None:
    """Every set of up to three rules in up to two subgroups was tried; none gains more, and it is proven."""
    world, bench = prepared(seed)
    every = candidates(world, bench)
    settings = replace(SETTINGS, weights=weights, max_rules=3 if len(every) < 150 else 2)
    found = learn(bench, settings, world.costs, INTEREST)
    assert found.certificate.gain == pytest.approx(best_gain(every, settings, settings.max_rules), abs=1e-9)
    assert gain_of(found, every, bench) == pytest.approx(found.certificate.gain, abs=1e-9)
    assert found.certificate.proven
    assert found.certificate.upper_bound == found.certificate.gain
    assert found.certificate.candidates == len(every)


@pytest.mark.parametrize("limits", [(1, 1), (3, 1), (2, 2)], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_the_limits_hold_and_cost_what_they_must(seed: int, limits: tuple[int, int]) -> None:
    """With fewer rules or subgroups the answer keeps within them and is the best that does."""
    world, bench = prepared(seed)
    settings = replace(SETTINGS, max_rules=limits[0], max_subgroups=limits[1])
    found = learn(bench, settings, world.costs, INTEREST)
    assert len(found.rules) <= limits[0]
    assert len(found.rules.subgroups) <= limits[1]
    assert found.rules.max_width <= settings.max_width
    best = best_gain(candidates(world, bench), settings, limits[0])
    assert found.certificate.gain == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("method", ["local", "greedy"])
@pytest.mark.parametrize("seed", range(6))
def test_the_other_searches_never_beat_the_exact_one_nor_its_bound(seed: int, method: str) -> None:
    """Local search and greedy gain at most the optimum, keep the limits, and their bounds hold it."""
    world, bench = prepared(seed)
    best = learn(bench, SETTINGS, world.costs, INTEREST)
    found = learn(bench, replace(SETTINGS, search=method), world.costs, INTEREST)
    assert found.certificate.gain <= best.certificate.gain + 1e-9
    assert found.certificate.upper_bound >= best.certificate.gain - 1e-9
    assert gain_of(found, candidates(world, bench), bench) == pytest.approx(found.certificate.gain, abs=1e-9)
    assert len(found.rules) <= SETTINGS.max_rules
    assert len(found.rules.subgroups) <= SETTINGS.max_subgroups


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_the_terms_of_the_answer_add_up_to_the_certificate(seed: int, weights: Weights) -> None:
    """Counting the paper's four terms anew over the learn people gives the gain that was certified."""
    world, bench = prepared(seed)
    settings = replace(SETTINGS, weights=weights)
    found = learn(bench, settings, world.costs, INTEREST)
    prices = bench.prices(settings, world.costs)
    counted = terms(bench, found.groups, found.triples, prices, bench.split.learn)
    assert counted.gain(weights) == pytest.approx(found.certificate.gain, abs=1e-9)


@pytest.mark.parametrize("selection", ["paper", "robust"])
def test_after_preparing_nothing_asks_the_model(selection: str) -> None:
    """Other weights, limits, costs, interests, searches, frontiers and sweeps are arithmetic."""
    settings = replace(SETTINGS, selection=selection)
    world, bench = prepared(1, settings)
    world.silence()
    changes: list[dict[str, Any]] = [
        {"weights": WEIGHTS[1]},
        {"max_rules": 1},
        {"max_subgroups": 1},
        {"max_width": 2},
        {"search": "local"},
        {"search": "greedy"},
        {"selection": "paper"},
    ]
    for change in changes:
        learn(bench, replace(settings, **change), world.costs, INTEREST)
    for interest in ((), ("sex",), ("step",)):
        learn(bench, settings, world.costs, interest)
    learn(bench, settings, world.costs.with_direct({"job": 40.0}), INTEREST)
    learn_frontier(bench, settings, world.costs, INTEREST)
    cost_sweep(bench, settings, world.costs, INTEREST, (0.0, 1.0))


@pytest.mark.parametrize("seed", range(4))
def test_starting_from_an_earlier_answer_changes_nothing(seed: int) -> None:
    """Its own rules, those of other weights, or those of another interest: the gain stays the optimum."""
    world, bench = prepared(seed)
    other = learn(bench, replace(SETTINGS, weights=WEIGHTS[2]), world.costs, INTEREST)
    elsewhere = learn(bench, SETTINGS, world.costs, ())
    first = learn(bench, SETTINGS, world.costs, INTEREST)
    for start in ((), first.pool, other.pool, elsewhere.pool, [(999, 0), (0, 10**6)]):
        again = learn(bench, SETTINGS, world.costs, INTEREST, start=start)
        assert again.certificate.gain == pytest.approx(first.certificate.gain, abs=1e-9)
        assert again.certificate.proven


@pytest.mark.parametrize("selection", ["paper", "robust"])
@pytest.mark.parametrize("seed", range(3))
def test_the_frontier_rises_with_the_number_of_rules(seed: int, selection: str) -> None:
    """Each size is exact, never gains less than a smaller one, and the last is the answer itself."""
    settings = replace(SETTINGS, max_rules=4, selection=selection)
    world, bench = prepared(seed, settings)
    whole = learn(bench, settings, world.costs, INTEREST)
    found = learn_frontier(bench, settings, world.costs, INTEREST)
    assert [point.certificate for point in learn_frontier(bench, settings, world.costs, INTEREST, best=whole)] == [
        point.certificate for point in found
    ]
    gains = [point.certificate.gain for point in found]
    assert len(found) == 4
    assert gains == sorted(gains)
    assert gains[-1] == pytest.approx(whole.certificate.gain, abs=1e-9)
    for size, point in enumerate(found, start=1):
        assert len(point.rules) <= size
        assert point.certificate.proven
        alone = learn(bench, replace(settings, max_rules=size), world.costs, INTEREST)
        assert point.certificate.gain == pytest.approx(alone.certificate.gain, abs=1e-9)


@pytest.mark.parametrize("search", ["exact", "local", "greedy"])
def test_summary_and_frontier_agree(search: str) -> None:
    """A summary that was given no time takes the frontier's bound, and its set too if the best one was asked for."""
    world, bench = prepared(2)
    hurried = learn(bench, replace(SETTINGS, search=search), world.costs, INTEREST)
    poor = replace(
        hurried,
        triples=(),
        rules=bench.rules(hurried.groups, ()),
        certificate=replace(hurried.certificate, gain=0.0, upper_bound=99.0, gap=1.0, proven=False),
    )
    found = learn_frontier(bench, SETTINGS, world.costs, INTEREST, best=poor)
    whole = learn(bench, SETTINGS, world.costs, INTEREST)
    assert found[-1].certificate.gain == pytest.approx(whole.certificate.gain)
    settled = agreed(poor, found)
    assert (
        settled.certificate.upper_bound
        == found[-1].certificate.upper_bound
        == pytest.approx(whole.certificate.upper_bound)
    )
    assert (settled.triples == found[-1].triples, settled.triples == ()) == (search == "exact", search != "exact")


@pytest.mark.parametrize("seed", range(4))
def test_every_size_of_the_frontier_is_the_best_of_all_sets(seed: int) -> None:
    """Against brute force, size by size."""
    world, bench = prepared(seed)
    every = candidates(world, bench)
    for size, point in enumerate(learn_frontier(bench, SETTINGS, world.costs, INTEREST)[:2], start=1):
        assert point.certificate.gain == pytest.approx(best_gain(every, SETTINGS, size), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_dearer_changes_are_changed_less(seed: int) -> None:
    """As the weight of feature cost grows the summary's cost never grows, and some price ends all rules."""
    world, bench = prepared(seed)
    prices = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 100.0)
    found = cost_sweep(bench, SETTINGS, world.costs, INTEREST, prices)
    spent = []
    for weight, point in zip(prices, found, strict=True):
        assert point.settings.weights.feature_cost == weight
        priced = bench.prices(SETTINGS, world.costs)
        counted = terms(bench, point.groups, point.triples, priced, bench.split.learn)
        spent.append(counted.feature_cost)
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(spent))
    assert spent[0] > 0
    assert len(found[-1].rules) == 0


@pytest.mark.parametrize("selection", ["paper", "robust"])
def test_rules_and_triples_name_the_same_rules_subgroup_by_subgroup(selection: str) -> None:
    """The rules of one subgroup stand together, the one for most learn people first."""
    settings = replace(SETTINGS, max_rules=6, max_subgroups=4, selection=selection, support=0.05)
    world = random_world(2, 200)
    bench = prepare(world.model, world.table, settings, ("sex",))
    found = learn(bench, settings, world.costs, INTEREST)
    assert bench.rules(found.groups, found.triples) == found.rules
    numbers = [triple.subgroup for triple in found.triples]
    assert numbers == sorted(numbers)
    assert len(found.rules) > 1
    assert len(set(found.rules)) == len(found.rules)


@pytest.mark.parametrize("selection", ["paper", "robust"])
def test_the_same_seed_gives_the_same_answer(selection: str) -> None:
    """Everything from the table on is repeated, and every rule is the same."""
    settings = replace(SETTINGS, selection=selection)

    def answer() -> Learned:
        world, bench = prepared(3, settings)
        return learn(bench, settings, world.costs, INTEREST)

    first, second = answer(), answer()
    assert first.rules == second.rules
    assert first.certificate == second.certificate


def test_a_live_answer_is_a_search_in_a_hurry() -> None:
    """It keeps the settings asked for, never beats what is proven best, and its bound holds."""
    world, bench = prepared(0)
    best = learn(bench, SETTINGS, world.costs, ("sex",))
    live = learn_live(bench, SETTINGS, world.costs, ("sex",), start=best.pool)
    assert live.settings == SETTINGS
    assert live.certificate.gain <= best.certificate.gain + 1e-9
    assert live.certificate.upper_bound >= best.certificate.gain - 1e-9
