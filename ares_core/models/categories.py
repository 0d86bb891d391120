"""Categories of a model's columns, for model files that do not hold them: read from JSON or from the training table."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.raw import Categories, Label, Signature
from ares_core.people import read_csv
from ares_core.people.names import quote

MOST_BYTES = 5_000_000
_FORM = 'Write a JSON object of lists, such as {"job": ["clerk", "none", "nurse"]}.'


def parse_categories(content: bytes, name: str = "categories") -> Categories:
    """Read the categories of columns from a JSON object of lists, each in the order of the training data.

    Parameters
    ----------
    content
        The bytes of the file.
    name
        What error messages call it.

    Raises
    ------
    ModelError
        If it is too large, not such an object, or a list is empty or repeats a value.
    """
    if len(content) > MOST_BYTES:
        raise ModelError(f"The categories in {name!r} take more than {MOST_BYTES:,} bytes.", "Leave out some columns.")
    try:
        document = json.loads(content, object_pairs_hook=_unique_keys)
    except ModelError:
        raise
    except (ValueError, RecursionError) as error:
        raise ModelError(f"The categories in {name!r} are not JSON: {error}.", _FORM) from error
    if not isinstance(document, dict) or not document:
        raise ModelError(f"The categories in {name!r} are not a JSON object with a list for each column.", _FORM)
    return {column: _checked(column, values) for column, values in document.items()}


def categories_of(frame: pd.DataFrame, columns: Sequence[str]) -> Categories:
    """Return the categories that `astype("category")` gives columns of a training table: sorted, without missing ones.

    Raises
    ------
    ModelError
        If a column is not in the table, or holds no values, or values of several types.
    """
    return {column: _of_column(frame, column) for column in columns}


def read_categories(content: bytes, name: str, lacking: Sequence[str]) -> Categories:
    """Read the categories of columns from a file: a JSON object of lists, or the training table as CSV.

    Parameters
    ----------
    lacking
        The columns whose categories the model file lacks.

    Raises
    ------
    AresError
        If the file cannot be read, or holds the categories of none of the columns.
    """
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return categories_of(read_csv(content, name=name).frame, lacking)
    found = parse_categories(content, name)
    # Not every column that lacks categories needs them: some model files only leave open which columns have any.
    given = {column: found[column] for column in lacking if column in found}
    if not given:
        raise ModelError(f"The file {name!r} holds the categories of none of {_listed(lacking)}.", _FORM)
    return given


def refuse_lacking(signature: Signature) -> None:
    """Raise if a model file does not hold the categories of its columns."""
    if signature.lacking:
        more = f" and {len(signature.lacking) - 1} more" if len(signature.lacking) > 1 else ""
        raise ModelError(
            f"The model file does not hold the categories of column {quote(signature.lacking[0])}{more}, or does not "
            "say which columns its categories belong to, so its answers would be wrong.",
            "Give them with --categories FILE, or on the page: JSON with a list, in the order of training, for each "
            "column that had categories; or the training table.",
        )


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(quote(column) for column in columns[:4]) + (", …" if len(columns) > 4 else "")


def _of_column(frame: pd.DataFrame, column: str) -> tuple[Label, ...]:
    hint = "Give the table the model was trained on."
    if column not in frame.columns:
        raise ModelError(f"The table has no column {quote(column)}, whose categories the model needs.", hint)
    values = [_python(value) for value in frame[column].dropna().unique()]
    try:
        return _checked(column, sorted(values))
    except TypeError as error:
        raise ModelError(f"Column {quote(column)} mixes text and numbers, so it has no order.", hint) from error


def _python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    repeated = next((key for place, key in enumerate(keys) if key in keys[:place]), None)
    if repeated is not None:
        raise ModelError(f"The categories of column {quote(repeated)} are given twice.", "Leave one list out.")
    return dict(pairs)


def _checked(column: str, values: object) -> tuple[Label, ...]:
    if not isinstance(values, list) or not values:
        raise ModelError(f"The categories of column {quote(column)} are not a list with values.", _FORM)
    for value in values:
        if not isinstance(value, str | bool | int | float) or (isinstance(value, float) and not math.isfinite(value)):
            raise ModelError(
                f"Column {quote(column)} has the category {json.dumps(value)}, which is neither text, number, true "
                "nor false.",
                "Leave missing values out: they are no category.",
            )
    if len({(isinstance(value, bool), value) for value in values}) < len(values):
        raise ModelError(f"The categories of column {quote(column)} repeat a value.", "List each value once.")
    return tuple(values)
