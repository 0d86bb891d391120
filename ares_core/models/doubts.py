"""Doubts: cells that production may have read otherwise than this program, so that a model would be asked wrongly.

Most models are trained on what pandas reads. It takes words such as 'NA' for empty cells and drops leading zeros, where
this program keeps what the file says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.raw import Kind, Label, Wanted
from ares_core.models.spelling import refuse_same_numbers
from ares_core.people.levels import TRUTHS, plain
from ares_core.people.names import quote
from ares_core.wording import counted

# The words that pandas.read_csv takes for an empty cell by default.
EMPTY_WORDS = {
    *("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"),
    *("NULL", "NaN", "None", "n/a", "nan", "null"),
}
# Other words that training may fill blank cells with, whatever their case.
FILLERS = {
    *("missing", "unknown", "not known", "not available", "not given", "unspecified", "undefined", "empty", "blank"),
    *("?", "-", "--", ".", "nil", "(null)", "n.a.", "(missing)", "<missing>", "__missing__", "_missing_"),
}
UNSURE_FILLER = "none"  # a filler, but as often a category of its own: no guarantor
SHOWN = 4  # names in a sentence
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")


def refuse_empty_words(wanted: Wanted, column: str, cells: pd.Series[Any]) -> None:
    """Raise if a text column holds a word that pandas takes for an empty cell, and the model does not know it.

    Parameters
    ----------
    wanted
        What the model says of the column.
    cells
        The column as it is sent.
    """
    known = {value for value in wanted.values if isinstance(value, str)}
    if (wanted.kind == "text" and not known) or not _is_text(cells):
        return  # whoever says that it is text, and names no categories, means every word
    word = next((word for word in cells.dropna().unique() if word in EMPTY_WORDS and word not in known), None)
    if word is not None:
        raise ModelError(
            f"Column {quote(column)} holds the word {quote(word)}, which the model does not know and "
            "which pandas reads as an empty cell.",
            "Leave such cells empty if no value is known there; else write the word as it was written in training.",
        )


def refuse_spelled_numbers(column: str, cells: pd.Series[Any]) -> None:
    """Raise if a text column spells numbers, for a model that does not say whether it wants text or numbers."""
    if not _is_text(cells) or not cells.notna().any():
        return
    if pd.to_numeric(cells, errors="coerce")[cells.notna()].notna().all():
        raise ModelError(
            f"Column {quote(column)} holds text that spells numbers, such as {quote(str(cells.dropna().iloc[0]))}, and "
            "the model does not say which of the two it wants.",
            "Describe the service (--service-description FILE, or on the page), or write the cells as plain numbers.",
        )


def refuse_other_than_numbers(column: str, cells: pd.Series[Any], kind: Kind) -> None:
    """Raise if a text column holds a cell that spells no number, for a model that wants numbers or true and false.

    The sentence names the first such cell, and the hint what to do about it.
    """
    texts = cells.astype(object)
    is_truth = kind == "true/false"
    fits = texts.isin([*TRUTHS, "0", "1"]) if is_truth else pd.to_numeric(texts, errors="coerce").notna()
    strange = texts[cells.notna() & ~fits]
    if strange.empty:
        if is_truth and texts.isin(list(TRUTHS)).any():
            raise ModelError(
                f"The model wants true or false in column {quote(column)}, which holds them as text.",
                "Write all cells of the column as True and False, or all as 0 and 1.",
            )
        return
    first = str(strange.iloc[0])
    raise ModelError(
        f"The model wants {'true or false' if is_truth else 'numbers'} in column {quote(column)}, which holds text "
        f"such as {quote(first)} ({counted(len(strange), 'cell')}).",
        _hint_for(first),
    )


def _hint_for(cell: str) -> str:
    if cell.strip() in EMPTY_WORDS or cell.strip().casefold() in FILLERS:
        return "Leave such cells empty if no value is known there: this program reads words as words."
    if _DECIMAL_COMMA.fullmatch(cell.strip()):
        return f"Write numbers with a decimal point: {cell.strip().replace(',', '.')}."
    return "Save the model together with what encodes its columns, or bring the table it was trained on."


def check_categories(wanted: Wanted, column: str, cells: pd.Series[Any]) -> list[str]:
    """Return warnings about categories and blank cells that a model was not trained with.

    Parameters
    ----------
    wanted
        What the model says of the column.
    cells
        The column as it is sent.

    Raises
    ------
    ModelError
        If the model knows no category of the column, fails on one, or knows it only by another spelling; or if
        training filled blank cells that are blank here.
    """
    if not wanted.values:
        return []
    held = cells.dropna()
    different = held.unique().tolist()
    strange = [value for value in different if not _is_known(value, wanted.values)]
    values = [str(plain(value)) for value in strange]
    if different and len(values) == len(different):
        raise ModelError(
            f"The model knows none of the categories in column {quote(column)}, such as {quote(values[0])}; "
            f"it knows {listed(wanted.values)}.",
            "Write the column as it was written when the model was trained.",
        )
    refuse_same_numbers(column, [(text, text) for text in values], wanted.values)
    people = int(held.isin(strange).sum())
    return [*_unseen_warnings(wanted, column, values, people), *_blank_warnings(wanted, column, cells)]


def _unseen_warnings(wanted: Wanted, column: str, values: Sequence[str], people: int) -> list[str]:
    if not values:
        return []
    if wanted.closed:
        raise ModelError(
            f"Column {quote(column)} holds {quote(values[0])}, a category the model was not trained with and fails on "
            f"(such cells: {people:,}).",
            f"Write the column as in training, or leave those rows out; the model knows {listed(wanted.values)}.",
        )
    what = "a category" if len(values) == 1 else f"{len(values)} categories"
    return [f"Column {quote(column)} holds {what} the model has never seen ({listed(values)}), for {_people(people)}."]


def _blank_warnings(wanted: Wanted, column: str, cells: pd.Series[Any]) -> list[str]:
    """Return a warning if a model was not trained with the blank cells of a column."""
    blank = int(cells.isna().sum())
    if not blank or wanted.blanks:
        return []
    texts = [value for value in wanted.values if isinstance(value, str)]
    has = f"Column {quote(column)} has {counted(blank, 'blank cell')}"
    word = next((text for text in texts if text in EMPTY_WORDS or text.strip().casefold() in FILLERS), None)
    if word is not None:
        raise ModelError(
            f"{has}. The model knows the category {quote(word)} and no blank cells, so its training filled them.",
            f"Fill the blanks of the table the way training did, for instance with {quote(word)}.",
        )
    if wanted.blanks is None:  # trees that take a blank cell for a missing value
        word = next((text for text in texts if text.casefold() == UNSURE_FILLER), None)
        if word is None:
            return []
        return [
            f"{has}, which the model takes for missing values. It also knows the category {quote(word)}: if training "
            f"filled blanks with it, fill them here too. This concerns {_people(blank)}."
        ]
    if wanted.closed:
        raise ModelError(
            f"{has}. The model was trained without blank cells there, and fails on them.",
            "Fill the blanks of the table the way training did, or leave those rows out.",
        )
    return [
        f"Column {quote(column)} has blank cells for {_people(blank)}. The model was trained without blank cells "
        "there, so it takes them for a category it has never seen. If training filled them, fill them the same way."
    ]


def _is_known(value: Label, known: Sequence[Label]) -> bool:
    """Say whether a value is one of a model's categories: 1 is 1.0, but neither True nor '1'."""
    kinds = {type(value), int, float} if type(value) in (int, float) else {type(value)}
    return any(type(each) in kinds and each == value for each in known)


def listed(names: Sequence[Label]) -> str:
    """List the first names in quotes."""
    shown = ", ".join(quote(str(name)) for name in names[:SHOWN])
    return f"{shown}, …" if len(names) > SHOWN else shown


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count:,} people"


def _is_text(cells: pd.Series[Any]) -> bool:
    return pd.api.types.is_string_dtype(cells.dtype) and not pd.api.types.is_numeric_dtype(cells.dtype)
