"""Scoring: from the model's answers to the search problem, by counting bits.

For a subgroup q and a condition c the best move is the one with the lowest penalty (see `objective`), so a rule is a
pair (q, c) with one weight: the lowest penalty over the moves that fit c.

Where stand-ins are counted too, a move that helps none of the real people in both is in vain: nobody should follow
a rule that helped only people who do not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.recourse.bits import Bits, count
from ares_core.recourse.objective import Prices
from ares_core.recourse.options import Options

Counts = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.int32]
MOST_WORDS = 30_000_000
MOST_COUNTS = 30_000_000  # remembered, with their options some 240 MB


@dataclass(frozen=True, slots=True)
class Pairs:
    """What is known of every (subgroup, condition): the people in both, the real ones of them, and if it may be a rule.

    All are of shape (subgroups, conditions).
    """

    covers: Counts
    real: Counts
    eligible: NDArray[np.bool_]


class Tally:
    """Counts of people for every subgroup and condition, and for every option where they may make a rule.

    Parameters
    ----------
    conditions, fails
        (words, conditions) and (words, moves): who is in a condition, and whom a move was tried on in vain.
    groups
        (words, subgroups): who is in a subgroup.
    options
        Which moves fit which condition.
    real
        (words, 1): who is no stand-in; None where nobody is one.
    """

    def __init__(
        self, conditions: Bits, fails: Bits, groups: Bits, options: Options, pairs: Pairs, real: Bits | None = None
    ) -> None:
        self._conditions, self._fails, self._groups, self._options = conditions, fails, groups, options
        self.pairs = pairs
        self._real = real
        self.choices = np.bincount(options.condition, minlength=conditions.shape[1])
        few = sum(int(self.choices[row].sum()) for row in pairs.eligible) <= MOST_COUNTS
        self._known = [self._count(group) for group in range(groups.shape[1])] if few else None

    def options(self, group: int) -> Places:
        """Return the options that may make a rule for the subgroup, in order."""
        return self._read(group)[0]

    def failures(self, group: int) -> Counts:
        """Return for each of these how many people of the subgroup it covers and fails."""
        return self._read(group)[1]

    def failures_at(self, group: int, condition: int) -> Counts:
        """Return for each option of a condition how many people of the subgroup it covers and fails."""
        return self._count_some(self._groups[:, group], self._places(condition))

    def vain_at(self, group: int, condition: int) -> Mask:
        """Return for each option of a condition whether it helps none of the real people of the subgroup."""
        return self._vain(group, self._places(condition))

    def _places(self, condition: int) -> Places:
        """Return the options of a condition."""
        return np.arange(*np.searchsorted(self._options.condition, [condition, condition + 1]), dtype=np.int32)

    def _read(self, group: int) -> tuple[Places, Counts, Mask]:
        return self._count(group) if self._known is None else self._known[group]

    def _count(self, group: int) -> tuple[Places, Counts, Mask]:
        people = self._groups[:, group]
        places = np.flatnonzero(self.pairs.eligible[group][self._options.condition]).astype(np.int32)
        step = max(1, MOST_WORDS // len(people))
        counted = [self._count_some(people, places[low : low + step]) for low in range(0, len(places), step)]
        failures = np.concatenate([*counted, np.zeros(0, dtype=np.int32)])
        return places, failures, self._vain(group, places)

    def _vain(self, group: int, places: Places) -> Mask:
        if self._real is None:
            return np.zeros(len(places), dtype=bool)
        failed = self._count_some(self._groups[:, group] & self._real[:, 0], places)
        return np.asarray(failed == self.pairs.real[group][self._options.condition[places]])

    def _count_some(self, people: NDArray[np.uint64], places: Places) -> Counts:
        conditions, moves = self._options.condition[places], self._options.move[places]
        total = np.zeros(len(places), dtype=np.int32)
        for word, mine in enumerate(people):
            if mine:
                total += np.bitwise_count(self._conditions[word][conditions] & mine & self._fails[word][moves])
        return total

    def weights(self, group: int, prices: Prices) -> Floats:
        """Return the weight of each of the subgroup's options."""
        return self._weigh(*self._read(group), prices)

    def _weigh(self, places: Places, failures: Counts, vain: Mask, prices: Prices) -> Floats:
        options = self._options
        weighed: Floats = prices.penalty(failures, prices.move_costs[options.move[places]], options.magnitude[places])
        weighed[vain] = np.inf
        return weighed

    def penalties(self, prices: Prices) -> Floats:
        """Return (subgroups, conditions): the weight of the best move, infinite where there is none or no rule."""
        lightest = np.full(self.pairs.covers.shape, np.inf)
        for group, eligible in enumerate(self.pairs.eligible):
            owners = np.flatnonzero(eligible & (self.choices > 0))
            if len(owners):
                sizes = self.choices[owners]
                starts = np.cumsum(sizes) - sizes
                lightest[group, owners] = np.minimum.reduceat(self.weights(group, prices), starts)
        return lightest

    def best_options(self, pairs: Sequence[tuple[int, int]], prices: Prices) -> list[int]:
        """Return for (subgroup, condition) pairs the options that `penalties` chose, the first among equals."""
        found = []
        for group, condition in pairs:
            places = self._places(condition)
            known = self.failures_at(group, condition), self.vain_at(group, condition)
            found.append(int(places[np.argmin(self._weigh(places, *known, prices))]))
        return found


def count_pairs(groups: Bits, conditions: Bits) -> Counts:
    """Return (subgroups, conditions): how many people are in both."""
    return np.stack([count(conditions & group[:, None]) for group in groups.T])
