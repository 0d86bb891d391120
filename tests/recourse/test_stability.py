"""Stability: a rule stays where it should, half of the time where costs say so, and the model is not asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ares_core.costs import Costs
from ares_core.errors import Cancelled
from ares_core.models import FunctionModel
from ares_core.people import Table, schema_for
from ares_core.recourse import Learned, Workbench, learn, prepare
from ares_core.recourse.learn import CLOSE, question
from ares_core.recourse.scoring import Floats
from ares_core.recourse.search import Limits, Problem
from ares_core.recourse.search.exchange import Few
from ares_core.recourse.shortlist import Shortlist
from ares_core.recourse.stability import Stability, stability
from ares_core.settings import Settings, Weights
from tests.recourse.worlds import random_world

SETTINGS = Settings(
    support=0.05,
    condition_width=2,
    min_people=2,
    subgroup_width=1,
    max_rules=4,
    max_subgroups=2,
    selection="paper",
    weights=Weights(1.0, 1.0, 0.8, 0.1),
)


def drawn(seed: int, count: int, bench: Workbench) -> Floats:
    """Return costs of 1 and more, as different from one another as few answers leave them."""
    return 1 + np.random.default_rng(seed).gamma(1.0, 1.0, (count, len(bench.table.features)))


def costs_of(bench: Workbench, row: Floats) -> Costs:
    """Return a draw as costs."""
    names = [feature.name for feature in bench.table.features]
    return Costs.unit(names).with_direct(dict(zip(names, row.tolist(), strict=True)))


def current_gain(bench: Workbench, learned: Learned, costs: Costs) -> float:
    """Return what a set gains at other costs with the moves it has, by counting."""
    weights, people = learned.settings.weights, learned.groups.people
    covered, paid = np.zeros(len(people), dtype=bool), 0.0
    for rule, triple, who in zip(learned.rules, learned.triples, learned.coverage.covers[:, people], strict=True):
        works = bench.evaluation.works[bench.candidates.options.move[triple.option], people]
        covered |= who
        paid += weights.correctness * (who & ~works).sum()
        paid += weights.feature_cost * sum(costs.of(change.feature) for change in rule.changes)
        paid += weights.feature_change * bench.candidates.options.magnitude[triple.option]
    return float(weights.coverage * covered.sum() - paid)


@pytest.fixture(scope="module", params=range(6))
def small(request: pytest.FixtureRequest) -> tuple[Workbench, Learned]:
    """Return a small random table and its best rules; the model answers no more."""
    world = random_world(request.param, 120, 5)
    bench = prepare(world.model, world.table, SETTINGS, ("sex",))
    world.silence()
    return bench, learn(bench, SETTINGS, world.costs, ("sex",))


def test_the_short_search_comes_to_what_searching_everything_does(small: tuple[Workbench, Learned]) -> None:
    """In at least 19 of 20 draws the set stays if a full search says so, and so does each rule that search returns."""
    bench, learned = small
    draws = drawn(7, 20, bench)
    stays, holds = [], []
    for costs in (costs_of(bench, row) for row in draws):
        best = learn(bench, SETTINGS, costs, ("sex",))
        stays.append(current_gain(bench, learned, costs) >= (1 - CLOSE) * best.certificate.gain)
        holds.append([stays[-1] or rule in best.rules for rule in learned.rules])
    found = stability(bench, learned, draws)
    assert found.unchanged == pytest.approx(np.mean(stays), abs=0.05)
    assert (np.array(found.shares) >= np.mean(holds, axis=0) - 0.05).all()
    assert min(found.shares) >= found.unchanged


def test_at_its_own_costs_everything_stays(small: tuple[Workbench, Learned]) -> None:
    """Draws that all are one set of costs leave the best rules at these costs as they are."""
    bench, _ = small
    row = drawn(3, 1, bench)
    best = learn(bench, SETTINGS, costs_of(bench, row[0]), ("sex",))
    assert stability(bench, best, np.repeat(row, 5, axis=0)) == Stability((1.0,) * len(best.rules), 1.0, 5)


def test_cost_without_weight_changes_nothing(small: tuple[Workbench, Learned]) -> None:
    """When costs do not count, everything stays whatever they are."""
    bench, _ = small
    free = replace(SETTINGS, weights=replace(SETTINGS.weights, feature_cost=0.0))
    best = learn(bench, free, costs_of(bench, drawn(1, 1, bench)[0]))
    assert stability(bench, best, drawn(2, 9, bench)) == Stability((1.0,) * len(best.rules), 1.0, 9)


def test_it_can_be_cancelled_and_tells_how_far_it_is(small: tuple[Workbench, Learned]) -> None:
    """Shares grow to 1, and saying no ends the search at once."""
    bench, learned = small
    told: list[float] = []

    def listen(share: float) -> bool:
        told.append(share)
        return True

    stability(bench, learned, drawn(1, 15, bench), listen)
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(Cancelled):
        stability(bench, learned, drawn(1, 15, bench), lambda _share: False)


def two_ways() -> tuple[Workbench, Learned]:
    """Return refused people whom either of two changes helps, `left` the cheaper one."""
    frame = pd.DataFrame({"left": ["no"] * 60 + ["yes"] * 40, "right": ["no"] * 60 + ["yes"] * 40})
    schema = schema_for(frame, {"format": "ares-schema", "version": 1, "features": []})
    model = FunctionModel(lambda people: (people["left"] == "yes") | (people["right"] == "yes"))
    settings = replace(SETTINGS, holdout=0.0, max_rules=1, weights=Weights(1.0, 1.0, 2.0, 0.0))
    bench = prepare(model, Table.build(frame, schema), settings)
    return bench, learn(bench, settings, Costs.unit(["left", "right"]).with_direct({"right": 1.5}))


def test_a_rule_beaten_in_half_of_the_draws_stays_in_half_of_them() -> None:
    """Of two changes that help the same people the cheaper one is best, so a rule stays as often as its is."""
    bench, learned = two_ways()
    assert [change.feature for rule in learned.rules for change in rule.changes] == ["left"]
    draws = np.random.default_rng(0).uniform(1, 4, (400, 2))
    left, right = ([feature.name for feature in bench.table.features].index(name) for name in ("left", "right"))
    found = stability(bench, learned, draws)
    # Two costs so close that the gains differ by less than 0.1 % are as good as equal.
    assert found.unchanged == pytest.approx((draws[:, left] <= draws[:, right]).mean(), abs=0.02)
    assert found.shares == (found.unchanged,)
    assert found.unchanged == pytest.approx(0.5, abs=0.06)


def test_a_rule_may_stay_while_another_goes() -> None:
    """Where a further rule pays only at low costs, the first one stays in every draw and the second in some."""
    frame = pd.DataFrame(
        {
            "work": ["no"] * 50 + ["yes"] * 30 + ["yes"] * 40,
            "home": ["yes"] * 50 + ["no"] * 30 + ["yes"] * 40,
        }
    )
    schema = schema_for(frame, {"format": "ares-schema", "version": 1, "features": []})
    model = FunctionModel(lambda people: (people["work"] == "yes") & (people["home"] == "yes"))
    settings = replace(SETTINGS, holdout=0.0, weights=Weights(1.0, 1.0, 10.0, 0.0))
    bench = prepare(model, Table.build(frame, schema), settings)
    learned = learn(bench, settings, Costs.unit(["work", "home"]))
    order = [feature.name for feature in bench.table.features]
    draws = np.ones((10, 2))
    draws[:4, order.index("home")] = 5.0
    found = stability(bench, learned, draws)
    changes = [change.feature for rule in learned.rules for change in rule.changes]
    assert dict(zip(changes, found.shares, strict=True)) == {"work": 1.0, "home": 0.6}
    assert found.unchanged == 0.6


def test_a_shortlist_weighs_rules_as_the_full_problem_does(small: tuple[Workbench, Learned]) -> None:
    """At any costs every pair of the pool has the penalty that posing everything gives it."""
    bench, learned = small
    shortlist = Shortlist.of(bench, learned.groups, SETTINGS, learned.pool)
    row = drawn(5, 1, bench)[0]
    lightest = shortlist.lightest(shortlist.weights(row))
    posed = question(bench, SETTINGS, costs_of(bench, row), ("sex",))
    places = {named: pair for named in shortlist.pairs for pair in posed.places([named])}
    problem = shortlist.posed(lightest)
    for pair, rule, weight in zip(shortlist.pairs, shortlist.rules, lightest, strict=True):
        assert problem.penalty[rule] == weight
        if pair in places and np.isfinite(posed.problem.penalty[places[pair]]):
            assert posed.problem.penalty[places[pair]] == pytest.approx(weight)
            assert posed.problem.gain([places[pair]]) == pytest.approx(problem.gain([rule]))


@pytest.mark.parametrize("seed", range(12))
def test_exchanges_are_counted_right_and_keep_the_limits(seed: int) -> None:
    """Every gain is what the set would gain, and an improved set is within the limits and no worse."""
    random = np.random.default_rng(seed)
    problem = Problem(
        random.integers(1, 4, 30).astype(float),
        random.random((4, 30)) < 0.7,
        random.random((6, 30)) < 0.4,
        random.random((4, 6)) * 6,
        1.0,
    )
    rules = tuple((group, condition) for group in range(4) for condition in range(6))
    few, weights = Few.of(problem, rules), np.array([problem.penalty[rule] for rule in rules])
    allowed, chosen = Limits(3, 2), (1, 4)
    gains = few.exchanges(chosen, weights, allowed)
    for row, column in np.ndindex(gains.shape):
        left = [place for number, place in enumerate(chosen, start=1) if number != row]
        after = [rules[place] for place in (left if column == len(rules) else [*left, column])]
        if np.isfinite(gains[row, column]):
            assert gains[row, column] == pytest.approx(problem.gain(after))
            assert len({group for group, _ in after}) <= 2
    better = [rules[place] for place in few.improve(chosen, weights, allowed)]
    assert len(better) <= 3
    assert len({group for group, _ in better}) <= 2
    assert problem.gain(better) >= problem.gain([rules[place] for place in chosen])
