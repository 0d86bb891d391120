"""Intervals and tests for shares and means, against published values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ares_core.audit.intervals import Share, difference, holm, mean_interval, ratio_interval, same_share, same_size

TOTALS = st.integers(1, 400)
SHARES = TOTALS.flatmap(lambda total: st.integers(0, total).map(lambda count: Share(count, total)))
P_VALUES = st.lists(st.floats(0, 1), max_size=12)
PAID = st.lists(st.floats(0.5, 50), min_size=2, max_size=30).map(np.array)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (8, 10, 0.4902, 0.9433),
        (10, 10, 0.7225, 1.0),
        (0, 1, 0.0, 0.7935),
    ],
)
def test_wilson_intervals_are_the_published_ones(count: int, total: int, low: float, high: float) -> None:
    """The examples of Newcombe's comparison of seven methods (1998), and others worked out by hand."""
    assert Share(count, total).interval == pytest.approx((low, high), abs=6e-5)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_differences_have_newcombes_interval(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    """The examples of Newcombe's comparison of eleven methods for differences (1998), method 10."""
    gap, interval = difference(Share(*one), Share(*other))
    assert gap == pytest.approx(one[0] / one[1] - other[0] / other[1])
    assert interval == pytest.approx((low, high), abs=6e-5)


def test_without_people_nothing_is_claimed() -> None:
    """Nobody's share is unknown, its interval is everything, and nothing differs from it."""
    nobody = Share(0, 0)
    assert (nobody.value, nobody.interval) == (None, (0.0, 1.0))
    assert difference(nobody, Share(3, 4)) == (None, (-1.0, 1.0))
    assert same_share(Share(3, 4), nobody) == 1.0
    assert mean_interval(np.zeros(0)) == (None, None)
    assert ratio_interval(np.ones(3), np.zeros(0)) == (None, None)


@pytest.mark.parametrize(("count", "total"), [(2, 1), (-1, 3)])
def test_a_share_is_a_part(count: int, total: int) -> None:
    """More than all, or fewer than none, is no share."""
    with pytest.raises(ValueError, match="is not a share"):
        Share(count, total)


@given(share=SHARES)
def test_an_interval_contains_its_share(share: Share) -> None:
    """The interval lies in [0, 1] and holds the share; only all and none touch the ends."""
    low, high = share.interval
    assert share.value is not None
    assert 0 <= low <= share.value <= high <= 1
    assert (low == 0) == (share.count == 0)
    assert (high == 1) == (share.count == share.total)


@given(share=SHARES, times=st.integers(2, 9))
def test_more_people_narrow_the_interval(share: Share, times: int) -> None:
    """The same share of more people is known better."""
    low, high = share.interval
    lower, upper = Share(share.count * times, share.total * times).interval
    assert upper - lower < high - low


@given(one=SHARES, other=SHARES)
def test_a_difference_is_antisymmetric_and_inside_its_interval(one: Share, other: Share) -> None:
    """Swapping the two sides mirrors the gap and its interval."""
    gap, (low, high) = difference(one, other)
    back, mirrored = difference(other, one)
    assert gap is not None
    assert back == -gap
    assert -1 <= low <= gap <= high <= 1
    assert mirrored == pytest.approx((-high, -low))


def test_fishers_test_on_the_lady_tasting_tea() -> None:
    """Three of four against one of four: p = 34/70."""
    assert same_share(Share(3, 4), Share(1, 4)) == pytest.approx(34 / 70)
    assert same_share(Share(4, 4), Share(0, 4)) == pytest.approx(2 / 70)
    assert same_share(Share(2, 4), Share(2, 4)) == 1.0


def test_holms_correction_by_hand() -> None:
    """Times 4, 3, 2, 1 from the smallest up; never falling, never above 1."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


@given(p_values=P_VALUES)
def test_holms_correction_keeps_the_order(p_values: list[float]) -> None:
    """Corrected values are at least the plain ones, at most m times them, and in the same order."""
    corrected = holm(p_values)
    for plain, value in zip(p_values, corrected, strict=True):
        assert plain <= value <= 1
    ranked = [value for _, value in sorted(zip(p_values, corrected, strict=True))]
    assert ranked == sorted(ranked)


def test_a_mean_has_students_interval() -> None:
    """The mean of 1, 2, 3 is 2 ± 4.3027 / √3, and costs are never below 0; one person has no interval."""
    mean, interval = mean_interval(np.array([1.0, 2.0, 3.0]))
    assert mean == 2
    assert interval == pytest.approx((0.0, 2 + 4.302653 / math.sqrt(3)))
    assert mean_interval(np.array([4.0])) == (4.0, None)


def test_a_ratio_by_hand() -> None:
    """Means 2 and 1 with relative error a half: 2 ×/÷ exp(1.96 / 2); without spread exactly 2."""
    ratio, interval = ratio_interval(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    assert ratio == 2
    assert interval == pytest.approx((2 / math.exp(0.979982), 2 * math.exp(0.979982)), rel=1e-6)
    assert ratio_interval(np.full(3, 2.0), np.ones(3)) == (2.0, (2.0, 2.0))
    assert ratio_interval(np.full(1, 2.0), np.ones(3)) == (2.0, None)


@given(one=PAID, other=PAID)
def test_a_ratio_is_inside_its_interval_and_turns_over(one: np.ndarray, other: np.ndarray) -> None:
    """The interval holds the ratio; the other way round everything is inverted."""
    ratio, interval = ratio_interval(one, other)
    back, turned = ratio_interval(other, one)
    assert ratio is not None and interval is not None and back is not None and turned is not None
    assert interval[0] <= ratio * (1 + 1e-9) and ratio <= interval[1] * (1 + 1e-9)
    assert back == pytest.approx(1 / ratio)
    assert turned == pytest.approx((1 / interval[1], 1 / interval[0]))


def test_numbers_of_one_size_are_told_from_larger_ones() -> None:
    """All the same, or nobody on a side, is no difference; a clear one is found, whichever side is the larger."""
    ones, twos = np.ones(20), np.full(20, 2.0)
    assert same_size(ones, ones) == same_size(ones, ones[:0]) == 1.0
    assert same_size(ones, twos) == same_size(twos, ones) < 1e-6
    random = np.random.default_rng(0)
    first, second = random.normal(0, 1, 40), random.normal(0.5, 1, 60)
    assert same_size(first, second) == pytest.approx(stats.mannwhitneyu(first, second, method="asymptotic").pvalue)


def test_one_unusual_number_is_no_evidence() -> None:
    """Where nearly all are alike the others are counted exactly: one of 1,000 in a group of 30 is p = 0.06."""
    group, others = np.ones(30), np.ones(970)
    group[0] = 2.0
    assert same_size(group, others) == pytest.approx(2 * 30 / 1000)


@pytest.mark.parametrize("rare", [0.001, 0.003, 0.01, 0.05, 0.3])
def test_chance_is_seldom_taken_for_a_difference(rare: float) -> None:
    """Of 200 tables without any difference at most 5 % call one of eight groups different, however rare the unusual."""
    random = np.random.default_rng(int(1000 * rare))
    wrong = 0
    for _ in range(200):
        values, groups = 1.0 + (random.random(500) < rare), random.integers(0, 8, 500)
        found = holm([same_size(values[groups == each], values[groups != each]) for each in range(8)])
        wrong += min(found) < 0.05
    assert wrong <= 18  # 10 expected at most; more than 18 come up once in a hundred tries
