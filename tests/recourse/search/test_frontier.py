"""The frontier: every size exact, and never falling."""

from __future__ import annotations

import itertools

import pytest

from ares_core.recourse.search import Effort, Limits, Solution, frontier, solve
from ares_core.recourse.search.frontier import share_bounds
from tests.recourse.search.brute import NEAR, best_gains, larger, problems


def test_each_size_equals_brute_force() -> None:
    """On small problems each size has the best gain of that size."""
    for problem, limits in problems(250, 17):
        best = best_gains(problem, limits.max_groups, 4)
        found = frontier(problem, range(5), limits)
        assert [solution.gain for solution in found] == pytest.approx(best, rel=NEAR, abs=NEAR)
        assert all(solution.proven for solution in found)


@pytest.mark.parametrize("seconds", [0.0, 0.05, 30.0])
def test_never_falls(seconds: float) -> None:
    """Gain and upper bound grow with the size, however short the time, and the bound holds."""
    problem, sizes = larger(4), [1, 2, 3, 5, 8]
    found = frontier(problem, sizes, Limits(0, 3), Effort(time_limit=seconds))
    for smaller, bigger in itertools.pairwise(found):
        assert smaller.gain <= bigger.gain
        assert smaller.upper_bound <= bigger.upper_bound
    for size, solution in zip(sizes, found, strict=True):
        assert len(solution.rules) <= size
        assert solution.upper_bound >= solve(problem, Limits(size, 3)).gain - NEAR


def test_sizes_in_any_order() -> None:
    """Solutions come in the order of the sizes, repeated sizes too."""
    problem = larger(5)
    three, one, again = frontier(problem, [3, 1, 3], Limits(9, 6))
    assert three == again
    assert len(one.rules) == 1
    assert three.gain == pytest.approx(solve(problem, Limits(3, 6)).gain, rel=NEAR)


def test_a_bound_holds_for_smaller_sizes_too() -> None:
    """The bound of the larger size replaces a looser one of the smaller, never falls below a gain, and may prove it."""
    found = {
        1: Solution((), 4.0, 9.0, False),
        2: Solution((), 5.0, 8.0, False),
        3: Solution((), 5.0, 5.0, True),
    }
    share_bounds(found)
    assert [(found[size].upper_bound, found[size].proven) for size in (1, 2, 3)] == [
        (5.0, False),
        (5.0, True),
        (5.0, True),
    ]


def test_what_is_searched_at_the_same_time_does_not_interfere() -> None:
    """Sizes are searched two at a time; however their work interleaves, the outcome is the same every time."""
    problem, limits = larger(4, 8, 60, 90), Limits(0, 5)
    first, *others = (frontier(problem, range(1, 10), limits, Effort(most_branches=90)) for _ in range(4))
    assert all(other == first for other in others)
