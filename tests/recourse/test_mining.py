"""Mining: one contract for both miners, against enumeration of every combination of items."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.people import Schema, Table
from ares_core.recourse import mining
from ares_core.recourse.mining import Items, fewest, frequent_items, mine, mine_with_bits, mine_with_mlxtend
from tests.recourse.worlds import common, levels_of, random_world

Miner = Callable[..., list[mining.Itemsets]]
Sets = list[list[tuple[int, ...]]]
MINERS = pytest.mark.parametrize("miner", [mine_with_mlxtend, mine_with_bits, mine], ids=["apriori", "bits", "chosen"])


def random_items(seed: int, people: int, features: int, levels: int) -> Items:
    """Return every level of some random features as an item, even those at which nobody is."""
    codes = np.random.default_rng(seed).integers(0, levels, (people, features))
    codes //= np.arange(1, features + 1)  # later features have fewer levels that anybody is at
    owner = np.repeat(np.arange(features), levels).astype(np.int32)
    level = np.tile(np.arange(levels), features).astype(np.int32)
    return Items(owner, level, np.ascontiguousarray(level[:, None] == codes[:, owner].T))


def kept(items: Items, least: int) -> Items:
    """Leave out the items that too few people are at: a miner is never given them."""
    enough = items.masks.sum(axis=1) >= least
    return Items(items.features[enough], items.levels[enough], items.masks[enough])


def enumerated(items: Items, least: int, width: int) -> Sets:
    """Try every combination of items."""
    found: Sets = []
    for size in range(1, width + 1):
        found.append([])
        for chosen in combinations(range(len(items)), size):
            people = sum(map(all, zip(*(items.masks[item].tolist() for item in chosen), strict=True)))
            if people >= least and len({int(items.features[item]) for item in chosen}) == size:
                found[-1].append(chosen)
    return found


def plain(sets: list[mining.Itemsets]) -> Sets:
    return [[tuple(map(int, row)) for row in group] for group in sets]


@MINERS
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 70), st.integers(1, 12), st.integers(1, 4))
def test_every_miner_lists_what_enumeration_lists(miner: Miner, seed: int, people: int, least: int, width: int) -> None:
    """A miner returns, for each width, exactly the frequent sets, sorted, with no feature twice."""
    items = kept(random_items(seed, people, 4, 3), least)
    if not len(items):
        return
    found = miner(items, least, width)
    assert plain(found) == enumerated(items, least, width)
    assert [group.shape[1] for group in found] == list(range(1, width + 1))
    assert {group.dtype for group in found} == {np.dtype(np.int32)}


@MINERS
@pytest.mark.parametrize("people", [63, 64, 65, 200])
def test_support_is_met_by_exactly_the_least_number(miner: Miner, people: int) -> None:
    """A set of exactly `least` people is frequent, one of a person fewer is not."""
    masks = np.zeros((3, people), dtype=bool)
    masks[0, :30], masks[1, 10:40], masks[2, 11:41] = True, True, True
    items = Items(np.arange(3, dtype=np.int32), np.zeros(3, dtype=np.int32), masks)
    assert plain(miner(items, 20, 2))[1] == [(0, 1), (1, 2)]
    assert plain(miner(items, 19, 2))[1] == [(0, 1), (0, 2), (1, 2)]


@MINERS
def test_widths_that_would_bring_too_many_sets_are_left_off(miner: Miner) -> None:
    """Whole widths are kept while all their sets together are at most `most`; the first width always is."""
    items = kept(random_items(3, 60, 4, 3), 2)
    every = enumerated(items, 2, 4)
    assert all(every)
    for width in range(1, 5):
        total = sum(map(len, every[:width]))
        assert plain(miner(items, 2, 4, total)) == every[:width]
        assert plain(miner(items, 2, 4, total - 1)) == every[: max(1, width - 1)]
    assert plain(miner(items, 2, 4, math.inf)) == every


def test_the_bit_miner_does_not_care_how_much_it_looks_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of any size give the same sets in the same order."""
    items = kept(random_items(5, 130, 5, 3), 3)
    expected = plain(mine_with_bits(items, 3, 4))
    assert all(expected)
    for words in (1, 50, 333, 10_000):
        monkeypatch.setattr(mining, "CHUNK_WORDS", words)
        assert plain(mine_with_bits(items, 3, 4)) == expected


