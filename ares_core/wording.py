"""Wording: what several rooms write, and read, the same way."""

from __future__ import annotations

import re

# What commands a terminal instead of being shown: control codes, line separators, turns of the direction of writing.
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def counted(count: int, noun: str) -> str:
    """Write '1 rule' or '2 rules'."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def shown(text: str) -> str:
    """Put a space where a table, a schema or a model wrote something that commands a terminal; lines stay lines."""
    return CONTROLS.sub(" ", text)


def brief(value: object, most: int = 60) -> str:
    """Write a value of a file as a sentence shows it: a long one is cut."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def plain_number(text: str, kind: type[float] | type[int]) -> float:
    """Read a number in digits.

    Raises
    ------
    ValueError
        If it is none; also for 1_000 and digits of other scripts, which Python reads but a person may have meant
        otherwise.
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"not plain digits: {text!r}")
    return kind(text)
