"""Answers of services: JSON lists that may hold anything, as arrays or as a sentence on what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.labels import refuse_long_labels

MOST_CLASSES = 100
SHAPE_HINT = "Have the service return one answer for each row: a label, a score, or a list of scores."


def as_array(values: Any, rows: int) -> NDArray[Any]:
    """Return a JSON list as labels or scores, shape (rows,) or (rows, classes).

    Raises
    ------
    ModelError
        If it is no list, has another length, or holds anything but short text, numbers and lists of numbers.
    """
    if not isinstance(values, list):
        raise ModelError(f"The service answered with {_what(values)} in place of a list.", SHAPE_HINT)
    if len(values) != rows:
        raise ModelError(f"The service gave {len(values):,} answers for {rows:,} rows.", SHAPE_HINT)
    if values and isinstance(values[0], list):
        return np.array([_scores(row, len(values[0])) for row in values], dtype=np.float64).reshape(rows, -1)
    return _labels(values)


def reshaped(data: Any, shape: Any, rows: int) -> list[Any]:
    """Return the data of a tensor row by row, whether it comes flat or nested.

    Raises
    ------
    ModelError
        If the shape does not fit the rows.
    """
    whole = isinstance(shape, list) and all(isinstance(size, int) and not isinstance(size, bool) for size in shape)
    if not whole or not isinstance(data, list) or not 1 <= len(shape) <= 2 or shape[0] != rows:
        raise ModelError(f"The service answered with shape {str(shape)[:40]} for {rows:,} rows.", SHAPE_HINT)
    width = shape[1] if len(shape) == 2 else 1
    if data and isinstance(data[0], list):
        return [row[0] if isinstance(row, list) and len(row) == 1 else row for row in data]
    if not 1 <= width <= MOST_CLASSES or len(data) != rows * width:
        raise ModelError(f"The service gave {len(data):,} answers for shape {shape}.", SHAPE_HINT)
    return data if width == 1 else [data[begin : begin + width] for begin in range(0, len(data), width)]


def _scores(row: Any, width: int) -> Sequence[float]:
    if not isinstance(row, list) or len(row) != width or not 1 <= width <= MOST_CLASSES:
        raise ModelError("The service gave some rows more answers than others.", SHAPE_HINT)
    if not all(_is_number(value) for value in row):
        raise ModelError("The service gave lists that hold other things than numbers.", SHAPE_HINT)
    return row


def _labels(values: list[Any]) -> NDArray[Any]:
    for number, value in enumerate(values, start=1):
        if not (isinstance(value, str | bool) or _is_number(value)):
            raise ModelError(f"The service's answer to row {number:,} is {_what(value)}.", SHAPE_HINT)
    refuse_long_labels(values)
    if all(isinstance(value, str) for value in values):
        return np.array(values, dtype=np.str_)
    if all(_is_number(value) or isinstance(value, bool) for value in values):
        whole = all(isinstance(value, int) and abs(value) < 2**62 for value in values)
        return np.array(values, dtype=np.int64 if whole else np.float64)
    return np.array(values, dtype=object)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _what(value: Any) -> str:
    """Say what something is, in a few words."""
    kinds: dict[type, str] = {dict: "an object", list: "a list", str: "text", type(None): "null", bool: "true or false"}
    return kinds.get(type(value), "a number")