@pytest.mark.parametrize(
    ("number", "people", "width", "expected"),
    [
        (30, 1000, 3, "mlxtend"),
        (80, 1000, 3, "mlxtend"),
        (80, 1000, 6, "bits"),
        (400, 20_000, 3, "bits"),
        (400, 20_000, 1, "mlxtend"),
    ],
)
def test_the_bit_miner_takes_over_where_apriori_would_need_too_much(
    monkeypatch: pytest.MonkeyPatch, number: int, people: int, width: int, expected: str
) -> None:
    """Apriori is the default; from 1.5e8 sets times people on, bits are used."""
    called: list[str] = []

    def spy(name: str) -> Callable[..., None]:
        return lambda *_: called.append(name)

    for name in ("mlxtend", "bits"):
        monkeypatch.setattr(mining, f"mine_with_{name}", spy(name))
    features = np.arange(number, dtype=np.int32)
    mine(Items(features, features, np.broadcast_to(np.True_, (number, people))), 5, width)
    assert called == [expected]


def test_both_miners_agree_at_the_border_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever miner is chosen, the answer is the same."""
    items = kept(random_items(11, 90, 5, 3), 4)
    answers = []
    for cells in (0.0, 1.5e8):
        monkeypatch.setattr(mining, "MLXTEND_CELLS", cells)
        answers.append(plain(mine(items, 4, 3)))
    assert answers[0] == answers[1]
    assert answers[0][2]


@pytest.mark.parametrize(
    ("support", "people", "expected"),
    [
        (0.01, 1000, 10),
        (0.01, 999, 10),
        (0.01, 1001, 11),
        (0.07, 100, 7),
        (0.29, 100, 29),
        (0.0001, 50, 1),
        (0.5, 3, 2),
        (0.9999, 10, 10),
        (0.1, 30, 3),
        (0.01, 700, 7),
    ],
)
def test_support_asks_for_a_whole_number_of_people(support: float, people: int, expected: int) -> None:
    """A share is rounded up to people, rounding errors aside, and is never nobody."""
    assert fewest(support, people) == expected


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("least", [1, 9, 20, 61])
def test_frequent_items_are_the_levels_enough_people_are_at(seed: int, least: int) -> None:
    """Every level with enough people is an item once, with its people; those of a feature side by side."""
    table = random_world(seed).table
    items = frequent_items(table, least)
    expected = common(levels_of(table), [feature.name for feature in table.features], least / len(table), 1)
    found = {
        (table.features[position].name, int(level)): set(np.flatnonzero(mask).tolist())
        for position, level, mask in zip(items.features, items.levels, items.masks, strict=True)
    }
    assert {frozenset([key]): who for key, who in found.items()} == expected
    assert len(items) == len(found)
    assert (np.diff(items.features) >= 0).all()
    assert items.masks.shape == (len(items), len(table))


def test_items_do_not_depend_on_what_categories_are_called() -> None:
    """Renaming the values of a category leaves the items where they were."""
    frame = pd.DataFrame({"job": ["a"] * 5 + ["b"] * 3 + ["c"] * 2, "n": [1, 2] * 5})
    renamed = frame.assign(job=frame["job"].map({"a": "z", "b": "y", "c": "x"}))
    masks = []
    for each in (frame, renamed):
        table = Table.build(each, Schema.infer(each))
        masks.append(frequent_items(table, 1).masks[:, np.argsort(table.rows)].tolist())
    assert masks[0] == masks[1]
