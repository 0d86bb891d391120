"""Column generation: the linear relaxation over all rules, by asking for the profitable ones in rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ares_core.recourse.search.branch import Bound, Branch, bound, group_profits
from ares_core.recourse.search.dominance import superfluous
from ares_core.recourse.search.ground import Floats, Ground, Integers
from ares_core.recourse.search.incumbent import Clock, Incumbent
from ares_core.recourse.search.master import Relaxed
from ares_core.recourse.search.problem import Limits, Rules
from ares_core.recourse.search.program import Program, Used
from ares_core.recourse.search.rounding import Rounding

_ENTER = 80  # rules that enter in one round
_SHARE = 8  # of them at least this many for each group that needs some
_CLOSE = 1e-7  # a profit this little above the rent cannot move the relaxation
_DRAWS = 10  # sets drawn from each solution of the relaxation of the whole …
_LAST_DRAWS = 60  # … and from its last one
_TOWARDS = 0.3  # how far to go from good prices to the relaxation's
_CARRIED = 300  # known rules carried over when the ground shrinks
_WHOLE = 1e-6  # a rule or group this close to whole is not used in part


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
    centre
        Shape (n,): good prices, if some are known.
    free
        Whether to leave the limit on groups to the rounding: bounds then hold all the more, and the linear program is
        much smaller. Only for the whole search space.
    """

    def __init__(
        self, ground: Ground, limits: Limits, known: Integers, centre: Floats | None = None, *, free: bool = False
    ) -> None:
        self.ground = ground
        self.limits = limits
        groups = len(ground.problem.groups)
        self._loose = replace(limits, max_groups=groups)
        self._bounding = self._loose if free else limits
        self._linked = self._bounding.bind_groups(groups)
        self._columns: Integers = np.zeros(0, dtype=np.int64)  # rules that became known …
        self._place = np.full(len(ground), -1, dtype=np.int64)  # … and where among them each rule is
        self._rounding: Rounding | None = None
        self._random = np.random.default_rng(0)
        self._centre = centre
        root = Branch.root(ground, 0.0)
        if not len(known):
            known = self._entering(bound(ground, self._bounding, root, ground.value / 2), root)
        self._learn_of(known)

    def settle(self, branch: Branch, incumbent: Incumbent, clock: Clock, thorough: bool = False) -> Settled:
        """Solve the relaxation of a branch, dropping rules that cannot beat the incumbent, and improve the latter.

        Parameters
        ----------
        branch
            The part of the search space.
        incumbent
            The best set so far; every optimum over the known rules is rounded and offered.
        clock
            The time left.
        thorough
            For the whole search space: draw many whole sets, and stop as soon as most rules have been dropped where
            their people are not listed.
        """
        profits = np.zeros(len(self.ground))
        most = len(self.ground) / 2 if thorough and self.ground.pairs is None else 0
        program = Program(self.ground, self._loose, branch, self._columns)
        while not clock.over() and branch.alive.sum() >= most:
            solved = program.solve(clock.left())
            if solved is None:
                break
            relaxed, used = solved
            if program.loose and not self._fits(branch, used):
                program = Program(self.ground, self._bounding, branch, self._columns)
                continue
            self._round(branch, used, incumbent, clock, _DRAWS if thorough else 0)
            bounds = self._bounds(branch, relaxed)
            for now in bounds:
                branch = now.tighten(branch, incumbent.bar)
            profits = bounds[0].profits
            if branch.upper <= incumbent.bar:
                return Settled(branch, None, True, profits)
            if not branch.alive[used[0]].all():
                program.drop(branch)
            elif not self._grow(program, branch, bounds, relaxed):
                parts = self._divide(branch, relaxed, used)
                if thorough and parts:
                    self._round(branch, used, incumbent, clock, _LAST_DRAWS)
                    branch = bounds[0].tighten(branch, incumbent.bar)
                return Settled(branch, parts, True, profits)
        return Settled(branch, None, False, profits)

    def _bounds(self, branch: Branch, relaxed: Relaxed) -> list[Bound]:
        """Bound the branch at the relaxation's prices and, if there is a centre, at prices between the two.

        Prices that are best for the few rules known are far from best for all of them; on the way from there to prices
        known to be good, bounds are lower and the rules that look profitable are more often those that matter.
        """
        bounds = [bound(self.ground, self._bounding, branch, relaxed.prices, relaxed.rent)]
        if self._centre is None:
            return bounds
        between = self._centre + _TOWARDS * (relaxed.prices - self._centre)
        bounds.append(bound(self.ground, self._bounding, branch, between, relaxed.rent))
        if bounds[1].value < branch.upper:
            self._centre = between
        if bounds[0].value < min(branch.upper, bounds[1].value):
            self._centre = relaxed.prices
        return bounds

    def known(self, profits: Floats, size: int) -> Rules:
        """Return the known rules with the highest profits, at most so many."""
        at = np.sort(self._columns)
        at = at[np.argsort(-profits[at], kind="stable")][:size]
        return self.ground.rules(np.sort(at))

    def shrunk(self, settled: Settled) -> Relaxation:
        """Return the relaxation over only the rules alive and needed in a branch without forced rules.

        It begins with few of the rules known here: a small master is fast, and what it misses enters again.
        """
        branch = settled.branch
        at = np.flatnonzero(branch.alive)
        kept = np.zeros(len(self.ground), dtype=bool)
        kept[at[lightest(self.ground, at, self.limits)]] = True
        ground = self.ground.keep(kept)
        needed = ~superfluous(ground, self.limits)
        ground, kept[kept] = ground.keep(needed), needed
        known = np.flatnonzero(self._place[kept] >= 0)
        best = np.argsort(-settled.profits[kept][known], kind="stable")[:_CARRIED]
        return Relaxation(ground, self.limits, np.sort(known[best]))

    def _fits(self, branch: Branch, used: Used) -> bool:
        """Say whether a solution that knows nothing of the limit on groups keeps it, as most do."""
        presence = np.zeros(len(branch.entered))
        np.maximum.at(presence, self.ground.group[used[0]], used[1])
        presence[branch.entered] = 0.0
        return not self._linked or float(presence.sum()) <= branch.room(self._bounding).max_groups + _WHOLE

    def _grow(self, program: Program, branch: Branch, bounds: list[Bound], relaxed: Relaxed) -> bool:
        """Let rules in that would improve the relaxation, and say whether there are any."""
        entering = self._entering(bounds[0], branch, relaxed)
        if not len(entering):
            return False
        for other in bounds[1:]:
            entering = np.union1d(entering[:_ENTER], self._entering(other, branch, relaxed))
        self._learn_of(entering)
        program.add(entering)
        return True

    def _round(self, branch: Branch, used: Used, incumbent: Incumbent, clock: Clock, draws: int) -> None:
        """Offer whole sets near the relaxation's: the greedy choice among the rules it uses, and some drawn ones."""
        if not len(self._columns):
            return
        if self._rounding is None:
            self._rounding = Rounding(self.ground, self.limits, self._columns)
        usage = np.zeros(len(self._columns))
        usage[self._place[used[0]]] = used[1]
        self._offer(self._rounding.best(usage > 0, self._place[branch.forced]), incumbent)
        for _ in range(draws):
            if clock.over():
                break
            self._offer(self._rounding.drawn(usage, self._random), incumbent)

    def _offer(self, chosen: Integers, incumbent: Incumbent) -> None:
        if self._rounding is not None and self._rounding.gain(chosen) > incumbent.floor:
            incumbent.offer(self.ground.rules(self._columns[chosen]))

    def _divide(self, branch: Branch, relaxed: Relaxed, used: Used) -> tuple[Branch, Branch] | None:
        """Divide by a group used in part if room for one more were worth something, else by a rule, else by a group.

        Where the limit on groups does not bind, whether a group is allowed moves the bound little. Of rules, one far
        from whole whose people are worth much moves it most.
        """
        rules, usage = used
        part = np.minimum(usage, np.maximum(1 - usage, _WHOLE))
        present = np.minimum(relaxed.presence, 1 - relaxed.presence)
        tight = relaxed.entrance > _CLOSE or part.max(initial=0.0) <= _WHOLE
        if tight and present.max(initial=0.0) > _WHOLE:
            return branch.split_group(self.ground, self.limits, int(np.argmax(present)))
        if not len(rules):
            return None
        worth = self.ground.masks(rules) @ relaxed.prices
        return branch.split(self.ground, self.limits, int(rules[np.argmax(part * worth)]))

    def _entering(self, now: Bound, branch: Branch, relaxed: Relaxed | None = None) -> Integers:
        """Choose unknown rules that would improve the relaxation, the most profitable first, spread over groups."""
        rent, entrance = (relaxed.rent, relaxed.entrance) if relaxed else (0.0, 0.0)
        at = np.flatnonzero((now.profits > rent + _CLOSE) & (self._place < 0) & branch.alive)
        if self._linked:
            needy = branch.entered | (group_profits(self.ground, now.profits, rent) > entrance + _CLOSE)
            at = at[needy[self.ground.group[at]]]
        at = at[np.argsort(-now.profits[at], kind="stable")]
        share = max(_SHARE, _ENTER // max(1, len(np.unique(self.ground.group[at]))))
        at = at[_rank_within(self.ground.group[at]) < share][: 2 * _ENTER]
        return at[lightest(self.ground, at, self.limits)]

    def _learn_of(self, at: Integers) -> None:
        """Make rules known."""
        self._place[at] = np.arange(len(self._columns), len(self._columns) + len(at))
        self._columns = np.concatenate([self._columns, at])
        self._rounding = None


def lightest(ground: Ground, at: Integers, limits: Limits) -> Integers:
    """Return the positions in ``at`` that remain when, of rules that cover the same people, only the lightest does.

    Parameters
    ----------
    ground
        The candidate rules.
    at
        Indices of rules.
    limits
        Where the one on groups binds, rules of different groups differ even if they cover the same people.
    """
    order = np.lexsort((at, ground.weight[at]))
    step = 4096
    parts = [np.packbits(ground.masks(at[order[first : first + step]]), axis=1) for first in range(0, len(at), step)]
    if not parts:
        return at
    keys = np.concatenate(parts)
    if limits.bind_groups(len(ground.problem.groups)):
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
