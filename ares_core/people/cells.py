"""Decide what the cells of a column are (numbers, true and false, or text) and note what a reader should know.

A column holds numbers only if every cell that is not empty plainly spells one, and likewise true and false. All else
stays the text it was.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ares_core.people.levels import truth
from ares_core.people.names import look_key, quote

EXACT = 2**53  # the largest integer up to which a float keeps every integer
MISSING_WORDS = frozenset(
    ("?", "-", "--", ".", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "(null)", "\\n", "nil", "none")
)
_INTEGER = re.compile(r"-?[1-9][0-9]*|0")
_DECIMAL = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# Columns that need no second look: up to 15 digits before the point, no exponent that may be a code ('12E3').
_INTEGERS = re.compile(r"(?:-?[1-9][0-9]{0,14}|0)(?:\0(?:-?[1-9][0-9]{0,14}|0))*+")
_SMALL = r"(?:-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,20}(?:[eE][-+]?[0-9]{1,2})?|[eE]-[0-9]{1,2})?)?"
_DECIMALS = re.compile(rf"{_SMALL}(?:\0{_SMALL})*+")
_CODE_LIKE = re.compile(r"[0-9]+[eE]\+?[0-9]+")
_SEPARATOR = (
    "looks like a number with a thousands separator; if it is one, write it without"
    "|look like numbers with thousands separators; if they are, write them without"
)
_DECIMAL_COMMA = (
    "looks like a number with a decimal comma; if it is one, write it with a decimal point"
    "|look like numbers with decimal commas; if they are, write them with decimal points"
)
# Why a cell that a person would call a number is not read as one; the first that matches speaks.
_OBSTACLES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[-+]?0[0-9]+(?:[.,][0-9]*)?"), "has leading zeros|have leading zeros"),
    (re.compile(r"-?[0-9]+"), "has more digits than a number keeps|have more digits than a number keeps"),
    (_DECIMAL, "is beyond the range of numbers|are beyond the range of numbers"),
    (re.compile(r"[-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?"), _SEPARATOR),
    (re.compile(r"[-+]?[0-9.]*,[0-9]+"), _DECIMAL_COMMA),
    (re.compile(r"\+[0-9.]+"), "begins with a plus sign|begin with a plus sign"),
)
_ALL_DIGITS = 20  # characters of a float written with all 17 digits that can matter: '-0.' and the digits
_NUMBER_STARTS = frozenset("+-.,0123456789")
_NEARLY = 0.9  # share of numbers from which the exceptions are worth a note

Mask = npt.NDArray[np.bool_]


def number(cell: str) -> int | float | None:
    """Return the number a cell plainly spells, or None.

    Surrounding spaces do not matter. Leading zeros, a plus sign, separators, words such as 'nan', and numbers
    that a float would change beyond rounding (integers above 2**53, overflow, underflow) are not plain.
    """
    text = cell.strip()
    if _INTEGER.fullmatch(text):
        value = int(text) if len(text) <= 17 else EXACT + 1
        return value if abs(value) <= EXACT else None
    if not _DECIMAL.fullmatch(text):
        return None
    real = float(text)
    vanished = real == 0 and re.search("[1-9]", re.split("[eE]", text)[0]) is not None
    return None if vanished or math.isinf(real) else real


@dataclass(frozen=True, slots=True)
class Distinct:
    """The different cells of one column.

    Attributes
    ----------
    name
        The column.
    values
        Each different cell once, in order of appearance, shape (k,).
    codes
        Which of them each row holds, shape (n,).
    counts, rows
        How often each occurs and the file's line where it first does, shape (k,).
    """

    name: str
    values: Sequence[str]
    codes: npt.NDArray[np.intp]
    counts: npt.NDArray[np.intp]
    rows: npt.NDArray[np.int64]

    @classmethod
    def of(cls, name: str, cells: list[str], lines: array[int]) -> Distinct:
        """Collect the different cells; `lines` are the file's lines on which the rows begin."""
        codes, values = pd.factorize(np.array(cells, dtype=object))
        first = np.empty(len(values), dtype=np.intp)
        # Written from the last row to the first, so that of rows with one code the first stays.
        first[codes[::-1]] = np.arange(len(cells) - 1, -1, -1)
        rows = np.frombuffer(lines, dtype=np.int64)[first]
        return cls(name, values.tolist(), codes, np.bincount(codes, minlength=len(values)), rows)

    def mask(self, holds: Callable[[str], object]) -> Mask:
        """Return which values fulfil a condition."""
        return np.fromiter((bool(holds(value)) for value in self.values), np.bool_, len(self.values))

    def count(self, mask: Mask) -> int:
        """Return the number of cells that hold one of the masked values."""
        return int(self.counts[mask].sum())

    def cells(self, mask: Mask) -> str:
        """Say how many cells hold the masked values, and show the first."""
        where = int(np.flatnonzero(mask)[0])
        many = self.count(mask)
        example, row = quote(self.values[where]), self.rows[where]
        if many == 1:
            return f"1 cell ({example} in row {row})"
        return f"{many:,} cells ({example}, first in row {row})"


