"""Levels: the states of a feature that a rule can name.

A level is one of four things: a single value, a half-open interval of numbers, one assignment of several
columns that together encode a choice, or "missing".
"""

from __future__ import annotations

import math
import sys
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Cell = bool | str | int | float
Mask = NDArray[np.bool_]
LARGEST = sys.float_info.max
LONG = 10_000  # numbers from here on are hard to read with their digits in a row
# The spellings of true and false that pandas reads from a file.
TRUTHS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a category or of an ordered feature."""

    name: str
    value: Cell

    def mask(self, frame: pd.DataFrame, column: str) -> Mask:
        """Say for each row whether it is at this level."""
        return equals(frame[column], self.value)

    def held(self, frame: pd.DataFrame, column: str) -> Value:
        """Return this level with its value in the type of a table's column."""
        return replace(self, value=as_held(frame[column], self.value))

    def to_json(self) -> dict[str, Any]:
        """Return the part of a predicate that names this level."""
        return {"equals": self.value}


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers from `low` (included) to `high` (excluded); None is open.

    `excluded` are the numbers that mean "missing" and so belong to no interval.
    """

    name: str
    low: float | None
    high: float | None
    excluded: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"interval [{self.low}, {self.high}) is empty")

    def mask(self, frame: pd.DataFrame, column: str) -> Mask:
        """Say for each row whether it is at this level; only numbers are in an interval."""
        if not holds_numbers(frame[column]):
            return np.zeros(len(frame), dtype=bool)
        numbers = frame[column].to_numpy(dtype=float, na_value=math.nan)
        inside = ~np.isnan(numbers) & ~np.isin(numbers, np.array(self.excluded, dtype=float))
        if self.low is not None:
            inside &= numbers >= self.low
        if self.high is not None:
            inside &= numbers < self.high
        return np.asarray(inside)

    def held(self, frame: pd.DataFrame, column: str) -> Interval:  # noqa: ARG002 - same shape as its siblings
        """Return this level, whose edges are numbers whatever the column holds."""
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the part of a predicate that names this level."""
        span: dict[str, Any] = {"at_least": self.low, "below": self.high}
        return {**span, "except": list(self.excluded)} if self.excluded else span


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a choice that several columns encode together."""

    name: str
    assignment: tuple[tuple[str, Cell], ...]

    def mask(self, frame: pd.DataFrame, column: str) -> Mask:  # noqa: ARG002 - same shape as its siblings
        """Say for each row whether it is at this level."""
        masks = [equals(frame[name], value) for name, value in self.assignment]
        return np.asarray(np.logical_and.reduce(masks))

    def held(self, frame: pd.DataFrame, column: str) -> Choice:  # noqa: ARG002 - same shape as its siblings
        """Return this level with its values in the types of a table's columns."""
        known = ((name, as_held(frame[name], value) if name in frame else value) for name, value in self.assignment)
        return replace(self, assignment=tuple(known))

    def to_json(self) -> dict[str, Any]:
        """Return the part of a predicate that names this level."""
        return {"equals": self.name, "columns": dict(self.assignment)}


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing is known. It describes people and is never changed, from or to.

    `values` are the cells that mean "missing" beside an empty one, such as -9 or "NA".
    """

    name: str = "not known"
    values: tuple[Cell, ...] = ()

    def mask(self, frame: pd.DataFrame, column: str) -> Mask:
        """Say for each row whether it is at this level."""
        cells = frame[column]
        empty = cells.isna().to_numpy(dtype=bool)
        return np.asarray(np.logical_or.reduce([empty, *(equals(cells, value) for value in self.values)]))

    def held(self, frame: pd.DataFrame, column: str) -> Missing:
        """Return this level with its values in the type of a table's column."""
        return replace(self, values=tuple(as_held(frame[column], value) for value in self.values))

    def to_json(self) -> dict[str, Any]:
        """Return the part of a predicate that names this level."""
        return {"missing": True, "values": list(self.values)} if self.values else {"missing": True}


Level = Value | Interval | Choice | Missing


def holds_truths(cells: pd.Series[Any]) -> bool:
    """Say whether a column holds true and false."""
    return bool(pd.api.types.is_bool_dtype(cells.dtype))


