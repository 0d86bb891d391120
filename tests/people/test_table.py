"""Table: people in order, at their levels."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import DataError, SchemaError
from ares_core.people.feature import Change
from ares_core.people.schema import Schema
from ares_core.people.table import Table
from tests.people.frames import built, category, house, number, people


def test_the_table_by_hand() -> None:
    """Features are sorted by name, codes follow them, and a feature is found by name or column."""
    table = built({"z": [1, 2], "Owns": [1, 0], "Rents": [0, 1], "id": [7, 8]}, category("z", 1, 2), house())
    assert [feature.name for feature in table.features] == ["House", "z"]
    assert len(table) == 2
    assert (table.position("House"), table.position("Rents"), table.position("z")) == (0, 0, 1)
    for row in range(2):
        assert (table.codes[row] == [int(table.frame["Rents"][row]), int(table.frame["z"][row]) - 1]).all()
    with pytest.raises(SchemaError, match="no feature 'w'"):
        table.position("w")


def test_ranks_of_ordered_features_are_their_order() -> None:
    """Only categories are ranked by who is at them."""
    table = built(
        {"x": [1, 5, 30], "y": pd.array(["b", "a", "a"], dtype="str")},
        number("x", 10, 20),
        category("y", "a", "b"),
    )
    assert table.ranks[0].tolist() == [0, 1, 2]
    assert sorted(table.ranks[1].tolist()) == [0, 1]


def test_the_index_of_the_frame_does_not_matter() -> None:
    """Rows are people by position, whatever their labels."""
    frame, schema = people(1)
    table = Table.build(frame.set_axis([5] * len(frame)), schema)
    pd.testing.assert_frame_equal(table.frame, Table.build(frame, schema).frame)


def test_a_table_may_have_no_features() -> None:
    """Where nothing can be said of people they are still people."""
    table = Table.build(pd.DataFrame({"x": [1, 1]}), Schema((), (("x", "constant"),)))
    assert table.codes.shape == (2, 0) and len(table) == 2


def test_a_row_at_no_level_is_an_error_that_names_it() -> None:
    """Building a table never leaves anyone without a level."""
    with pytest.raises(DataError, match=r"row 3 \(the header is row 1\), which holds 'x' = 'b'"):
        built({"x": pd.array(["a", "b"], dtype="str")}, category("x", "a"))


def test_frozen_features_still_describe_people() -> None:
    """Freezing changes what may move and not who is where."""
    columns = {"x": [1, 2, 1]}
    free, frozen = category("x", 1, 2), replace(category("x", 1, 2), change=Change.FROZEN)
    assert (built(columns, free).codes == built(columns, frozen).codes).all()


def test_building_a_large_table_is_quick() -> None:
    """20,000 people with 60 columns are put in order within three seconds of computing."""
    rng = np.random.default_rng(0)
    kinds = (
        lambda: rng.integers(0, 1000, 20_000),
        lambda: rng.normal(size=20_000),
        lambda: pd.array(rng.choice(list("abcdef"), 20_000), dtype="str"),
    )
    frame = pd.DataFrame({f"c{place}": kinds[place % 3]() for place in range(60)})
    schema = Schema.infer(frame)
    start = time.process_time()
    assert Table.build(frame, schema).codes.shape == (20_000, 60)
    assert time.process_time() - start < 3
