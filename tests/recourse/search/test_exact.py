"""Exact search against brute force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ares_core.recourse.search import Effort, Limits, Problem, Solution, ground, solve
from ares_core.recourse.search.problem import prune
from tests.recourse.search.brute import NEAR, best_gains, larger, problems


def check(problem: Problem, limits: Limits, solution: Solution) -> None:
    """Check what every solution promises, whatever found it."""
    assert len(solution.rules) <= limits.max_rules
    assert len({group for group, _ in solution.rules}) <= limits.max_groups
    assert list(solution.rules) == sorted(set(solution.rules))
    assert solution.gain == problem.gain(solution.rules)
    assert solution.upper_bound >= solution.gain >= 0
    assert solution.proven == (solution.gap == 0)


@pytest.mark.parametrize("seed", range(8))
def test_equals_brute_force(seed: int) -> None:
    """On thousands of small problems the gain is the best there is, and proven."""
    for problem, limits in problems(400, seed):
        best = best_gains(problem, limits.max_groups, limits.max_rules)[-1]
        solution = solve(problem, limits)
        check(problem, limits, solution)
        assert solution.proven
        assert solution.gain == pytest.approx(best, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize("listed", [10_000_000, 0])
@pytest.mark.parametrize("method", ["exact", "greedy"])
def test_no_time_still_brings_a_rule(method: str, listed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some rule gains, even a search without any time returns one, however many candidates there are."""
    monkeypatch.setattr(ground, "_LISTED", listed)
    for problem, limits in problems(60, 7):
        best = best_gains(problem, limits.max_groups, limits.max_rules)[-1]
        solution = solve(problem, limits, Effort(time_limit=0.0), method)
        check(problem, limits, solution)
        assert (len(solution.rules) > 0) == (best > NEAR)


@pytest.mark.parametrize("method", ["exact", "local", "greedy"])
@pytest.mark.parametrize("seconds", [0.0, 1e-3, 30.0])
def test_bound_always_holds(method: str, seconds: float) -> None:
    """Whatever the method and however short the time, no set gains more than the bound, and the gain is real."""
    for problem, limits in problems(120, 99):
        best = best_gains(problem, limits.max_groups, limits.max_rules)[-1]
        solution = solve(problem, limits, Effort(time_limit=seconds), method)
        check(problem, limits, solution)
        assert solution.upper_bound >= best - NEAR * max(1.0, best)
        assert solution.gain <= best + NEAR * max(1.0, best)


def test_branches_when_the_relaxation_is_not_whole() -> None:
    """Three people, each two of them under one rule: half of each rule would gain 1.65, whole rules gain 1.2."""
    conditions = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=bool)
    problem = Problem(np.ones(3), np.ones((1, 3), dtype=bool), conditions, np.full((1, 3), 0.9), 1.0)
    solution = solve(problem, Limits(3, 1))
    assert solution.gain == pytest.approx(3 - 2 * 0.9)
    assert solution.proven


@pytest.mark.parametrize("limits", [Limits(5, 6), Limits(5, 2), Limits(12, 3), Limits(1, 1)])
def test_larger_problems_are_proven(limits: Limits) -> None:
    """Problems whose relaxation must be divided are solved, and the other methods never exceed the optimum."""
    for seed in range(3):
        problem = larger(seed)
        solution = solve(problem, limits)
        check(problem, limits, solution)
        assert solution.proven
        for method in ("local", "greedy"):
            other = solve(problem, limits, method=method)
            assert other.gain <= solution.gain + NEAR
            assert other.upper_bound >= solution.gain - NEAR


def test_warm_start_gives_the_same_gain() -> None:
    """A pool from other weights speeds up and changes nothing; rules that are no candidates are ignored."""
    for seed in range(3):
        problem, limits = larger(seed), Limits(6, 3)
        changed = replace(problem, penalty=1.4 * problem.penalty)
        pool = (*solve(problem, limits).pool, (0, 0), (5, 29))
        assert len(pool) > 2
        cold, warm = solve(changed, limits), solve(changed, limits, pool=pool)
        assert warm.gain == pytest.approx(cold.gain, rel=NEAR)
        assert warm.proven


