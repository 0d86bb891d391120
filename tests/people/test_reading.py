"""Reading CSV files: what is read, what is noted, and that nothing else changes."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import math
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ares_core.errors import AresError
from ares_core.people.cells import number
from ares_core.people.reading import Limits, RawTable, read_csv


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("city\nKöln\n".encode(), "utf-8"),
        ("city\nKöln\n".encode("utf-8-sig"), "utf-8"),
        (codecs.BOM_UTF16_LE + "city\nKöln\n".encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + "city\nKöln\n".encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + "city\nKöln\n".encode("utf-32-le"), "utf-32-le"),
        ("city\nKöln\n".encode("cp1252"), "cp1252"),
    ],
)
def test_each_encoding_gives_the_same_table(content: bytes, encoding: str) -> None:
    """The same text in another encoding is the same table, and the name has no mark stuck to it."""
    table = read_csv(content)
    assert table.encoding == encoding
    assert table.frame.to_dict("list") == {"city": ["Köln"]}


def test_windows_1252_is_noted_with_its_line() -> None:
    """A file that is not UTF-8 is never read as something else in silence."""
    notes = read_csv("a,b\n1,2\n3,Köln\n".encode("cp1252")).notes
    assert notes == ("The file is not UTF-8; it was read as Windows-1252 (first such byte in line 3).",)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter_is_found(delimiter: str) -> None:
    """The delimiter is the one that cuts all lines alike, whatever the quoted cells hold."""
    lines = [["id", "text, or; so|on"], ["1", "a,b;c|d\te"], ["2", ",,,;;;|||\t\t"]]
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(lines)
    table = read_csv(text.getvalue().encode())
    assert table.delimiter == delimiter
    assert [list(table.frame.columns), *table.frame.astype(str).to_numpy().tolist()] == lines


def test_unquoted_commas_do_not_hide_a_semicolon() -> None:
    """Decimal commas in the rows do not make a comma the delimiter."""
    table = read_csv(b"x;y\n1,5;2,5\n3,5;4,5\n")
    assert table.delimiter == ";"
    assert table.frame["x"].tolist() == ["1,5", "3,5"]


def test_a_delimiter_that_could_be_another_is_noted() -> None:
    """Where two delimiters cut every line alike, the reader is told."""
    table = read_csv(b"a,b;c,d\n1,2;3,4\n")
    assert table.delimiter == ","
    assert "The file was cut at each comma; a semicolon would fit too." in table.notes


def test_a_single_column_is_noted() -> None:
    """A file without any known delimiter is one column, and says so."""
    table = read_csv(b"a b\n1 2\n")
    assert table.frame.columns.tolist() == ["a b"]
    assert "read as one column" in table.notes[0]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter_and_those_in_quotes_stay(end: str) -> None:
    """Each kind of line end parts rows, and inside quotes it is part of the cell."""
    table = read_csv(f'a,b{end}x,"y{end}z"{end}u,v{end}{end}'.encode())
    assert table.frame["b"].tolist() == [f"y{end}z", "v"]
    assert table.notes == ()


def test_blank_lines_are_skipped_and_noted_unless_they_end_the_file() -> None:
    """Blank lines between rows are counted; those at the end are nothing to speak of."""
    assert read_csv(b"a,b\n1,2\n\n  \n3,4\n\n\n").notes == ("2 blank lines skipped (first in line 3).",)
    assert read_csv(b"\na,b\n1,2\n").notes == ("1 blank line skipped (first in line 1).",)
    assert read_csv(b"a,b\n1,2\n\n \n").notes == ()


def test_rows_without_any_value_are_kept_and_noted() -> None:
    """A row of delimiters is a row, and the reader is told."""
    table = read_csv(b"a,b\n1.5,x\n,\n,\n")
    assert len(table.frame) == 3
    assert table.notes == ("2 rows hold no value at all (first row 3).",)


def test_a_path_and_its_bytes_give_the_same(tmp_path: Path) -> None:
    """The digest is of the bytes, whichever way they came."""
    content = b"a,b\n1,x\n"
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    for source in (content, path, str(path)):
        table = read_csv(source)
        assert table.sha256 == hashlib.sha256(content).hexdigest()
        assert isinstance(table.frame.index, pd.RangeIndex)
        assert table.frame.to_dict("list") == {"a": [1], "b": ["x"]}


# ---------------------------------------------------------------- laws


_CELLS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8),
    st.sampled_from(["", " ", "NA", "007", "1", "-1", "1.50", "1e5", " 2", "nan", "1,5", '"', "\r", "\n"]),
    st.integers().map(str),
    st.floats().map(repr),
)
_TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(_CELLS, min_size=width, max_size=width), min_size=1, max_size=12)
)


def _agrees(value: object, cell: str) -> bool:
    if isinstance(value, str):
        return value == cell
    if math.isnan(value):  # type: ignore[arg-type]
        return not cell.strip()
    return number(cell) == value


@given(_TABLES, st.sampled_from(",;\t|"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
@example([[""]], ",", "utf-8")
def test_what_was_written_is_read_back(rows: list[list[str]], delimiter: str, encoding: str) -> None:
    """Every cell comes back: text exactly, numbers by value, empty ones missing, in the same place."""
    text = io.StringIO(newline="")
    delimiter = delimiter if len(rows[0]) > 1 else ","  # one column cannot tell which one it does not need
    csv.writer(text, delimiter=delimiter).writerows([[f"c{i}" for i in range(len(rows[0]))], *rows])
    frame = read_csv(text.getvalue().encode(encoding)).frame
    assert frame.shape == (len(rows), len(rows[0]))
    for position, column in enumerate(frame.columns):
        cells = [row[position] for row in rows]
        assert all(map(_agrees, frame[column].tolist(), cells)), (cells, frame[column].tolist())


def _read_or_refuse(content: bytes) -> RawTable | None:
    try:
        return read_csv(content, limits=Limits(columns=50, rows=50))
    except AresError as error:
        assert error.problem.endswith(".")
        assert error.hint
        return None


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(content: bytes) -> None:
    """Any bytes at all are a table or a refusal, never another error."""
    _read_or_refuse(content)


@settings(max_examples=300)
@given(
    st.text(st.sampled_from('ab1,;\t|"\n\r 0.e-\0é\ufeff'), max_size=60),
    st.sampled_from(["utf-8", "utf-16", "latin-1"]),
)
def test_no_text_breaks_the_reader(text: str, encoding: str) -> None:
    """Any arrangement of quotes, delimiters and line ends is a table or a refusal."""
    table = _read_or_refuse(text.encode(encoding, errors="replace"))
    if table is not None:
        assert len(table.frame) >= 1
        assert {str(dtype) for dtype in table.frame.dtypes} <= {"int64", "float64", "str"}


def test_twenty_thousand_rows_take_half_a_second() -> None:
    """A table of 20,000 rows and 16 columns is read in the time of a click."""
    rng = np.random.default_rng(0)
    numbers = pd.DataFrame(rng.normal(size=(20_000, 8))).add_prefix("x")
    words = pd.DataFrame(rng.choice(["yes", "no", "n/a"], size=(20_000, 8))).add_prefix("w")
    content = pd.concat([numbers, words], axis=1).to_csv(index=False).encode()
    times = []
    for _ in range(3):
        start = time.process_time()
        read_csv(content)
        times.append(time.process_time() - start)
    assert min(times) < 0.5
