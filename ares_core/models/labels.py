"""Limits on the labels of external models, checked before they become an array.

NumPy gives every label of an array as much room as the longest, so that one long label among many rows takes gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from ares_core.errors import ModelError

MOST_LABEL = 200  # characters of one label
MOST_LABEL_BYTES = 512_000_000  # of all labels in one array
SHORT_HINT = f"Have it answer with labels of at most {MOST_LABEL} characters."
_CHARACTER_BYTES = 4  # of a character in NumPy's arrays of text


def long_label(values: Iterable[object]) -> tuple[int, int] | None:
    """Return the row, from 1, and the length of the first text too long to be a label; None if there is none."""
    for row, value in enumerate(values, start=1):
        if isinstance(value, str) and len(value) > MOST_LABEL:
            return row, len(value)
    return None


def refuse_long_labels(values: Iterable[object]) -> None:
    """Raise if one of a model's answers is text that is too long to be a label."""
    found = long_label(values)
    if found is not None:
        row, length = found
        raise ModelError(
            f"The model's answer to row {row:,} is a label of {length:,} characters; at most {MOST_LABEL} are allowed.",
            SHORT_HINT,
        )


def refuse_wide_labels(rows: int, longest: int) -> None:
    """Raise if so many labels, the longest of so many characters, would take too much memory as an array."""
    if rows * longest * _CHARACTER_BYTES > MOST_LABEL_BYTES:
        raise ModelError(
            f"The model's labels for {rows:,} rows, of up to {longest:,} characters each, take more than "
            f"{MOST_LABEL_BYTES // 10**6} MB.",
            "Have it answer with shorter labels, or give fewer rows.",
        )
