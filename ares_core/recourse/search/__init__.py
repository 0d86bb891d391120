"""Search: the best few of many candidate rules, given as masks, weights and limits, with a proven bound."""

from __future__ import annotations

from ares_core.recourse.search.exact import exact, relaxed
from ares_core.recourse.search.frontier import frontier
from ares_core.recourse.search.greedy import greedy
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.local import local
from ares_core.recourse.search.problem import Effort, Limits, Problem, Rule, Rules, Solution, certify

__all__ = ["Effort", "Limits", "Problem", "Rule", "Rules", "Solution", "frontier", "solve"]


def solve(
    problem: Problem,
    limits: Limits,
    effort: Effort | None = None,
    method: str = "exact",
    pool: Rules = (),
    start: Rules = (),
) -> Solution:
    """Choose the rules that gain most within the limits.

    Parameters
    ----------
    problem
        People, groups, conditions, penalties and the reward for covering a person.
    limits
        How many rules and groups.
    effort
        How long to search, and how close is close enough.
    method
        ``"exact"`` finds an optimum and proves it; ``"local"`` is the paper's local search; ``"greedy"`` always adds
        the best rule. Each comes with an upper bound on every gain.
    pool
        Rules to begin with, best the ``pool`` of the solution to a similar problem. They speed the search up and do
        not change what is optimal.
    start
        A set within the limits that an exact search begins with, instead of looking for one itself.
    """
    effort = effort or Effort()
    clock = Clock(effort)
    ground = Ground.of(problem)
    if method == "exact":
        found = exact(ground, limits, clock, effort, start, pool)
    elif method == "local":
        found = relaxed(ground, limits, clock, local(ground, limits, clock), pool)
    elif method == "greedy":
        found = relaxed(ground, limits, clock, greedy(ground, limits, ground.alone(), clock=clock), pool)
    else:
        raise ValueError(f"'method' must be 'exact', 'local' or 'greedy'. Got {method!r} instead.")
    return certify(problem, found.rules, found.upper / ground.scale, found.pool)
