"""Intervals and tests for shares, written out from their formulas with the standard library alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist, fmean, variance

Z = NormalDist().inv_cdf(0.975)
Count = tuple[int, int]
Interval = list[float]
PValue = Callable[[float], float]


def wilson(count: int, total: int) -> Interval:
    """Return the 95 % Wilson interval: the shares p with |count/total − p| ≤ z·√(p(1−p)/total)."""
    if not total:
        return [0.0, 1.0]
    # Both ends are roots of (total + z²)·p² − (2·count + z²)·p + count²/total = 0.
    a, b, c = total + Z * Z, -(2 * count + Z * Z), count * count / total
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
    return [0.0 if count == 0 else low, 1.0 if count == total else high]


def score_p(first: Count, second: Count, difference: float) -> float:
    """Return the two-sided p-value of a difference of shares, by Miettinen and Nurminen's score test.

    The likeliest shares with that difference are found by halving: the slope of the log-likelihood only falls.
    """
    (x, n), (y, m) = first, second
    if difference == 0:  # in whole numbers, so that the two halves of everybody have exactly equal p-values
        helped, square = x + y, (x * m - y * n) ** 2 * (n + m - 1)
        return math.erfc(math.sqrt(square / (2 * n * m * helped * (n + m - helped)))) if square else 1.0
    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)
    for _ in range(80):
        q = (low + high) / 2
        p = q + difference
        terms = [(x, p), (x - n, 1 - p), (y, q), (y - m, 1 - q)]
        slope = sum(count / chance for count, chance in terms if count and chance)
        low, high = (q, high) if slope > 0 else (low, q)
    q, p = low, low + difference
    spread = (p * (1 - p) / n + q * (1 - q) / m) * (n + m) / (n + m - 1)
    away = abs(x / n - y / m - difference)
    return 1.0 if away == 0 else math.erfc(away / math.sqrt(2 * spread)) if spread > 0 else 0.0


def dealing_p(first: list[float], second: list[float], difference: float) -> float:
    """Return the two-sided p-value of a difference of means, from the moments of dealing people to sides at random.

    The larger of the normal tail and that of Pearson's third type, which has the skewness of such deals, is doubled.
    """
    moved, usual = [value - second[0] - difference for value in first], [value - second[0] for value in second]
    n, m = len(moved), len(usual)
    total, both = n + m, [*moved, *usual]
    middle = math.fsum(both) / total
    squares, cubes = (math.fsum((value - middle) ** power for value in both) for power in (2, 3))
    away = math.fsum(value - middle for value in moved)
    if squares == 0 or away == 0:
        return 1.0
    deviation = math.sqrt(squares * n * m / (total * (total - 1)))
    z, skew = away / deviation, 0.0
    if total > 2:
        skew = cubes * n * m * (m - n) / (total * (total - 1) * (total - 2)) / deviation**3
    heavier = skew if z > 0 else -skew
    tail = math.erfc(abs(z) / math.sqrt(2)) / 2
    if heavier > 1e-6:
        shape = 4 / heavier**2
        tail = max(tail, gamma_above(shape, shape + math.sqrt(shape) * abs(z)))
    return min(1.0, 2 * tail)


def gamma_above(shape: float, x: float) -> float:
    """Return the chance that a gamma variable exceeds x, by its series or its continued fraction (A&S 6.5.29, 31)."""
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        for n in range(1, 100_000):
            term *= x / (shape + n)
            total += term
            if term < total * 1e-17:
                break
        return 1 - front * total
    b, d = x + 1 - shape, 1 / (x + 1 - shape)
    c, value = 1e300, d
    for n in range(1, 100_000):
        a, b = -n * (n - shape), b + 2
        d, c = 1 / (a * d + b), b + a / c
        value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front * value


def inverted(p_of: PValue, estimate: float, level: float, reach: Interval) -> Interval:
    """Return the differences that are not rejected at a level: from the estimate outwards, by halving.

    The verdict on no difference is taken first, and 0 is on the side of the interval that it says.
    """
    rejected = p_of(0.0) < level
    ends = []
    for side, limit in zip((-1, 1), reach, strict=True):
        towards_zero = estimate * side < 0
        kept = 0.0 if towards_zero and not rejected else estimate
        out = 0.0 if towards_zero and rejected else limit
        if math.isinf(out):
            steps = (kept + side * 2.0**power for power in range(-3, 50))
            out = next((step for step in steps if p_of(step) < level), out)
        if math.isfinite(out):
            for _ in range(70):
                middle = (kept + out) / 2
                kept, out = (kept, middle) if p_of(middle) < level else (middle, out)
            ends.append(kept)
        else:
            ends.append(out)
    return ends


def holm_levels(values: list[float]) -> list[float]:
    """Return the level each p-value was tested at by Holm, of 5 % halved for two comparisons of each group.

    After the first that is not rejected, all have its level; those equal to 12 digits are tested as listed.
    """
    order = sorted(range(len(values)), key=lambda place: (float(f"{values[place]:.11e}"), place))
    levels, left = [0.0] * len(values), len(values)
    for place in order:
        levels[place] = 0.025 / left
        if values[place] < levels[place]:
            left = max(left - 1, 1)
    return levels


def holm(values: list[float]) -> list[float]:
    """Return Holm's corrected p-values: the largest of the smaller ones times how many are left."""
    ordered = sorted(values)
    return [
        min(1.0, max((len(values) - rank) * other for rank, other in enumerate(ordered) if other <= value))
        for value in values
    ]


def ratio_with_interval(first: list[float], second: list[float]) -> tuple[float | None, Interval | None]:
    """Return the ratio of two means with a 95 % interval from the delta method on its logarithm."""
    if not first or not second:
        return None, None
    ratio = fmean(first) / fmean(second)
    if len(first) < 2 or len(second) < 2:
        return ratio, None
    spread = sum(variance(values) / len(values) / fmean(values) ** 2 for values in (first, second))
    return ratio, [ratio * math.exp(-Z * math.sqrt(spread)), ratio * math.exp(Z * math.sqrt(spread))]


def student(values: list[float]) -> Interval | None:
    """Return the 95 % Student interval of a mean that cannot be negative; None below two values."""
    if len(values) < 2:
        return None
    half = student_quantile(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return [max(0.0, fmean(values) - half), fmean(values) + half]


@cache
def student_quantile(freedom: int) -> float:
    """Return the t within which 95 % of Student's distribution lie, found by halving an interval around it."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_within(middle, freedom) < 0.95 else (low, middle)
    return math.tan(low) * math.sqrt(freedom)


def student_within(angle: float, freedom: int) -> float:
    """Return P(|T| < √freedom·tan(angle)), a finite sum for whole degrees of freedom (Abramowitz & Stegun 26.7.3–4)."""
    cosine, odd = math.cos(angle), freedom % 2
    term, total = (cosine if odd else 1.0), 0.0
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (power - 1) / power
    series = math.sin(angle) * total
    return 2 / math.pi * (angle + series) if odd else series


def exact_p(first: Count, second: Count) -> float:
    """Return Fisher's p-value: how likely the deals are that are no likelier than this one."""
    (helped, total), (others_helped, others) = first, second
    good = helped + others_helped

    def ways(inside: int) -> int:
        return math.comb(total, inside) * math.comb(others, good - inside)

    deals = [ways(inside) for inside in range(max(0, good - others), min(total, good) + 1)]
    here = ways(helped)
    return sum(deal for deal in deals if deal <= here) / sum(deals)
