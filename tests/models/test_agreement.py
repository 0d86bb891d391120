"""Agreement: counts, balanced accuracy, and the exact test that chance would agree more."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.models.agreement import LEVEL, Agreement

Pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9)


@given(Pairs)
def test_counts_are_those_of_the_people(pairs: list[tuple[bool, bool]]) -> None:
    """Counted one by one; the balanced accuracy is the mean of two shares."""
    accepted, good = ([pair[place] for pair in pairs] for place in (0, 1))
    found = Agreement.of(np.array(accepted), np.array(good))
    assert found.people == len(pairs)
    assert found.right == sum(one == other for one, other in pairs)
    if len(set(good)) == 2:
        shares = [sum(one == side for one, other in pairs if other == side) / good.count(side) for side in (0, 1)]
        assert found.balanced_accuracy == pytest.approx(sum(shares) / 2)
    else:
        assert found.balanced_accuracy == 0.5


@given(Pairs)
def test_the_p_value_is_exact(pairs: list[tuple[bool, bool]]) -> None:
    """Of all ways to deal out as many acceptances, the share in which no more people with a good outcome get one."""
    accepted, good = (np.array([pair[place] for pair in pairs]) for place in (0, 1))
    found = Agreement.of(accepted, good)
    ways = [sum(good[place] for place in way) for way in combinations(range(len(pairs)), int(accepted.sum()))]
    expected = sum(hits <= (accepted & good).sum() for hits in ways) / len(ways)
    assert found.p_below_chance == pytest.approx(expected)
    assert found.is_below_chance == (expected <= LEVEL and found.balanced_accuracy < 0.5)


def test_the_warning_names_the_counts() -> None:
    """Below chance there is a warning; at chance, above it, or among few people there is none."""
    against = Agreement(good=350, good_accepted=50, bad=150, bad_refused=20)
    assert "agrees with 70 of 500 outcomes, balanced accuracy 0.14, which is worse than chance" in against.warning
    assert against.to_json()["below_chance"] is True
    for fine in (Agreement(350, 300, 150, 130), Agreement(3, 0, 2, 0), Agreement(350, 175, 150, 75)):
        assert fine.warning == ""
        assert fine.to_json()["below_chance"] is False


def test_a_wrong_reading_is_found_no_more_often_than_one_in_a_hundred_by_chance() -> None:
    """Answers that have nothing to do with outcomes are warned of in at most 1 % of many draws, give or take."""
    random = np.random.default_rng(0)
    draws = [Agreement.of(random.random(60) < 0.6, random.random(60) < 0.7).is_below_chance for _ in range(2000)]
    assert sum(draws) <= 0.015 * len(draws)
