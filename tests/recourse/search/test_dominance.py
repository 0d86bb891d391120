"""Rules that another can stand in for: leaving them out loses nothing, against brute force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ares_core.recourse.search import Limits, Problem, dominance, solve
from ares_core.recourse.search.dominance import superfluous
from ares_core.recourse.search.ground import Ground
from tests.recourse.search.brute import NEAR, best_gains, larger, problems


def without(problem: Problem, limits: Limits) -> tuple[Problem, int]:
    """Return a problem without its superfluous candidates, and how many those are."""
    ground = Ground.of(problem)
    found = superfluous(ground, limits)
    penalty = problem.penalty.copy()
    penalty[ground.group[found], ground.condition[found]] = np.inf
    return replace(problem, penalty=penalty), int(found.sum())


@pytest.mark.parametrize("rivals", [1000, 2])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_superfluous_is_not_missed(seed: int, rivals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the best gain is the same, for every number of rules, whether the limit on groups binds or not."""
    monkeypatch.setattr(dominance, "_RIVALS", rivals)
    left_out = 0
    for problem, limits in problems(150, seed):
        fewer, count = without(problem, limits)
        left_out += count
        whole, rest = (best_gains(each, limits.max_groups, limits.max_rules) for each in (problem, fewer))
        assert rest == pytest.approx(whole, rel=NEAR, abs=NEAR)
    assert left_out


def test_of_equal_rules_one_stays() -> None:
    """Twins never send each other away."""
    people = np.ones(3)
    groups = np.ones((1, 3), dtype=bool)
    conditions = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    ground = Ground.of(Problem(people, groups, conditions, np.full((1, 4), 0.5), 1.0))
    assert superfluous(ground, Limits(2, 1)).tolist() == [False, True, True, False]


def test_a_lighter_rule_for_almost_the_same_people_stands_in() -> None:
    """One person fewer, but more than that person's worth cheaper; where not cheaper enough both stay."""
    people, groups = np.ones(3), np.ones((1, 3), dtype=bool)
    conditions = np.array([[1, 1, 1], [1, 1, 0]], dtype=bool)
    for penalty, gone in ((1.5, [True, False]), (0.5, [False, False])):
        ground = Ground.of(Problem(people, groups, conditions, np.array([[penalty, 0.1]]), 1.0))
        assert superfluous(ground, Limits(2, 1)).tolist() == gone


def test_groups_are_not_exchanged_where_their_number_is_limited() -> None:
    """A rule of another group stands in only where any number of groups may be used."""
    people = np.ones(2)
    groups = np.ones((3, 2), dtype=bool)
    problem = Problem(people, groups, np.ones((1, 2), dtype=bool), np.array([[0.1], [0.2], [0.3]]), 1.0)
    assert superfluous(Ground.of(problem), Limits(3, 3)).tolist() == [False, True, True]
    assert not superfluous(Ground.of(problem), Limits(3, 2)).any()


def test_larger_problems_keep_their_optimum() -> None:
    """On problems too large to enumerate the proven optimum is the same without them."""
    for seed in range(3):
        problem = larger(seed)
        for limits in (Limits(5, 6), Limits(6, 2)):
            fewer, count = without(problem, limits)
            assert count
            assert solve(fewer, limits).gain == pytest.approx(solve(problem, limits).gain)
