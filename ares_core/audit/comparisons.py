"""Score tests of a group against everybody else, and the intervals that invert them.

A test says how likely a difference as far from a supposed one is. Its interval holds every supposed difference that is
not rejected, so an interval that excludes 0 and a verdict against chance are the same statement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ares_core.audit.intervals import Share, holm, holm_order

LEVEL = 0.05
COMPARED = 2  # things, of each group: how often the rules help, and what acceptance costs at least
HALVINGS, DOUBLINGS = 50, 60
Floats = NDArray[np.float64]
Interval = tuple[float, float]


class ScoreTest(Protocol):
    """A test of the difference between two sides: `estimate` is the one observed, `ends` are the extremes."""

    @property
    def estimate(self) -> float:
        """The difference observed."""

    @property
    def ends(self) -> Interval:
        """The smallest and the largest difference there can be."""

    def p_value(self, difference: float) -> float:
        """Return the two-sided p-value of a supposed difference."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a test found: the difference, its interval at the level Holm tested it at, and its corrected p-value.

    Parameters
    ----------
    p_holm
        The p-value of no difference, corrected for the number of groups.
    level
        The interval has confidence 1 - level, and holds 0 unless the p-value is below that level.
    """

    difference: float
    interval: Interval
    p_holm: float
    level: float


def corrected(p_holm: float) -> float:
    """Return a p-value that was corrected for the number of groups, corrected for the two things compared as well.

    It is the one that decides and that is shown: below 0.05, one group or more is called worse off by chance in fewer
    than 5 % of audits.
    """
    return min(1.0, COMPARED * p_holm)


def sure(p_holm: float | None) -> bool:
    """Say whether a p-value, corrected for the number of groups, is small enough for the two things compared."""
    return p_holm is not None and corrected(p_holm) < LEVEL


def compare(tests: Sequence[ScoreTest]) -> list[Comparison]:
    """Test that nothing differs, correct by Holm, and invert each test at the level it was tested at.

    After the first test that is not rejected, all have its level. Equal p-values are tested in the listed order.
    """
    p_values = [test.p_value(0.0) for test in tests]
    corrections = holm(p_values)
    levels = _levels(p_values, corrections)
    return [
        Comparison(test.estimate, interval_of(test, level, excludes_zero=sure(p)), p, level)
        for test, p, level in zip(tests, corrections, levels, strict=True)
    ]


def _levels(p_values: Sequence[float], corrections: Sequence[float]) -> list[float]:
    levels, stopped = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(holm_order(p_values)):
        level = LEVEL / COMPARED / (len(p_values) - rank)
        if not stopped and not sure(corrections[place]):
            stopped = level
        levels[place] = stopped or level
    return levels


def interval_of(test: ScoreTest, level: float, *, excludes_zero: bool) -> Interval:
    """Return the differences a test does not reject at a level.

    Parameters
    ----------
    excludes_zero
        The verdict on no difference. The interval keeps to it, whatever rounding does next to the level.
    """
    low, high = test.ends
    within = (test.estimate, test.estimate)
    if excludes_zero and test.estimate > 0:
        low = 0.0
    elif excludes_zero:
        high = 0.0
    else:
        within = min(test.estimate, 0.0), max(test.estimate, 0.0)
    return _farthest(test, level, within[0], low), _farthest(test, level, within[1], high)


def _farthest(test: ScoreTest, level: float, kept: float, rejected: float) -> float:
    """Return the difference farthest from `kept`, towards `rejected`, that is not rejected."""
    if math.isinf(rejected):
        step = math.copysign(max(abs(test.estimate), abs(kept), 1.0), rejected)
        for _ in range(DOUBLINGS):
            if test.p_value(kept + step) < level:
                rejected = kept + step
                break
            step *= 2
        else:
            return rejected
    for _ in range(HALVINGS):
        middle = (kept + rejected) / 2
        if middle in (kept, rejected):
            break
        if test.p_value(middle) < level:
            rejected = middle
        else:
            kept = middle
    return kept


@dataclass(frozen=True, slots=True)
class ShareTest:
    """The score test of Miettinen and Nurminen for the difference of two shares; both sides have people."""

    first: Share
    second: Share

    @property
    def estimate(self) -> float:
        """The first share less the second."""
        return self.first.count / self.first.total - self.second.count / self.second.total

    @property
    def ends(self) -> Interval:
        """From none against all to all against none."""
        return -1.0, 1.0

    def p_value(self, difference: float) -> float:
        """Return the two-sided p-value that the shares differ by so much."""
        distance = self.estimate - difference
        if distance == 0:
            return 1.0
        one, other = (share.total for share in (self.first, self.second))
        share = self._likeliest(difference)
        variance = _spread(share + difference) / one + _spread(share) / other
        variance *= (one + other) / (one + other - 1)
        return math.erfc(abs(distance) / math.sqrt(2 * variance)) if variance > 0 else 0.0

    def _likeliest(self, difference: float) -> float:
        """Return the likeliest second share, if the first is larger by a difference."""
        helped, people = self.first.count + self.second.count, self.first.total + self.second.total
        if difference == 0:
            return helped / people
        low, high = max(0.0, -difference), min(1.0, 1.0 - difference)
        if self._slope(low, difference)[0] <= 0:
            return low
        if self._slope(high, difference)[0] >= 0:
            return high
        share = min(max(self._root(difference), low), high)
        for _ in range(2):  # steps of Newton, because the cubic formula loses digits where two roots are close
            slope, fall = self._slope(share, difference)
            if math.isfinite(fall):
                share = min(max(share + slope / fall, low), high)
        return share

    def _slope(self, share: float, difference: float) -> tuple[float, float]:
        """Return the slope of the log-likelihood along the second share, and how fast that slope falls."""
        slope = fall = 0.0
        for side, chance in ((self.first, share + difference), (self.second, share)):
            for count, likely, way in ((side.count, chance, 1.0), (side.total - side.count, 1.0 - chance, -1.0)):
                if count:
                    rate = count / likely if likely > 0 else math.inf
                    slope, fall = slope + way * rate, fall + rate * rate / count
        return slope, fall

    def _root(self, difference: float) -> float:
        """Return the root of the likelihood's cubic equation (Miettinen and Nurminen 1985, appendix 1)."""
        one, other, less = self.first.total, self.second.total, self.second.count
        helped, people = self.first.count + less, one + other
        square = (one + 2 * other) * difference - people - helped
        linear = (other * difference - people - 2 * less) * difference + helped
        constant = less * difference * (1 - difference)
        third = square / (3 * people)
        q = third**3 - square * linear / (6 * people**2) + constant / (2 * people)
        p = math.copysign(math.sqrt(max(third**2 - linear / (3 * people), 0.0)), q)
        if p == 0:
            return -third
        angle = (math.pi + math.acos(min(max(q / p**3, -1.0), 1.0))) / 3
        return 2 * p * math.cos(angle) - third


