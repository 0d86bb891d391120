"""Intervals and tests for shares, written out from their formulas with the standard library alone."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist, fmean, variance

Z = NormalDist().inv_cdf(0.975)
Count = tuple[int, int]
Interval = list[float]


def wilson(count: int, total: int) -> Interval:
    """Return the 95 % Wilson interval: the shares p with |count/total − p| ≤ z·√(p(1−p)/total)."""
    if not total:
        return [0.0, 1.0]
    # Both ends are roots of (total + z²)·p² − (2·count + z²)·p + count²/total = 0.
    a, b, c = total + Z * Z, -(2 * count + Z * Z), count * count / total
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
    return [0.0 if count == 0 else low, 1.0 if count == total else high]


def newcombe(first: Count, second: Count) -> tuple[float | None, Interval]:
    """Return the difference of two shares and Newcombe's interval (his tenth method)."""
    if not first[1] or not second[1]:
        return None, [-1.0, 1.0]
    p, q = first[0] / first[1], second[0] / second[1]
    (low_p, high_p), (low_q, high_q) = wilson(*first), wilson(*second)
    low = p - q - math.sqrt((p - low_p) ** 2 + (high_q - q) ** 2)
    high = p - q + math.sqrt((high_p - p) ** 2 + (q - low_q) ** 2)
    return p - q, [max(-1.0, low), min(1.0, high)]


def fisher(first: Count, second: Count) -> float:
    """Return Fisher's exact two-sided p-value: all tables with these margins no likelier than this one."""
    if not first[1] or not second[1]:
        return 1.0
    successes, total = first[0] + second[0], first[1] + second[1]
    ways = [
        math.comb(first[1], k) * math.comb(second[1], successes - k)
        for k in range(max(0, successes - second[1]), min(first[1], successes) + 1)
    ]
    here = math.comb(first[1], first[0]) * math.comb(second[1], second[0])
    return sum(way for way in ways if way <= here) / math.comb(total, successes)


def mann_whitney(first: list[float], second: list[float]) -> float:
    """Return the two-sided p-value of Mann and Whitney's test, by the normal curve, or exactly where few differ."""
    both = first + second
    if not first or not second:
        return 1.0
    usual = min(set(both), key=lambda value: (-both.count(value), value))
    unusual = sum(value != usual for value in both)
    if unusual * min(len(first), len(second)) / len(both) < 5:  # too few for a normal curve: count, exactly
        sides = [[(sum(each > usual for each in one), len(one)) for one in (first, second)]]
        sides.append([(sum(each < usual for each in one), len(one)) for one in (first, second)])
        return min(1.0, 2 * min(fisher(*side) for side in sides))
    wins = sum((one > other) + (one == other) / 2 for one in first for other in second)
    n, m, total = len(first), len(second), len(both)
    ties = sum(both.count(value) ** 3 - both.count(value) for value in set(both))
    spread = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    distance = max(wins, n * m - wins) - n * m / 2 - 0.5
    return min(1.0, math.erfc(distance / math.sqrt(2 * spread)))


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
