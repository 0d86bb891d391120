"""Check the names of the columns, and tell when two texts look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ares_core.errors import DataError
from ares_core.wording import CONTROLS

# Letters of other scripts that print like a Latin one. Case matters: Cyrillic 'В' is like 'B', 'в' is not.
_CONFUSABLE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухіјѕ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲν",
    "ABESIJKMHOPCTYXaeopcyxijs" + "ABEZHIKMNOPTYXocv",
)
_SPACE = " \t\r\n\xa0"
_CONTROL = re.compile(f"{CONTROLS.pattern}|\n")
_NUMBER = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)?")


def quote(text: str, most: int = 40) -> str:
    """Return `text` as a sentence shows it: in quotes, control characters escaped, long ones cut."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def look_key(text: str) -> str:
    """Return a key that two texts share when a reader could take one for the other.

    Case, white space, compatibility forms, invisible characters and look-alike letters do not count.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_CONFUSABLE)
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return " ".join(text.casefold().split())


def check_names(cells: Sequence[str], row: int, longest: int) -> tuple[list[str], list[str]]:
    """Return the column names without surrounding spaces, and notes.

    Parameters
    ----------
    cells
        The header as it stands in the file.
    row
        Its line in the file.
    longest
        Characters a name may have.
    """
    for position, cell in enumerate(cells, start=1):
        _check_name(cell, f"column {position} in the header (row {row})", longest)
    _check_distinct(cells)
    names = [cell.strip(_SPACE) for cell in cells]
    return names, [*_spaces_note(cells, names), *_headless_note(names, row)]


def _check_name(cell: str, place: str, longest: int) -> None:
    if not look_key(cell):
        raise DataError(
            f"The name of {place} is empty.",
            "Name the column, or remove the delimiter that makes an extra one.",
        )
    if len(cell) > longest:
        raise DataError(
            f"The name of {place} has {len(cell):,} characters where {longest:,} are allowed.",
            "Shorten it, and look for a quote that is not closed.",
        )
    if _CONTROL.search(cell.strip(_SPACE)):
        raise DataError(
            f"The name of {place} holds a control character: {quote(cell)}.",
            "Rename the column with letters, digits and spaces.",
        )


def _check_distinct(cells: Sequence[str]) -> None:
    seen: dict[str, int] = {}
    for position, cell in enumerate(cells):
        other = seen.setdefault(look_key(cell), position)
        if other != position:
            raise _clash(other + 1, cells[other], position + 1, cell)


def _clash(first: int, name: str, second: int, other: str) -> DataError:
    if name == other:
        problem = f"Columns {first} and {second} are both called {quote(name)}."
        return DataError(problem, "Rename or remove one of them; if the file has no header line, add one.")
    problem = f"Columns {first} and {second} have names that look alike: {quote(name)} and {quote(other)}."
    return DataError(problem, "Rename one of them so that no reader can take one for the other.")


def _spaces_note(cells: Sequence[str], names: Sequence[str]) -> list[str]:
    changed = [cell for cell, name in zip(cells, names, strict=True) if cell != name]
    if not changed:
        return []
    what = "1 column name" if len(changed) == 1 else f"{len(changed)} column names"
    return [f"Spaces around {what} were removed (first {quote(changed[0])})."]


def _headless_note(names: Sequence[str], row: int) -> list[str]:
    if not all(_NUMBER.fullmatch(name) for name in names):
        return []
    return [f"Every column name is a number (first {quote(names[0])}); row {row} may not be a header."]
