"""Intervals for shares and means; every rate shown has one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Z95 = 1.959963984540054
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    count: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.total:
            raise ValueError(f"{self.count} of {self.total} is not a share")

    @property
    def value(self) -> float | None:
        """The share, or None of nobody."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval; 0 to 1 when there is nobody."""
        if not self.total:
            return 0.0, 1.0
        share, spread = self.count / self.total, Z95**2 / self.total
        centre = (share + spread / 2) / (1 + spread)
        half = Z95 * math.sqrt(share * (1 - share) / self.total + spread / (4 * self.total)) / (1 + spread)
        low = 0.0 if self.count == 0 else max(0.0, centre - half)
        return low, 1.0 if self.count == self.total else min(1.0, centre + half)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number (Holm): the smallest times m, the next m − 1, …, never falling."""
    corrected, highest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(holm_order(p_values)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def holm_order(p_values: Sequence[float]) -> list[int]:
    """Return the places of p-values, the smallest first; those equal to 12 digits keep their order."""
    return sorted(range(len(p_values)), key=lambda place: float(f"{p_values[place]:.11e}"))


def exact_p(first: Share, second: Share) -> float:
    """Return Fisher's exact two-sided p-value that two shares are equal."""
    table = np.array([[share.count, share.total - share.count] for share in (first, second)])
    return float(stats.fisher_exact(table).pvalue)


def mean_interval(values: Floats) -> tuple[float | None, tuple[float, float] | None]:
    """Return the mean with a 95 % Student interval; no interval from fewer than two people."""
    if not len(values):
        return None, None
    mean = float(values.mean())
    if len(values) < 2:
        return mean, None
    half = float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values)))
    return mean, (max(0.0, mean - half), mean + half)


def ratio_interval(first: Floats, second: Floats) -> tuple[float | None, tuple[float, float] | None]:
    """Return the ratio of two means of positive numbers with a 95 % interval on the logarithmic scale."""
    if not len(first) or not len(second):
        return None, None
    above, below = float(first.mean()), float(second.mean())
    if above <= 0 or below <= 0:
        return None, None
    if len(first) < 2 or len(second) < 2:
        return above / below, None
    spread = first.var(ddof=1) / len(first) / above**2 + second.var(ddof=1) / len(second) / below**2
    factor = math.exp(Z95 * math.sqrt(float(spread)))
    return above / below, (above / below / factor, above / below * factor)
