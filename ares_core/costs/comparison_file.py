"""Comparisons as files, told apart by their content.

PAIRS.csv, UTF-8 and comma separated, one row for each answer::

    harder,easier,answer,expert,reason
    income,bank accounts,,Ada,
    income,car,tie,Ada,depends on the car
    age,car,cannot say,Ben,

Only ``harder`` and ``easier`` are required. ``answer`` is ``harder`` (also when empty), ``tie`` or
``cannot say``; a row with ``tie`` or ``cannot say`` uses the same two columns, in either order. ``expert``
and ``reason`` are free text.

PAIRS.json holds the same under the same names::

    {"format": "ares-comparisons", "version": 1, "comparisons": [{"harder": "income", "easier": "car"}]}
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from ares_core.errors import CostError
from ares_core.files import dump_json, name_of, parse_json, read_bytes, refuse_large

from .comparison import Answer, Comparison
from .sheet import MAX_BYTES, SMALLER, Row, parse_sheet, sheet_text

REQUIRED = ("harder", "easier")
OPTIONAL = ("answer", "expert", "reason")
FORMAT = {"format": "ares-comparisons", "version": 1}
AS_JSON = "Write it as the button for answers as JSON does."


def read_comparisons(path: str | Path) -> tuple[Comparison, ...]:
    """Read PAIRS.csv or PAIRS.json (the formats are at the top of this module).

    Raises
    ------
    CostError
        If the file or one of its rows breaks the format; the message names the row.
    """
    path = Path(path)
    return parse_comparisons(read_bytes(path, f"'{name_of(path)}'", MAX_BYTES, CostError, SMALLER), path.name)


def parse_comparisons(content: bytes, name: str) -> tuple[Comparison, ...]:
    """Read the content of a file as `read_comparisons` does; messages call it `name`."""
    refuse_large(content, f"'{name}'", MAX_BYTES, CostError, SMALLER)
    if content.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"[")):
        return tuple(_comparison(row, name) for row in _json_rows(content, name))
    return tuple(_comparison(row, name) for row in parse_sheet(content, name, REQUIRED, OPTIONAL))


def write_comparisons(comparisons: Iterable[Comparison]) -> str:
    """Return the text of a PAIRS.csv that `read_comparisons` reads back unchanged."""
    return sheet_text((*REQUIRED, *OPTIONAL), (astuple(comparison) for comparison in comparisons))


def comparisons_json(comparisons: Iterable[Comparison]) -> str:
    """Return the text of a PAIRS.json that `read_comparisons` reads back unchanged."""
    rows = [dict(zip((*REQUIRED, *OPTIONAL), astuple(one), strict=True)) for one in comparisons]
    return dump_json({**FORMAT, "comparisons": rows})


def _json_rows(content: bytes, name: str) -> list[Row]:
    document = parse_json(content, f"'{name}'", CostError, AS_JSON)
    if not isinstance(document, dict) or {key: document.get(key) for key in FORMAT} != FORMAT:
        raise CostError(f"'{name}' holds no comparisons of a format that is known here.", AS_JSON)
    rows = document.get("comparisons")
    if not isinstance(rows, list):
        raise CostError(f"'{name}' has no list of comparisons.", AS_JSON)
    return [_json_row(number, row, name) for number, row in enumerate(rows, start=1)]


def _json_row(number: int, row: Any, name: str) -> Row:
    names = {*REQUIRED, *OPTIONAL}
    if not isinstance(row, Mapping) or not set(REQUIRED) <= set(row) <= names:
        raise CostError(
            f"Row {number} of '{name}' does not name what is harder and what is easier.",
            f"Give each row {' and '.join(map(repr, REQUIRED))}, and if wanted {', '.join(map(repr, OPTIONAL))}.",
        )
    for key, cell in row.items():
        if not isinstance(cell, str):
            raise CostError(f"Row {number} of '{name}' has {cell!r} for {key!r}, which is not text.", AS_JSON)
    return Row(number, dict(row))


def _comparison(row: Row, name: str) -> Comparison:
    cells = row.cells
    said = cells.get("answer", "").casefold() or Answer.HARDER
    if said not in list(Answer):
        raise CostError(
            f"Row {row.number} of '{name}' has the unknown answer {cells['answer']!r}.",
            "Write 'harder' (or nothing), 'tie' or 'cannot say'.",
        )
    try:
        return Comparison(
            cells["harder"], cells["easier"], Answer(said), cells.get("expert", ""), cells.get("reason", "")
        )
    except CostError as error:
        raise CostError(f"Row {row.number} of '{name}': {error.problem}", error.hint) from error