def read_column(name: str, blocks: Sequence[str], lines: array[int]) -> tuple[Any, list[str]]:
    """Return a column's values (int64, float64, bool, nullable boolean or `str`) and notes.

    Parameters
    ----------
    name
        The column.
    blocks
        The cells as they stand in the file, n in all, joined by NUL in blocks.
    lines
        The file's line on which each row begins, shape (n,).
    """
    quick = _plain_numbers(blocks)
    if quick is not None:
        return quick, []
    distinct = Distinct.of(name, _split(blocks), lines)
    blank = distinct.mask(lambda cell: not cell or cell.isspace())
    if blank.all():
        # Of a column without even a space the schema says why it is left out; once is enough.
        hollow = any(distinct.values)
        return _text(distinct), [f"Column {quote(name)} holds nothing but spaces."] * hollow
    truths = [truth(cell) for cell in distinct.values]
    if all(value is not None or empty for value, empty in zip(truths, blank, strict=True)):
        return _truths(distinct, truths), _space_notes(distinct, blank, "true or false")
    numbers = [None if empty else number(cell) for cell, empty in zip(distinct.values, blank, strict=True)]
    plain = np.fromiter((value is not None for value in numbers), dtype=np.bool_, count=len(numbers))
    if (plain | blank).all():
        return _numbers(distinct, numbers), _number_notes(distinct, numbers, blank)
    return _text(distinct), [*_obstacle_notes(distinct, plain, blank), *_look_alike_note(distinct)]


def _split(blocks: Sequence[str]) -> list[str]:
    return "\0".join(blocks).split("\0")


def _plain_numbers(blocks: Sequence[str]) -> npt.NDArray[Any] | None:
    """Return the numbers of a column about which there is nothing to note, or None."""
    if all(_INTEGERS.fullmatch(block) for block in blocks):
        return np.array([int(cell) for cell in _split(blocks)], dtype=np.int64)
    if not any("." in block for block in blocks) or not all(_DECIMALS.fullmatch(block) for block in blocks):
        return None
    cells = _split(blocks)
    values = [float(cell) if cell else math.nan for cell in cells]
    rounded = any(_is_rounded(cell, float(cell)) for cell in cells if len(cell) > _ALL_DIGITS)
    return None if rounded else np.array(values)


def _text(distinct: Distinct) -> Any:
    return pd.array([value or None for value in distinct.values], dtype="str").take(distinct.codes)


def _numbers(distinct: Distinct, numbers: Sequence[int | float | None]) -> npt.NDArray[Any]:
    if all(isinstance(value, int) for value in numbers):
        return np.array(numbers, dtype=np.int64)[distinct.codes]
    return np.array(numbers, dtype=np.float64)[distinct.codes]


def _truths(distinct: Distinct, truths: Sequence[bool | None]) -> Any:
    return pd.array(truths, dtype="bool" if None not in truths else "boolean").take(distinct.codes)


def _number_notes(distinct: Distinct, numbers: Sequence[int | float | None], blank: Mask) -> list[str]:
    column, values = f"Column {quote(distinct.name)}", distinct.values
    codes = distinct.mask(lambda cell: _CODE_LIKE.fullmatch(cell.strip()))
    rounded = np.fromiter(map(_is_rounded, values, numbers), dtype=np.bool_, count=len(values))
    notes = []
    if blank.any() and all(isinstance(value, int) or value is None for value in numbers):
        missing = f"{distinct.count(blank):,} empty cell" + "s" * (distinct.count(blank) != 1)
        notes.append(f"{column} holds whole numbers and {missing}, so its numbers are kept as decimals.")
    notes += _space_notes(distinct, blank, "numbers")
    if codes.any():
        notes.append(f"{column} holds scientific notation in {distinct.cells(codes)}, read as numbers.")
    if rounded.any():
        notes.append(f"{column} holds more digits than a number keeps in {distinct.cells(rounded)}, rounded.")
    return notes


