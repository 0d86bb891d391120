"""Column generation: the linear relaxation over all rules, by asking for the profitable ones in rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ares_core.recourse.search.branch import Bound, Branch, bound, group_profits
from ares_core.recourse.search.dominance import lightest, superfluous
from ares_core.recourse.search.ground import Floats, Ground, Integers
from ares_core.recourse.search.incumbent import Clock, Incumbent
from ares_core.recourse.search.master import Relaxed
from ares_core.recourse.search.problem import Limits, Rules
from ares_core.recourse.search.program import Program, Used
from ares_core.recourse.search.rounding import Rounding

_ENTER = 80  # rules that enter in one round
_SHARE = 8  # of them at least this many for each group that needs some
_CLOSE = 1e-7  # a profit this little above the rent cannot move the relaxation
_DRAWS = 3  # sets drawn from each solution of the relaxation of the whole
_VAIN = 60  # renewals of the best set, once that relaxation is solved, before they are given up as vain
_SPLITS = 4  # rules a branch is divided by at once
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
        What it divides into; None if the branch holds nothing better than the incumbent, or nothing but its forced
        rules, or was not finished.
    finished
        Whether the relaxation was solved; if not, the time was over or the ground may be shrunk first.
    profits
        Shape (m,): the last profits.
    prices
        Shape (n,): the last prices of the relaxation, if it came to any.
    """

    branch: Branch
    parts: tuple[Branch, ...] | None
    finished: bool
    profits: Floats
    prices: Floats | None = None


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

    def settle(
        self,
        branch: Branch,
        incumbent: Incumbent,
        clock: Clock,
        hints: Iterable[Floats] = (),
        *,
        thorough: bool = False,
    ) -> Settled:
        """Solve the relaxation of a branch, dropping rules that cannot beat the incumbent, and improve the latter.

        Parameters
        ----------
        branch
            The part of the search space.
        incumbent
            The best set so far; optima over the known rules are rounded and offered.
        clock
            The time left.
        hints
            Prices to bound the branch with first.
        thorough
            For the whole search space: round every optimum in many ways, and stop as soon as most rules have been
            dropped where their people are not listed.
        """
        profits, prices = np.zeros(len(self.ground)), None
        most = len(self.ground) / 2 if thorough and self.ground.pairs is None else 0
        branch = self._hinted(branch, incumbent, hints)
        if branch.upper <= incumbent.bar:
            return Settled(branch, None, True, profits)
        program = Program(self.ground, self._loose, branch, self._columns)
        while not clock.over() and branch.alive.sum() >= most:
            solved = program.solve(clock.left())
            if solved is None:
                break
            relaxed, used = solved
            if program.loose and not self._fits(branch, used):
                program = Program(self.ground, self._bounding, branch, self._columns)
                continue
            if thorough:
                self._round(branch, used, incumbent, clock, _DRAWS)
            bounds = self._bounds(branch, relaxed)
            for now in bounds:
                branch = now.tighten(branch, incumbent.bar)
            profits, prices = bounds[0].profits, relaxed.prices
            if branch.upper <= incumbent.bar:
                return Settled(branch, None, True, profits, prices)
            if not branch.alive[used[0]].all():
                program.drop(branch)
            elif not self._grow(program, branch, bounds, relaxed):
                if thorough:
                    self._renew(used, prices, incumbent, clock)
                else:
                    self._round(branch, used, incumbent, clock)
                branch = bounds[0].tighten(branch, incumbent.bar)
                parts = self._divide(branch, relaxed, used) if branch.upper > incumbent.bar else None
                return Settled(branch, parts, True, profits, prices)
        return Settled(branch, None, False, profits, prices)

    def _hinted(self, branch: Branch, incumbent: Incumbent, hints: Iterable[Floats]) -> Branch:
        """Bound a branch at given prices.

        The prices that bound the sets with one rule make rules for the same people worthless: these are dropped here
        too, all at once, although the bound itself is poor.
        """
        for prices in hints:
            branch = bound(self.ground, self._bounding, branch, prices).tighten(branch, incumbent.bar)
        return branch

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

    def _round(self, branch: Branch, used: Used, incumbent: Incumbent, clock: Clock, draws: int = 0) -> None:
        """Offer whole sets near the relaxation's: the greedy choice among the rules it uses, and some drawn ones."""
        rounding, usage = self._rounding_of(used)
        self._offer(rounding, rounding.best(usage > 0, self._place[branch.forced]), incumbent)
        for _ in range(draws):
            if clock.over():
                break
            self._offer(rounding, rounding.drawn(usage, self._random), incumbent)

    def _renew(self, used: Used, prices: Floats, incumbent: Incumbent, clock: Clock) -> None:
        """Walk from what is known of the incumbent to sets at least as good, renewing a part from the rules in use."""
        rounding, usage = self._rounding_of(used)
        at = self._place[self.ground.find(incumbent.rules)]
        current, vain = at[at >= 0], 0
        while vain < _VAIN and not clock.over():
            new = rounding.renewed(current, usage > 0, prices, self._random)
            change = rounding.gain(new) - rounding.gain(current)
            vain = 0 if change > _CLOSE else vain + 1
            current = new if change >= 0 else current
        self._offer(rounding, current, incumbent)

    def _rounding_of(self, used: Used) -> tuple[Rounding, Floats]:
        """Return what rounds sets of known rules, and how much of each known rule is used."""
        if self._rounding is None:
            self._rounding = Rounding(self.ground, self.limits, self._columns)
        usage = np.zeros(len(self._columns))
        usage[self._place[used[0]]] = used[1]
        return self._rounding, usage

    def _offer(self, rounding: Rounding, chosen: Integers, incumbent: Incumbent) -> None:
        if rounding.gain(chosen) > incumbent.floor:
            incumbent.offer(self.ground.rules(self._columns[chosen]))

    def _divide(self, branch: Branch, relaxed: Relaxed, used: Used) -> tuple[Branch, ...] | None:
        """Divide by a group used in part if room for one more were worth something, else by rules, else by a group.

        Where the limit on groups does not bind, whether a group is allowed moves the bound little. Of rules, those far
        from whole whose people are worth much move it most. The sets with a rule are bounded much lower, those without
        it hardly, as others take its place: so the relaxation of what is left is solved only once for several rules.
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
        parts = []
        for rule in rules[np.argsort(-part * worth, kind="stable")][:_SPLITS].tolist():
            within, branch = branch.split(self.ground, self.limits, rule)
            parts.append(within)
        return (*parts, branch)

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


def _rank_within(labels: Integers) -> Integers:
    """Return how many earlier entries have the same label, for each entry."""
    order = np.argsort(labels, kind="stable")
    ranks = np.empty(len(labels), dtype=np.int64)
    changes = np.flatnonzero(np.diff(labels[order], prepend=-1))
    sizes = np.diff(np.append(changes, len(labels)))
    ranks[order] = np.arange(len(labels)) - np.repeat(changes, sizes)
    return ranks
