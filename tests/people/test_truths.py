"""True and false: kept from the file to the model, however a file of before wrote them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import SchemaError
from ares_core.people import Change, Choice, Kind, Schema, Table, Value, read_csv, read_numbers, schema_for
from ares_core.people.choices import propose_choices
from ares_core.people.parquet import read_table
from ares_core.people.table import Substitution
from tests.people.frames import frames

SPELLINGS = ("True", "TRUE", "true", "False", "FALSE", "false")
OTHERS = ("yes", "no", "t", "f", "0", "1", "tRUE", "True.", "T")


def document(*features: dict[str, Any]) -> dict[str, Any]:
    """Return a schema file's content."""
    return {"format": "ares-schema", "version": 1, "features": list(features)}


def read(cells: list[str]) -> pd.Series[Any]:
    """Return a column 'x' of a CSV file."""
    return read_csv("\n".join(["x,n", *(f"{cell},1" for cell in cells)]).encode()).frame["x"]


def as_parquet(frame: pd.DataFrame) -> bytes:
    """Return a table as a Parquet file."""
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


@given(st.lists(st.sampled_from([*SPELLINGS, ""]), min_size=1, max_size=8).filter(any))
def test_a_column_of_true_and_false_is_what_pandas_reads(cells: list[str]) -> None:
    """Every spelling pandas knows, in any mixture; empty cells are missing."""
    column = read(cells)
    theirs = pd.read_csv(io.StringIO("\n".join(["x,n", *(f"{cell},1" for cell in cells)])))["x"]
    assert str(column.dtype) == ("boolean" if "" in cells else "bool")
    assert [None if pd.isna(cell) else cell for cell in column] == [None if pd.isna(cell) else cell for cell in theirs]


@given(
    st.lists(st.sampled_from(SPELLINGS), max_size=5),
    st.lists(st.sampled_from(OTHERS), min_size=1, max_size=3),
    st.randoms(use_true_random=False),
)
def test_anything_else_in_a_column_keeps_it_from_being_true_and_false(
    cells: list[str], others: list[str], random: Any
) -> None:
    """One word or number among them, and the column is what it was: text, or numbers where all are."""
    mixed = [*cells, *others]
    random.shuffle(mixed)
    column = read(mixed)
    assert column.dtype != bool
    assert not isinstance(column.dtype, pd.BooleanDtype)
    if column.dtype == "str":
        assert column.tolist() == mixed


@pytest.mark.parametrize("cells", [[True, False, True], [False, None, True], [None, True]])
def test_the_same_people_give_the_same_table_however_saved(cells: list[bool | None]) -> None:
    """CSV, Parquet with booleans, and Parquet with their names as text or category are one table."""
    truths = pd.Series(cells, dtype="boolean")
    texts = pd.Series([None if cell is None else str(cell) for cell in cells], dtype="str")
    frame = pd.DataFrame(
        {"truth": truths, "text": texts, "category": truths.astype("category"), "n": range(len(cells))}
    )
    table = read_csv(frame.to_csv(index=False).encode()).frame
    pd.testing.assert_frame_equal(read_table(as_parquet(frame)).frame, table)
    assert {str(table[name].dtype) for name in ("truth", "text", "category")} == {
        "boolean" if None in cells else "bool"
    }


def test_the_same_schema_and_order_as_when_they_were_text() -> None:
    """Names of levels, their order and the order of people do not depend on how true and false are held."""
    rng = np.random.default_rng(3)
    truths = pd.array(rng.choice([True, False, None], 60, p=[0.5, 0.3, 0.2]), dtype="boolean")
    frame = pd.DataFrame({"x": truths, "n": rng.integers(0, 90, 60), "y": rng.random(60) < 0.4})
    texts = frame.assign(x=truths.astype("str"), y=frame["y"].astype("str"))
    kept, before = (Table.build(each, Schema.infer(each)) for each in (frame, texts))
    assert kept.rows.tolist() == before.rows.tolist()
    assert [[level.name for level in feature.levels] for feature in kept.features] == [
        [level.name for level in feature.levels] for feature in before.features
    ]
    assert kept.schema["x"].levels[:2] == (Value("False", False), Value("True", True))
    assert kept.schema["x"].kind is Kind.CATEGORY


@given(frames())
def test_whoever_moves_wherever_columns_keep_their_types(frame: pd.DataFrame) -> None:
    """Every column of every frame a model may see has the type it has in the table."""
    table = Table.build(frame, Schema.infer(frame))
    everybody = np.arange(len(table))
    moves = [((position, level),) for position, levels in enumerate(table.held) for level in levels]
    tried = [
        (
            move,
            everybody[
                table.codes[:, move[0][0]] != (-1 if (gap := table.features[move[0][0]].missing) is None else gap)
            ],
        )
        for move in moves
    ]
    for found in (table.frame, Substitution(table, everybody).frame([((), everybody), *tried])):
        assert found.dtypes.to_dict() == frame.dtypes.to_dict()


