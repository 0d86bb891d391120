"""Read a CSV file without changing anything silently.

The file is checked before it is parsed (size, kind, encoding, delimiter, number of columns) and while it is
parsed (row widths, quotes, limits). What cannot be read exactly is refused, what could surprise is noted.

Rows are called by the line of the file they begin on, so the header of an ordinary file is row 1.
"""

from __future__ import annotations

import csv
import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TextIO

import numpy as np
import pandas as pd

from ares_core.errors import DataError, SettingError
from ares_core.files import read_bytes, refuse_large
from ares_core.people.cells import read_column
from ares_core.people.dialect import DELIMITERS, Dialect, detect
from ares_core.people.lines import with_lines
from ares_core.people.names import check_names

LONGEST_CELL = 131_072  # characters Python's csv module accepts in a cell
FEWER = "Give fewer rows, for instance a random sample, or only the columns you need."
_MOST_DELIMITERS = 5_000_000  # of one row; each may begin a cell, and a cell takes 60 bytes
_BLOCK = 20_000  # cells held as separate strings before they are packed


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a table may be; larger ones are refused before they take time or memory.

    Attributes
    ----------
    bytes
        Size of the file.
    rows, columns
        Size of the table, the header not counted.
    cell
        Characters in one cell.
    cells
        Rows times columns.
    """

    bytes: int = 200_000_000
    rows: int = 2_000_000
    columns: int = 2_000
    cell: int = 10_000
    cells: int = 50_000_000

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value < 1:
                raise SettingError(f"The limit {each.name!r} is {value!r}.", "Give a limit of 1 or more.")
        if self.cell > LONGEST_CELL:
            problem = f"The limit 'cell' is {self.cell!r}, more than {LONGEST_CELL:,} characters."
            raise SettingError(problem, f"Give a limit of at most {LONGEST_CELL:,}.")


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as it stands in a file.

    Attributes
    ----------
    frame
        One row per person, one column per column of the file; int64, float64 or `str`, empty cells missing. Its labels
        are the lines of the file on which the rows begin, unless these are 2, 3, 4 … (see `lines`).
    sha256
        Of the file's bytes.
    encoding, delimiter
        How the bytes were read.
    notes
        What a careful reader should know, in sentences.
    """

    frame: pd.DataFrame
    sha256: str
    encoding: str
    delimiter: str
    notes: tuple[str, ...]


def read_csv(source: Path | str | bytes, *, name: str = "", limits: Limits | None = None) -> RawTable:
    """Read a CSV file: a column is a number if every cell plainly is one, else text, cell by cell as written.

    Parameters
    ----------
    source
        A path, or the bytes of a file.
    name
        What messages call the file; by default the path's last part.
    limits
        How large the table may be; by default `Limits()`.

    Raises
    ------
    DataError
        If there is no such file, it is not a CSV file, its rows or names are ambiguous, or it is too large.
    """
    limits = limits or Limits()
    if not isinstance(source, bytes):
        name = name or Path(source).name
    subject = repr(name) if name else "The file"
    data = source if isinstance(source, bytes) else read_bytes(Path(source), subject, limits.bytes, DataError, FEWER)
    refuse_large(data, subject, limits.bytes, DataError, FEWER)
    if not data.strip():
        raise _empty(subject)
    dialect = detect(data, subject)
    if dialect.width > limits.columns:
        raise _too_many_columns(subject, limits.columns)
    frame, notes = _parse(data, dialect, subject, limits)
    digest = hashlib.sha256(data).hexdigest()
    return RawTable(frame, digest, dialect.encoding, dialect.delimiter, (*dialect.notes, *notes))


def _empty(subject: str) -> DataError:
    return DataError(f"{subject} is empty.", "Give a CSV file with a header line and one line per person.")


def _too_many_columns(subject: str, most: int) -> DataError:
    return DataError(
        f"{subject} has more than {most:,} columns in its header.", "Keep only the columns the model needs."
    )


