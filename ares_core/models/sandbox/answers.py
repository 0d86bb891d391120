"""What a model answered, checked for shape and type before anybody reads a meaning into it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.raw import Output

_LABEL_HINT = "Make it return one label for each row, in one dimension."
_SCORE_HINT = "Make it return one number for each row, or one for each row and class."


def checked_answer(array: NDArray[Any], rows: int, output: Output) -> NDArray[Any]:
    """Return labels as they are, or scores as floats, if there is one for each row and none is missing.

    Parameters
    ----------
    array
        Numbers or text.
    rows
        How many were asked about.
    output
        What was asked for.

    Raises
    ------
    ModelError
        If the shape is another, text came for a score, or a number is not finite.
    """
    return _labels(array, rows) if output == "label" else _scores(array, rows)


def _labels(array: NDArray[Any], rows: int) -> NDArray[Any]:
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]  # a column of labels is one label for each row
    if array.ndim != 1:
        raise ModelError(f"The model answered with {_shape(array)} where {rows:,} labels are due.", _LABEL_HINT)
    _check_length(array, rows, "labels", _LABEL_HINT)
    _check_finite(array, "label", _LABEL_HINT)
    return array


def _scores(array: NDArray[Any], rows: int) -> NDArray[Any]:
    if array.ndim == 0:
        raise ModelError(f"The model answered with {_shape(array)} where {rows:,} scores are due.", _SCORE_HINT)
    if array.dtype.kind == "U":
        shown = f" such as {array.flat[0]!s:.40}" if array.size else ""
        raise ModelError(f"The model answered with text{shown} where scores are due.", "Ask it for labels.")
    _check_length(array, rows, "scores", _SCORE_HINT)
    _check_finite(array, "score", _SCORE_HINT)
    return array.astype(np.float64)


def _check_length(array: NDArray[Any], rows: int, what: str, hint: str) -> None:
    if len(array) != rows:
        raise ModelError(f"The model answered with {len(array):,} {what} for {rows:,} rows.", hint)


def _check_finite(array: NDArray[Any], what: str, hint: str) -> None:
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return
    place = np.argwhere(~np.isfinite(array))[0]
    value = array[tuple(place)]
    raise ModelError(f"The model answered {value} as the {what} of number {place[0] + 1:,} of the rows.", hint)


def _shape(array: NDArray[Any]) -> str:
    if array.ndim == 0:
        return "a single value"
    return f"a table of {array.shape[0]:,} by {array.shape[1]:,} values"
