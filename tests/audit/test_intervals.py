"""Intervals for shares and means, against published values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.audit.intervals import Share, holm, holm_order, mean_interval, ratio_interval

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


def test_without_people_nothing_is_claimed() -> None:
    """Nobody's share is unknown and its interval is everything; nobody has no mean and no ratio."""
    nobody = Share(0, 0)
    assert (nobody.value, nobody.interval) == (None, (0.0, 1.0))
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


def test_holms_correction_by_hand() -> None:
    """Times 4, 3, 2, 1 from the smallest up; never falling, never above 1."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


def test_equal_p_values_keep_their_order() -> None:
    """The smallest comes first; those that differ by rounding alone are tested as they are listed."""
    assert holm_order([0.3, 0.1, 0.1 * (1 + 1e-15), 0.1 * (1 - 1e-15), 0.0]) == [4, 1, 2, 3, 0]


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
