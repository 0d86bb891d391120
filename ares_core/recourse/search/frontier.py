"""The trade-off between the number of rules and the gain: each size proven, or with its true gap."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from ares_core.recourse.search.exact import Found, exact
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.problem import Effort, Limits, Problem, Rules, Solution, certify

# Two, not as many as there are cores: each size begins with what the one two below it found, so the number of chains
# decides the outcome.
_CHAINS = 2  # of sizes, searched at the same time: the solver lets go of Python while it works
_SHARES = 4  # a size may take this part of its chain's time that is left: small sizes are harder than large ones
_LENT = 4  # times its even share of the branches that are left: sizes before a jump of the gain need many


def frontier(
    problem: Problem, sizes: Sequence[int], limits: Limits, effort: Effort | None = None
) -> tuple[Solution, ...]:
    """Solve the problem for several limits on the number of rules.

    Parameters
    ----------
    problem
        What is searched.
    sizes
        The limits on rules, each at least 0.
    limits
        The limit on groups; its limit on rules is not used.
    effort
        Its seconds and its branches are for all sizes together.

    Returns
    -------
    solutions
        One for each size, in the order of ``sizes``. Gain and upper bound never fall as the size grows.
    """
    effort = effort or Effort()
    clock = Clock(effort)
    ground = Ground.of(problem)
    every = sorted(set(sizes))
    chains = [chain for first in range(_CHAINS) if (chain := every[first::_CHAINS])]
    efforts = [replace(effort, most_branches=effort.most_branches * len(chain) / len(every)) for chain in chains]
    with ThreadPoolExecutor(_CHAINS) as threads:
        try:
            searched = list(threads.map(partial(_searched, ground, limits, clock), efforts, chains))
        except BaseException:
            clock.stop()  # whoever cancels interrupts this thread, not those that search
            raise
    results = {size: result for chain in searched for size, result in chain.items()}
    found: dict[int, Solution] = {}
    best: Rules = ()
    for size in every:
        best = max(results[size].rules, best, key=problem.gain)
        found[size] = certify(problem, best, results[size].upper / ground.scale, results[size].pool)
    share_bounds(found)
    return tuple(found[size] for size in sizes)


def _searched(ground: Ground, limits: Limits, clock: Clock, effort: Effort, sizes: Sequence[int]) -> dict[int, Found]:
    """Search some sizes, each beginning with what the one before it found."""
    found: dict[int, Found] = {}
    last, branches = Found((), 0.0, ()), effort.most_branches
    for place, size in enumerate(sizes):
        left = len(sizes) - place
        share = replace(effort, most_branches=branches * min(1.0, _LENT / left))
        time = Clock(replace(effort, time_limit=clock.left() / min(_SHARES, left)), within=clock)
        size_limits = replace(limits, max_rules=size)
        last = exact(ground, size_limits, clock=time, effort=share, start=last.rules, pool=last.pool)
        branches = max(0.0, branches - last.branches)
        found[size] = last
    return found


def share_bounds(found: dict[int, Solution]) -> None:
    """Let the bound of each size bound the smaller sizes too."""
    tightest = float("inf")
    for size in sorted(found, reverse=True):
        solution = found[size]
        tightest = max(min(tightest, solution.upper_bound), solution.gain)
        found[size] = replace(solution, upper_bound=tightest, proven=solution.proven or tightest <= solution.gain)
