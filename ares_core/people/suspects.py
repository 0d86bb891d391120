"""Suspects: cells that may stand for "not known", such as -9 among counts; they are noted, never decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ares_core.people.cells import MISSING_WORDS, number
from ares_core.people.feature import Feature, Kind
from ares_core.people.levels import Cell, Missing, holds_numbers, holds_truths, number_text, plain_number
from ares_core.people.schema import Schema
from ares_core.wording import counted

BELOW = {-1, *(-int(digit * length) for digit in "789" for length in range(1, 6))}
ABOVE = {int("9" * length) for length in range(2, 7)}
FEWEST_VALUES = 4  # below that, -1 beside 0 and 1 is an answer
FAR = 3  # times the next number


@dataclass(frozen=True, slots=True)
class Suspect:
    """Cells that may mean that no value is known.

    Parameters
    ----------
    column
        Where they are.
    value
        What they hold.
    cells
        How many there are.
    sign
        What makes them suspicious, as the end of a sentence.
    """

    column: str
    value: Cell
    cells: int
    sign: str

    @property
    def told(self) -> str:
        """Say it: '-9 in 2 cells and no other number below 0'."""
        shown = repr(self.value) if isinstance(self.value, str) else number_text(self.value)
        return f"{shown} in {counted(self.cells, 'cell')}{self.sign}"


def suspect_notes(frame: pd.DataFrame, schema: Schema) -> tuple[str, ...]:
    """Name the numbers that look like codes for "not known" and that the schema does not list as missing."""
    return tuple(
        f"Column {suspect.column!r} holds {suspect.told}; if it means that no value is known, "
        'list it under "missing" in the schema.'
        for suspect in suspect_numbers(frame, schema)
    )


def suspect_numbers(frame: pd.DataFrame, schema: Schema) -> tuple[Suspect, ...]:
    """Find the numbers that look like codes for "not known" and that the schema does not list as missing."""
    return tuple(suspect for feature in schema.features for suspect in _suspects(feature, frame))


def suspect_words(frame: pd.DataFrame, schema: Schema) -> tuple[Suspect, ...]:
    """Find the words that may mean "not known", and that the schema does not list as missing.

    Of a column that is left out only words that keep it from being a number count.
    """
    found: list[Suspect] = []
    for feature in schema.features:
        if len(feature.columns) == 1:
            found += _words(frame[feature.columns[0]], _declared(feature))
    for column, _ in schema.ignored:
        found += (suspect for suspect in _words(frame[column], []) if suspect.sign)
    return tuple(found)


def _declared(feature: Feature) -> list[Cell]:
    return [value for level in feature.levels if isinstance(level, Missing) for value in level.values]


def _suspects(feature: Feature, frame: pd.DataFrame) -> Iterator[Suspect]:
    column = feature.columns[0]
    cells = frame[column]
    if feature.kind is Kind.CATEGORY or len(feature.columns) > 1 or not holds_numbers(cells):
        return
    known = cells[cells.notna() & ~cells.isin(_declared(feature))].to_numpy(dtype=float)
    values = np.unique(known)
    if len(values) < FEWEST_VALUES:
        return
    if values[0] in BELOW and values[1] >= 0:
        yield _suspect(column, known, values[0], " and no other number below 0")
    if values[-1] in ABOVE and values[-1] > FAR * values[-2]:
        yield _suspect(column, known, values[-1], ", far above every other number")


def _suspect(column: str, known: np.ndarray[Any, np.dtype[np.float64]], value: float, sign: str) -> Suspect:
    return Suspect(column, plain_number(float(value)), int((known == value).sum()), sign)


def _words(cells: pd.Series[Any], declared: list[Cell]) -> list[Suspect]:
    if holds_numbers(cells) or holds_truths(cells):
        return []
    counts = cells.dropna().value_counts()
    texts = [str(text) for text in counts.index if text not in declared]
    words = sorted(text for text in texts if text.strip().casefold() in MISSING_WORDS)
    others = [text for text in texts if text.strip() and text not in words] if words else []
    numeric = bool(others) and all(number(text) is not None for text in others)
    sign = ", where every other cell is a number" if numeric else ""
    return [Suspect(str(cells.name), word, int(counts[word]), sign) for word in words]
