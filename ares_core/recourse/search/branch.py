"""A part of the search space, and an upper bound on it from any prices of people, without a solver."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ares_core.recourse.search.ground import Floats, Ground, Integers, Masks
from ares_core.recourse.search.problem import Limits

_FLAT = 1e-12  # relative; a smaller improvement of the rent is none
_MARGIN = 1e-12  # covers the rounding of a few thousand additions in double precision


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """The sets of rules that hold all of ``forced`` and otherwise only rules that are ``alive``.

    They may use the groups ``entered`` and as many others as the limit leaves room for.

    Parameters
    ----------
    forced
        Indices of rules.
    alive
        Shape (m,): which other rules may be added.
    covered
        Shape (n,): the people whom the forced rules cover.
    entered
        Shape (G,): groups that count as used: those of the forced rules, and others the branch was given.
    upper
        No set of the branch gains more, unless it gains no more than a set already known; in scaled units.
    """

    forced: Integers
    alive: Masks
    covered: Masks
    entered: Masks
    upper: float

    @classmethod
    def root(cls, ground: Ground, upper: float) -> Branch:
        """Return the whole search space."""
        nobody = np.zeros(len(ground.value), dtype=bool)
        no_group = np.zeros(len(ground.problem.groups), dtype=bool)
        return cls(np.zeros(0, dtype=np.int64), np.ones(len(ground), dtype=bool), nobody, no_group, upper)

    def room(self, limits: Limits) -> Limits:
        """Return how many more rules, and more groups, a set of the branch may hold."""
        return Limits(limits.max_rules - len(self.forced), max(0, limits.max_groups - int(self.entered.sum())))

    def split(self, ground: Ground, limits: Limits, index: int) -> tuple[Branch, Branch]:
        """Divide the branch into the sets with a rule and the sets without it."""
        alive = self.alive.copy()
        alive[index] = False
        covered = self.covered | ground.masks(np.array([index]))[0]
        within = replace(self, forced=np.append(self.forced, index), alive=alive, covered=covered)
        return within._enter(ground, limits, int(ground.group[index])), replace(self, alive=alive)

    def split_group(self, ground: Ground, limits: Limits, group: int) -> tuple[Branch, Branch]:
        """Divide the branch into the sets that may use a group and those that do not."""
        without = replace(self, alive=self.alive & (ground.group != group))
        return self._enter(ground, limits, group), without

    def _enter(self, ground: Ground, limits: Limits, group: int) -> Branch:
        """Count a group as used, and drop the rules for which no room is left."""
        entered = self.entered.copy()
        entered[group] = True
        room = replace(self, entered=entered).room(limits)
        alive = self.alive & (room.max_rules > 0)
        if room.max_groups == 0:
            alive &= entered[ground.group]
        return replace(self, entered=entered, alive=alive)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A bound on every gain in a branch, and on the gain of every set of the branch that holds a given rule.

    Parameters
    ----------
    value
        No set of the branch gains more, in scaled units.
    rent
        The price of one place among ``max_rules``.
    profits
        Shape (m,): the profit of each rule at the prices; minus infinity if it is not alive.
    caps
        Shape (m,): no set of the branch that holds the rule gains more.
    """

    value: float
    rent: float
    profits: Floats
    caps: Floats

    def tighten(self, branch: Branch, floor: float) -> Branch:
        """Return the branch with this bound if it is lower, and without the rules that cannot beat a known gain."""
        return replace(branch, upper=min(branch.upper, self.value), alive=branch.alive & (self.caps > floor))


def bound(ground: Ground, limits: Limits, branch: Branch, prices: Floats, rent: float | None = None) -> Bound:
    r"""Bound the gains in a branch from above at given prices of people.

    .. math:: U(\pi) = \sum_x (v_x - \pi_x)_+ + K\mu + \sum_{\text{M largest } g} \sum_{r \in g} (P_r - \mu)_+

    holds for every :math:`\pi, \mu \ge 0`, with P the profits at prices :math:`\pi`, K and M the room for rules and
    groups; :math:`\mu` is chosen to make it small. Whom a forced rule covers is had for a price of 0.

    Parameters
    ----------
    ground
        The rules a solution may use.
    limits
        The limits of the whole problem.
    branch
        The part of the search space.
    prices
        Shape (n,), at least 0.
    rent
        A first guess of :math:`\mu`, used only where the limit on groups binds.
    """
    used, profits = ground.price(np.where(branch.covered, 0.0, prices))
    profits[~branch.alive] = -np.inf
    room = branch.room(limits)
    if limits.bind_groups(len(ground.problem.groups)):
        rent, places, change = _with_groups(ground, room, branch.entered, profits, rent)
    else:
        rent, places, change = _without_groups(room, profits)
    value = float(np.maximum(ground.value - used, 0.0).sum() - ground.weight[branch.forced].sum() + places)
    value += _MARGIN * (float(ground.value.sum()) + abs(value))
    return Bound(value, rent, profits, value + change)


