"""Doubts: cells that production may have read otherwise than this program, so that a model would be asked wrongly.

Most models are trained on what pandas reads. It takes words such as 'NA' for empty cells and drops leading zeros, where
this program keeps what the file says.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.raw import Wanted
from ares_core.people.names import quote

# The words that pandas.read_csv takes for an empty cell by default.
EMPTY_WORDS = {
    *("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"),
    *("NULL", "NaN", "None", "n/a", "nan", "null"),
}


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


def _is_text(cells: pd.Series[Any]) -> bool:
    return pd.api.types.is_string_dtype(cells.dtype) and not pd.api.types.is_numeric_dtype(cells.dtype)
