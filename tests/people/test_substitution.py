"""Substitution: people after a move, against a plain loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.people.feature import Kind
from ares_core.people.levels import Choice, Interval, Value
from ares_core.people.schema import Schema
from ares_core.people.table import Substitution, Table
from tests.people.frames import built, category, house, number, people

Move = tuple[tuple[int, int], ...]


def after_by_hand(table: Table, person: int, move: Move) -> dict[str, Any]:
    """Move one person as the method says it: change what moves, to the nearest value somebody has."""
    row = {column: table.frame[column].iloc[person] for column in table.frame.columns}
    for position, target in move:
        feature = table.features[position]
        level, column = feature.levels[target], feature.columns[0]
        if table.codes[person, position] == target:
            continue
        if isinstance(level, Choice):
            row.update(level.assignment)
        elif isinstance(level, Value):
            row[column] = level.value
        elif isinstance(level, Interval):
            low = -np.inf if level.low is None else level.low
            high = np.inf if level.high is None else level.high
            inside = [cell for cell in table.frame[column] if low <= cell < high and cell not in level.excluded]
            row[column] = min(inside, key=lambda cell: abs(cell - row[column]))
    return row


def random_moves(table: Table, rng: np.random.Generator, count: int) -> list[Move]:
    """Draw moves of up to three features to levels somebody is at."""
    moves = []
    for _ in range(count):
        features = rng.permutation(len(table.features))[: rng.integers(1, 4)]
        targets = {
            int(place): sorted(set(table.codes[:, place].tolist()) - {table.features[place].missing})
            for place in features
        }
        moves.append(tuple((place, int(rng.choice(levels))) for place, levels in sorted(targets.items())))
    return moves


def who_may(table: Table, people: Any, move: Move) -> Any:
    """Return the places in `people` of those who miss no feature that moves."""
    known = [
        table.codes[people, position] != (-1 if (gap := table.features[position].missing) is None else gap)
        for position, _ in move
    ]
    return np.flatnonzero(np.logical_and.reduce(known))


def same(cell: Any, other: Any) -> bool:
    return bool((pd.isna(cell) and pd.isna(other)) or cell == other)


@pytest.mark.parametrize("seed", range(8))
def test_substitution_equals_a_plain_loop(seed: int) -> None:
    """Whoever moves, wherever, the batch gives the rows that a loop over people and features gives."""
    frame, schema = people(seed)
    table = Table.build(frame, schema)
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(table))[:25]
    tried = [(move, who_may(table, chosen, move)) for move in random_moves(table, rng, 12)]
    result = Substitution(table, chosen).frame(tried)
    assert list(result.columns) == list(frame.columns)
    assert result.dtypes.to_dict() == frame.dtypes.to_dict()
    expected = [after_by_hand(table, int(chosen[place]), move) for move, who in tried for place in who]
    assert len(result) == len(expected) > 0
    for column in frame.columns:
        got = result[column].tolist()
        assert all(same(cell, row[column]) for cell, row in zip(got, expected, strict=True)), column


@pytest.mark.parametrize("seed", range(6))
def test_after_a_move_people_are_at_the_target_and_elsewhere_untouched(seed: int) -> None:
    """The features that move are at their targets; the cells of all others are the very same."""
    frame, schema = people(seed)
    table = Table.build(frame, schema)
    everyone = np.arange(len(table))
    substitution = Substitution(table, everyone)
    for move in random_moves(table, np.random.default_rng(seed), 8):
        who = who_may(table, everyone, move)
        result = substitution.frame([(move, who)])
        touched = {column for position, _ in move for column in table.features[position].columns}
        for position, target in move:
            assert (table.features[position].codes(result) == target).all()
        rest = [column for column in frame.columns if column not in touched]
        pd.testing.assert_frame_equal(result[rest], table.frame[rest].iloc[who].reset_index(drop=True))


def moved(table: Table, name: str, target: int) -> dict[Any, Any]:
    """Move everyone and return old value → new value of the first column."""
    position = table.position(name)
    column = table.features[position].columns[0]
    result = Substitution(table, np.arange(len(table))).frame([(((position, target),), np.arange(len(table)))])
    return dict(zip(table.frame[column].tolist(), result[column].tolist(), strict=True))


def test_a_number_takes_the_smallest_step_into_its_level() -> None:
    """From below to the smallest value there, from above to the largest, and whoever is there stays."""
    table = built({"x": [1, 5, 12, 17, 30, 45]}, number("x", 10, 20))
    assert moved(table, "x", 1) == {1: 12, 5: 12, 12: 12, 17: 17, 30: 17, 45: 17}
    assert moved(table, "x", 0) == {1: 1, 5: 5, 12: 5, 17: 5, 30: 5, 45: 5}
    assert moved(table, "x", 2) == {1: 30, 5: 30, 12: 30, 17: 30, 30: 30, 45: 45}


def test_nobody_lands_on_a_number_that_means_missing() -> None:
    """-9 is the nearest number below 0 and yet no place to go."""
    table = built({"x": [-9, -20, 5, 7]}, number("x", 0, missing=(-9,)))
    assert moved(table, "x", 0) == {-9: -20, -20: -20, 5: -20, 7: -20}


def test_the_whole_table_says_which_values_are_observed() -> None:
    """A value that only a person outside the chosen people has is a place to land."""
    table = built({"x": [1, 12, 30]}, number("x", 10, 20))
    first = np.flatnonzero(table.frame["x"].to_numpy() == 1)
    result = Substitution(table, first).frame([(((0, 1),), np.array([0]))])
    assert result["x"].tolist() == [12]


def test_an_ordered_feature_takes_the_target_value() -> None:
    """Values are set, not approached."""
    table = built({"x": [1, 2, 3]}, category("x", 1, 2, 3, kind=Kind.ORDERED))
    assert moved(table, "x", 2) == {1: 3, 2: 3, 3: 3}


def test_a_choice_sets_all_its_columns() -> None:
    """Who rents and then owns no longer rents, so no impossible person appears."""
    table = built({"Owns": [1, 0, 0], "Rents": [0, 1, 0]}, house())
    everyone = np.arange(3)
    for target, (owns, rents) in enumerate(((1, 0), (0, 1), (0, 0))):
        result = Substitution(table, everyone).frame([(((0, target),), everyone)])
        assert result.to_numpy().tolist() == [[owns, rents]] * 3


def test_nobody_is_moved_to_where_nobody_is() -> None:
    """A level without an observed value is refused rather than filled with some other value."""
    table = built({"x": [1, 30]}, number("x", 10, 20))
    with pytest.raises(ValueError, match="nobody in the table"):
        moved(table, "x", 1)
    table = built({"x": pd.array(["a", "a"], dtype="str")}, category("x", "a", "b"))
    with pytest.raises(ValueError, match="nobody in the table"):
        moved(table, "x", 1)


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        (["a", "b", None], "str"),
        (["a", "b", "a"], "category"),
        ([1, 2, 3], "int64"),
        ([1, 2, 3], "int8"),
        ([1.5, None, 2.5], "float64"),
        ([True, False, True], "bool"),
        ([1, None, 3], "Int64"),
    ],
)
def test_types_survive_a_move(cells: list[Any], dtype: str) -> None:
    """A model sees the types it was trained on, in the moved column and in the others."""
    column = pd.Series(cells, dtype=dtype)
    frame = pd.DataFrame({"x": column, "y": column[::-1].to_numpy() if dtype == "int64" else column})
    table = Table.build(frame, Schema.infer(frame))
    target = int(table.codes[0, 0] == 0)
    others = np.flatnonzero(~frame["x"].isna().to_numpy()[table.rows])
    result = Substitution(table, others).frame([(((0, target),), np.arange(len(others)))])
    assert result.dtypes.tolist() == frame.dtypes.tolist()
    assert (table.features[0].codes(result) == target).all()


def test_a_batch_keeps_the_order_of_moves_and_people() -> None:
    """Move by move, person by person, also with nobody in one; nothing leaks from one move to the next."""
    table = built(
        {"x": [1, 2, 3], "y": pd.array(["a", "b", "a"], dtype="str")},
        category("x", 1, 2, 3),
        category("y", "a", "b"),
    )
    people = np.array([2, 0, 1])
    result = Substitution(table, people).frame(
        [
            (((0, 1),), np.array([0, 1])),
            (((1, 1),), np.array([], dtype=np.intp)),
            (((0, 2), (1, 0)), np.array([2])),
            ((), np.array([1, 0])),
        ]
    )
    original = table.frame.iloc[people].reset_index(drop=True)
    assert result["x"].tolist() == [2, 2, 3, original["x"][1], original["x"][0]]
    assert result["y"].tolist() == [
        original["y"][0],
        original["y"][1],
        "a",
        original["y"][1],
        original["y"][0],
    ]


def test_substitution_leaves_the_table_as_it_was() -> None:
    """The frame of the table is never written to."""
    frame, schema = people(0)
    table = Table.build(frame, schema)
    before = table.frame.copy(deep=True)
    result = Substitution(table, np.arange(len(table))).frame([(((0, 0),), np.arange(len(table)))])
    result.iloc[:, 0] = result.iloc[0, 0]
    pd.testing.assert_frame_equal(table.frame, before)
