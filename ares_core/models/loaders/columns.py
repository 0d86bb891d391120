"""Columns of a table as a library wants them: numbers, text, or categories in the model's own order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.loaders.base import Refusal


def refuse_text(frame: pd.DataFrame) -> None:
    """Check that every column holds numbers, or categories that were coded.

    Raises
    ------
    Refusal
        If one holds text.
    """
    for name, dtype in frame.dtypes.items():
        if not (pd.api.types.is_numeric_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype)):
            raise Refusal("failed", f"the column {name!r} holds text, and the model wants numbers")


def numbers(cells: pd.Series[Any], dtype: type[Any] = np.float64) -> NDArray[Any]:
    """Return a column as numbers of one type.

    Raises
    ------
    Refusal
        If it holds text, or lacks a value where the type has no way to say so.
    """
    refuse_text(cells.to_frame())
    if np.issubdtype(np.dtype(dtype), np.integer) and cells.isna().any():
        raise Refusal("failed", f"the column {cells.name!r} lacks values, and the model wants whole numbers")
    return cells.to_numpy(dtype=dtype)


def texts(cells: pd.Series[Any]) -> NDArray[Any]:
    """Return a column as text; a missing value is empty text."""
    return cells.astype(object).where(cells.notna(), "").astype(str).to_numpy(dtype=object)


def categories(cells: pd.Series[Any], known: list[Any] | None) -> pd.Series[Any]:
    """Return a column of categories, coded in the model's order if that is known; others are missing."""
    return cells.astype(pd.CategoricalDtype(known)) if known is not None else cells.astype("category")
