"""Reading Parquet files: the same table as from CSV, the same limits, and refusals in words."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.errors import DataError
from ares_core.people import Limits, RawTable, Schema, read_csv, read_table
from tests.people.decoding import forked_decoding


def parquet(columns: dict[str, Any] | pa.Table, **options: Any) -> bytes:
    """Return a Parquet file."""
    stream = io.BytesIO()
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), stream, **options)
    return stream.getvalue()


def read(columns: dict[str, Any], limits: Limits | None = None) -> RawTable:
    """Write columns as Parquet and read them."""
    return read_table(parquet(columns), name="people.parquet", limits=limits)


def refusal(data: bytes, limits: Limits | None = None) -> DataError:
    """Return why a file is refused, well worded."""
    with pytest.raises(DataError) as caught:
        read_table(data, name="people.parquet", limits=limits)
    assert caught.value.problem.endswith(".")
    assert caught.value.hint.endswith(".")
    assert "Traceback" not in caught.value.problem
    return caught.value


PEOPLE = pd.DataFrame(
    {
        "income": [1200, -5, 7],
        "debt": [0.5, np.nan, 1e-3],
        "job": pd.array(["clerk", None, 'naïve, "cook"'], dtype="str"),
        "plz": ["01099", "80331", "00001"],
        "member": [True, False, True],
        "rooms": pd.array([1, None, 3], dtype="Int64"),
        "sex": pd.Categorical(["f", "m", "f"]),
    }
)


def test_the_same_people_give_the_same_table_from_either_file() -> None:
    """Saved as Parquet or as CSV, people have the same columns, types and cells."""
    stream = io.BytesIO()
    PEOPLE.to_parquet(stream)
    from_csv = read_csv(PEOPLE.to_csv(index=False).encode())
    from_parquet = read_table(stream.getvalue())
    pd.testing.assert_frame_equal(from_parquet.frame, from_csv.frame)
    assert from_parquet.notes == from_csv.notes
    assert from_parquet.sha256 == hashlib.sha256(stream.getvalue()).hexdigest()


@settings(max_examples=60)
@given(
    numbers=st.lists(st.integers(-(2**62), 2**62) | st.none(), min_size=1, max_size=8),
    texts=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=4), max_size=8),
)
def test_any_column_reads_as_from_csv(numbers: list[int | None], texts: list[str]) -> None:
    """Whatever integers and texts a file holds, Parquet and CSV agree on dtype and cells."""
    texts = (texts + [""] * len(numbers))[: len(numbers)]
    rows = zip(["" if number is None else str(number) for number in numbers], texts, strict=True)
    csv = "n,t\n" + "".join('"{}","{}"\n'.format(number, text.replace('"', '""')) for number, text in rows)
    expected = read_csv(csv.encode()).frame
    with forked_decoding():
        found = read({"n": pa.array(numbers, pa.int64()), "t": pa.array(texts, pa.string())}).frame
    pd.testing.assert_frame_equal(found, expected)


def test_a_csv_file_whose_first_column_is_called_par1_is_csv() -> None:
    """Four letters do not make a Parquet file."""
    assert read_table(b"PAR1,b\n1,2\n").frame.to_dict("list") == {"PAR1": [1], "b": [2]}


def test_integers_without_gaps_stay_integers_and_others_are_noted() -> None:
    """Whole numbers with an empty cell become decimals, with the note a CSV file gets."""
    table = read({"small": pa.array([1, 2], pa.uint8()), "gap": pa.array([1, None], pa.int32())})
    assert table.frame.dtypes.astype(str).tolist() == ["int64", "float64"]
    assert table.notes == ("Column 'gap' holds whole numbers and 1 empty cell, so its numbers are kept as decimals.",)


def test_integers_beyond_what_a_float_keeps_stay_text() -> None:
    """An account number of 19 digits loses none of them."""
    table = read({"account": pa.array([2**63 + 9, 1], pa.uint64())})
    assert table.frame["account"].tolist() == [str(2**63 + 9), "1"]
    assert "more digits than a number keeps" in table.notes[0]


def test_dates_are_text_and_decimals_numbers_with_a_note() -> None:
    """What CSV has no type for is spelled out, and that is said."""
    table = read({"born": [dt.date(1970, 1, 2), None], "owed": [Decimal("12.50"), Decimal("3.00")]})
    assert table.frame["born"].iloc[0] == "1970-01-02"
    assert table.frame["owed"].tolist() == [12.5, 3.0]
    assert table.notes == (
        "Column 'born' holds dates or times, kept as text.",
        "Column 'owed' holds exact decimals, read as ordinary numbers.",
    )


def test_text_that_spells_numbers_is_noted() -> None:
    """A column of digits typed as text is a number, as in CSV, and the reader is told."""
    table = read({"age": ["40", "52"], "code": ["007", "008"]})
    assert table.frame["age"].tolist() == [40, 52]
    assert table.frame["code"].tolist() == ["007", "008"]
    assert "'age' is text in the file, but every cell spells a number" in table.notes[0]


def test_infinite_numbers_are_missing_and_noted() -> None:
    """A number no CSV file could spell never reaches a model."""
    table = read({"a": [1, 2, 3], "x": [1.5, float("inf"), float("-inf")]})
    assert table.frame["x"].isna().tolist() == [False, True, True]
    assert table.notes == ("Column 'x' is infinite in 2 cells, read as missing.",)


@pytest.mark.parametrize("kind", [pa.null(), pa.int64(), pa.float32(), pa.string(), pa.bool_()])
def test_a_column_of_nothing_is_text(kind: pa.DataType) -> None:
    """Whatever type an empty column claims, it is empty; that is told once, by the schema."""
    table = read({"a": [1, 2], "b": pa.array([None, None], kind)})
    assert str(table.frame["b"].dtype) == "str"
    assert table.notes == ()
    assert [note for note in Schema.infer(table.frame).notes() if "'b'" in note] == [
        "Column 'b' is left out of the rules: every cell is empty. The model still sees it."
    ]


def test_the_row_numbers_pandas_adds_are_left_out() -> None:
    """A filtered frame saved by pandas has one column more, which says nothing about people."""
    stream = io.BytesIO()
    PEOPLE[["income"]].iloc[[2, 0, 1]].to_parquet(stream)
    table = read_table(stream.getvalue())
    assert list(table.frame.columns) == ["income"]
    assert "numbers the rows for pandas" in table.notes[0]


def test_a_row_without_any_value_is_noted_where_a_spreadsheet_shows_it() -> None:
    """The first person stands in row 2, below the header, as in CSV."""
    assert read({"a": ["x", None]}).notes[-1] == "1 row holds no value at all (first row 3)."


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("lists", {"a": [[1], [2]]}, "Column 'a' holds lists or records"),
    ("records", {"a": [{"b": 1}]}, "Column 'a' holds lists or records"),
    ("bytes", {"a": [b"\xff"]}, "Column 'a' holds binary"),
    ("lengths of time", {"a": [dt.timedelta(1)]}, "Column 'a' holds duration"),
    ("NUL", {"a": ["ok", "\0"]}, "Row 3 holds a NUL character in column 'a'."),
    ("no rows", {"a": pa.array([], pa.int64())}, "'people.parquet' has no rows."),
    ("no columns", {}, "'people.parquet' has no columns."),
    ("a name of nothing", {"": [1]}, "The name of column 1 in the header (row 1) is empty."),
    ("names alike", {"Age": [1], "age ": [2]}, "have names that look alike"),
]


@pytest.mark.parametrize(("columns", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_a_table_of_people_cannot_hold_is_refused(columns: dict[str, Any], words: str) -> None:
    """One sentence names the column, one says what to do."""
    assert words in refusal(parquet(columns)).problem


def test_a_name_twice_is_refused() -> None:
    """Parquet allows two columns of one name; a table of people does not."""
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    assert "both called 'a'" in refusal(parquet(table)).problem


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(bytes=100), "is larger than 100 bytes"),
        (Limits(columns=1), "has 2 columns, more than 1."),
        (Limits(rows=2), "has 3 rows of 2 cells, more than 2 rows."),
        (Limits(cells=5), "has 3 rows of 2 cells, more than 2 rows."),
        (Limits(cell=3), "Row 3 holds 5 characters, where 3 are allowed, in column 'job'."),
    ],
)
def test_the_limits_are_those_of_csv(limits: Limits, words: str) -> None:
    """Bytes, columns, rows, cells and the length of a cell are all bounded."""
    assert words in refusal(parquet({"age": [1, 2, 3], "job": ["a", "clerk", "b"]}), limits).problem


def test_a_small_file_that_unpacks_to_much_is_refused() -> None:
    """A long cell repeated 200,000 times is a few kilobytes of Parquet, and would be two gigabytes of text."""
    data = parquet({"a": pa.DictionaryArray.from_arrays(np.zeros(200_000, np.int32), ["x" * 9_999])})
    assert len(data) < 50_000
    assert "more room than a file may have" in refusal(data).problem
