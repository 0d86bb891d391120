"""Scoring: from the model's answers to the search problem, by counting bits.

For a subgroup q and a condition c the best move is the lightest one, so a rule is a pair (q, c) with one weight:

    w(q, c) = min over moves m that fit c of  λ1·incorrect(q, c, m) + λ3·cost(m) + λ4·magnitude(c, m)

Guards replace the counted failures by expected ones, so that a small group's luck is not taken for skill:

    incorrect = covers · (1 − (flips + strength·rate(m)) / (covers + strength))

where rate(m) is how often the move works for all the people it was tried on.
"""

from __future__ import annotations

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
class Guard:
    """How strongly small numbers are distrusted.

    `min_people` is the fewest people of a rule, `strength` how many imagined people with the move's usual rate are
    added to each rule; 0 counts plainly, as the paper does.
    """

    min_people: int
    strength: float = 0.0


@dataclass(frozen=True, slots=True)
class Prices:
    """What the moves cost: (moves,) sums of feature costs, and the weights."""

    weights: Weights
    move_costs: Floats


class Tally:
    """Counts of people for every subgroup, condition and option, over one set of people.

    Parameters
    ----------
    conditions, fails
        (words, conditions) and (words, moves): who is in a condition, and whom a move was tried on in vain.
    asked
        (words, moves): whom it was tried on.
    groups
        (words, subgroups), already restricted to the people who count.
    options
        Which moves fit which condition.
    """

    def __init__(self, conditions: Bits, asked: Bits, fails: Bits, groups: Bits, options: Options) -> None:
        self._conditions, self._fails, self._groups, self._options = conditions, fails, groups, options
        self.covers = np.stack([count(conditions & group[:, None]) for group in groups.T])
        everyone = np.bitwise_or.reduce(groups, axis=1)
        self._rates = _rates(count(asked & everyone[:, None]), count(fails & everyone[:, None]))
        self._starts, self._owners = _starts(options)
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

    def option_weights(self, group: int, prices: Prices, guard: Guard) -> Floats:
        """Return the weight of every option in one subgroup."""
        options, weights = self._options, prices.weights
        failures = self.failures(group).astype(float)
        if guard.strength:
            covers = self.covers[group][options.condition].astype(float)
            rates = self._rates[options.move]
            flips = covers - failures
            failures = covers - covers * (flips + guard.strength * rates) / (covers + guard.strength)
        moves = weights.feature_cost * prices.move_costs
        return weights.correctness * failures + moves[options.move] + weights.feature_change * options.magnitude

    def penalties(self, prices: Prices, guard: Guard) -> Floats:
        """Return (subgroups, conditions): the weight of the best move; infinite where there is none or too few people."""
        lightest = np.full(self.covers.shape, np.inf)
        if len(self._starts):
            for group in range(len(lightest)):
                weights = self.option_weights(group, prices, guard)
                lightest[group, self._owners] = np.minimum.reduceat(weights, self._starts)
        lightest[self.covers < guard.min_people] = np.inf
        return lightest

    def best_option(self, group: int, condition: int, prices: Prices, guard: Guard) -> int:
        """Return the option that `penalties` chose for a pair."""
        low, high = np.searchsorted(self._options.condition, [condition, condition + 1])
        return int(low + np.argmin(self.option_weights(group, prices, guard)[low:high]))


def _starts(options: Options) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return where each condition's options begin, and the conditions that have any."""
    owners, starts = np.unique(options.condition, return_index=True)
    return starts, owners


def _rates(asked: Counts, failed: Counts) -> Floats:
    """Return how often each move works; a move tried on few is drawn towards the average of all moves."""
    average = 1 - failed.sum() / max(int(asked.sum()), 1)
    return np.asarray((asked - failed + average * PRIOR_PEOPLE) / (asked + PRIOR_PEOPLE))


PRIOR_PEOPLE = 5.0
