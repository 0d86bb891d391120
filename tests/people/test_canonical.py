"""Canonical order: people and levels stand in an order that files and names do not decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.people.canonical import canonical_colours, canonical_order
from ares_core.people.feature import Feature, Kind
from ares_core.people.levels import Value
from ares_core.people.schema import Schema
from ares_core.people.table import Table
from tests.people.frames import category, frames

SEEDS = range(10)


def people(seed: int, rows: int = 40) -> pd.DataFrame:
    """Draw people, several of them alike, with categories, gaps, numbers and a column nobody speaks of."""
    rng = np.random.default_rng(seed)
    jobs = pd.array(rng.choice(["clerk", "nurse", "smith", "pilot"], rows, p=[0.4, 0.3, 0.2, 0.1]), dtype="str")
    jobs[rng.random(rows) < 0.1] = None
    amount = rng.choice([100.0, 250.5, 1e6, np.nan], rows)
    return pd.DataFrame(
        {
            "job": jobs,
            "place": pd.array(rng.choice(["x", "y"], rows, p=[0.6, 0.4]), dtype="str"),
            "rate": rng.integers(1, 4, rows),
            "amount": amount,
            "flag": rng.integers(0, 2, rows),
            "same": 1,
        }
    )


def content(table: Table) -> list[list[Any]]:
    """Return the people in order, column by column in order of name."""
    frame = table.frame[sorted(table.frame.columns)]
    return [[None if pd.isna(cell) else cell for cell in row] for row in frame.itertuples(index=False)]


def shuffled(frame: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed + 1000)
    rows, columns = rng.permutation(len(frame)), rng.permutation(frame.columns)
    return frame.iloc[rows][columns.tolist()].reset_index(drop=True), rows


@pytest.mark.parametrize("seed", SEEDS)
def test_row_and_column_order_do_not_change_the_table(seed: int) -> None:
    """The same people come in the same order, at the same levels, with the same ranks."""
    frame = people(seed)
    other, _ = shuffled(frame, seed)
    first, second = (Table.build(each, Schema.infer(each)) for each in (frame, other))
    assert content(first) == content(second)
    assert first.features == second.features
    assert (first.codes == second.codes).all()
    assert all((a == b).all() for a, b in zip(first.ranks, second.ranks, strict=True))


@settings(max_examples=35)
@given(frames(), st.randoms(use_true_random=False))
def test_any_table_is_the_same_in_any_row_order(frame: pd.DataFrame, random: Any) -> None:
    """Also where colours cannot tell people apart: two categories that mirror each other."""
    rows = list(range(len(frame)))
    random.shuffle(rows)
    schema = Schema.infer(frame)
    first, second = Table.build(frame, schema), Table.build(frame.iloc[rows], schema)
    assert content(first) == content(second)
    assert (first.codes == second.codes).all()
    assert content(first) == content(Table.build(frame[frame.columns[::-1]], schema))


def test_mirrored_categories_do_not_follow_the_file() -> None:
    """A and B play the same part, so only their names can tell them apart; the file's order must not."""
    feature = category("x", "A", "B")
    tables = [
        Table.build(pd.DataFrame({"x": pd.array(list(cells), dtype="str")}), Schema((feature,)))
        for cells in ("AABB", "BBAA", "ABAB", "BAAB")
    ]
    assert len({tuple(table.frame["x"]) for table in tables}) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_say_where_each_person_stands_in_the_file(seed: int) -> None:
    """`rows` leads back to the file, or to whatever numbers the caller gives."""
    frame = people(seed)
    table = Table.build(frame, Schema.infer(frame))
    assert sorted(table.rows) == list(range(len(frame)))
    pd.testing.assert_frame_equal(frame.iloc[table.rows].reset_index(drop=True), table.frame)
    numbered = Table.build(frame, Schema.infer(frame), rows=np.arange(len(frame)) + 500)
    assert (numbered.rows == table.rows + 500).all()


def renaming(feature: Feature, seed: int) -> dict[Any, str]:
    """Return new names for the values of a text category, in another alphabetical order."""
    values = [level.value for level in feature.levels if isinstance(level, Value)]
    fresh = np.random.default_rng(seed).permutation(len(values))
    return {value: f"name {place:03d}" for value, place in zip(values, fresh.tolist(), strict=True)}


def renamed(frame: pd.DataFrame, schema: Schema, seed: int) -> tuple[pd.DataFrame, dict[str, dict[Any, str]]]:
    text = [feature for feature in schema.features if frame[feature.name].dtype == "str"]
    names = {feature.name: renaming(feature, seed) for feature in text}
    return frame.assign(**{name: frame[name].map(new).astype("str") for name, new in names.items()}), names