@dataclass(slots=True)
class _Columns:
    """The cells read so far, packed column by column, so that memory stays near the size of the file."""

    names: list[str]
    longest: int
    lines: array[int] = field(default_factory=lambda: array("q"))
    waiting: list[list[str]] = field(default_factory=list)
    packed: list[list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.packed = [[] for _ in self.names]

    def add(self, line: int, row: list[str]) -> None:
        self.lines.append(line)
        self.waiting.append(row)
        if len(self.waiting) * len(self.names) >= _BLOCK:
            self.pack()

    def pack(self) -> None:
        """Join the waiting cells of each column; NUL can part them, since no file with NUL gets here."""
        for position, cells in enumerate(zip(*self.waiting, strict=True)):
            if max(map(len, cells)) > self.longest:
                self._refuse_long(position, cells)
            self.packed[position].append("\0".join(cells))
        self.waiting.clear()

    def take(self, position: int) -> list[str]:
        """Return the packed cells of a column and forget them."""
        blocks, self.packed[position] = self.packed[position], []
        return blocks

    def _refuse_long(self, position: int, cells: tuple[str, ...]) -> None:
        index, cell = next((i, cell) for i, cell in enumerate(cells) if len(cell) > self.longest)
        row = self.lines[len(self.lines) - len(cells) + index]
        raise DataError(
            f"Row {row} holds {len(cell):,} characters in column {self.names[position]!r}, "
            f"where {self.longest:,} are allowed.",
            "Shorten the cell, and look for a quote that is not closed.",
        )


def _parse(data: bytes, dialect: Dialect, subject: str, limits: Limits) -> tuple[pd.DataFrame, list[str]]:
    notes: list[str] = []
    with dialect.open(data) as stream:
        rows = _without_blank_lines(_records(stream, dialect.delimiter, limits), limits.rows, notes)
        line, header = next(rows, (0, []))
        if not header:
            raise _empty(subject)
        if len(header) > limits.columns:
            raise _too_many_columns(subject, limits.columns)
        names, header_notes = check_names(header, line, limits.cell)
        columns = _Columns(names, limits.cell)
        _fill(columns, rows, DELIMITERS[dialect.delimiter], limits)
    if not columns.lines:
        raise DataError(f"{subject} has a header but no rows.", "Add one line per person below the header.")
    frame, cell_notes = _frame(columns)
    return frame, [*header_notes, *notes, *cell_notes]


def _records(stream: TextIO, delimiter: str, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line it begins on; a row may span lines inside quotes.

    A row with more delimiters than its cells can hold is refused before it is cut into millions of cells.
    """
    line, width, found = 1, 0, 0

    def lines() -> Iterator[str]:
        nonlocal found
        most = _MOST_DELIMITERS
        for text in stream:
            most = min(most, width * (limits.cell + 1) or most)
            found += text.count(delimiter)
            if found > most:
                raise _crowded(line, most, delimiter)
            yield text

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield line, row
            line, width, found = reader.line_num + 1, width or len(row), 0
    except csv.Error as error:
        raise _bad_quotes(str(error), line, limits.cell) from error


def _crowded(line: int, most: int, delimiter: str) -> DataError:
    return DataError(
        f"Row {line} holds a {DELIMITERS[delimiter]} more than {most:,} times, far more than its header allows.",
        "Look for a line break that is missing, or give fewer columns.",
    )


def _bad_quotes(reason: str, line: int, longest: int) -> DataError:
    if "unexpected end" in reason:
        problem = f"Row {line} opens a quote that is never closed."
    elif "expected after" in reason:
        problem = f"Row {line} holds a closing quote with more text behind it."
    elif "field limit" in reason:
        problem = f"Row {line} holds a cell of more than {longest:,} characters, or a quote never closed."
    else:
        problem = f"Row {line} cannot be cut into cells ({reason})."
    return DataError(problem, "Close the quote, and write a quote inside a quoted cell twice.")


def _without_blank_lines(
    records: Iterator[tuple[int, list[str]]], most: int, notes: list[str]
) -> Iterator[tuple[int, list[str]]]:
    """Pass on the rows that hold a cell; note blank lines, unless they end the file."""
    blank = skipped = first = width = 0
    for line, row in records:
        # In a table of several columns, a line of spaces is blank; in a table of one, it is a cell.
        if not row or (width > 1 and len(row) == 1 and not row[0].strip()):
            first = first or line
            blank += 1
            if blank > most:
                problem = f"The file has more than {most:,} blank lines (line {line} is one)."
                raise DataError(problem, "Remove the blank lines.")
            continue
        skipped, width = blank, width or len(row)
        yield line, row
    if skipped:
        notes.append(f"{skipped:,} blank line{'s' * (skipped > 1)} skipped (first in line {first}).")


def _fill(columns: _Columns, rows: Iterator[tuple[int, list[str]]], delimiter: str, limits: Limits) -> None:
    width = len(columns.names)
    most = min(limits.rows, limits.cells // width)
    for count, (line, row) in enumerate(rows, start=1):
        if len(row) != width:
            raise _ragged(line, row, width, delimiter)
        if count > most:
            raise DataError(
                f"The table has more than {most:,} rows of {width:,} cells (row {line} is one too many).",
                "Give fewer rows, for instance a random sample.",
            )
        columns.add(line, row)
    columns.pack()


def _ragged(line: int, row: list[str], width: int, delimiter: str) -> DataError:
    cells = "1 cell" if len(row) == 1 else f"{len(row):,} cells"
    return DataError(
        f"Row {line} has {cells} where the header has {width:,}.",
        f"Mend that row; a cell that holds a {delimiter} must stand in double quotes.",
    )


def _frame(columns: _Columns) -> tuple[pd.DataFrame, list[str]]:
    notes: list[str] = []
    series = {}
    for position, name in enumerate(columns.names):
        series[name], more = read_column(name, columns.take(position), columns.lines)
        notes += more
    frame = pd.DataFrame(series)
    notes += hollow_notes(frame, columns.lines)
    return with_lines(frame, np.array(columns.lines, dtype=np.int64)), notes


def hollow_notes(frame: pd.DataFrame, lines: array[int]) -> list[str]:
    """Note rows without any value; `lines` are the file's lines on which the rows begin."""
    hollow = frame.isna().all(axis=1).to_numpy()
    if not hollow.any():
        return []
    what = "1 row holds" if hollow.sum() == 1 else f"{hollow.sum():,} rows hold"
    return [f"{what} no value at all (first row {lines[int(hollow.argmax())]})."]
