"""Exact search: branch and bound over the linear relaxation, with column generation in every branch."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, replace

import numpy as np

from ares_core.recourse.search.branch import Branch, bound
from ares_core.recourse.search.dominance import lightest
from ares_core.recourse.search.greedy import greedy
from ares_core.recourse.search.ground import Floats, Ground, Integers
from ares_core.recourse.search.incumbent import Clock, Incumbent
from ares_core.recourse.search.prices import promising
from ares_core.recourse.search.problem import Effort, Limits, Rules
from ares_core.recourse.search.relaxation import Relaxation, Settled
from ares_core.recourse.search.rounding import Rounding

_POOL = 400  # rules remembered for a warm start
_FEW = 20_000  # rules to begin with where there are too many to list
_MANY = 500  # people from whom on the linear program is slow enough to look for good prices first


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search came to.

    Parameters
    ----------
    rules
        The best set.
    upper
        No set gains more, in scaled units, up to rounding.
    pool
        Rules for a warm start.
    branches
        How many branches were looked into.
    """

    rules: Rules
    upper: float
    pool: Rules
    branches: int = 0


def exact(ground: Ground, limits: Limits, clock: Clock, effort: Effort, start: Rules = (), pool: Rules = ()) -> Found:
    """Find a set of rules with the largest gain and prove it, or do what the time allows.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    clock
        The time left.
    effort
        How close to the optimum is close enough, and when.
    start
        A set within the limits to begin with.
    pool
        Rules to begin the relaxation with.
    """
    if not len(ground) or not limits.max_rules or not limits.max_groups:
        return Found((), 0.0, ())
    incumbent = Incumbent(ground)
    incumbent.offer(start)
    few = ground.pairs is not None and len(ground.value) < _MANY
    if not start and (few or clock.over()):
        incumbent.offer(ground.rules(greedy(ground, limits, ground.alone(), clock=clock)))
    if clock.over():
        return Found(incumbent.rules, _whole(ground, limits).upper, pool)
    relaxation, whole = _begin(ground, limits, incumbent, pool, clock)
    return _search(relaxation, whole, incumbent, clock, effort)


def relaxed(ground: Ground, limits: Limits, clock: Clock, chosen: Integers, pool: Rules = ()) -> Found:
    """Bound the gain of a set found by other means with the linear relaxation, as far as the time allows.

    Parameters
    ----------
    ground, limits, clock, pool
        As for :func:`exact`.
    chosen
        Indices of the rules of the set.
    """
    rules = ground.rules(chosen)
    if not len(ground) or not limits.max_rules or not limits.max_groups:
        return Found(rules, 0.0, ())
    incumbent = Incumbent(ground)
    incumbent.offer(rules)
    if clock.over():
        return Found(rules, _whole(ground, limits).upper, pool)
    relaxation, whole = _begin(ground, limits, incumbent, pool, clock, free=False)
    settled = relaxation.settle(whole, incumbent, clock)
    # A bound that only speaks of sets better than the incumbent says nothing of the incumbent itself.
    upper = max(settled.branch.upper, incumbent.floor)
    return Found(rules, upper, relaxation.known(settled.profits, _POOL))


def _begin(
    ground: Ground, limits: Limits, incumbent: Incumbent, pool: Rules, clock: Clock, *, free: bool = True
) -> tuple[Relaxation, Branch]:
    """Return the relaxation with the rules remembered, or those that good prices point at, and the whole bounded."""
    known, centre, whole = ground.find(pool), None, _whole(ground, limits)
    if not len(known) and ground.pairs is None:
        known = _known_of_few(ground, limits, incumbent, clock)
    elif not len(known) and len(ground.value) >= _MANY:
        known, centre = promising(ground, limits.max_rules)
        known = known[lightest(ground, known, limits)]
        incumbent.offer(_rounded(ground, limits, known))
        whole = bound(ground, limits, whole, centre).tighten(whole, incumbent.floor)
    elif len(known):
        incumbent.offer(_rounded(ground, limits, known))
    if len(known):
        known = np.union1d(known, ground.find(incumbent.rules))
    return Relaxation(ground, limits, known, centre, free=free), whole


