"""Whole sets from fractions, and what else finds good sets and good prices early."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ares_core.recourse.search import Effort, Limits, solve
from ares_core.recourse.search.branch import Branch, bound
from ares_core.recourse.search.ground import Ground, Integers
from ares_core.recourse.search.prices import promising
from ares_core.recourse.search.program import Program
from ares_core.recourse.search.rounding import Rounding
from tests.recourse.search.brute import NEAR, best_gains, best_with, larger, problems


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


@pytest.mark.parametrize("limits", [Limits(5, 6), Limits(6, 2), Limits(12, 3), Limits(1, 1)])
def test_renewed_sets_are_within_the_limits(limits: Limits) -> None:
    """At whatever prices, with whatever rules to choose from, a renewed set keeps both limits."""
    ground, random = Ground.of(larger(0)), np.random.default_rng(1)
    rounding = Rounding(ground, limits, everything(ground))
    chosen = everything(ground)[:0]
    for _ in range(30):
        usable = random.random(len(ground)) < 0.3
        chosen = rounding.renewed(chosen, usable, ground.value * random.random(len(ground.value)), random)
        assert allowed(ground, limits, chosen.tolist())


@pytest.mark.parametrize("how", ["drawn", "renewed"])
def test_no_exchange_improves_a_set(how: str) -> None:
    """Dropping a rule, adding one or both never gains more than what the exchanges ended with."""
    problem, limits = larger(3), Limits(4, 2)
    ground = Ground.of(problem)
    rounding = Rounding(ground, limits, everything(ground))
    chosen = rounding.drawn(np.full(len(ground), 0.5), np.random.default_rng(2)).tolist()
    if how == "renewed":
        every, prices = np.ones(len(ground), dtype=bool), ground.value / 3
        chosen = rounding.renewed(np.array(chosen), every, prices, np.random.default_rng(3)).tolist()
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
def test_a_program_that_grew_finds_the_optimum_of_a_fresh_one(limits: Limits) -> None:
    """Rules that come later, and rules taken out again, leave the optimum of the rules that take part."""
    ground = Ground.of(larger(1))
    whole = Branch.root(ground, np.inf)
    fewer = replace(whole, alive=np.arange(len(ground)) % 3 > 0)
    every, some = np.arange(len(ground)), np.arange(0, len(ground), 2)
    grown = Program(ground, limits, whole, some)
    assert grown.solve(10.0) is not None
    grown.add(np.setdiff1d(every, some))
    assert optimum(grown) == pytest.approx(optimum(Program(ground, limits, whole, every)))
    grown.drop(fewer)
    assert optimum(grown) == pytest.approx(optimum(Program(ground, limits, fewer, every)))


def optimum(program: Program) -> float:
    solved = program.solve(10.0)
    assert solved is not None
    relaxed, (rules, usage) = solved
    assert len(rules) == len(usage) > 0
    return relaxed.value


@pytest.mark.parametrize("limits", [Limits(5, 6), Limits(6, 2), Limits(3, 1)])
def test_the_program_of_a_branch_bounds_its_sets(limits: Limits) -> None:
    """With a rule forced in or left out, no set of the branch gains more than its program says."""
    for problem, _ in problems(40, 5):
        ground = Ground.of(problem)
        if not len(ground):
            continue
        parts = Branch.root(ground, np.inf).split(ground, limits, len(ground) // 2)
        for branch in parts:
            solved = Program(ground, limits, branch, np.arange(len(ground))).solve(10.0)
            assert solved is not None
            fixed = ground.value[branch.covered].sum() - ground.weight[branch.forced].sum()
            best = ground.scale * best_with(problem, limits, ground, branch)
            assert best <= solved[0].value + fixed + NEAR * max(1.0, abs(best))


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
