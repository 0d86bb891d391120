"""Options: how moves are numbered, marked and kept apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.recourse import options as room
from ares_core.recourse.candidates import Candidates, build_candidates
from ares_core.recourse.mining import Items, frequent_items, mine
from ares_core.recourse.options import Options, Transitions, itemset_keys, list_options, ways
from ares_core.settings import Settings
from tests.recourse.readings import conditions, move
from tests.recourse.worlds import may_move, random_world, size_of


def candidates(seed: int, changes: int = 2, width: int = 3) -> Candidates:
    table = random_world(seed).table
    settings = Settings(support=0.03, condition_width=width, max_changes=changes, min_people=2)
    return build_candidates(table, np.arange(0, len(table), 2), settings)


def rows(options: Options) -> list[tuple[int, int, int, bool]]:
    return list(
        zip(
            options.condition.tolist(),
            options.move.tolist(),
            options.magnitude.tolist(),
            options.whole.tolist(),
            strict=True,
        )
    )


@pytest.mark.parametrize("seed", range(6))
def test_transitions_are_what_the_schema_allows_among_common_levels(seed: int) -> None:
    """For each item exactly the allowed items of its feature, with the levels crossed."""
    table = random_world(seed).table
    items = frequent_items(table, 5)
    found = Transitions.allowed(table, items)
    for start in range(len(items)):
        part = slice(int(found.begins[start]), int(found.begins[start] + found.sizes[start]))
        feature, level = table.features[items.features[start]], int(items.levels[start])
        expected = {
            target: size_of(feature, level, int(items.levels[target]))
            for target in range(len(items))
            if items.features[target] == items.features[start] and may_move(feature, level, int(items.levels[target]))
        }
        listed = zip(found.targets[part].tolist(), found.magnitudes[part].tolist(), strict=True)
        assert dict(listed) == expected


@pytest.mark.parametrize("seed", range(4))
def test_moves_are_distinct_and_each_is_used(seed: int) -> None:
    """No two moves say the same, none names a feature twice, and some option uses each."""
    found = candidates(seed)
    assert len(set(found.moves)) == len(found.moves)
    for each in found.moves:
        positions = [position for position, _ in each]
        assert positions == sorted(set(positions))
    assert set(found.options.move.tolist()) == set(range(len(found.moves)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("changes", [1, 2, 3])
def test_whole_marks_conditions_that_name_nothing_but_what_changes(seed: int, changes: int) -> None:
    """An option is whole exactly when condition and move name the same features, and each move has one."""
    table, found = random_world(seed).table, candidates(seed, changes)
    known = conditions(table, found)
    for condition, number, _, whole in rows(found.options):
        same = {name for name, _ in known[condition]} == {name for name, _ in move(table, found, number)}
        assert whole == same
    assert set(found.options.move[found.options.whole].tolist()) == set(range(len(found.moves)))


@pytest.mark.parametrize("seed", range(3))
def test_options_are_sorted_by_condition_and_then_by_move(seed: int) -> None:
    """Later steps find the options of a condition side by side, in an order that does not change."""
    listed = [row[:2] for row in rows(candidates(seed).options)]
    assert listed == sorted(set(listed))
    assert candidates(seed).options.condition.dtype == np.int32


def test_how_much_is_looked_at_together_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of any size give the same options and the same moves in the same order."""
    expected = candidates(1, 3)
    for chunk in (1, 3, 100, 10**9):
        monkeypatch.setattr(room, "CHUNK", chunk)
        found = candidates(1, 3)
        assert rows(found.options) == rows(expected.options)
        assert found.moves == expected.moves


def test_a_list_that_would_be_too_long_is_not_made() -> None:
    """With room for one option fewer than there are, the answer is None; with room for all, it is all."""
    table = random_world(0).table
    items = frequent_items(table, 3)
    sets = mine(items, 3, 2)
    transitions = Transitions.allowed(table, items)
    whole = list_options(items, sets, sets, transitions, 2)
    assert whole is not None
    assert len(whole[0]) > 0
    assert list_options(items, sets, sets, transitions, 2, len(whole[0])) is not None
    assert list_options(items, sets, sets, transitions, 2, len(whole[0]) - 1) is None


def test_without_conditions_there_are_no_options() -> None:
    """An empty list of conditions gives empty arrays of the right types and no moves."""
    table = random_world(0).table
    items = frequent_items(table, 3)
    sets = mine(items, 3, 2)
    listed = list_options(items, sets, [group[:0] for group in sets], Transitions.allowed(table, items), 2)
    assert listed is not None
    options, moves = listed
    assert (len(options), moves) == (0, ())
    assert options.whole.dtype == np.bool_


@given(st.integers(1, 5), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_itemsets_have_different_numbers(width: int, base: int, seed: int) -> None:
    """Two itemsets of one width have the same number only if they are the same; numbers keep their order."""
    sets = np.random.default_rng(seed).integers(0, base, (40, width)).astype(np.int32)
    keys = itemset_keys(sets, base + 1).tolist()
    listed = [tuple(row) for row in sets.tolist()]
    numbered = list(zip(keys, listed, strict=True))
    assert sorted(numbered) == sorted(numbered, key=lambda pair: pair[1])
    assert len(set(keys)) == len(set(listed))


@settings(max_examples=50)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(1, 6))
def test_ways_count_the_choices_of_changes(sizes: list[int], changes: int) -> None:
    """Choosing up to `changes` items and a target for each is counted one by one."""

    def counted(left: list[int], room_for: int) -> int:
        if not left or not room_for:
            return 1
        return counted(left[1:], room_for) + left[0] * counted(left[1:], room_for - 1)

    assert ways(np.array([sizes, sizes]), changes).tolist() == [counted(sizes, changes) - 1] * 2


def test_numbers_near_the_largest_allowed_do_not_overflow() -> None:
    """With as many items as the width allows, moves still end where they should."""
    number = 1600  # the numbers of sets of width 5 come close to 2**62
    base = 5200
    features = np.repeat(np.arange(base // 2), 2).astype(np.int32)
    items = Items(features, np.tile([0, 1], base // 2).astype(np.int32), np.ones((base, 1), dtype=bool))
    one = np.ones(base, dtype=np.int64)
    transitions = Transitions(one, np.arange(base), np.arange(base) ^ 1, one)
    random = np.random.default_rng(0)
    start = np.sort(np.array([random.choice(base // 2, 5, replace=False) for _ in range(number)]) * 2, axis=1)
    start[-1] = base - 2 * np.arange(5, 0, -1)
    end = start + 1
    both = np.unique(np.concatenate([start, end]), axis=0).astype(np.int32)
    empty = [np.zeros((0, width), dtype=np.int32) for width in range(1, 5)]
    listed = list_options(items, [*empty, both], [*empty, start.astype(np.int32)], transitions, 5)
    assert listed is not None
    assert len(listed[0]) == number
    moves = {tuple(sorted((int(features[item]), 1) for item in row)) for row in end}
    assert set(listed[1]) == moves
