"""A small CSV file, read without silent change: a header, then rows of exactly as many fields.

Cells that a spreadsheet would run as a formula (they begin with ``=``, ``+``, ``-``, ``@``, a tab or a
carriage return) and cells that begin or end with a blank are written with an apostrophe in front. Reading
takes that apostrophe away and strips the blanks around every other cell, so what was written comes back.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ares_core.errors import CostError
from ares_core.files import name_of, read_bytes, refuse_large

MAX_BYTES = 10_000_000
SMALLER = "Keep one row for each answer and nothing else."
AS_CSV = "Save it as a CSV file in UTF-8, with commas between the columns."


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a sheet.

    Parameters
    ----------
    number
        Where the row stands in the file; the header is row 1.
    cells
        Text by column name; an optional column that the file lacks is absent.
    """

    number: int
    cells: dict[str, str]


def read_sheet(path: str | Path, required: Sequence[str], optional: Sequence[str] = ()) -> tuple[Row, ...]:
    """Read a CSV file whose header names known columns.

    Parameters
    ----------
    path
        The file: UTF-8, comma separated, at most 10 MB.
    required
        Columns the header must name.
    optional
        Columns the header may name.

    Returns
    -------
    tuple of Row
        The rows below the header; blank lines are skipped.

    Raises
    ------
    CostError
        If the file cannot be read, or its header or a row breaks these rules.
    """
    path = Path(path)
    content = read_bytes(path, f"'{name_of(path)}'", MAX_BYTES, CostError, SMALLER)
    return parse_sheet(content, path.name, required, optional)


def parse_sheet(content: bytes, name: str, required: Sequence[str], optional: Sequence[str] = ()) -> tuple[Row, ...]:
    """Read the content of a CSV file as `read_sheet` does; messages call it `name`."""
    refuse_large(content, f"'{name}'", MAX_BYTES, CostError, SMALLER)
    records = _records(_text(content, name), name)
    header = _header(next(records, (1, []))[1], name, required, optional)
    return tuple(_row(number, fields, header, name) for number, fields in records)


def sheet_text(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return the CSV text of a sheet, lines ended by ``\r\n`` (write it with ``newline=""``)."""
    buffer = io.StringIO(newline="")
    # The ending must hold a carriage return: csv quotes only the characters of the ending it was given.
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_mark(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def _text(content: bytes, name: str) -> str:
    if b"\0" in content:
        raise CostError(f"'{name}' is not a text file: it holds NUL bytes.", AS_CSV)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, byte = content[: error.start].count(b"\n") + 1, content[error.start]
        raise CostError(f"'{name}' is not UTF-8 text: line {line} holds the byte {byte:#04x}.", AS_CSV) from error


def _records(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        for number, fields in enumerate(reader, start=1):
            if any(field.strip() for field in fields):
                yield number, fields
    except csv.Error as error:
        raise CostError(
            f"Row {number + 1} of '{name}' is not well-formed CSV: {error}.",
            "Close every quote, and write a quote inside a cell twice.",
        ) from error


def _header(fields: list[str], name: str, required: Sequence[str], optional: Sequence[str]) -> list[str]:
    rule = f"Begin the file with the line {','.join(required)}"
    rule += f"; it may also name {', '.join(optional)}." if optional else "."
    if not fields:
        raise CostError(f"'{name}' is empty.", rule)
    header = [field.strip().casefold() for field in fields]
    missing = [column for column in required if column not in header]
    if missing:
        found = ",".join(fields)[:80]
        raise CostError(f"The header of '{name}' has no column {missing[0]!r}; it is {found!r}.", rule)
    unknown = [column for column in header if column not in (*required, *optional)]
    if unknown:
        raise CostError(f"The header of '{name}' names the unknown column {unknown[0]!r}.", rule)
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        raise CostError(f"The header of '{name}' names the column {twice!r} twice.", rule)
    return header


def _row(number: int, fields: list[str], header: list[str], name: str) -> Row:
    if len(fields) != len(header):
        count = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
        raise CostError(
            f"Row {number} of '{name}' has {count} but the header has {len(header)}.",
            f"Write every row as {','.join(header)}, with quotes around a name with a comma.",
        )
    return Row(number, {column: _unmark(field) for column, field in zip(header, fields, strict=True)})


def _needs_mark(cell: str) -> bool:
    bare = cell.lstrip("'")
    return bare != bare.strip() or bare.startswith(("=", "+", "-", "@"))


def _mark(cell: str) -> str:
    return "'" + cell if _needs_mark(cell) else cell


def _unmark(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _needs_mark(cell) else cell.strip()
