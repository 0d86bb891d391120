"""The trade-off between the number of rules and the gain: each size proven, or with its true gap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from ares_core.recourse.search.exact import exact
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.problem import Effort, Limits, Problem, Rules, Solution, certify

# Two, not as many as there are cores: each begins with what smaller sizes found, so the number decides the outcome.
_TOGETHER = 2  # sizes searched at the same time: the solver lets go of Python while it works
_SHARES = 4  # a size may take this part of the time that is left: small sizes are harder than large ones
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
    left, branches = sorted(set(sizes)), effort.most_branches
    rules: Rules = ()
    pool: Rules = ()
    found: dict[int, Solution] = {}
    with ThreadPoolExecutor(_TOGETHER) as threads:
        while left:
            now = left[:_TOGETHER]
            share = replace(effort, most_branches=branches * min(_LENT / len(left), 1 / len(now)))
            time = Clock(replace(effort, time_limit=clock.left() / min(_SHARES, math.ceil(len(left) / _TOGETHER))))
            search = partial(exact, ground, clock=time, effort=share, start=rules, pool=pool)
            try:
                results = list(threads.map(search, [replace(limits, max_rules=size) for size in now]))
            except BaseException:
                time.stop()  # whoever cancels interrupts this thread, not those that search
                raise
            for size, result in zip(now, results, strict=True):
                branches = max(0.0, branches - result.branches)
                best = max(result.rules, rules, key=problem.gain)
                found[size] = certify(problem, best, result.upper / ground.scale, result.pool)
                rules, pool = found[size].rules, result.pool
            left = left[_TOGETHER:]
    share_bounds(found)
    return tuple(found[size] for size in sizes)


def share_bounds(found: dict[int, Solution]) -> None:
    """Let the bound of each size bound the smaller sizes too."""
    tightest = float("inf")
    for size in sorted(found, reverse=True):
        solution = found[size]
        tightest = max(min(tightest, solution.upper_bound), solution.gain)
        found[size] = replace(solution, upper_bound=tightest, proven=solution.proven or tightest <= solution.gain)
