"""Matching: the table's columns by the names, in the order and of the types that a model wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.categories import refuse_lacking
from ares_core.models.column_list import listed_columns
from ares_core.models.doubts import (
    check_categories,
    listed,
    refuse_empty_words,
    refuse_other_than_numbers,
    refuse_spelled_numbers,
)
from ares_core.models.raw import Kind, Label, Signature, Wanted
from ares_core.models.spelling import Spelling, spell, usual_text
from ares_core.people.levels import plain
from ares_core.people.names import look_key, quote
from ares_core.wording import counted

Turned = Literal["as it is", "to text", "to numbers", "to whole numbers", "to true/false"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A column of the table, what the model calls it, and what its cells are turned into on the way.

    Parameters
    ----------
    column, name
        What the table and the model call it.
    turned
        What its cells are turned into before the model sees them.
    sent
        What the model is sent, for people: "true/false", "whole numbers", "numbers" or "text".
    spelling
        Where cells are turned to text, how the model writes each value of the table.
    blank
        The text that blank cells are sent as; None where they are sent as missing values.
    """

    column: str
    name: str
    turned: Turned = "as it is"
    sent: str = ""
    spelling: Spelling = ()
    blank: str | None = None

    def cells(self, frame: pd.DataFrame) -> pd.Series[Any]:
        """Return the column as the model wants it."""
        cells = frame[self.column]
        match self.turned:
            case "to text":
                return _as_text(cells, dict(self.spelling), self.blank)
            case "to numbers":
                return _as_numbers(cells)
            case "to whole numbers":
                return _as_numbers(cells).astype(np.int64)
            case "to true/false":
                return cells.map({0: False, 1: True}).astype("boolean" if cells.hasnans else "bool")
        return cells


@dataclass(frozen=True, slots=True)
class Matching:
    """Which columns a model is shown, in its order, and what a careful reader should know of that.

    Parameters
    ----------
    pairings
        One for each column the model is shown.
    notes
        Sentences on columns renamed, turned or left out, after the warnings.
    warnings
        Sentences on cells that the model may take for something else; the notes begin with them.
    """

    pairings: tuple[Pairing, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the columns of a table as the model wants them."""
        if all(pairing.turned == "as it is" for pairing in self.pairings):  # most are, and this is quick
            return frame[[pairing.column for pairing in self.pairings]].set_axis(self._names, axis="columns")
        return pd.DataFrame({pairing.name: pairing.cells(frame) for pairing in self.pairings}, index=frame.index)

    def with_warning(self, warning: str) -> Matching:
        """Return the same with one more sentence among the warnings and notes."""
        return replace(self, notes=(warning, *self.notes), warnings=(warning, *self.warnings))

    @property
    def _names(self) -> list[str]:
        return [pairing.name for pairing in self.pairings]

    def to_json(self) -> list[list[str]]:
        """Return the pairings for machines: column, the model's name for it, what it is turned into."""
        return [[pairing.column, pairing.name, pairing.turned] for pairing in self.pairings]


def match_columns(signature: Signature, frame: pd.DataFrame, columns: Sequence[str] = ()) -> Matching:
    """Match the columns of a table with those a model wants.

    Parameters
    ----------
    columns
        The table's columns in the model's order, for a model that does not name its own.

    Raises
    ------
    ModelError
        If a column is missing, holds text where the model wants numbers, or no category that the model knows; or if
        nobody says which columns the model wants.
    """
    refuse_lacking(signature)
    if columns or not (signature.columns or signature.by_name):
        signature = replace(
            signature, columns=listed_columns(signature, columns, [str(name) for name in frame.columns])
        )
    if not signature.columns:
        note = f"The model does not say which columns it wants, so it is shown all {len(frame.columns)}, as they come."
        for column in map(str, frame.columns):
            refuse_empty_words(Wanted(column), column, frame[column])
            refuse_spelled_numbers(column, frame[column])
        shown = (Pairing(column, column, "as it is", _held(frame[column])) for column in map(str, frame.columns))
        return Matching(tuple(shown), (*signature.notes, note))
    places = _places(signature.columns, list(frame.columns))
    notes, warnings = list(signature.notes), list[str]()
    pairings = []
    for wanted, column in zip(signature.columns, places, strict=True):
        if column != wanted.name:
            notes.append(f"The model's column {quote(wanted.name)} is the table's {quote(column)}.")
        pairings.append(_pairing(wanted, column, frame[column], notes))
        sent = pairings[-1].cells(frame)
        if wanted.values:
            refuse_empty_words(wanted, column, sent)
        warnings += [*check_categories(wanted, column, sent), *_unsure_spelling(wanted, column, frame[column], sent)]
    left = [column for column in frame.columns if column not in places]
    if left:
        are = "is" if len(left) == 1 else "are"
        notes.append(f"{counted(len(left), 'column')} {are} not shown to the model: {listed(left)}.")
    return Matching(tuple(pairings), (*warnings, *notes), tuple(warnings))


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
            f"Bring a model made for this table, whose columns are {listed(columns)}; the target is never shown.",
        )
    return [column for column in found if column is not None]