def _space_notes(distinct: Distinct, blank: Mask, what: str) -> list[str]:
    column = f"Column {quote(distinct.name)}"
    spaced = distinct.mask(lambda cell: cell and (cell[0].isspace() or cell[-1].isspace()))
    notes = []
    if (spaced & blank).any():
        notes.append(f"{column} holds only spaces in {distinct.cells(spaced & blank)}, read as missing.")
    if (spaced & ~blank).any():
        notes.append(f"{column} holds spaces around {what} in {distinct.cells(spaced & ~blank)}, left out.")
    return notes


def _is_rounded(cell: str, value: float | None) -> bool:
    """Say whether the number differs from what the cell spells by more than its 17th digit."""
    if value is None or isinstance(value, int) or (len(cell) <= _ALL_DIGITS and abs(value) < EXACT):
        return False
    return Decimal(repr(value)) != Decimal(cell.strip())


def _obstacle_notes(distinct: Distinct, plain: Mask, blank: Mask) -> list[str]:
    """Say what keeps a column from being a number, if it nearly is one, and which words may mean missing."""
    column = f"Column {quote(distinct.name)}"
    words = distinct.mask(lambda cell: cell.strip().casefold() in MISSING_WORDS)
    reasons = _obstacles(distinct, ~(plain | blank | words))
    strange = ~(plain | blank | words) & ~_any(reasons.values(), len(plain))
    numeric = distinct.count(~(blank | words | strange))
    if not strange.any() and numeric:
        notes = [_reason_note(distinct, reason, mask) for reason, mask in reasons.items()]
        return notes + ([_nearly_note(distinct, words)] if words.any() else [])
    if distinct.count(plain) >= _NEARLY * distinct.count(~blank):
        return [_nearly_note(distinct, ~(plain | blank))]
    if words.any():
        meaning = 'if it means that no value is known, list it under "missing" in the schema'
        return [f"{column} holds a word that may mean missing in {distinct.cells(words)}; {meaning}."]
    return []


def _obstacles(distinct: Distinct, rest: Mask) -> dict[str, Mask]:
    """Return, for each reason met, the values it speaks of."""
    found: dict[str, list[int]] = {}
    for index in np.flatnonzero(rest).tolist():
        cell = distinct.values[index].strip()
        if cell[0] in _NUMBER_STARTS:
            for reason in (reason for pattern, reason in _OBSTACLES if pattern.fullmatch(cell)):
                found.setdefault(reason, []).append(index)
                break
    if _DECIMAL_COMMA in found:  # then '1,234' is 1.234 too
        found[_DECIMAL_COMMA] += found.pop(_SEPARATOR, [])
    return {reason: np.isin(np.arange(len(rest)), where) for reason, where in found.items()}


def _any(masks: Iterable[Mask], size: int) -> Mask:
    total = np.zeros(size, dtype=np.bool_)
    for mask in masks:
        total |= mask
    return total


def _reason_note(distinct: Distinct, reason: str, mask: Mask) -> str:
    one, many = reason.split("|")
    verb = one if distinct.count(mask) == 1 else many
    return f"Column {quote(distinct.name)} stays text: {distinct.cells(mask)} {verb}."


def _nearly_note(distinct: Distinct, spoilers: Mask) -> str:
    start = f"Column {quote(distinct.name)} would be a number but for {distinct.cells(spoilers)}"
    return f'{start}; list such words under "missing" in the schema, or mend the cells.'


def _look_alike_note(distinct: Distinct) -> list[str]:
    """Note values that differ only in case, spaces or the form of letters."""
    seen: dict[str, int] = {}
    alike: list[tuple[int, int]] = []
    for index, key in enumerate(map(look_key, distinct.values)):
        first = seen.setdefault(key, index)
        if first != index and key:
            alike.append((first, index))
    if not alike:
        return []
    one, other = (f"{quote(distinct.values[i])} (row {distinct.rows[i]})" for i in alike[0])
    more = f" ({len(alike):,} such pairs)" if len(alike) > 1 else ""
    column = f"Column {quote(distinct.name)}"
    return [f"{column} holds values that look alike, {one} and {other}{more}; they stay different values."]
