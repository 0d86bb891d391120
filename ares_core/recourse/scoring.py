"""Scoring: from the model's answers to the search problem, by counting bits.

For a subgroup q and a condition c the best move is the lightest one, so a rule is a pair (q, c) with one weight:

    w(q, c) = min over moves m that fit c of  λ1·incorrect(q, c, m) + λ3·cost(m) + λ4·magnitude(c, m)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.recourse.bits import Bits, count
from ares_core.recourse.options import Options
from ares_core.settings import Weights

Counts = NDArray[np.int32]
Floats = NDArray[np.float64]
MOST_WORDS = 30_000_000
MOST_COUNTS = 40_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """What rules pay: the weights, what each move costs, and how much one counted person weighs."""

    weights: Weights
    move_costs: Floats
    person_weight: float = 1.0


class Tally:
    """Counts of people for every subgroup, condition and option, over one set of people.

    Parameters
    ----------
    conditions, fails
        (words, conditions) and (words, moves): who is in a condition, and whom a move was tried on in vain.
    groups
        (words, subgroups): who is in a subgroup.
    options
        Which moves fit which condition.
    """

    def __init__(self, conditions: Bits, fails: Bits, groups: Bits, options: Options) -> None:
        self._conditions, self._fails, self._groups, self._options = conditions, fails, groups, options
        self.covers = count_pairs(groups, conditions)
        self._owners, self._starts = np.unique(options.condition, return_index=True)
        small = groups.shape[1] * len(options) <= MOST_COUNTS
        self._failures = [self._count(group) for group in range(groups.shape[1])] if small else None

    def failures(self, group: int) -> Counts:
        """Return for each option how many people of the subgroup it covers and fails."""
        return self._count(group) if self._failures is None else self._failures[group]

    def _count(self, group: int) -> Counts:
        people, options = self._groups[:, group], self._options
        step = max(1, MOST_WORDS // len(people))
        counted = [self._count_slice(people, slice(low, low + step)) for low in range(0, len(options), step)]
        return np.concatenate([*counted, np.zeros(0, dtype=np.int32)])

    def _count_slice(self, people: NDArray[np.uint64], part: slice) -> Counts:
        conditions, moves = self._options.condition[part], self._options.move[part]
        total = np.zeros(len(conditions), dtype=np.int32)
        for word, mine in enumerate(people):
            if mine:
                total += np.bitwise_count((self._conditions[word] & mine)[conditions] & self._fails[word][moves])
        return total

    def weights(self, group: int, prices: Prices) -> Floats:
        """Return the weight of every option in one subgroup."""
        options, weights = self._options, prices.weights
        moves = weights.feature_cost * prices.move_costs
        return (
            weights.correctness * prices.person_weight * self.failures(group)
            + moves[options.move]
            + weights.feature_change * options.magnitude
        )

    def penalties(self, prices: Prices) -> Floats:
        """Return (subgroups, conditions): the weight of the best move, infinite where there is none."""
        lightest = np.full(self.covers.shape, np.inf)
        if len(self._starts):
            for group in range(len(lightest)):
                lightest[group, self._owners] = np.minimum.reduceat(self.weights(group, prices), self._starts)
        return lightest

    def best_options(self, pairs: Sequence[tuple[int, int]], prices: Prices) -> list[int]:
        """Return for (subgroup, condition) pairs the options that `penalties` chose, the first among equals."""
        weights = {group: self.weights(group, prices) for group in {group for group, _ in pairs}}
        found = []
        for group, condition in pairs:
            low, high = np.searchsorted(self._options.condition, [condition, condition + 1])
            found.append(int(low + np.argmin(weights[group][low:high])))
        return found


def count_pairs(groups: Bits, conditions: Bits) -> Counts:
    """Return (subgroups, conditions): how many people are in both."""
    return np.stack([count(conditions & group[:, None]) for group in groups.T])