def _look(name: str) -> str:
    return look_key(name.replace("_", " ").replace("-", " ").replace(".", " "))


def _only(columns: Sequence[str]) -> str | None:
    return columns[0] if len(columns) == 1 else None


def _pairing(wanted: Wanted, column: str, cells: pd.Series[Any], notes: list[str]) -> Pairing:
    """Return how a column of the table is sent to the model.

    Raises
    ------
    ModelError
        If it cannot be sent as what the model wants.
    """
    kind = wanted.kind if wanted.kind != "any" else _kind_of(wanted.values)
    held = _held(cells)
    pairing = Pairing(column, wanted.name, "as it is", held)
    if "" in wanted.values and not wanted.blanks:  # training kept blank cells as empty text
        pairing = replace(pairing, turned="to text", sent="text", blank="")
    if kind == "any" or kind == held or (kind == "number" and held == "whole number"):
        return pairing
    if kind == "text":
        notes.append(f"The {_plural(held)} of column {quote(column)} are sent to the model as text, which it wants.")
        return replace(pairing, turned="to text", sent="text", spelling=spell(column, cells, wanted.values))
    if held == "text":
        refuse_other_than_numbers(column, cells, kind)
        notes.append(f"The text of column {quote(column)} is sent to the model as the numbers it spells.")
        cells = _as_numbers(cells)
    if kind == "true/false":
        _refuse_other_than(cells, column, [0, 1], "true or false")
        if held != "true/false":
            notes.append(f"The numbers 0 and 1 of column {quote(column)} are sent to the model as false and true.")
        return replace(pairing, turned="to true/false", sent="true/false")
    if kind == "whole number":
        _refuse_fractions(cells, column)
        return replace(pairing, turned="to whole numbers", sent="whole number")
    if held == "true/false":
        notes.append(f"True and false of column {quote(column)} are sent to the model as 1 and 0, which it wants.")
    return replace(pairing, turned="to numbers", sent="number")


def _held(cells: pd.Series[Any]) -> Kind:
    """Return what a column of the table holds."""
    if pd.api.types.is_bool_dtype(cells.dtype):
        return "true/false"
    if pd.api.types.is_integer_dtype(cells.dtype):
        return "whole number"
    return "number" if pd.api.types.is_numeric_dtype(cells.dtype) else "text"


def _kind_of(values: Sequence[Label]) -> Kind:
    """Return what categories are, if all are of one kind."""
    kinds: dict[type, Kind] = {bool: "true/false", int: "number", float: "number", str: "text"}
    found = {kinds[type(value)] for value in values}
    return found.pop() if len(found) == 1 else "any"


def _plural(kind: Kind) -> str:
    return "values true and false" if kind == "true/false" else "numbers"


def _as_numbers(cells: pd.Series[Any]) -> pd.Series[Any]:
    if not pd.api.types.is_bool_dtype(cells.dtype):
        return pd.to_numeric(cells)
    return cells.astype(np.float64 if cells.hasnans else np.int64)


def _as_text(cells: pd.Series[Any], spelling: Mapping[Label, str], blank: str | None) -> pd.Series[Any]:
    written = {value: spelling.get(value, usual_text(value)) for value in cells.dropna().unique()}
    texts = cells.map(written).astype("str")
    return texts if blank is None else texts.fillna(blank)


def _unsure_spelling(wanted: Wanted, column: str, cells: pd.Series[Any], sent: pd.Series[Any]) -> list[str]:
    """Return a warning if numbers are sent as text to a model that does not say how it writes them."""
    if wanted.kind != "text" or wanted.values or _held(cells) != "number" or not cells.notna().any():
        return []
    example = quote(str(sent.dropna().iloc[0]))
    return [
        f"The numbers of column {quote(column)} are sent as text such as {example}. The model does not say how it "
        "writes them: if training wrote other digits, its answers are wrong. Check some known answers."
    ]


def _refuse_other_than(cells: pd.Series[Any], column: str, allowed: list[int], what: str) -> None:
    strange = np.flatnonzero(cells.notna() & ~cells.isin(allowed))
    if len(strange):
        raise ModelError(
            f"The model wants {what} in column {quote(column)}, which holds {plain(cells.iloc[strange[0]])}.",
            "Bring the table with the types the model was trained on.",
        )


def _refuse_fractions(cells: pd.Series[Any], column: str) -> None:
    if cells.isna().any():
        raise ModelError(
            f"The model wants whole numbers in column {quote(column)}, which has empty cells.",
            "Fill them as the model's training data did, or leave those rows out.",
        )
    strange = np.flatnonzero(cells.astype(np.float64) % 1)
    if len(strange):
        raise ModelError(
            f"The model wants whole numbers in column {quote(column)}, which holds {cells.iloc[strange[0]]}.",
            "Bring the table with the types the model was trained on.",
        )
