"""Reading a table of either kind: Parquet by its first bytes, else CSV.

A Parquet file says which columns are numbers. All other columns are spelled out as a CSV file would spell them and
read by the same rules, so that the same people give the same table whichever way they were saved.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import DataError
from ares_core.files import refuse_large
from ares_core.parquet import Footer, open_parquet
from ares_core.parquet.client import AGAIN
from ares_core.people.cells import EXACT, read_column
from ares_core.people.lines import FIRST_ROW
from ares_core.people.names import check_names, quote
from ares_core.people.reading import FEWER, Limits, RawTable, hollow_notes, read_csv
from ares_core.wording import counted

MAGIC = b"PAR1"
SHORTEST = 12  # bytes of a Parquet file: the mark twice, and the length of what is between
INDEX = re.compile(r"__index_level_\d+__")


def read_table(data: bytes, *, name: str = "", limits: Limits | None = None) -> RawTable:
    """Read the bytes of a table; a Parquet file is told by its first bytes, never by its name.

    Parameters
    ----------
    name
        What messages call the file.
    limits
        How large the table may be; by default `Limits()`.

    Raises
    ------
    DataError
        If the file cannot be read exactly, or is too large.
    """
    limits = limits or Limits()
    if not data.startswith(MAGIC) or not _is_binary(data):
        return read_csv(data, name=name, limits=limits)
    subject = repr(name) if name else "The file"
    refuse_large(data, subject, limits.bytes, DataError, FEWER)
    frame, notes = _read(data, subject, limits)
    return RawTable(frame, hashlib.sha256(data).hexdigest(), "parquet", "", tuple(notes))


def _is_binary(data: bytes) -> bool:
    """Say whether what begins like Parquet is no text, since a column of a CSV file may be called PAR1, too."""
    return data.endswith(MAGIC) or b"\0" in data


def _read(data: bytes, subject: str, limits: Limits) -> tuple[pd.DataFrame, list[str]]:
    import pyarrow as pa

    if len(data) < SHORTEST or not data.endswith(MAGIC):
        raise DataError(f"{subject} is a Parquet file without its end.", "Fetch or copy it again.")
    table, names, notes = _decoded_table(data, subject, limits)
    try:
        series, more = _columns(table, names, limits)
    except (pa.ArrowException, ValueError) as error:
        problem = f"{subject} is a damaged Parquet file: {_reason(error)}."
        raise DataError(problem, AGAIN) from error
    frame = pd.DataFrame(series)
    return frame, [*notes, *more, *hollow_notes(frame, _lines(len(frame)))]


def _lines(count: int) -> array[int]:
    return array("q", range(FIRST_ROW, FIRST_ROW + count))


def _reason(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200].rstrip(". ") if lines else type(error).__name__


def _decoded_table(data: bytes, subject: str, limits: Limits) -> tuple[Any, list[str], list[str]]:
    """Check what can be known before a cell is read; return the decoded table, its column names, and notes."""
    with open_parquet(data, subject, limits.bytes) as file:
        _check_size(file.footer, subject, limits)
        schema = file.schema()
        names, notes = check_names(schema.names, 1, limits.cell)
        for name, field in zip(names, schema, strict=True):
            _check_type(name, field.type)
        return file.read(), names, notes


def _check_size(footer: Footer, subject: str, limits: Limits) -> None:
    rows, columns = footer.rows, footer.columns
    if columns > limits.columns:
        problem = f"{subject} has {columns:,} columns, more than {limits.columns:,}."
        raise DataError(problem, "Keep only the columns the model needs.")
    if not columns or rows < 1:
        raise DataError(
            f"{subject} has no {'rows' if columns else 'columns'}.", "Give a table with one row per person."
        )
    most = min(limits.rows, limits.cells // columns)
    if rows > most:
        problem = f"The table has {rows:,} rows of {columns:,} cells, more than {most:,} rows."
        raise DataError(problem, "Give fewer rows, for instance a random sample.")
    if footer.unpacked > limits.bytes:
        raise DataError(f"{subject} takes {footer.unpacked:,} bytes unpacked, more than {limits.bytes:,}.", FEWER)


def _check_type(name: str, kind: Any) -> None:
    import pyarrow as pa

    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_nested(value):
        raise DataError(
            f"Column {quote(name)} holds lists or records ({kind}) where one value is expected.",
            "Spread it over columns of one value each, or leave it out.",
        )
    known = (_is_text, pa.types.is_primitive, pa.types.is_decimal, pa.types.is_null)
    if pa.types.is_duration(value) or not any(holds(value) for holds in known):
        raise DataError(
            f"Column {quote(name)} holds {kind}, which is neither a number nor text.",
            "Save it as a number or as text, or leave it out.",
        )


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return any(holds(kind) for holds in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view))


def _columns(table: Any, names: list[str], limits: Limits) -> tuple[dict[str, Any], list[str]]:
    """Return the values of every column, typed as `read_column` types them, and notes."""
    series: dict[str, Any] = {}
    notes: list[str] = []
    room = limits.bytes
    for name, cells in zip(names, table.columns, strict=True):
        if INDEX.fullmatch(name):
            notes.append(f"Column {quote(name)} numbers the rows for pandas; it was left out.")
            continue
        series[name], more, used = _column(name, cells.combine_chunks(), limits.cell, room)
        room -= used
        notes += more
    return series, notes


def _column(name: str, cells: Any, longest: int, room: int) -> tuple[Any, list[str], int]:
    """Return a column's values, notes, and how many characters it takes when spelled out."""
    import pyarrow as pa

    kind = cells.type
    if pa.types.is_integer(kind):
        return *_integers(name, cells), 0
    if pa.types.is_floating(kind):
        return *_floats(name, cells), 0
    values, codes = _spelled(cells)
    used = _check_texts(name, values, codes, longest, room)
    texts = np.array([*values, ""], dtype=object)[codes]
    found, notes = read_column(name, ["\0".join(texts)], _lines(len(texts)))
    return found, [*_kind_notes(name, kind, found), *notes], used


