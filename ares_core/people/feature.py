"""Feature: something about a person that can be read, and perhaps changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import DataError, SchemaError
from ares_core.people.levels import Choice, Interval, Level, Missing, Value
from ares_core.people.lines import row_text

MOST_LEVELS = 1000
BLOCK_ROWS = 50_000  # rows of a choice looked up at a time, which bounds memory


class Kind(StrEnum):
    """How the levels of a feature relate to each other."""

    CATEGORY = "category"
    ORDERED = "ordered"
    NUMBER = "number"


class Change(StrEnum):
    """Which way people may change a feature."""

    FREE = "free"
    INCREASE = "increase only"
    DECREASE = "decrease only"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature, its levels, and what may change.

    Parameters
    ----------
    name
        Unique name; the column's own name when there is one column.
    kind
        Category, ordered or number.
    columns
        The columns behind it: one, or several that encode one choice.
    levels
        In the order people would list them; "missing", if there is one, comes last.
    label, unit
        Words for people.
    change
        Free, increase only, decrease only or frozen. A frozen feature still describes people.
    forbidden
        Names of levels nobody may be told to move to.
    proposed
        True when the program guessed that several columns are one choice and nobody confirmed it yet.
    """

    name: str
    kind: Kind
    columns: tuple[str, ...]
    levels: tuple[Level, ...]
    label: str = ""
    unit: str = ""
    change: Change = Change.FREE
    forbidden: frozenset[str] = field(default_factory=frozenset)
    proposed: bool = False

    def __post_init__(self) -> None:
        names = [level.name for level in self.levels]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise SchemaError(
                f"Feature {self.name!r} has two levels named {twice!r}.",
                "Give every level of a feature a name of its own.",
            )
        if self.kind is Kind.CATEGORY and self.change in (Change.INCREASE, Change.DECREASE):
            raise SchemaError(
                f"Feature {self.name!r} is a category but its change is {str(self.change)!r}.",
                "Declare it ordered and put its levels in order, or let it change freely.",
            )
        unknown = sorted(self.forbidden - set(names))
        if unknown:
            raise SchemaError(
                f"Feature {self.name!r} forbids {unknown[0]!r}, which is not one of its levels.",
                f"Use one of: {', '.join(repr(name) for name in names[:12])}.",
            )
        _check_shape(self)
        _check_apart(self)

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name

    @property
    def missing(self) -> int | None:
        """The index of the missing level."""
        return len(self.levels) - 1 if self.levels and isinstance(self.levels[-1], Missing) else None

    def allows(self, start: int, target: int) -> bool:
        """Say whether a person at level `start` may be told to move to level `target`."""
        if start == target or self.change is Change.FROZEN or self.missing in (start, target):
            return False
        if self.levels[target].name in self.forbidden:
            return False
        wrong_way = {Change.INCREASE: target < start, Change.DECREASE: target > start}
        return not wrong_way.get(self.change, False)

    def magnitude(self, start: int, target: int) -> int:
        """Count the levels crossed: 1 for a category."""
        return 1 if self.kind is Kind.CATEGORY else abs(target - start)

    def codes(self, frame: pd.DataFrame) -> NDArray[np.int16]:
        """Return for each row the index of its level.

        Raises
        ------
        DataError
            If the table lacks a column, or a row is at no level.
        """
        absent = [column for column in self.columns if column not in frame.columns]
        if absent:
            raise DataError(
                f"The table has no column {absent[0]!r}, which feature {self.name!r} is read from.",
                "Use the table the schema was written for, or leave the feature out of the schema.",
            )
        codes = self._choice_codes(frame) if len(self.columns) > 1 else self._single_codes(frame)
        lost = np.flatnonzero(codes < 0)
        if len(lost):
            raise self._outside(frame, int(lost[0]))
        return codes

    def _single_codes(self, frame: pd.DataFrame) -> NDArray[np.int16]:
        codes = np.full(len(frame), -1, dtype=np.int16)
        for index, level in enumerate(self.levels):
            codes[level.mask(frame, self.columns[0])] = index
        return codes

    def _choice_codes(self, frame: pd.DataFrame) -> NDArray[np.int16]:
        """Look rows up, because comparing each level with each column takes the square of the number of columns."""
        given = [dict(level.assignment) if isinstance(level, Choice) else {} for level in self.levels]
        known = {tuple(each.get(column) for column in self.columns): place for place, each in enumerate(given)}
        codes = np.full(len(frame), -1, dtype=np.int16)
        for low in range(0, len(frame), BLOCK_ROWS):
            part = frame.iloc[low : low + BLOCK_ROWS]
            rows = zip(*(part[column].tolist() for column in self.columns), strict=True)
            codes[low : low + BLOCK_ROWS] = [known.get(row, -1) for row in rows]
        return codes

    def _outside(self, frame: pd.DataFrame, row: int) -> DataError:
        held = {column: frame[column].iloc[row] for column in self.columns}
        words = ", ".join(f"{column!r} = {_shown(value)}" for column, value in held.items())
        return DataError(
            f"Feature {self.name!r} has no level for {row_text(frame.index, row)}, which holds {words}.",
            "Add that level to the schema, or leave the row out of the table.",
        )


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else "an empty cell" if pd.isna(value) else str(value)


def _check_shape(feature: Feature) -> None:
    if len(feature.levels) > MOST_LEVELS:
        raise SchemaError(
            f"Feature {feature.name!r} has {len(feature.levels):,} levels, more than {MOST_LEVELS:,}.",
            'Put its column under "ignored", or cut it into fewer levels.',
        )
    if any(isinstance(level, Missing) for level in feature.levels[:-1]):
        raise SchemaError(
            f"Feature {feature.name!r} lists its missing level before another level.", "Put the missing level last."
        )
    several = len(feature.columns) > 1
    if several and not all(isinstance(level, Choice) for level in feature.levels):
        raise SchemaError(
            f"Feature {feature.name!r} has {len(feature.columns)} columns but a level without an assignment.",
            "Give every level a value for each of the feature's columns.",
        )


def _check_apart(feature: Feature) -> None:
    """Check that no row can be at two levels (intervals are checked with the schema)."""
    seen: dict[object, str] = {}
    for level in feature.levels:
        for cell in _claimed(level):
            if cell in seen:
                what = "the same values" if isinstance(level, Choice) else repr(cell)
                raise SchemaError(
                    f"Feature {feature.name!r} has {what} at two levels, {seen[cell]!r} and {level.name!r}.",
                    "Keep it at one of the two.",
                )
            seen[cell] = level.name


def _claimed(level: Level) -> set[object]:
    """Return what a level says a cell, or several together, must be."""
    if isinstance(level, Value):
        return {level.value}
    if isinstance(level, Choice):
        return {frozenset(level.assignment)}
    return set(level.values) if isinstance(level, Missing) else set()


def check_intervals(feature: Feature) -> None:
    """Check that the levels of a number cover the line once, from low to high.

    Raises
    ------
    SchemaError
        If they leave a gap or overlap.
    """
    levels = [level for level in feature.levels if isinstance(level, Interval)]
    joined = all(before.high == after.low for before, after in pairwise(levels))
    if not levels or levels[0].low is not None or levels[-1].high is not None or not joined:
        raise SchemaError(
            f"The levels of number feature {feature.name!r} do not cover every number once.",
            "Give its cuts in increasing order.",
        )
