"""Split: sizes, even strata, seeds, and the paper's protocol."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.recourse.split import fold_numbers, split_people, strata_of

SEEDS = st.integers(0, 2**32 - 1)
SLACK = 2  # how many people a part may be off its share


@st.composite
def strata(draw: st.DrawFn) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    sizes = draw(st.lists(st.integers(1, 60), max_size=8))
    numbers = np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)
    return np.random.default_rng(draw(SEEDS)).permutation(numbers)


@given(strata(), st.floats(0.01, 0.9), SEEDS)
def test_everybody_learns_or_checks_and_nobody_both(groups: np.ndarray, holdout: float, seed: int) -> None:
    """The two parts are sorted, disjoint, and everybody together."""
    split = split_people(groups, holdout, seed)
    assert sorted([*split.learn.tolist(), *split.check.tolist()]) == list(range(len(groups)))
    assert (np.diff(split.learn) > 0).all()
    assert (np.diff(split.check) > 0).all()


@given(strata(), st.floats(0.05, 0.9), SEEDS)
def test_every_stratum_and_the_whole_give_their_share(groups: np.ndarray, holdout: float, seed: int) -> None:
    """Neither any stratum nor everybody together is off the share asked for by more than two people."""
    check = split_people(groups, holdout, seed).check
    assert abs(len(check) - holdout * len(groups)) <= SLACK
    aside, whole = Counter(groups[check].tolist()), Counter(groups.tolist())
    for number, size in whole.items():
        assert abs(aside[number] - holdout * size) <= SLACK


@pytest.mark.parametrize("people", [1000, 10_000])
@pytest.mark.parametrize("holdout", [0.05, 0.25, 0.5])
def test_large_parts_have_their_size(people: int, holdout: float) -> None:
    """The sizes stay within a few people of the share, however many people there are."""
    split = split_people(np.zeros(people, dtype=np.int64), holdout, 1)
    assert abs(len(split.check) - holdout * people) <= SLACK


def test_many_strata_of_one_person_are_divided_as_one() -> None:
    """A thousand people all alone in their stratum do not all land on one side."""
    check = split_people(np.arange(1000), 0.5, 0).check
    assert abs(len(check) - 500) <= SLACK


@given(strata(), SEEDS)
def test_the_paper_protocol_measures_on_the_people_it_chose_on(groups: np.ndarray, seed: int) -> None:
    """Without a holdout both parts are everybody, and the split says that they are the same people."""
    split = split_people(groups, 0.0, seed)
    assert split.learn.tolist() == split.check.tolist() == list(range(len(groups)))
    assert split.same_people


def test_a_split_in_halves_is_not_the_same_people() -> None:
    """Parts of equal size with different people are told apart."""
    split = split_people(np.zeros(100, dtype=np.int64), 0.5, 0)
    assert len(split.learn) == len(split.check)
    assert not split.same_people


def test_the_seed_decides() -> None:
    """The same seed gives the same parts, other seeds other parts."""
    groups = np.zeros(60, dtype=np.int64)
    parts = [tuple(split_people(groups, 0.5, seed).check.tolist()) for seed in range(10)]
    assert parts[3] == tuple(split_people(groups, 0.5, 3).check.tolist())
    assert len(set(parts)) == len(parts)


def test_everybody_is_set_aside_equally_often() -> None:
    """Over many seeds no place in the table is favoured."""
    times = np.zeros(20)
    for seed in range(600):
        times[split_people(np.zeros(20, dtype=np.int64), 0.3, seed).check] += 1
    assert times.min() > 600 * 0.2
    assert times.max() < 600 * 0.4


@given(strata(), SEEDS)
def test_fold_numbers_divide_strata_evenly_at_any_number_of_folds(groups: np.ndarray, seed: int) -> None:
    """Cutting [0, 1) in four gives folds within two people of a quarter of each stratum."""
    numbers = fold_numbers(groups, seed)
    assert ((numbers >= 0) & (numbers < 1)).all()
    for stratum in set(groups.tolist()):
        mine = numbers[groups == stratum]
        for fold in range(4):
            assert abs(((mine * 4).astype(int) == fold).sum() - len(mine) / 4) <= SLACK


def test_strata_are_the_distinct_rows() -> None:
    """Two people share a stratum exactly when all their levels agree; without levels all do."""
    codes = np.array([[0, 1], [1, 0], [0, 1], [0, 0]], dtype=np.int16)
    found = strata_of(codes)
    assert [found[a] == found[b] for a, b in ((0, 2), (0, 1), (1, 3), (0, 3))] == [True, False, False, False]
    assert found.tolist() == [0, 1, 0, 2], "numbers follow the first person of each stratum"
    assert strata_of(codes[:, :0]).tolist() == [0, 0, 0, 0]
    assert strata_of(codes[:0]).tolist() == []
