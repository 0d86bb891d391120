"""Spelling: how the numbers, true and false of a table are written for a model whose categories are text.

A table of numbers does not keep how its file wrote them: 2.5 may have been '2.5' or '2.50'. The model's categories say
which one it was trained on, unless two of them are the same number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.raw import Label
from ares_core.people.cells import number
from ares_core.people.levels import TRUTHS, plain
from ares_core.people.names import quote

Spelling = tuple[tuple[Label, str], ...]  # values of a table with their texts


def spell(column: str, cells: pd.Series[Any], known: Sequence[Label]) -> Spelling:
    """Return how a model writes each number or truth of a column: as its category that means the same.

    Parameters
    ----------
    known
        The model's categories; without any, values are written the usual way.

    Raises
    ------
    ModelError
        If two categories are the same number, or the only one is written as no plain number is, such as '00123'.
    """
    texts = [value for value in known if isinstance(value, str)]
    meanings = _by_meaning(texts)
    held = [value.item() if isinstance(value, np.generic) else value for value in cells.dropna().unique()]
    spelling = tuple((value, _text(column, value, meanings.get(_meaning(value), ()))) for value in held)
    refuse_same_numbers(column, [(value, text) for value, text in spelling if text not in texts], texts)
    return spelling


def usual_text(value: Any) -> str:
    """Write a value as most programs do: 1 for 1.0, and True for true."""
    return str(plain(value))


def refuse_same_numbers(column: str, unknown: Iterable[tuple[Label, str]], known: Sequence[Label]) -> None:
    """Raise if a text that a model does not know is the same number as one of its categories.

    Parameters
    ----------
    unknown
        Values of a column with the text each is sent as, which is none of the model's categories.
    """
    numbers = {_any_number(text): text for text in known if isinstance(text, str)}
    numbers.pop(None, None)
    for value, text in unknown if numbers else ():
        category = numbers.get(_any_number(text))
        if category is not None:
            raise ModelError(
                f"Column {quote(column)} holds {_shown(value)}, which the model does not know; it knows "
                f"{quote(category)}, the same number written otherwise.",
                f"Write the column as in training, here {quote(category)}: training may have read it as numbers, or as "
                "text, where this table does not.",
            )


def _text(column: str, value: Any, same: Sequence[str]) -> str:
    usual = usual_text(value)
    if not same or (usual in same and isinstance(value, int) and not isinstance(value, bool)):
        return usual  # a whole number is written as its digits and nothing else
    if len(same) > 1:
        raise ModelError(
            f"Column {quote(column)} holds {_shown(value)}, and the model knows {' and '.join(map(quote, same[:3]))}.",
            "Write the column as in training, and so that it is read as text: with a letter in each code, say.",
        )
    return same[0]


def _by_meaning(texts: Sequence[str]) -> Mapping[object, Sequence[str]]:
    found: dict[object, list[str]] = {}
    for text in texts:
        meaning = TRUTHS.get(text.strip())
        key = number(text) if meaning is None else ("truth", meaning)
        if key is not None:
            found.setdefault(key, []).append(text)
    return found


def _meaning(value: Any) -> object:
    return ("truth", value) if isinstance(value, bool) else value


def _any_number(text: str) -> float | None:
    """Return the number a text spells in any way, with leading zeros or a plus sign too; None if it spells none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) and text.isascii() and "_" not in text else None


def _shown(value: Label) -> str:
    return quote(value) if isinstance(value, str) else usual_text(value)
