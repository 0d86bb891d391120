"""Columns of a table as a library wants them: numbers, text, or codes of categories in the model's own order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.loaders.base import Refusal
from ares_core.models.raw import Categories, Label


def numbers(cells: pd.Series[Any], dtype: type[Any] = np.float64) -> NDArray[Any]:
    """Return a column of numbers, or of true and false, as numbers of one type.

    Raises
    ------
    Refusal
        If it holds text, or a value the type cannot hold: a missing one, a fraction, or a truth other than 0 and 1.
    """
    floats = _floats(cells)
    if np.issubdtype(np.dtype(dtype), np.floating):
        # Not by way of float64: a whole number may have more digits than it holds.
        return floats.astype(dtype) if cells.dtype == object else cells.to_numpy(dtype=dtype, na_value=np.nan)
    wants = "true or false" if dtype is np.bool_ else "whole numbers"
    if np.isnan(floats).any():
        raise Refusal("failed", f"the column {cells.name!r} lacks values, and the model wants {wants}")
    if not (np.isin(floats, (0, 1)) if dtype is np.bool_ else floats % 1 == 0).all():
        raise Refusal("failed", f"the column {cells.name!r} holds other numbers, and the model wants {wants}")
    return cells.to_numpy().astype(dtype)


def _floats(cells: pd.Series[Any]) -> NDArray[np.float64]:
    if cells.dtype == object and all(isinstance(value, bool | np.bool_) for value in cells.dropna()):
        return np.array(cells, dtype=np.float64)  # true, false and missing
    if not pd.api.types.is_numeric_dtype(cells.dtype):
        raise Refusal("failed", f"the column {cells.name!r} holds text, and the model wants numbers")
    return cells.to_numpy(dtype=np.float64, na_value=np.nan)


def texts(cells: pd.Series[Any]) -> NDArray[Any]:
    """Return a column as text.

    Raises
    ------
    Refusal
        If it lacks values: what a model was trained to see in their place, "" or "nan" or another word, nobody says.
    """
    if cells.isna().any():
        raise Refusal(
            "failed",
            f"the column {cells.name!r} has empty cells, and the file does not say how it writes an empty text; fill "
            "them as in training",
        )
    return cells.astype(str).to_numpy(dtype=object)


def codes(cells: pd.Series[Any], known: Sequence[Label]) -> NDArray[np.float64]:
    """Return the place of each value among a model's categories; a missing or unknown value is NaN."""
    places = {_key(value): place for place, value in enumerate(known)}
    held = {value: places.get(_key(value), np.nan) for value in cells.dropna().unique().tolist()}
    return np.array(cells.map(held) if held else np.full(len(cells), np.nan), dtype=np.float64)


def refuse_unknown(cells: pd.Series[Any], known: Sequence[Label]) -> None:
    """Check that every value of a column is one of a model's categories, or missing.

    Raises
    ------
    Refusal
        If one is not.
    """
    keys = {_key(value) for value in known}
    unknown = next((value for value in cells.dropna().unique().tolist() if _key(value) not in keys), None)
    if unknown is not None:
        raise Refusal("failed", f"the column {cells.name!r} holds {unknown!r}, a category it was not trained with")


def _key(value: Label) -> tuple[bool, Label]:
    return isinstance(value, bool), value  # True equals 1, but is another category


def matrix(frame: pd.DataFrame, known: Mapping[str, Sequence[Label]]) -> NDArray[np.float64]:
    """Return a table as numbers, with the columns whose categories are known as codes.

    Raises
    ------
    Refusal
        If another column holds text.
    """
    columns = [
        codes(frame.iloc[:, place], known[name]) if name in known else numbers(frame.iloc[:, place])
        for place, name in enumerate(map(str, frame.columns))
    ]
    return np.column_stack(columns) if columns else np.empty((len(frame), 0))


def refuse_other_categories(given: Categories, own: Categories) -> None:
    """Check that categories the user gave for columns are those the model file holds for them.

    Raises
    ------
    Refusal
        If they are others.
    """
    for name, values in given.items():
        if name not in own:
            raise Refusal("categories", f"its column {name!r} has no categories, and some were given")
        if [_key(value) for value in own[name]] != [_key(value) for value in values]:
            raise Refusal("categories", f"the categories given for its column {name!r} are not those in its file")
