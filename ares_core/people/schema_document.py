"""The content of a schema file as a whole: its two lists, and the numbers it lets us read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ares_core.errors import SchemaError
from ares_core.people.cells import number
from ares_core.people.levels import Missing, holds_numbers, holds_truths, is_text, truth
from ares_core.people.names import quote
from ares_core.people.schema import FORMAT, VERSION

KEYS = {"format", "version", "features", "ignored"}


def read_numbers(frame: pd.DataFrame, document: Any) -> pd.DataFrame:
    """Turn text into numbers, or true and false, where only words that the schema file calls missing prevent it.

    A column of numbers and "n/a" is read as text. Once the file says that "n/a" is missing, its cells count
    as empty and the others as the numbers they spell. True and false are read likewise. The rest stays as it is.
    """
    entries, _ = entries_of(document)
    numbers = {}
    for entry in entries:
        name, words = entry.get("name"), entry.get("missing")
        if isinstance(name, str) and name in frame.columns and isinstance(words, list):
            numbers[name] = _spelled_numbers(frame[name], words)
    spelled = frame.copy(deep=False)
    for name, cells in numbers.items():
        if cells is not None:
            spelled[name] = cells
    return spelled


def _spelled_numbers(cells: pd.Series[Any], words: list[Any]) -> pd.Series[Any] | None:
    absent = Missing(values=tuple(word for word in words if isinstance(word, str)))
    known = ~absent.mask(cells.to_frame("x"), "x")
    if holds_numbers(cells) or holds_truths(cells) or not known.any():
        return None
    texts = [str(text) for text in cells[known].unique()]
    if all(truth(text) is not None for text in texts):
        return cells.where(known).map(truth, na_action="ignore").astype("boolean")
    spelled = {text: number(text) for text in texts}
    if None in spelled.values():
        return None
    return cells.where(known).map(spelled).astype(float)


def without_target(document: Any, target: str) -> dict[str, Any]:
    """Pass over what a schema file says of the target: the schema command describes every column.

    Raises
    ------
    SchemaError
        If this is not the content of a schema file.
    """
    entries, ignored = entries_of(document)
    return {
        **document,
        "features": [entry for entry in entries if entry.get("name") != target],
        "ignored": {column: reason for column, reason in ignored.items() if column != target},
    }


def entries_of(document: Any) -> tuple[list[Mapping[str, Any]], dict[str, str]]:
    """Return the entries of features, not looked into, and the columns to ignore with their reasons.

    Raises
    ------
    SchemaError
        If this is not the content of a schema file.
    """
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise SchemaError(
            f'The schema file does not say "format": {FORMAT!r}.', "Start from the file that the schema command writes."
        )
    if document.get("version") != VERSION:
        raise SchemaError(
            f"The schema file is of version {document.get('version')!r}; this program reads {VERSION}.",
            "Write it anew with the schema command.",
        )
    strange = sorted(map(str, set(document) - KEYS))
    if strange:
        raise SchemaError(
            f"The schema file has an unknown key {quote(strange[0])}.", f"Known keys: {', '.join(sorted(KEYS))}."
        )
    if not _is_writable(document):
        raise SchemaError('The schema file holds half a character, such as "\\ud800".', "Write the whole character.")
    entries, ignored = document.get("features", []), document.get("ignored", {})
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise SchemaError('The schema\'s "features" is not a list of objects.', "Write one object for each feature.")
    if not isinstance(ignored, Mapping) or not all(isinstance(reason, str) for reason in ignored.values()):
        raise SchemaError('The schema\'s "ignored" is not an object of reasons.', 'Write {"column": "reason"}.')
    return entries, dict(ignored)


def _is_writable(document: Any) -> bool:
    """Say whether every text in the document, however deep, is one that a file can hold."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and not is_text(value):
            return False
    return True