def _spread(share: float) -> float:
    return max(share * (1 - share), 0.0)


@dataclass(frozen=True, slots=True)
class _Side:
    """The numbers of one side: how many, their mean, and the sums of their squared and cubed distances from it."""

    count: int
    mean: float
    squares: float
    cubes: float

    @classmethod
    def of(cls, numbers: Floats) -> _Side:
        mean = float(numbers.mean())
        return cls(len(numbers), mean, float(((numbers - mean) ** 2).sum()), float(((numbers - mean) ** 3).sum()))


class MeanTest:
    """The score test for the difference of two means; both sides have people.

    Supposing a difference, it takes it off the first side and asks how often people dealt to the two sides at random
    would be as far apart. The share of such deals follows from their mean, variance and skewness: the larger of the
    normal and the Pearson type III tail, doubled. Without the skewness a single unusual person in a small group would
    look like proof.
    """

    def __init__(self, first: Floats, second: Floats) -> None:
        usual = second[0]  # taken off first, so that equal numbers have exactly equal means
        self._first, self._second = _Side.of(first - usual), _Side.of(second - usual)

    @property
    def estimate(self) -> float:
        """The first mean less the second."""
        return self._first.mean - self._second.mean

    @property
    def ends(self) -> Interval:
        """There is no limit."""
        return -math.inf, math.inf

    def p_value(self, difference: float) -> float:
        """Return the two-sided p-value that the means differ by so much."""
        one, other = self._first, self._second
        people, distance = one.count + other.count, self.estimate - difference
        up, down = distance * other.count / people, -distance * one.count / people
        squares = one.squares + one.count * up**2 + other.squares + other.count * down**2
        if distance == 0 or squares == 0:
            return 1.0
        cubes = one.cubes + 3 * up * one.squares + one.count * up**3
        cubes += other.cubes + 3 * down * other.squares + other.count * down**3
        ways = one.count * other.count / (people * (people - 1))
        spread = math.sqrt(ways * squares)
        skew = ways * (other.count - one.count) / (people - 2) * cubes / spread**3 if people > 2 else 0.0
        return min(1.0, 2 * _tail(one.count * abs(up) / spread, math.copysign(skew, skew * distance)))


def _tail(distance: float, skew: float) -> float:
    """Return the chance of so many standard deviations or more on the side that a positive skew makes heavier."""
    normal = math.erfc(distance / math.sqrt(2)) / 2
    if skew < 1e-6:
        return normal
    shape = 4 / skew**2
    return max(normal, float(special.gammaincc(shape, shape + math.sqrt(shape) * distance)))
