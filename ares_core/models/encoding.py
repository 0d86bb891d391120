"""Turn raw columns into numbers a classifier can learn from."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ares_core.errors import ModelError
from ares_core.people.infer import MANY_TEXTS
from ares_core.people.levels import Missing
from ares_core.people.schema import Schema

Markers = tuple[float, ...]


def encoder(frame: pd.DataFrame, schema: Schema) -> ColumnTransformer:
    """Return an unfitted encoder for the columns of a table.

    Text and two-valued columns become one column for each value; a value not seen in training is none of
    them. Other numbers are scaled; a missing one takes the median, and a column of its own says so. Constant
    columns and text with too many values to learn from are left out.

    The values of a text column stand in the order in which they first appear, so a model depends on the order
    of the rows, which is ours, and not on how values are called.

    Raises
    ------
    ModelError
        If no column is left.
    """
    usable = [column for column in frame.columns if _is_usable(frame[column])]
    if not usable:
        raise ModelError(
            "The table has no column to learn from: each is constant, or text that hardly repeats.",
            "Add columns that describe people.",
        )
    choices = [column for column in usable if _is_choice(frame[column])]
    parts: list[tuple[str, Any, list[str]]] = []
    if choices:
        categories = [_values(frame[column]) for column in choices]
        one_hot = OneHotEncoder(categories=categories, handle_unknown="ignore", sparse_output=False)
        parts.append(("choices", one_hot, choices))
    for markers, columns in _by_markers([column for column in usable if column not in choices], schema).items():
        parts.append((f"numbers {len(parts)}", _scaler(markers), columns))
    return ColumnTransformer(parts, verbose_feature_names_out=False)


def _is_usable(cells: pd.Series[Any]) -> bool:
    distinct = cells.nunique(dropna=False)
    return distinct > 1 and (pd.api.types.is_numeric_dtype(cells.dtype) or distinct <= MANY_TEXTS)


def _is_choice(cells: pd.Series[Any]) -> bool:
    return not pd.api.types.is_numeric_dtype(cells.dtype) or cells.nunique() <= 2


def _values(cells: pd.Series[Any]) -> list[Any]:
    """Return values to encode: text as it appears, numbers sorted (scikit-learn asks so), missing last."""
    known = cells.dropna()
    values = sorted(known.unique()) if pd.api.types.is_numeric_dtype(cells.dtype) else list(known.unique())
    return values if len(known) == len(cells) else [*values, math.nan]


def _by_markers(columns: list[str], schema: Schema) -> dict[Markers, list[str]]:
    """Group columns of numbers by the numbers that mean "missing" in them."""
    markers = {column: _markers(feature.levels[-1]) for feature in schema.features for column in feature.columns}
    groups: dict[Markers, list[str]] = defaultdict(list)
    for column in columns:
        groups[markers.get(column, ())].append(column)
    return dict(sorted(groups.items()))


def _markers(last: object) -> Markers:
    values = last.values if isinstance(last, Missing) else ()
    return tuple(value for value in values if not isinstance(value, str))


def _scaler(markers: Markers) -> Any:
    fillers = [
        SimpleImputer(missing_values=marker, strategy="median", add_indicator=True) for marker in (np.nan, *markers)
    ]
    return make_pipeline(*fillers, StandardScaler())
