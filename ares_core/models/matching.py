"""Matching: the table's columns by the names, in the order and of the types that a model wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.raw import Signature, Wanted
from ares_core.people.levels import plain
from ares_core.people.names import look_key, quote
from ares_core.wording import counted

Turned = Literal["as it is", "to text", "to numbers"]
SHOWN = 4  # names in a sentence


@dataclass(frozen=True, slots=True)
class Pairing:
    """A column of the table, what the model calls it, and what its cells are turned into on the way."""

    column: str
    name: str
    turned: Turned = "as it is"

    def cells(self, frame: pd.DataFrame) -> pd.Series[Any]:
        """Return the column as the model wants it."""
        cells = frame[self.column]
        if self.turned == "to numbers":
            return pd.to_numeric(cells)
        return _as_text(cells) if self.turned == "to text" else cells


@dataclass(frozen=True, slots=True)
class Matching:
    """Which columns a model is shown, in its order, and what a careful reader should know of that.

    Parameters
    ----------
    pairings
        One for each column the model is shown.
    notes
        Sentences on columns renamed, turned, left out or of categories the model has never seen.
    """

    pairings: tuple[Pairing, ...]
    notes: tuple[str, ...] = ()

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the columns of a table as the model wants them."""
        if all(pairing.turned == "as it is" for pairing in self.pairings):  # most are, and this is quick
            return frame[[pairing.column for pairing in self.pairings]].set_axis(self._names, axis="columns")
        return pd.DataFrame({pairing.name: pairing.cells(frame) for pairing in self.pairings}, index=frame.index)

    @property
    def _names(self) -> list[str]:
        return [pairing.name for pairing in self.pairings]

    def to_json(self) -> list[list[str]]:
        """Return the pairings for machines: column, the model's name for it, what it is turned into."""
        return [[pairing.column, pairing.name, pairing.turned] for pairing in self.pairings]


def match_columns(signature: Signature, frame: pd.DataFrame) -> Matching:
    """Match the columns of a table with those a model wants.

    Raises
    ------
    ModelError
        If a column is missing, holds text where the model wants numbers, or no category that the model knows.
    """
    if not signature.columns:
        note = f"The model does not say which columns it wants, so it is shown all {len(frame.columns)}, as they come."
        return Matching(tuple(Pairing(column, column) for column in frame.columns), (note,))
    places = _places(signature.columns, list(frame.columns))
    notes: list[str] = []
    pairings = []
    for wanted, column in zip(signature.columns, places, strict=True):
        if column != wanted.name:
            notes.append(f"The model's column {quote(wanted.name)} is the table's {quote(column)}.")
        turned = _turned(wanted, column, frame[column], notes)
        pairings.append(Pairing(column, wanted.name, turned))
        _check_categories(wanted, pairings[-1], frame, notes)
    left = [column for column in frame.columns if column not in places]
    if left:
        are = "is" if len(left) == 1 else "are"
        notes.append(f"{counted(len(left), 'column')} {are} not shown to the model: {_listed(left)}.")
    return Matching(tuple(pairings), tuple(notes))


def _places(wanted: Sequence[Wanted], columns: Sequence[str]) -> list[str]:
    """Return the table's name of each column the model wants: the same name, else the only one that looks like it."""
    looks: dict[str, list[str]] = {}
    for column in columns:
        looks.setdefault(_look(column), []).append(column)
    found = [each.name if each.name in columns else _only(looks.get(_look(each.name), [])) for each in wanted]
    lacking = [each.name for each, column in zip(wanted, found, strict=True) if column is None]
    if lacking:
        more = f" and {len(lacking) - 1:,} more" if len(lacking) > 1 else ""
        raise ModelError(
            f"The model wants the column {quote(lacking[0])}{more}, which the table does not have.",
            f"Bring a model made for this table, whose columns are {_listed(columns)}; the target is never shown.",
        )
    return [column for column in found if column is not None]


def _look(name: str) -> str:
    return look_key(name.replace("_", " ").replace("-", " ").replace(".", " "))


def _only(columns: Sequence[str]) -> str | None:
    return columns[0] if len(columns) == 1 else None


def _turned(wanted: Wanted, column: str, cells: pd.Series[Any], notes: list[str]) -> Turned:
    numeric = pd.api.types.is_numeric_dtype(cells.dtype)
    if wanted.kind == "text" and numeric:
        notes.append(f"The numbers of column {quote(column)} are shown to the model as text, which it wants.")
        return "to text"
    if wanted.kind != "number" or numeric:
        return "as it is"
    numbers = pd.to_numeric(cells, errors="coerce")
    strange = np.flatnonzero(numbers.isna() & cells.notna())
    if len(strange):
        raise ModelError(
            f"The model wants numbers in column {quote(column)}, which holds text such as "
            f"{quote(str(cells.iloc[strange[0]]))}.",
            "Save the model together with what encodes its columns, or bring the table it was trained on.",
        )
    notes.append(f"The text of column {quote(column)} is shown to the model as the numbers it spells.")
    return "to numbers"


def _check_categories(wanted: Wanted, pairing: Pairing, frame: pd.DataFrame, notes: list[str]) -> None:
    if not wanted.values:
        return
    cells = pairing.cells(frame).dropna()
    held = [str(plain(value)) for value in cells.unique()]
    numeric = pd.api.types.is_numeric_dtype(cells.dtype)
    known = {_number_text(value) if numeric else value for value in wanted.values}
    unseen = [value for value in held if value not in known]
    if held and len(unseen) == len(held):
        raise ModelError(
            f"The model knows none of the categories in column {quote(pairing.column)}, such as {quote(held[0])}; "
            f"it knows {_listed(wanted.values)}.",
            "Write the column as it was written when the model was trained.",
        )
    if unseen:
        what = "a category" if len(unseen) == 1 else f"{len(unseen)} categories"
        notes.append(f"Column {quote(pairing.column)} holds {what} the model has never seen: {_listed(unseen)}.")


def _number_text(text: str) -> str:
    """Write a number as the table's are written: '1.0' is '1'."""
    try:
        return str(plain(float(text)))
    except ValueError:
        return text


def _as_text(cells: pd.Series[Any]) -> pd.Series[Any]:
    written = {value: str(plain(value)) for value in cells.dropna().unique()}
    return cells.map(written).astype("str")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(quote(str(name)) for name in names[:SHOWN])
    return f"{shown}, …" if len(names) > SHOWN else shown
