"""Score tests and the intervals that invert them: published values, brute force, size, and one verdict."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ares_core.audit.comparisons import MeanTest, ScoreTest, ShareTest, compare, corrected, interval_of, sure
from ares_core.audit.intervals import Share, holm

COUNTS = st.integers(1, 60) | st.sampled_from([1, 2, 1_000, 1_000_000])
SHARES = COUNTS.flatmap(lambda total: st.integers(0, total).map(lambda count: Share(count, total)))
ENDS = st.integers(1, 40).flatmap(lambda total: st.sampled_from([Share(0, total), Share(total, total)]))
SHARE_TESTS = st.builds(ShareTest, SHARES | ENDS, SHARES | ENDS)
COSTS = st.lists(st.sampled_from([1.0, 1.0, 1.0, 1.37, 2.0, 5.5]) | st.floats(0.5, 9), min_size=1, max_size=40)
MEAN_TESTS = st.builds(lambda one, other: MeanTest(np.array(one), np.array(other)), COSTS, COSTS)
TESTS = st.lists(SHARE_TESTS, min_size=1, max_size=8) | st.lists(MEAN_TESTS, min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0528, 0.3382),
        ((9, 10), (3, 10), 0.1700, 0.8406),
        ((6, 7), (2, 7), 0.0342, 0.8534),
        ((5, 56), (0, 29), -0.0326, 0.1933),
        ((0, 10), (0, 20), -0.1658, 0.2844),
        ((0, 10), (0, 10), -0.2879, 0.2879),
        ((10, 10), (0, 20), 0.7156, 1.0),
        ((10, 10), (0, 10), 0.6636, 1.0),
    ],
)
def test_intervals_of_shares_are_the_published_ones(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    """The examples of Newcombe's comparison of eleven methods (1998), for Miettinen and Nurminen's."""
    test = ShareTest(Share(*one), Share(*other))
    found = interval_of(test, 0.05, excludes_zero=test.p_value(0.0) < 0.05)
    assert found == pytest.approx((low, high), abs=6e-5)


def likelihood(test: ShareTest, shares: np.ndarray, difference: float) -> np.ndarray:
    """The log-likelihood of the second share on a grid, if the first is larger by a difference."""
    found = np.zeros(len(shares))
    for side, chances in ((test.first, shares + difference), (test.second, shares)):
        for count, chance in ((side.count, chances), (side.total - side.count, 1 - chances)):
            with np.errstate(divide="ignore", invalid="ignore"):
                found += count * np.log(np.maximum(chance, 0)) if count else 0.0
    return found


@pytest.mark.parametrize(("one", "other"), [((3, 9), (7, 12)), ((0, 6), (5, 8)), ((6, 6), (1, 15)), ((1, 1), (0, 1))])
def test_p_values_of_shares_agree_with_brute_force(one: tuple[int, int], other: tuple[int, int]) -> None:
    """The likeliest shares, searched on a fine grid, give the same p-value of every supposed difference."""
    test, people = ShareTest(Share(*one), Share(*other)), one[1] + other[1]
    for difference in np.linspace(-0.95, 0.95, 39):
        shares = np.linspace(max(0, -difference), min(1, 1 - difference), 200_001)
        share = shares[likelihood(test, shares, difference).argmax()]
        first = share + difference
        variance = (first * (1 - first) / one[1] + share * (1 - share) / other[1]) * people / (people - 1)
        z = abs(test.estimate - difference) / math.sqrt(variance)
        assert test.p_value(difference) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-3, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(tests=TESTS)
@example(tests=[ShareTest(Share(0, 4), Share(41, 50)), ShareTest(Share(41, 50), Share(0, 4))])
@example(tests=[ShareTest(Share(0, 1), Share(0, 1))])
@example(tests=[ShareTest(Share(500_000, 1_000_000), Share(503_000, 1_000_000))] * 3)
@example(tests=[MeanTest(np.full(30, 2.0), np.ones(970)), MeanTest(np.ones(970), np.full(30, 2.0))])
def test_an_interval_excludes_nothing_exactly_when_chance_hardly_explains_it(tests: list[ScoreTest]) -> None:
    """The law: for every group, whatever its place in Holm's order, interval and verdict agree."""
    for test, found in zip(tests, compare(tests), strict=True):
        low, high = found.interval
        assert low <= test.estimate <= high
        assert sure(found.p_holm) == (not low <= 0 <= high)
        assert (corrected(found.p_holm) < 0.05) == (not low <= 0 <= high)


@settings(max_examples=60, deadline=None)
@given(one=SHARES, other=SHARES)
def test_swapping_the_sides_mirrors_the_interval(one: Share, other: Share) -> None:
    """Whichever side is called the group, the gap is as large and as sure."""
    there, back = ShareTest(one, other), ShareTest(other, one)
    assert there.p_value(0.0) == pytest.approx(back.p_value(0.0))
    low, high = interval_of(there, 0.01, excludes_zero=there.p_value(0.0) < 0.01)
    assert interval_of(back, 0.01, excludes_zero=there.p_value(0.0) < 0.01) == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("level", [0.05, 0.05 * (1 - 1e-15), 0.05 * (1 + 1e-15)])
