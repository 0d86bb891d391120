"""Turn raw columns into numbers a classifier can learn from."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ares_core.errors import ModelError
from ares_core.people.infer import MANY_TEXTS
from ares_core.people.levels import Missing
from ares_core.people.schema import Schema

Markers = tuple[float, ...]
# Scaling squares numbers, and the square of a larger one is none a float can hold; nor is that of a smaller spread,
# which training would then take for zero (liblinear never ends on it).
LARGEST, LEAST_SPREAD = 1e100, 1e-100
LARGEST_SCALED = 1e30  # trees hold what is scaled in half the digits, up to 3e38


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
        If no column is left, or the numbers of one are too large, or too close together, to be scaled.
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
        for column in columns:
            _check_span(frame[column], markers)
        parts.append((f"numbers {len(parts)}", _scaler(markers), columns))
    return ColumnTransformer(parts, verbose_feature_names_out=False)


def encode(encoding: ColumnTransformer, frame: pd.DataFrame) -> NDArray[np.float64]:
    """Return people as a fitted encoder sees them, shape (people, encoded columns).

    Raises
    ------
    ModelError
        If a number is too large for a classifier once it is scaled.
    """
    with np.errstate(over="ignore"):  # what overflows is refused below
        encoded: NDArray[np.float64] = encoding.transform(frame)
    if encoded.max() <= LARGEST_SCALED and encoded.min() >= -LARGEST_SCALED:
        return encoded
    row, place = np.unravel_index(np.abs(encoded).argmax(), encoded.shape)
    column = _column_at(encoding, int(place))
    raise _too_large(column, frame[column].iloc[int(row)])


def _column_at(encoding: ColumnTransformer, place: int) -> str:
    """Return the column of numbers that is encoded at a place; each part puts its columns before any others."""
    spans = ((encoding.output_indices_[name], columns) for name, _, columns in encoding.transformers_)
    return str(next(columns[place - span.start] for span, columns in spans if span.start <= place < span.stop))


def _too_large(column: str, number: float) -> ModelError:
    return ModelError(
        f"Column {column!r} holds {number:g}, which is too large a number for a model trained here.",
        "Correct it, say in the schema file that it means missing, or write the column in a larger unit.",
    )


def _check_span(cells: pd.Series[Any], markers: Markers) -> None:
    """Check that the numbers of a column, without those that mean "missing", can be scaled."""
    numbers = cells.to_numpy(dtype=float, na_value=math.nan)
    known = numbers[~np.isnan(numbers) & ~np.isin(numbers, np.array(markers, dtype=float))]
    if not len(known):
        return
    largest = known[np.abs(known).argmax()]
    if abs(largest) > LARGEST:
        raise _too_large(str(cells.name), largest)
    spread = np.ptp(known)
    if 0 < spread < LEAST_SPREAD:
        raise ModelError(
            f"The numbers in column {cells.name!r} differ by {spread:g} at most, which is too little to learn from.",
            "Write the column in a smaller unit, or leave it out of the table.",
        )


def _is_usable(cells: pd.Series[Any]) -> bool:
    distinct = cells.nunique(dropna=False)
    return distinct > 1 and (pd.api.types.is_numeric_dtype(cells.dtype) or distinct <= MANY_TEXTS)


def _is_choice(cells: pd.Series[Any]) -> bool:
    return not pd.api.types.is_numeric_dtype(cells.dtype) or cells.nunique() <= 2


def _values(cells: pd.Series[Any]) -> list[Any]:
    """Return values to encode: text as it appears, others sorted (scikit-learn asks so), missing last."""
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
    """Return what fills and scales columns of numbers; parts of scikit-learn alone, so that any skops reader knows it.

    One imputer must know all that is missing, or the median would be taken of markers too. It knows one number,
    so empty cells and the other markers become the first marker before it. A marker may be a fraction and a
    column whole, so all are made floats at the very beginning.
    """
    if not markers:
        return make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    first, *others = map(float, markers)
    to_floats = StandardScaler(with_mean=False, with_std=False)
    to_first = [
        SimpleImputer(missing_values=other, strategy="constant", fill_value=first, keep_empty_features=True)
        for other in (np.nan, *others)
    ]
    filler = SimpleImputer(missing_values=first, strategy="median", add_indicator=True, keep_empty_features=True)
    return make_pipeline(to_floats, *to_first, filler, StandardScaler())
