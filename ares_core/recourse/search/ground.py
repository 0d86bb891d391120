"""The candidate rules still in play, and the profit of all of them at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ares_core.recourse.search.problem import Problem, Rule, Rules
from ares_core.recourse.search.product import Product, blocks, exactly_summable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Masks = NDArray[np.bool_]

_TOTAL = 16384.0  # the value of all people after scaling, so that solver tolerances mean the same everywhere
_LISTED = 10_000_000  # (rule, person) pairs listed at most, about 120 MB
_LOOKS = 200_000_000  # people of conditions looked at, at most, to list them
_STRIP = 100_000  # looked at together, so that they stay in the cache


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Candidate rules, sorted by group and condition, in units that make all people together worth about 16,000.

    Parameters
    ----------
    problem
        Where the rules come from.
    scale
        A power of two: ``scaled = scale * original``, without rounding.
    value
        Shape (n,): the scaled value of covering each person.
    group, condition, weight
        Shape (m,): the rules and their scaled penalties.
    pairs
        Shape (m, n): who each rule covers, listed when there are few enough.
    product
        What adds up prices when the pairs are not listed.
    """

    problem: Problem
    scale: float
    value: Floats
    group: Integers
    condition: Integers
    weight: Floats
    pairs: sparse.csr_matrix | None = field(default=None, repr=False)
    product: Product | None = field(default=None, repr=False)

    @classmethod
    def of(cls, problem: Problem) -> Ground:
        """List the candidates whose gain alone is above 0; the others never help, by submodularity."""
        total = problem.reward * float(problem.people.sum())
        # A total next to nothing would need a scale that no number reaches.
        scale = 2.0 ** min(round(math.log2(_TOTAL) - math.log2(total)), 1000) if total > 0 else 1.0
        value = scale * problem.reward * problem.people
        exact = exactly_summable(value)
        found: list[tuple[Integers, Integers, Floats]] = []
        for start, stop, first, last in blocks(len(problem.groups), len(problem.conditions), len(value)):
            masks = problem.conditions[first:last].astype(np.float32)
            sums = (problem.groups[start:stop] * exact) @ masks.T
            weight = scale * problem.penalty[start:stop, first:last]
            rows, columns = np.nonzero(sums > weight)
            found.append((rows + start, columns + first, weight[rows, columns]))
        group, condition, weight = (np.concatenate(part) for part in zip(*found, strict=True)) if found else _NONE
        order = np.lexsort((condition, group))
        return cls(problem, scale, value, group[order], condition[order], weight[order])._listed()

    def __len__(self) -> int:
        """Return the number of candidate rules."""
        return len(self.group)

    def rule(self, index: int) -> Rule:
        """Return the rule at an index."""
        return int(self.group[index]), int(self.condition[index])

    def rules(self, indices: Integers) -> Rules:
        """Return the rules at some indices."""
        return tuple(zip(self.group[indices].tolist(), self.condition[indices].tolist(), strict=True))

    def find(self, rules: Rules) -> Integers:
        """Return the indices of those rules that are candidates here, sorted."""
        if not rules or not len(self):
            return np.zeros(0, dtype=np.int64)
        width = len(self.problem.conditions)
        keys = self.group * width + self.condition
        pairs = np.array(sorted(set(rules)), dtype=np.int64)
        wanted = pairs[:, 0] * width + pairs[:, 1]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found: Integers = at[(keys[at] == wanted) & (pairs[:, 1] < width)]
        return found

    def masks(self, indices: Integers) -> Masks:
        """Return who each of some rules covers, shape (len(indices), n)."""
        covered: Masks = self.problem.groups[self.group[indices]] & self.problem.conditions[self.condition[indices]]
        return covered

    def alone(self) -> Floats:
        """Return the gain of each rule alone, rounded up where the pairs are not listed, shape (m,)."""
        return self.price(self.value)[1]

    def marginal(self, indices: Integers, left: Floats) -> Floats:
        """Return what each of some rules adds when ``left`` is the value still to be had from each person."""
        if self.pairs is not None:
            return np.asarray(self.pairs[indices] @ left - self.weight[indices])
        return np.asarray(self.masks(indices) @ left - self.weight[indices])

    def keep(self, kept: Masks) -> Ground:
        """Return the ground with only some of its rules, shape of ``kept`` (m,)."""
        pairs = self.pairs[kept] if self.pairs is not None else None
        group, condition, weight = self.group[kept], self.condition[kept], self.weight[kept]
        smaller = replace(self, group=group, condition=condition, weight=weight, pairs=pairs, product=None)
        return smaller if pairs is not None else smaller._listed()

    def price(self, prices: Floats) -> tuple[Floats, Floats]:
        """Return the profit of every rule at given prices of people.

        The profit is the price of the people it covers less its weight. When the pairs are not listed, prices
        are first rounded up to multiples of a unit so coarse that single precision adds them without error.

        Returns
        -------
        prices, profits
            Shape (n,): the prices really used; shape (m,): the profits at exactly these prices.
        """
        if self.pairs is not None:
            return prices, np.asarray(self.pairs @ prices - self.weight)
        used = exactly_summable(prices)
        product = self.product or Product(self.problem, self.group, self.condition)
        return used.astype(np.float64), product.sums(used) - self.weight

    def _listed(self) -> Ground:
        """List who each rule covers if there is room, else prepare the matrix product."""
        sample = np.unique(np.linspace(0, len(self) - 1, 500).astype(np.int64)) if len(self) else self.group
        expected = self.masks(sample).sum() / max(len(sample), 1) * len(self)
        used, place = np.unique(self.condition, return_inverse=True)
        looks = int((self.problem.conditions[used].sum(axis=1) * np.bincount(place, minlength=len(used))).sum())
        if expected <= _LISTED and looks <= _LOOKS:
            return replace(self, pairs=self._list_pairs(used, place))
        return replace(self, product=Product(self.problem, self.group, self.condition))

    def _list_pairs(self, used: Integers, condition: Integers) -> sparse.csr_matrix:
        """List the people of every rule: those of its condition, given by its place in `used`, who are in its group."""
        people, conditions = len(self.value), sparse.csr_matrix(self.problem.conditions[used])
        begins, inside = conditions.indptr.astype(np.int64), self.problem.groups.ravel()
        sizes = np.diff(begins)[condition]
        members, counts = [np.zeros(0, dtype=np.int32)], [np.zeros(1, dtype=np.int64)]
        for low, high in pairwise(_strips(sizes)):
            size = sizes[low:high]
            starts = np.cumsum(size) - size
            place = np.arange(size.sum()) + np.repeat(begins[condition[low:high]] - starts, size)
            who = conditions.indices[place]
            both = inside[who + np.repeat(people * self.group[low:high], size)]
            members.append(who[both])
            counts.append(np.add.reduceat(both, starts, dtype=np.int64))
        indices = np.concatenate(members)
        starts = np.cumsum(np.concatenate(counts))
        return sparse.csr_matrix((np.ones(len(indices)), indices, starts), shape=(len(self), people))


def _strips(sizes: Integers) -> list[int]:
    """Cut rules into runs that have about as many people in their conditions as stay in the cache."""
    cuts = np.searchsorted(np.cumsum(sizes), np.arange(_STRIP, sizes.sum(), _STRIP))
    return sorted({0, *cuts.tolist(), len(sizes)})


_NONE = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