def one_hot(rows: int = 60) -> pd.DataFrame:
    """Return three columns of which each row has one, as true and false."""
    plan = np.arange(rows) % 3
    return pd.DataFrame({f"plan_{name}": plan == place for place, name in enumerate("abc")} | {"n": range(rows)})


def test_one_hot_columns_of_true_and_false_are_one_choice() -> None:
    """They are found as columns of 0 and 1 are, and hold true and false after a move."""
    frame = one_hot()
    (found,) = propose_choices(frame)
    assert (found.name, found.columns) == ("plan", ("plan_a", "plan_b", "plan_c"))
    assert found.levels[0] == Choice("a", (("plan_a", True), ("plan_b", False), ("plan_c", False)))
    assert all(type(value) is bool for level in found.levels for _, value in level.assignment)
    table = Table.build(frame, Schema.infer(frame))
    moved = Substitution(table, np.arange(len(table))).frame([(((table.position("plan"), 1),), np.arange(len(table)))])
    assert moved["plan_b"].all()
    assert not (moved["plan_a"] | moved["plan_c"]).any()
    assert moved.dtypes.to_dict() == frame.dtypes.to_dict()


@pytest.mark.parametrize("wrong", [True, None])
def test_a_row_with_two_or_a_gap_is_no_choice(wrong: bool | None) -> None:
    """Nobody has two plans, and nobody's plan is unknown, or the columns stay apart."""
    frame = one_hot()
    frame["plan_a"] = pd.array([*frame["plan_a"][:1], wrong, *frame["plan_a"][2:]], dtype="boolean")
    assert not any("plan_a" in feature.columns for feature in propose_choices(frame))


@pytest.mark.parametrize("true", [True, "True", "TRUE", 1])
def test_a_schema_file_of_before_still_fits(true: Any) -> None:
    """Levels, missing cells and choices that name the text "True" are those of the column that now holds true."""
    false = {True: False, "True": "False", "TRUE": "FALSE"}[true]
    frame = one_hot().assign(card=pd.array([True, False, None] * 20, dtype="boolean"), paid=[True, False] * 30)
    levels = [
        {"name": name, "columns": {f"plan_{other}": true if other == name else false for other in "abc"}}
        for name in "abc"
    ]
    schema = schema_for(
        frame,
        document(
            {"name": "plan", "columns": ["plan_a", "plan_b", "plan_c"], "levels": levels},
            {
                "name": "card",
                "kind": "ordered",
                "levels": [{"value": true, "name": "has one"}, false],
                "forbidden": [false],
            },
            {"name": "paid", "missing": [false]},
        ),
    )
    table = Table.build(frame, schema)
    card, paid, plan = (schema[name] for name in ("card", "paid", "plan"))
    assert [level.name for level in card.levels] == ["has one", "False", "not known"]
    assert card.forbidden == {"False"}
    assert paid.levels[-1].to_json() == {"missing": True, "values": [False]}
    assert plan.levels[0].to_json()["columns"] == {"plan_a": True, "plan_b": False, "plan_c": False}
    written = schema_for(frame, schema.to_json())
    assert written == schema
    assert np.bincount(table.codes[:, table.position("card")]).tolist() == [20, 20, 20]


def test_words_for_missing_among_true_and_false_are_said_by_the_schema() -> None:
    """A column of true, false and 'n/a' is text until the schema file says what 'n/a' means."""
    frame = read_csv(b"x,n\nTrue,1\nn/a,2\nfalse,3\n,4\n").frame
    assert frame["x"].dtype == "str"
    entry = {"name": "x", "levels": ["True", "false"], "missing": ["n/a"]}
    told = read_numbers(frame, document(entry))
    assert told["x"].tolist() == [True, pd.NA, False, pd.NA]
    assert told["x"].dtype == pd.BooleanDtype()
    assert schema_for(told, document(entry))["x"].levels[:2] == (Value("True", True), Value("False", False))


def test_true_and_false_are_no_numbers() -> None:
    """They cannot be cut, as text cannot; the first row is named."""
    frame = pd.DataFrame({"x": [True, False] * 20})
    with pytest.raises(SchemaError, match=r"'x' is declared a number but row 2 \(the header is row 1\) holds True"):
        schema_for(frame, document({"name": "x", "kind": "number"}))


def test_true_is_more_than_false() -> None:
    """A column told to increase becomes ordered, as one of 0 and 1 does."""
    schema = Schema.infer(pd.DataFrame({"x": [True, False] * 20})).with_change(["x"], Change.INCREASE)
    assert schema["x"].kind is Kind.ORDERED
    assert schema["x"].allows(0, 1)
    assert not schema["x"].allows(1, 0)