def test_next_to_the_level_the_verdict_decides(level: float) -> None:
    """Where rounding could tip the interval over, it keeps to the verdict it is given."""
    test = ShareTest(Share(12, 40), Share(25, 50))
    at = test.p_value(0.0) * level / 0.05
    assert interval_of(test, at, excludes_zero=True)[1] < 0 <= interval_of(test, at, excludes_zero=False)[1]


def test_levels_are_those_holm_tested_at() -> None:
    """Of four tests the smallest p-value has 2.5 % / 4, the next 2.5 % / 3; after the first not rejected, its level."""
    strong, weak = ShareTest(Share(0, 50), Share(80, 100)), ShareTest(Share(20, 50), Share(50, 100))
    none = ShareTest(Share(25, 50), Share(50, 100))
    found = compare([none, strong, weak, strong])
    assert [each.level for each in found] == pytest.approx([0.025 / 2, 0.025 / 4, 0.025 / 2, 0.025 / 3])
    assert [each.p_holm for each in found] == holm([test.p_value(0.0) for test in (none, strong, weak, strong)])


def dealt(first: np.ndarray, second: np.ndarray) -> float:
    """Twice the share of all ways to deal people to two sides that set the mean as far to this side, or farther."""
    both, middle = np.concatenate([first, second]), np.concatenate([first, second]).mean()
    means = np.array([both[list(chosen)].mean() for chosen in combinations(range(len(both)), len(first))])
    side = np.sign(first.mean() - middle)
    return min(1.0, 2 * float((side * (means - first.mean()) >= -1e-12).mean()))


def test_the_test_of_means_is_close_to_dealing_people_in_every_way() -> None:
    """With few people every way to deal them can be listed: small p-values agree but for a few hundredths."""
    random = np.random.default_rng(3)
    sides = [(random.gamma(2, 1.0, 5), random.gamma(2, 1.0, 9) + shift) for shift in np.linspace(1, 3, 15)]
    exact = np.array([dealt(*both) for both in sides])
    found = np.array([MeanTest(*both).p_value(0.0) for both in sides])
    assert (exact < 0.3).sum() > 8
    assert np.abs(found - exact)[exact < 0.3].max() < 0.05


def test_equal_numbers_are_no_difference() -> None:
    """All the same is no difference, whatever the number; a clear one is found, and its interval is exact."""
    for number in (0.1, 1.37, 1e9 / 7):
        assert MeanTest(np.full(7, number), np.full(19, number)).p_value(0.0) == 1.0
    clear = MeanTest(np.full(30, 2.0), np.ones(970))
    assert clear.p_value(0.0) < 1e-20
    assert interval_of(clear, 0.001, excludes_zero=True) == pytest.approx((1.0, 1.0))


def test_one_unusual_number_is_no_evidence() -> None:
    """One unusual person of 1,000, who happens to be in a group of 30, is far from proof: dealing says p = 0.03."""
    group, others = np.ones(30), np.ones(970)
    group[0] = 2.0
    assert 0.01 < MeanTest(group, others).p_value(0.0) < 0.1


def test_too_few_people_leave_every_difference_open() -> None:
    """Two against one cannot reject anything, so the interval has no ends."""
    few = MeanTest(np.array([2.0]), np.array([1.0, 1.0]))
    assert interval_of(few, 0.025, excludes_zero=False) == (-math.inf, math.inf)


@pytest.mark.parametrize("name", ["rare", "uncommon", "ties", "outlier", "skewed"])
@pytest.mark.parametrize(("here", "there"), [(10, 200), (30, 400), (200, 50)])
def test_chance_is_seldom_taken_for_a_difference_of_means(name: str, here: int, there: int) -> None:
    """Without any difference, at most about 5 % of tests say there is one at 5 %, and 0.6 % at 0.6 %."""
    random = np.random.default_rng([here, len(name)])
    draw = {
        "rare": lambda size: 1.0 + (random.random(size) < 0.003),
        "uncommon": lambda size: 1.0 + (random.random(size) < 0.05),
        "ties": lambda size: random.choice([1.0, 1.4, 2.2, 9.0], size, p=[0.7, 0.2, 0.08, 0.02]),
        "outlier": lambda size: random.choice([1.0, 2.0, 30.0], size, p=[0.5, 0.499, 0.001]),
        "skewed": lambda size: np.exp(random.normal(0, 1.2, size)),
    }[name]
    p_values = np.array([MeanTest(draw(here), draw(there)).p_value(0.0) for _ in range(600)])
    assert (p_values < 0.05).sum() <= 50  # 30 expected at most; more than 50 come up once in ten thousand tries
    assert (p_values < 0.006).sum() <= 13  # 4 expected at most
