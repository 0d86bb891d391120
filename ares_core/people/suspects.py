"""Suspects: numbers that may stand for "not known", such as -9 among counts; they are noted, never decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from ares_core.people.feature import Feature, Kind
from ares_core.people.levels import Missing, number_text
from ares_core.people.schema import Schema

BELOW = {-1, *(-int(digit * length) for digit in "789" for length in range(1, 6))}
ABOVE = {int("9" * length) for length in range(2, 7)}
FEWEST_VALUES = 4  # below that, -1 beside 0 and 1 is an answer
FAR = 3  # times the next number


def suspect_notes(frame: pd.DataFrame, schema: Schema) -> tuple[str, ...]:
    """Name the numbers that look like codes for "not known" and that the schema does not list as missing."""
    return tuple(
        f"Column {feature.columns[0]!r} holds {told}; if it means that no value is known, "
        'list it under "missing" in the schema.'
        for feature in schema.features
        for told in _suspects(feature, frame)
    )


def _suspects(feature: Feature, frame: pd.DataFrame) -> Iterator[str]:
    cells = frame[feature.columns[0]]
    if feature.kind is Kind.CATEGORY or len(feature.columns) > 1 or not pd.api.types.is_numeric_dtype(cells.dtype):
        return
    declared = [value for level in feature.levels if isinstance(level, Missing) for value in level.values]
    known = cells[cells.notna() & ~cells.isin(declared)].to_numpy(dtype=float)
    values = np.unique(known)
    if len(values) < FEWEST_VALUES:
        return
    if values[0] in BELOW and values[1] >= 0:
        yield f"{_times(known, values[0])} and no other number below 0"
    if values[-1] in ABOVE and values[-1] > FAR * values[-2]:
        yield f"{_times(known, values[-1])}, far above every other number"


def _times(known: np.ndarray[Any, np.dtype[np.float64]], value: float) -> str:
    count = int((known == value).sum())
    return f"{number_text(value)} in {count:,} cell{'s' * (count != 1)}"