def holds_numbers(cells: pd.Series[Any]) -> bool:
    """Say whether a column holds numbers; pandas calls true and false numbers too, and here they are none."""
    return bool(pd.api.types.is_numeric_dtype(cells.dtype)) and not holds_truths(cells)


def truth(cell: str) -> bool | None:
    """Return true or false if a cell plainly spells it, else None; surrounding spaces do not matter."""
    return TRUTHS.get(cell.strip())


def as_held(cells: pd.Series[Any], value: Cell) -> Cell:
    """Return a value from a file in the type of the column it is compared with, where that changes nothing else.

    Files written before tables kept true and false name them "True" and "False". Numbers may be compared with true.
    """
    if holds_truths(cells):
        found = truth(value) if isinstance(value, str) else bool(value) if value in (0, 1) else None
        return value if found is None else found
    if isinstance(value, bool):
        return int(value) if holds_numbers(cells) else str(value)
    return value


def equals(cells: pd.Series[Any], value: Cell) -> Mask:
    """Compare a column with one value: numbers with numbers, text with text, true and false with their like."""
    value = as_held(cells, value)
    comparable = isinstance(value, bool) if holds_truths(cells) else isinstance(value, str) != holds_numbers(cells)
    if not comparable:
        return np.zeros(len(cells), dtype=bool)
    return np.asarray((cells == value).fillna(False), dtype=bool)


def plain(value: Any) -> Cell:
    """Turn a numpy or JSON scalar into the plain bool, int, float or str it stands for."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return plain_number(float(value))
    return value if isinstance(value, int) else str(value)


def plain_number(number: float) -> float:
    """Return a whole number as int, so that files say 12 and not 12.0; beyond 2**53 it would gain digits."""
    return int(number) if abs(number) <= 2**53 and float(number).is_integer() else number


def is_cell(value: Any) -> bool:
    """Say whether a JSON value can stand in a cell: text, true or false, or a number a table can hold."""
    return isinstance(value, bool) or is_number(value) or is_text(value)


def is_text(value: Any) -> bool:
    """Say whether a JSON value is text that a file can hold; JSON can also spell half a character."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def is_number(value: Any) -> bool:
    """Say whether a JSON value is a finite number; 1e999 is not, nor is an integer no float reaches."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST  # false for NaN too


def unused(name: str, taken: Container[str]) -> str:
    """Return the name, with a number behind it if it is taken."""
    count, free = 2, name
    while free in taken:
        count, free = count + 1, f"{name} ({count})"
    return free


def number_text(number: float, digits: int = 6, *, beside_long: bool = False) -> str:
    """Write a number as people do: no needless decimals, thousands apart from 10,000 on.

    `beside_long` numbers it is from 1,000 on, because '7500 to 14,999' mixes two styles.
    """
    size, long = abs(number), 1_000 if beside_long else LONG
    if not size < 1e15:
        return f"{number:.{digits}g}"
    if float(number).is_integer():
        return f"{int(number):,}" if size >= long else str(int(number))
    if size < long:
        return f"{number:.{digits}g}"
    return f"{number:,.{max(digits - 4, 2)}f}".rstrip("0").rstrip(".")


def any_long(numbers: Iterable[float | None]) -> bool:
    """Say whether a number is written with its thousands apart."""
    return any(number is not None and abs(number) >= LONG for number in numbers)


def interval_name(low: float | None, high: float | None, unit: str = "", *, whole: bool = False) -> str:
    """Name an interval in words: 'below 12 months', '12 to below 24 months', '24 months or more'.

    With `whole` numbers only, [2, 6) is '2 to 5' and [1, 2) is '1'.
    """
    return interval_names([low, high], unit, whole=whole)[0]


def interval_names(edges: Sequence[float | None], unit: str = "", *, whole: bool = False, digits: int = 6) -> list[str]:
    """Name the intervals between edges, all in one style; None is open."""
    long, tail = any_long(edges), f" {unit}" if unit else ""

    def write(number: float) -> str:
        return number_text(number, digits, beside_long=long)

    def name(low: float | None, high: float | None) -> str:
        if low is None:
            return "any number" if high is None else f"below {write(high)}{tail}"
        if high is None:
            return f"{write(low)}{tail} or more"
        if whole and high == low + 1:
            return f"{write(low)}{tail}"
        return f"{write(low)} to {write(high - 1) if whole else f'below {write(high)}'}{tail}"

    return [name(low, high) for low, high in pairwise(edges)]
