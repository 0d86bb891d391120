"""Column generation: the linear relaxation over all rules, by asking for the profitable ones in rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ares_core.recourse.search.branch import Bound, Branch, bound, group_profits
from ares_core.recourse.search.greedy import greedy
from ares_core.recourse.search.ground import Floats, Ground, Integers
from ares_core.recourse.search.incumbent import Clock, Incumbent
from ares_core.recourse.search.local import climb
from ares_core.recourse.search.master import Master, Relaxed
from ares_core.recourse.search.problem import Limits, Rules

_ENTER = 80  # rules that enter in one round
_SHARE = 8  # of them at least this many for each group that needs some
_CLOSE = 1e-7  # a profit this little above the rent cannot move the relaxation
_NEAR = 0.97  # a set that gains this share of the bound is worth polishing
_CARRIED = 300  # known rules carried over when the ground shrinks
_USED = 1e-6  # less of a rule than this is rounding noise


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A branch after its relaxation was solved as far as needed.

    Parameters
    ----------
    branch
        With a lower upper bound and fewer rules alive.
    parts
        What it divides into; None if the branch holds nothing better than the incumbent.
    finished
        Whether the relaxation was solved; if not, the time was over or the ground may be shrunk first.
    profits
        Shape (m,): the last profits.
    """

    branch: Branch
    parts: tuple[Branch, Branch] | None
    finished: bool
    profits: Floats


