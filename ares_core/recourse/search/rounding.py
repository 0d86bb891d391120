"""From fractions of rules to whole ones: guided by the relaxation, completed greedily, improved by exchanges."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ares_core.recourse.search.ground import Floats, Ground, Integers, Masks
from ares_core.recourse.search.problem import TOLERANCE, Limits

_KEPT = 0.6  # of the places for rules that a draw fills; the greedy choice fills the others
_FEWEST, _MOST = 2, 8  # rules that a renewal drops
_DOUBT = 0.3  # how much, in logarithms, a renewal doubts the prices


class Rounding:
    """Makes sets of whole rules from a few rules that matter.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    at
        Indices of the few rules. Sets are given and returned as positions in it.
    """

    def __init__(self, ground: Ground, limits: Limits, at: Integers) -> None:
        self._limits = limits
        self._value = ground.value
        self._weight = ground.weight[at]
        self._group = ground.group[at]
        self._groups = len(ground.problem.groups)
        self._masks = ground.masks(at)
        self._sums = ground.pairs[at] if ground.pairs is not None else sparse.csr_matrix(self._masks.astype(np.float64))

    def gain(self, chosen: Integers) -> float:
        """Return the gain of a set in scaled units."""
        return float(self._value[self._masks[chosen].any(axis=0)].sum() - self._weight[chosen].sum())

    def best(self, usable: Masks, start: Integers) -> Integers:
        """Return what the greedy choice among the usable rules and exchanges among all make of a start."""
        return self.exchange(self.fill(start, usable))

    def drawn(self, usage: Floats, random: np.random.Generator) -> Integers:
        """Draw rules, each the sooner the more of it the relaxation uses, then complete and improve them."""
        used = np.flatnonzero(usage > 0)
        order = used[np.argsort(-np.log1p(-random.random(len(used))) / usage[used], kind="stable")]
        some = order[: max(1, int(_KEPT * self._limits.max_rules))]
        if self._limits.bind_groups(self._groups):
            groups, first = np.unique(self._group[some], return_index=True)
            some = some[np.isin(self._group[some], groups[np.argsort(first)][: self._limits.max_groups])]
        return self.best(np.ones(len(usage), dtype=bool), some)

    def renewed(self, chosen: Integers, usable: Masks, prices: Floats, random: np.random.Generator) -> Integers:
        """Drop some rules of a set, fill their places by the prices of people instead of their value, and improve that.

        A price says how hard a person is to reach: rules for those whom many rules reach come last.
        """
        kept = chosen[random.permutation(len(chosen))[random.integers(_FEWEST, _MOST + 1) :]]
        return self.exchange(self.fill(kept, usable, prices * np.exp(_DOUBT * random.standard_normal(len(prices)))))

    def fill(self, chosen: Integers, usable: Masks, worth: Floats | None = None) -> Integers:
        """Add the usable rule that adds most until none adds anything or a limit binds.

        Parameters
        ----------
        chosen
            The rules to begin with.
        usable
            Which rules may be added.
        worth
            Shape (n,): what reaching a person counts; their value if not given.
        """
        left = np.where(self._masks[chosen].any(axis=0), 0.0, self._value if worth is None else worth)
        barred = ~usable
        while len(chosen) < self._limits.max_rules:
            profits = self._sums @ left - self._weight
            profits[barred | self._closed(self._count(chosen))] = -np.inf
            best = int(np.argmax(profits)) if len(profits) else 0
            if not len(profits) or profits[best] <= 0:
                break
            chosen = np.append(chosen, best)
            left[self._masks[best]] = 0.0
        return chosen

    def exchange(self, chosen: Integers) -> Integers:
        """Drop a rule, add one, or both, whichever improves the set most, until nothing does."""
        while len(self._weight):
            masks = self._masks[chosen]
            covering = masks.sum(axis=0)
            left = np.where(covering == 0, self._value, 0.0)
            own = masks * np.where(covering == 1, self._value, 0.0)
            lost = np.append(own.sum(axis=1) - self._weight[chosen], 0.0)  # without each rule, and with all
            profits = self._sums @ np.vstack([left + own, left]).T - self._weight[:, None]
            self._bar(profits, chosen)
            added = np.argmax(profits, axis=0)
            change = np.maximum(profits[added, np.arange(len(lost))], 0.0) - lost
            out = int(np.argmax(change))
            if change[out] <= TOLERANCE * self._value.sum():
                break
            new = added[out : out + 1] if profits[added[out], out] > 0 else added[:0]
            chosen = np.concatenate([np.delete(chosen, out) if out < len(chosen) else chosen, new])
        return chosen

    def _bar(self, profits: Floats, chosen: Integers) -> None:
        """Exclude rules chosen already, and those for which no room is left once one rule is dropped, or none."""
        profits[chosen] = -np.inf
        if len(chosen) >= self._limits.max_rules:
            profits[:, -1] = -np.inf
        count = self._count(chosen)
        if np.count_nonzero(count) < self._limits.max_groups:
            return
        closed = self._closed(count)
        profits[closed, -1] = -np.inf
        for place, group in enumerate(self._group[chosen].tolist()):
            # A group given up makes room for any other.
            if count[group] > 1:
                profits[closed, place] = -np.inf

    def _count(self, chosen: Integers) -> Integers:
        return np.bincount(self._group[chosen], minlength=self._groups)

    def _closed(self, count: Integers) -> Masks:
        """Say of which rules the group cannot be used any more, given how many rules of each group are chosen."""
        full = np.count_nonzero(count) >= self._limits.max_groups
        closed: Masks = (count == 0)[self._group] & full
        return closed