def _without_groups(room: Limits, profits: Floats) -> tuple[float, float, Floats]:
    """Take the K largest positive profits; the rent is the K-th, and a worse rule displaces that one."""
    count = room.max_rules
    top = -np.partition(-profits, count - 1)[:count] if len(profits) > count > 0 else profits[:count]
    rent = max(0.0, float(top.min())) if len(top) == count > 0 else 0.0
    return rent, float(np.maximum(top, 0.0).sum()), np.minimum(profits - rent, 0.0)


def _with_groups(
    ground: Ground, room: Limits, entered: Masks, profits: Floats, guess: float | None
) -> tuple[float, float, Floats]:
    """Take the groups entered and the M best others; a rule of a worse group displaces the last of these."""
    rent = _best_rent(ground, room, entered, profits, guess)
    above = group_profits(ground, profits, rent)
    chosen = _best_groups(above, room, entered)
    others = chosen[~entered[chosen]]
    last = above[others].min() if len(others) else (np.inf if room.max_groups == 0 else 0.0)
    displaced = np.where(entered, 0.0, np.minimum(above - last, 0.0))
    places = room.max_rules * rent + float(above[chosen].sum())
    return rent, places, np.minimum(profits - rent, 0.0) + displaced[ground.group]


def group_profits(ground: Ground, profits: Floats, rent: float, rich: Integers | None = None) -> Floats:
    """Return, for each group, the profit above the rent that its rules add up to, shape (G,).

    Parameters
    ----------
    ground
        The candidate rules.
    profits
        Shape (m,).
    rent
        What each rule must exceed.
    rich
        The indices of the rules that do, if known.
    """
    rich = np.flatnonzero(profits > rent) if rich is None else rich
    sums = np.bincount(ground.group[rich], profits[rich] - rent, minlength=len(ground.problem.groups))
    return sums.astype(np.float64)


def _best_groups(above: Floats, room: Limits, entered: Masks) -> Integers:
    """Return the groups entered and the best others there is room for."""
    others: Integers = np.flatnonzero(~entered)
    others = others[np.argsort(-above[others], kind="stable")[: room.max_groups]]
    return np.concatenate([np.flatnonzero(entered), others])


def _best_rent(ground: Ground, room: Limits, entered: Masks, profits: Floats, guess: float | None) -> float:
    """Minimise ``K * rent + (profits above the rent in the best groups)``, convex and piecewise linear in the rent.

    Where the tangents at a rent that is too low and at one that is too high meet, no rent does better than they do.
    """

    def tangent(rent: float, rich: Integers) -> tuple[float, float, float]:
        rich = rich[profits[rich] > rent]
        above = group_profits(ground, profits, rent, rich)
        chosen = _best_groups(above, room, entered)
        count = np.bincount(ground.group[rich], minlength=len(entered))
        slope = room.max_rules - float(count[chosen].sum())
        return rent, room.max_rules * rent + float(above[chosen].sum()), slope

    rich = np.flatnonzero(profits > 0)
    low, high = tangent(0.0, rich), tangent(max(0.0, float(profits.max(initial=0.0))), rich)
    trials = [] if guess is None else [0.99 * guess, guess]
    while low[2] < 0:
        met = (low[1] - low[2] * low[0] - high[1] + high[2] * high[0]) / (high[2] - low[2])
        least = low[1] + low[2] * (met - low[0])
        if min(low[1], high[1]) - least <= _FLAT * (1 + least) or not low[0] < met < high[0]:
            break
        trial = trials.pop() if trials else met
        now = tangent(trial if low[0] < trial < high[0] else met, rich)
        low, high = (now, high) if now[2] < 0 else (low, now)
    return low[0] if low[1] < high[1] else high[0]
