"""Sums over the people of many rules at once, as a matrix product in blocks, exact in single precision."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ares_core.recourse.search.problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_BLOCK = 32_000_000  # cells of a block of masks or sums, 128 MB as float32
_KEPT = 75_000_000  # cells of the condition masks kept as float32, 300 MB


class Product:
    """The matrix product (groups x people) (people x conditions), read at given rules.

    Parameters
    ----------
    problem
        Where the masks are.
    group, condition
        Shape (m,): the rules, sorted by group.
    """

    def __init__(self, problem: Problem, group: Integers, condition: Integers) -> None:
        self._problem = problem
        self._groups, starts, row = np.unique(group, return_index=True, return_inverse=True)
        self._bounds = np.append(starts, len(group))
        self._conditions, column = np.unique(condition, return_inverse=True)
        self._row, self._column = row.astype(np.int32), column.astype(np.int32)
        small = len(self._conditions) * len(problem.people) <= _KEPT
        self._masks = self._single(0, len(self._conditions)) if small else None

    def sums(self, prices: NDArray[np.float32]) -> Floats:
        """Return the price of the people each rule covers, shape (m,)."""
        result = np.empty(len(self._row))
        for start, stop, first, last in blocks(len(self._groups), len(self._conditions), len(prices)):
            masks = self._single(first, last) if self._masks is None else self._masks[first:last]
            block = (self._problem.groups[self._groups[start:stop]] * prices) @ masks.T
            low, high = self._bounds[start], self._bounds[stop]
            row, column = self._row[low:high] - start, self._column[low:high]
            if last - first == len(self._conditions):
                result[low:high] = block[row, column]
            else:
                inside = (column >= first) & (column < last)
                result[low:high][inside] = block[row[inside], column[inside] - first]
        return result

    def _single(self, first: int, last: int) -> NDArray[np.float32]:
        """Return the masks of a range of the conditions as float32."""
        return self._problem.conditions[self._conditions[first:last]].astype(np.float32)


def exactly_summable(prices: Floats) -> NDArray[np.float32]:
    """Round prices up to multiples of a power of two so coarse that float32 holds any sum of them exactly."""
    total = max(float(prices.sum()), 1e-9)  # less is nothing, and its unit would underflow
    # Rounding up adds at most one unit a person, hence the room left for them.
    unit = 2.0 ** math.ceil(math.log2(total / (2**24 - len(prices) - 1)))
    return (np.ceil(prices / unit) * unit).astype(np.float32)


def blocks(groups: int, conditions: int, people: int) -> Iterator[tuple[int, int, int, int]]:
    """Cut groups and conditions into ranges whose masks and sums stay small."""
    wide = max(1, min(conditions, _BLOCK // max(1, people)))
    tall = max(1, _BLOCK // wide)
    for first in range(0, conditions, wide):
        for start in range(0, groups, tall):
            yield start, min(start + tall, groups), first, min(first + wide, conditions)
