"""The frontier: every size exact, and never falling."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import pytest

from ares_core.recourse.search import Effort, Limits, Solution, frontier, solve
from ares_core.recourse.search.exact import Found, exact
from ares_core.recourse.search.frontier import share_bounds
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.problem import certify
from tests.patience import PATIENCE
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
    """Odd and even sizes are searched at the same time; each is what a search by itself, from the same start, finds."""
    problem, limits = larger(4, 8, 60, 90), Limits(0, 5)
    first, *others = (frontier(problem, range(1, 10), limits, Effort(most_branches=90)) for _ in range(3))
    assert all(other == first for other in others)
    ground, alone = Ground.of(problem), []
    for size in (3, 4):
        begin = exact(ground, Limits(size - 2, 5), Clock(Effort()), Effort())
        found = exact(ground, Limits(size, 5), Clock(Effort()), Effort(), begin.rules, begin.pool)
        alone.append(certify(problem, found.rules, found.upper / ground.scale))
    assert [(one.rules, one.gain) for one in alone] == [(one.rules, one.gain) for one in first[2:4]]


@pytest.mark.parametrize("sizes", [[9], [8, 9], range(1, 10)])
def test_no_more_branches_than_allowed(sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """What all sizes look into together stays within the effort."""
    looked: list[int] = []

    def counted(*args: Any, **others: Any) -> Found:
        found = exact(*args, **others)
        looked.append(found.branches)
        return found

    monkeypatch.setattr(sys.modules[share_bounds.__module__], "exact", counted)
    frontier(larger(4, 8, 60, 90), sizes, Limits(0, 5), Effort(most_branches=6))
    assert 0 < sum(looked) <= 6


def test_a_size_is_never_worse_than_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that was stopped before it found what a smaller size holds takes that."""

    def stopped(ground: Ground, limits: Limits, **_: Any) -> Found:
        every = Effort() if limits.max_rules % 2 else Effort(most_branches=0)
        found = exact(ground, limits, Clock(every), every)
        return found if limits.max_rules % 2 else Found((), found.upper, ())

    monkeypatch.setattr(sys.modules[share_bounds.__module__], "exact", stopped)
    gains = [solution.gain for solution in frontier(larger(2), range(1, 7), Limits(0, 4))]
    assert gains == sorted(gains)
    assert gains[1] == gains[0] > 0


CANCELLED = """
import signal, threading, time
from ares_core.recourse.search import Effort, Limits, frontier
from tests.recourse.search.brute import larger

def cancel(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, cancel)
signal.setitimer(signal.ITIMER_REAL, 0.5, 0.1)
try:
    frontier(larger(0, 20, 300, 300), range(10, 20), Limits(0, 8), Effort(time_limit=1e9))
except KeyboardInterrupt:
    signal.setitimer(signal.ITIMER_REAL, 0)
    while threading.active_count() > 1:
        time.sleep(0.05)
    print("cancelled")
"""


def test_cancelling_ends_the_searches() -> None:
    """An interruption, even a repeated one, leaves no thread behind that goes on searching."""
    done = subprocess.run(
        [sys.executable, "-c", CANCELLED], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout.split() == ["cancelled"], done.stderr
