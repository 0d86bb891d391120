"""Whole sets from fractions, and what else finds good sets and good prices early."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.recourse.search import Effort, Limits, solve
from ares_core.recourse.search.branch import Branch, bound
from ares_core.recourse.search.ground import Ground, Integers
from ares_core.recourse.search.master import Master
from ares_core.recourse.search.prices import promising
from ares_core.recourse.search.rounding import Rounding
from tests.recourse.search.brute import NEAR, best_gains, larger, problems


def everything(ground: Ground) -> Integers:
    """Return the indices of all rules."""
    return np.arange(len(ground))


def allowed(ground: Ground, limits: Limits, chosen: list[int]) -> bool:
    """Say whether a set of different rules is within the limits."""
    within = len(chosen) <= limits.max_rules and len(set(ground.group[chosen].tolist())) <= limits.max_groups
    return within and len(set(chosen)) == len(chosen)


@pytest.mark.parametrize("limits", [Limits(5, 6), Limits(6, 2), Limits(12, 3), Limits(1, 1)])
def test_drawn_sets_are_within_the_limits(limits: Limits) -> None:
    """However much of which rule is used, a drawn set keeps both limits, and its gain is the problem's."""
    problem = larger(0)
    ground, random = Ground.of(problem), np.random.default_rng(1)
    rounding = Rounding(ground, limits, everything(ground))
    for _ in range(30):
        usage = np.where(random.random(len(ground)) < 0.3, random.random(len(ground)), 0.0)
        chosen = rounding.drawn(usage, random)
        assert allowed(ground, limits, chosen.tolist())
        assert rounding.gain(chosen) == pytest.approx(ground.scale * problem.gain(ground.rules(chosen)))


def test_no_exchange_improves_a_drawn_set() -> None:
    """Dropping a rule, adding one or both never gains more than what the exchanges ended with."""
    problem, limits = larger(3), Limits(4, 2)
    ground = Ground.of(problem)
    rounding = Rounding(ground, limits, everything(ground))
    chosen = rounding.drawn(np.full(len(ground), 0.5), np.random.default_rng(2)).tolist()
    kept = [chosen, *([c for c in chosen if c != out] for out in chosen)]
    sets = [*kept, *([*some, new] for some in kept for new in range(len(ground)) if new not in some)]
    gains = [rounding.gain(np.array(some, dtype=int)) for some in sets if allowed(ground, limits, some)]
    assert max(gains) <= rounding.gain(np.array(chosen)) + 1e-4


def test_the_rent_is_the_best_one() -> None:
    """No rent, tried on a fine grid, makes the bound lower than the one it chooses, with a guess or without."""
    random = np.random.default_rng(0)
    ground, limits = Ground.of(larger(2)), Limits(7, 3)
    whole, groups = Branch.root(ground, np.inf), len(ground.problem.groups)
    for _ in range(20):
        prices = ground.value * random.random(len(ground.value))
        now = bound(ground, limits, whole, prices)
        guessed = bound(ground, limits, whole, prices, float(random.random()) * now.profits.max())
        assert guessed.value == pytest.approx(now.value, rel=1e-9)
        for rent in np.linspace(0.0, now.profits.max(), 300):
            above = np.bincount(ground.group, np.maximum(now.profits - rent, 0.0), minlength=groups)
            value = (ground.value - prices).sum() + 7 * rent + np.sort(above)[-3:].sum()
            assert now.value <= value * (1 + 1e-9)


def test_subgradient_prices_bound_closely() -> None:
    """Good prices found without a solver bound the gain above the best one and within a tenth of it."""
    for seed in range(3):
        problem, limits = larger(seed), Limits(5, 6)
        ground = Ground.of(problem)
        rules, prices = promising(ground, limits.max_rules)
        best = ground.scale * solve(problem, limits).gain
        value = bound(ground, limits, Branch.root(ground, np.inf), prices).value
        assert best <= value <= 1.1 * best
        assert 0 < len(rules) <= len(ground)


@pytest.mark.parametrize("limits", [Limits(5, 6), Limits(6, 2)])
def test_resuming_changes_no_optimum(limits: Limits) -> None:
    """A solver sent back to where it stood, with more rules known since, finds the optimum a fresh one finds."""
    ground = Ground.of(larger(1))

    def master(*parts: Integers) -> Master:
        made = Master(ground.value, limits, len(ground.problem.groups))
        for at in parts:
            made.add(ground.masks(at), ground.weight[at], ground.group[at])
        return made

    first, second = np.arange(0, len(ground), 2), np.arange(1, len(ground), 2)
    resumed = master(first)
    assert resumed.solve(10.0) is not None
    basis = resumed.keep()
    resumed.add(ground.masks(second), ground.weight[second], ground.group[second])
    resumed.solve(10.0)
    resumed.resume(basis)
    again, fresh = resumed.solve(10.0), master(first, second).solve(10.0)
    assert again is not None
    assert fresh is not None
    assert again.value == pytest.approx(fresh.value)


@pytest.mark.parametrize("gap", [0.02, 0.2])
def test_a_gap_that_is_good_enough_is_kept_and_true(gap: float) -> None:
    """With some gap allowed from the first branch on, it is not exceeded, and the bound holds for every set."""
    for problem, limits in problems(300, 31):
        best = best_gains(problem, limits.max_groups, limits.max_rules)[-1]
        solution = solve(problem, limits, Effort(relative_gap=gap))
        assert solution.gap <= gap
        assert solution.upper_bound >= best - NEAR * max(1.0, best)
    for seed in range(3):
        whole, rough = solve(larger(seed), Limits(6, 3)), solve(larger(seed), Limits(6, 3), Effort(relative_gap=gap))
        assert rough.gap <= gap
        assert rough.upper_bound >= whole.gain - NEAR