class Relaxation:
    """The linear relaxation over a ground, with the rules that became known.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    known
        Indices of rules to begin with; if there are none, those that look best when people are half price.
    """

    def __init__(self, ground: Ground, limits: Limits, known: Integers) -> None:
        self.ground = ground
        self.limits = limits
        self._linked = limits.bind_groups(len(ground.problem.groups))
        self._master = Master(ground.value, limits, len(ground.problem.groups))
        self._known = np.zeros(len(ground), dtype=bool)
        self._columns: Integers = np.zeros(0, dtype=np.int64)
        root = Branch.root(ground, 0.0)
        if not len(known):
            known = self._entering(bound(ground, limits, root, ground.value / 2), root, 0.0, 0.0)
        self._enter(known)

    def settle(self, branch: Branch, incumbent: Incumbent, clock: Clock, shrinkable: bool = False) -> Settled:
        """Solve the relaxation of a branch, dropping rules that cannot beat the incumbent, and improve the latter.

        Parameters
        ----------
        branch
            The part of the search space.
        incumbent
            The best set so far; every optimum over the known rules is rounded and offered.
        clock
            The time left.
        shrinkable
            Whether to stop as soon as most rules have been dropped.
        """
        profits = np.zeros(len(self.ground))
        size = int(branch.alive.sum())
        self._restrict(branch)
        while not clock.over() and not (shrinkable and 2 * branch.alive.sum() < size):
            relaxed = self._master.solve(clock.left())
            if relaxed is None:
                break
            support = self._columns[relaxed.usage > _USED]
            self._round(branch, support, incumbent, clock)
            now = bound(self.ground, self.limits, branch, relaxed.prices, relaxed.rent)
            profits, alive = now.profits, branch.alive & (now.caps > incumbent.floor)
            branch = replace(branch, upper=min(branch.upper, now.value), alive=alive)
            if branch.upper <= incumbent.floor:
                return Settled(branch, None, True, profits)
            if not self._move(branch, now, relaxed, support):
                return Settled(branch, self._divide(branch, relaxed), True, profits)
        return Settled(branch, None, False, profits)

    def known(self, profits: Floats, size: int) -> Rules:
        """Return the known rules with the highest profits, at most so many."""
        at = np.flatnonzero(self._known)
        at = at[np.argsort(-profits[at], kind="stable")][:size]
        return self.ground.rules(np.sort(at))

    def shrunk(self, settled: Settled) -> Relaxation:
        """Return the relaxation over only the rules alive in a branch without forced rules, each set of people once.

        It begins with few of the rules known here: a small master is fast, and what it misses enters again.
        """
        branch = settled.branch
        at = np.flatnonzero(branch.alive)
        kept = np.zeros(len(self.ground), dtype=bool)
        kept[at[lightest(self.ground, at, self._linked)]] = True
        ground = self.ground.keep(kept)
        known = np.flatnonzero(self._known[kept])
        best = np.argsort(-settled.profits[kept][known], kind="stable")[:_CARRIED]
        return Relaxation(ground, self.limits, np.sort(known[best]))

    def _restrict(self, branch: Branch) -> None:
        forced = np.flatnonzero(np.isin(self._columns, branch.forced))
        self._master.restrict(branch.alive[self._columns], forced, np.flatnonzero(branch.entered))

    def _move(self, branch: Branch, now: Bound, relaxed: Relaxed, support: Integers) -> bool:
        """Prepare another round if there is something to gain from one, and say so."""
        if not (branch.alive[support] | np.isin(support, branch.forced)).all():
            self._restrict(branch)
            return True
        entering = self._entering(now, branch, relaxed.rent, relaxed.entrance)
        self._enter(entering)
        return len(entering) > 0

    def _round(self, branch: Branch, support: Integers, incumbent: Incumbent, clock: Clock) -> None:
        """Offer the greedy choice among the rules the relaxation uses."""
        hopes = np.full(len(self.ground), -np.inf)
        hopes[support] = np.inf
        chosen = greedy(self.ground, self.limits, hopes, branch.forced)
        if incumbent.offer(self.ground.rules(chosen)) and incumbent.floor > _NEAR * branch.upper:
            self._polish(chosen, incumbent, clock)

    def _polish(self, chosen: Integers, incumbent: Incumbent, clock: Clock) -> None:
        """Offer what exchanges among the known rules make of a set."""
        kept = self._known.copy()
        kept[chosen] = True
        few = self.ground.keep(kept)
        start = np.flatnonzero(np.isin(np.flatnonzero(kept), chosen))
        better, _ = climb(few, self.limits, start, np.ones(len(few), dtype=bool), clock)
        incumbent.offer(few.rules(better))

    def _divide(self, branch: Branch, relaxed: Relaxed) -> tuple[Branch, Branch] | None:
        """Divide by a group used in part; else by a rule, far from whole, whose people are worth much."""
        part = np.minimum(relaxed.presence, 1 - relaxed.presence)
        if part.max(initial=0.0) > _USED:
            return branch.split_group(self.ground, self.limits, int(np.argmax(part)))
        usage = np.where(branch.alive[self._columns], relaxed.usage, 0.0)
        used = np.flatnonzero(usage > _USED)
        if not len(used):
            return None
        part = np.minimum(usage[used], np.maximum(1 - usage[used], _USED))
        worth = self.ground.masks(self._columns[used]) @ relaxed.prices
        return branch.split(self.ground, self.limits, int(self._columns[used[np.argmax(part * worth)]]))

    def _entering(self, now: Bound, branch: Branch, rent: float, entrance: float) -> Integers:
        """Choose unknown rules that would improve the relaxation, the most profitable first, spread over groups."""
        at = np.flatnonzero((now.profits > rent + _CLOSE) & ~self._known & branch.alive)
        if self._linked:
            needy = branch.entered | (group_profits(self.ground, now.profits, rent) > entrance + _CLOSE)
            at = at[needy[self.ground.group[at]]]
        at = at[np.argsort(-now.profits[at], kind="stable")]
        share = max(_SHARE, _ENTER // max(1, len(np.unique(self.ground.group[at]))))
        at = at[_rank_within(self.ground.group[at]) < share][: 2 * _ENTER]
        return at[lightest(self.ground, at, self._linked)]

    def _enter(self, at: Integers) -> None:
        if not len(at):
            return
        ground = self.ground
        self._known[at] = True
        self._columns = np.concatenate([self._columns, at])
        self._master.add(ground.masks(at), ground.weight[at], ground.group[at])


def lightest(ground: Ground, at: Integers, linked: bool) -> Integers:
    """Return the positions in ``at`` that remain when, of rules that cover the same people, only the lightest does.

    Parameters
    ----------
    ground
        The candidate rules.
    at
        Indices of rules.
    linked
        Whether rules of different groups differ even if they cover the same people.
    """
    order = np.lexsort((at, ground.weight[at]))
    step = 4096
    parts = [np.packbits(ground.masks(at[order[first : first + step]]), axis=1) for first in range(0, len(at), step)]
    if not parts:
        return at
    keys = np.concatenate(parts)
    if linked:
        keys = np.hstack([keys, ground.group[at[order]].astype(np.int64)[:, None].view(np.uint8)])
    return np.sort(order[first_of_each(keys)])


def first_of_each(keys: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> Integers:
    """Return the index of the first of each set of equal rows."""
    whole = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1]))).ravel()
    return np.unique(whole, return_index=True)[1]


def _rank_within(labels: Integers) -> Integers:
    """Return how many earlier entries have the same label, for each entry."""
    order = np.argsort(labels, kind="stable")
    ranks = np.empty(len(labels), dtype=np.int64)
    changes = np.flatnonzero(np.diff(labels[order], prepend=-1))
    sizes = np.diff(np.append(changes, len(labels)))
    ranks[order] = np.arange(len(labels)) - np.repeat(changes, sizes)
    return ranks
