"""The trade-off between the number of rules and the gain: each size proven, or with its true gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ares_core.recourse.search.exact import exact
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.problem import Effort, Limits, Problem, Rules, Solution, certify

_SHARES = 4  # a size may take this part of the time that is left: small sizes are harder than large ones
_LENT = 2  # times its even share of the branches that are left: sizes in the middle need more than those at the ends


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
    rules: Rules = ()
    pool: Rules = ()
    found: dict[int, Solution] = {}
    ascending = sorted(set(sizes))
    branches = effort.most_branches
    for place, size in enumerate(ascending):
        to_come = len(ascending) - place
        share = replace(effort, most_branches=_LENT * branches / to_come)
        time = Clock(replace(effort, time_limit=clock.left() / min(_SHARES, to_come)))
        result = exact(ground, replace(limits, max_rules=size), time, share, rules, pool)
        branches = max(0.0, branches - result.branches)
        found[size] = certify(problem, result.rules, result.upper / ground.scale, result.pool)
        rules, pool = found[size].rules, result.pool
    share_bounds(found)
    return tuple(found[size] for size in sizes)


def share_bounds(found: dict[int, Solution]) -> None:
    """Let the bound of each size bound the smaller sizes too."""
    tightest = float("inf")
    for size in sorted(found, reverse=True):
        solution = found[size]
        tightest = max(min(tightest, solution.upper_bound), solution.gain)
        found[size] = replace(solution, upper_bound=tightest, proven=solution.proven or tightest <= solution.gain)