@pytest.mark.parametrize("seed", SEEDS)
def test_category_names_do_not_change_the_order_of_people(seed: int) -> None:
    """After renaming every category the same people come in the same order."""
    frame = people(seed)
    schema = Schema.infer(frame)
    other, names = renamed(frame, schema, seed)
    assert len(names) == 2
    first, second = Table.build(frame, schema), Table.build(other, Schema.infer(other))
    expected, _ = renamed(first.frame, schema, seed)
    pd.testing.assert_frame_equal(second.frame, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_follow_the_level_and_not_its_name(seed: int) -> None:
    """A level keeps its rank when it is called otherwise."""
    frame = people(seed)
    schema = Schema.infer(frame)
    other, names = renamed(frame, schema, seed)
    first, second = Table.build(frame, schema), Table.build(other, Schema.infer(other))
    for position, feature in enumerate(first.features):
        new = names.get(feature.name, {})
        after = {level.name: place for place, level in enumerate(second.features[position].levels)}
        for place, level in enumerate(feature.levels):
            twin = after[new.get(level.name, level.name)]
            assert first.ranks[position][place] == second.ranks[position][twin]


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.integers(1, 4))
def test_colours_are_those_of_the_person_and_the_level(seed: int, rows: int, columns: int) -> None:
    """Colours of people and levels are untouched by renaming, shuffling rows and permuting features."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (rows, columns)).astype(np.int16)
    features = [
        category(f"c{place}", "a", "b", "c", kind=rng.choice([Kind.CATEGORY, Kind.ORDERED])) for place in range(columns)
    ]
    frame = pd.DataFrame({feature.name: codes[:, place] for place, feature in enumerate(features)})
    colours, levels = canonical_colours(features, codes, frame)
    order, places = rng.permutation(rows), rng.permutation(columns)
    swap = [rng.permutation(3) if features[place].kind is Kind.CATEGORY else np.arange(3) for place in places]
    moved = np.column_stack([swap[new][codes[order, old]] for new, old in enumerate(places)]).astype(np.int16)
    again, changed = canonical_colours([features[place] for place in places], moved, frame.iloc[order])
    assert (again == colours[order]).all()
    for new, old in enumerate(places):
        assert (changed[new][swap[new]] == levels[old]).all()


def test_people_who_differ_have_different_colours() -> None:
    """Levels that differ in who is at them are told apart, and so are people by their exact numbers."""
    frame = pd.DataFrame({"x": pd.array(list("aaabbc"), dtype="str"), "n": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]})
    schema = Schema.infer(frame)
    table = Table.build(frame, schema)
    colours, levels = canonical_colours(table.features, table.codes, table.frame)
    assert len(set(colours.tolist())) == 6
    assert all(len(set(each.tolist())) == len(each) for each in levels)


def test_outcomes_tell_people_apart() -> None:
    """Two people alike in the table and unlike in outcome have an order of their own."""
    frame = pd.DataFrame({"x": pd.array(list("aabb"), dtype="str")})
    schema = Schema((category("x", "a", "b"),))
    outcomes = np.array([0, 1, 1, 1])
    orders = []
    for rows in ([0, 1, 2, 3], [3, 1, 2, 0], [1, 0, 3, 2]):
        table = Table.build(frame.iloc[rows], schema, rows=np.array(rows), outcomes=outcomes[rows])
        orders.append(outcomes[table.rows].tolist())
    assert orders[0] == orders[1] == orders[2]


def test_missing_is_never_just_another_category() -> None:
    """A gap and a value, each of one person, have different colours at the start and at the end."""
    feature = category("x", "a", missing=())
    frame = pd.DataFrame({"x": pd.array(["a", None], dtype="str")})
    colours, levels = canonical_colours([feature], feature.codes(frame)[:, None], frame)
    assert colours[0] != colours[1] and levels[0][0] != levels[0][1]


def test_equal_colours_are_ordered_by_content() -> None:
    """Colours decide first; within a colour equal rows stand together, whatever the file's order."""
    colours = np.array([5, 5, 5, 5, 1], dtype=np.uint64)
    frame = pd.DataFrame({"x": [3, 1, 3, 1, 9]})
    order = canonical_order(colours, frame)
    assert order[0] == 4
    assert frame["x"].iloc[order].tolist()[1:] in ([1, 1, 3, 3], [3, 3, 1, 1])