def _rounded(ground: Ground, limits: Limits, known: Integers) -> Rules:
    """Return a good set of known rules before any relaxation is solved, for whoever has no time for one."""
    rounding = Rounding(ground, limits, known)
    return ground.rules(known[rounding.best(np.ones(len(known), dtype=bool), known[:0])])


def _known_of_few(ground: Ground, limits: Limits, incumbent: Incumbent, clock: Clock) -> Integers:
    """Solve the relaxation over the rules that gain most alone, where pricing all of them is dear."""
    kept = np.zeros(len(ground), dtype=bool)
    kept[np.argsort(-ground.alone(), kind="stable")[:_FEW]] = True
    few = ground.keep(kept)
    if few.pairs is None:
        return np.zeros(0, dtype=np.int64)
    incumbent.offer(few.rules(greedy(few, limits, few.alone(), clock=clock)))
    relaxation, whole = _begin(few, limits, incumbent, (), clock)
    settled = relaxation.settle(whole, incumbent, clock)
    return ground.find(relaxation.known(settled.profits, _POOL))


def _whole(ground: Ground, limits: Limits) -> Branch:
    """Return the whole search space with a first bound."""
    whole = Branch.root(ground, float(ground.value.sum()))
    return replace(whole, upper=min(whole.upper, bound(ground, limits, whole, ground.value).value))


def _search(relaxation: Relaxation, whole: Branch, incumbent: Incumbent, clock: Clock, effort: Effort) -> Found:
    """Settle the whole search space, shrink the ground to what can still matter, and divide what is left."""
    settled = relaxation.settle(whole, incumbent, clock, thorough=True)
    while not settled.finished and not clock.over():
        relaxation, whole = _shrink(relaxation, settled)
        settled = relaxation.settle(whole, incumbent, clock, thorough=True)
    pool = tuple(sorted({*relaxation.known(settled.profits, _POOL), *incumbent.rules}))
    close = settled.branch.upper <= incumbent.within(effort.gap_after(0))
    if not settled.finished or settled.parts is None or close:
        return Found(incumbent.rules, settled.branch.upper, pool)
    relaxation, whole = _shrink(relaxation, settled)
    upper, branches = _divide(relaxation, whole, incumbent, clock, effort)
    return Found(incumbent.rules, max(upper, incumbent.bar if incumbent.slack else 0.0), pool, branches)


def _shrink(relaxation: Relaxation, settled: Settled) -> tuple[Relaxation, Branch]:
    """Return the relaxation over the rules still alive, and the whole of its search space."""
    smaller = relaxation.shrunk(settled)
    return smaller, Branch.root(smaller.ground, settled.branch.upper)


def _divide(
    relaxation: Relaxation, whole: Branch, incumbent: Incumbent, clock: Clock, effort: Effort
) -> tuple[float, int]:
    """Divide branches, plunging into the first part, else the most promising first.

    Parts of one branch are a family: the prices that bound one of them rule much out in the others.

    Returns
    -------
    upper, branches
        No set of the whole gains more, unless it gains no more than the incumbent; and how many were looked into.
    """
    counter = itertools.count()
    family: list[Floats] = []
    heap: list[tuple[float, int, Branch, list[Floats]]] = [(-whole.upper, next(counter), whole, family)]
    closed, plunge, looked = 0.0, None, 0
    while heap or plunge:
        if plunge is None:
            _, _, plunge, family = heapq.heappop(heap)
        branch, plunge = plunge, None
        open_ = max(branch.upper, -heap[0][0] if heap else 0.0)
        if clock.over() or looked + 1 > effort.most_branches or open_ <= incumbent.within(effort.gap_after(looked)):
            return max(closed, open_), looked
        # From here on a set that is a little better is not looked for, so no bound below the bar is claimed either.
        incumbent.slack = effort.gap_after(looked)
        settled = relaxation.settle(branch, incumbent, clock, hints=family)
        looked += 1
        if not settled.finished:
            return max(closed, open_), looked
        if settled.prices is not None:
            family.append(settled.prices)
        if settled.parts is None:
            closed = max(closed, settled.branch.upper)
            continue
        family = []
        plunge, *others = settled.parts
        for other in others:
            heapq.heappush(heap, (-other.upper, next(counter), other, family))
    return closed, looked