def test_candidates_too_many_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the pairs of rule and person never listed, the optimum is the same and proven to rounding."""
    small = [(problem, limits, solve(problem, limits)) for problem, limits in problems(150, 5)]
    whole = [(larger(1), limits, solve(larger(1), limits)) for limits in (Limits(5, 6), Limits(5, 2), Limits(9, 3))]
    monkeypatch.setattr(ground, "_LISTED", 0)
    for problem, limits, listed in small + whole:
        solution = solve(problem, limits)
        check(problem, limits, solution)
        assert solution.gain == pytest.approx(listed.gain, rel=NEAR, abs=NEAR)
        assert solution.gap <= 1e-5


def test_deterministic() -> None:
    """The same problem gives the same solution, pool and all."""
    problem = larger(7)
    assert solve(problem, Limits(8, 3)) == solve(problem, Limits(8, 3))


def test_order_does_not_matter() -> None:
    """People, groups and conditions in another order, or in another memory layout, give the same gain."""
    rng = np.random.default_rng(5)
    problem, limits = larger(3), Limits(6, 3)
    people, groups, conditions = (rng.permutation(size) for size in (40, 6, 30))
    shuffled = Problem(
        problem.people[people],
        problem.groups[groups][:, people],
        np.asfortranarray(problem.conditions[conditions][:, people]),
        problem.penalty[groups][:, conditions],
        problem.reward,
    )
    assert solve(shuffled, limits).gain == pytest.approx(solve(problem, limits).gain, rel=NEAR)


def test_scale_does_not_matter() -> None:
    """Rewards and penalties a million times larger or smaller give the same rules."""
    problem, limits = larger(2), Limits(6, 6)
    rules = solve(problem, limits).rules
    for factor in (2.0**-20, 2.0**20):
        scaled = replace(problem, penalty=factor * problem.penalty, reward=factor * problem.reward)
        assert solve(scaled, limits).rules == rules


def test_relative_gap_stops_early() -> None:
    """With a gap of half allowed, the gap found is at most that, and the bound still holds."""
    problem, limits = larger(1), Limits(6, 3)
    best, rough = solve(problem, limits).gain, solve(problem, limits, Effort(relative_gap=0.5))
    assert rough.gap <= 0.5
    assert rough.upper_bound >= best - NEAR


def test_rules_that_add_nothing_are_removed() -> None:
    """Free rules that cover nobody new are not part of the solution; of equal ones the broadest stays."""
    masks = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]], dtype=bool)
    problem = Problem(np.ones(4), np.ones((1, 4), dtype=bool), masks, np.zeros((1, 3)), 1.0)
    assert solve(problem, Limits(3, 1)).rules == ((0, 0),)
    assert prune(problem, [(0, 2), (0, 1), (0, 0)]) == ((0, 0),)


def test_group_limit_binds() -> None:
    """Two people in two groups: with one group allowed only the better of them is reached."""
    groups = np.array([[1, 0], [0, 1]], dtype=bool)
    problem = Problem(np.array([1.0, 2.0]), groups, np.ones((1, 2), dtype=bool), np.zeros((2, 1)), 1.0)
    assert solve(problem, Limits(2, 1)).rules == ((1, 0),)
    assert solve(problem, Limits(2, 2)).gain == 3.0


def test_giving_up_after_some_branches_leaves_a_true_gap() -> None:
    """With no branch to look into, what stands is a set within the limits and a bound on all sets."""
    for problem, limits in problems(200, seed=77):
        hurried, whole = solve(problem, limits, Effort(most_branches=0)), solve(problem, limits)
        assert len(hurried.rules) <= limits.max_rules
        assert hurried.gain <= whole.gain + 1e-9
        assert hurried.upper_bound >= whole.gain - 1e-9