def _integers(name: str, cells: Any) -> tuple[Any, list[str]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    low, high = (bound.as_py() for bound in pc.min_max(cells).values())
    if low is None:
        return _nothing(name, len(cells))
    if max(-low, high) > EXACT:
        texts = ["" if cell is None else str(cell) for cell in cells.to_pylist()]
        return read_column(name, ["\0".join(texts)], _lines(len(texts)))
    if not cells.null_count:
        return cells.to_numpy(zero_copy_only=False).astype(np.int64), []
    empty = counted(cells.null_count, "empty cell")
    note = f"Column {quote(name)} holds whole numbers and {empty}, so its numbers are kept as decimals."
    return cells.cast(pa.float64()).to_numpy(zero_copy_only=False), [note]


def _floats(name: str, cells: Any) -> tuple[Any, list[str]]:
    import pyarrow as pa

    numbers = cells.cast(pa.float64()).to_numpy(zero_copy_only=False).copy()
    endless = np.isinf(numbers)
    numbers[endless] = np.nan
    if np.isnan(numbers).all():
        return _nothing(name, len(numbers))
    count = int(endless.sum())
    return numbers, [f"Column {quote(name)} is infinite in {counted(count, 'cell')}, read as missing."] if count else []


def _nothing(name: str, rows: int) -> tuple[Any, list[str]]:
    return read_column(name, ["\0".join([""] * rows)], _lines(rows))


def _spelled(cells: Any) -> tuple[list[str], Any]:
    """Return the different cells as text and which of them each row holds; the last place is the empty cell."""
    import pyarrow as pa

    coded = cells.dictionary_encode()
    values = coded.dictionary
    if _is_boolean(values.type):
        texts = [str(value) for value in values.to_pylist()]  # as a CSV file writes them: True, False
    else:
        texts = ["" if value is None else value for value in values.cast(pa.string()).to_pylist()]
    codes = coded.indices.fill_null(len(texts)) if coded.null_count else coded.indices
    return texts, codes.to_numpy(zero_copy_only=False).astype(np.intp)


def _check_texts(name: str, values: list[str], codes: Any, longest: int, room: int) -> int:
    """Refuse cells that a CSV file could not hold, and return how many characters there are."""
    sizes = np.array([*map(len, values), 0], dtype=np.int64)

    def refuse(wrong: Callable[[str], bool], what: Callable[[str], str], hint: str) -> None:
        bad = np.array([*map(wrong, values), False])[codes]
        if bad.any():
            row = int(bad.argmax())
            raise DataError(f"Row {row + FIRST_ROW} holds {what(values[codes[row]])} in column {quote(name)}.", hint)

    refuse(
        lambda cell: len(cell) > longest,
        lambda cell: f"{len(cell):,} characters, where {longest:,} are allowed,",
        "Shorten the cell, or leave the column out.",
    )
    refuse(lambda cell: "\0" in cell, lambda _: "a NUL character", "Save the column as plain text, or leave it out.")
    used = int(sizes[codes].sum())
    if used > room:
        raise DataError("The table's text takes more room than a file may have.", FEWER)
    return used


def _is_boolean(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_boolean(kind.value_type if pa.types.is_dictionary(kind) else kind))


def _kind_notes(name: str, kind: Any, found: Any) -> list[str]:
    """Say what was spelled out, and what became numbers although the file calls it something else."""
    import pyarrow as pa

    number, truths = found.dtype.kind in "if", found.dtype.kind == "b" and not _is_boolean(kind)
    if pa.types.is_temporal(kind):
        return [f"Column {quote(name)} holds dates or times, kept as text."]
    if pa.types.is_decimal(kind):
        return [f"Column {quote(name)} holds exact decimals, read as {'ordinary numbers' if number else 'text'}."]
    if number:
        return [f"Column {quote(name)} is text in the file, but every cell spells a number; it was read as numbers."]
    if truths:
        return [f"Column {quote(name)} is text in the file, but every cell spells true or false; it was read so."]
    return []
