"""Labels of external models: which spellings mean the same, and limits checked before labels become an array.

NumPy gives every label of an array as much room as the longest, so that one long label among many rows takes gigabytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ares_core.errors import ModelError

MOST_LABEL = 200  # characters of one label
MOST_LABEL_BYTES = 512_000_000  # of all labels in one array
SHORT_HINT = f"Have it answer with labels of at most {MOST_LABEL} characters."
GOOD_WORDS = {"approved", "approve", "granted", "grant", "accepted", "accept", "admitted", "admit", "good"}
BAD_WORDS = {
    *("refused", "refuse", "denied", "deny", "rejected", "reject", "declined", "decline", "bad"),
    *("not_approved", "not_granted", "not_accepted", "not_admitted"),
}
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


def label_key(text: str) -> str | float:
    """Return what labels of the same meaning have in common: 1, 1.0, True and 'true' are 1, 'Yes' is 'yes'."""
    word = text.strip().casefold()
    if word in ("true", "false"):
        return float(word == "true")
    try:
        number = float(word)
    except ValueError:
        return word
    return number if math.isfinite(number) and word.isascii() and "_" not in word else word


def is_same_label(one: str, other: str) -> bool:
    """Say whether two labels are written alike, or are the same number or truth: '1', '1.0' and 'True'."""
    key = label_key(one)
    return one == other or (isinstance(key, float) and key == label_key(other))


def without_repeats(labels: Iterable[str]) -> list[str]:
    """Return the labels without those that mean the same as an earlier one."""
    found: dict[str | float, str] = {}
    for label in labels:
        key = label_key(label)
        found.setdefault(key if isinstance(key, float) else label, label)
    return list(found.values())


def find_label(labels: Sequence[str], wanted: str) -> str | None:
    """Return the label that is written as `wanted`, else the only one that means the same, else None."""
    if wanted in labels:
        return wanted
    same = [label for label in labels if label_key(label) == label_key(wanted)]
    return same[0] if len(same) == 1 else None


def plain_label(labels: Sequence[str], favourable: str = "", unfavourable: str = "") -> str | None:
    """Return the label that is plainly the favourable one; None where names do not tell.

    Parameters
    ----------
    labels
        One or two labels.
    favourable, unfavourable
        The two outcomes of the table as it writes them; empty where no outcome is known.

    A label is plainly favourable if it is the favourable outcome, or if one of two labels is a word for granting and
    the other one for refusing. The numbers 0 and 1 say nothing to a table whose outcomes are words.
    """
    if favourable:
        found = find_label(labels, favourable)
        if found is not None:
            return found
        if len(labels) == 1 and find_label(labels, unfavourable) is not None:
            return favourable
    good = [label for label in labels if _word(label) in GOOD_WORDS]
    bad = [label for label in labels if _word(label) in BAD_WORDS]
    return good[0] if len(labels) == 2 and len(good) == len(bad) == 1 else None


def _word(label: str) -> str:
    return "_".join(label.casefold().replace("-", " ").replace("_", " ").split())
