"""Read names of columns as words: what several have in common, and what tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

SEPARATORS = " _=.:-/"
DEEPEST = 5  # separators looked at in one name


def shared_words(column: str) -> set[str]:
    """Return the first two words together, the last word, and what stands before the first separator."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", column)]
    shared = {"…" + words[-1]} if len(words) > 1 and len(words[-1]) > 3 else set()
    if len(words) > 2:
        shared.add(" ".join(words[:2]) + "…")
    heads = heads_of(column)
    return shared | {heads[0].lower() + "_…"} if heads else shared


def heads_of(column: str) -> list[str]:
    """Return what stands before each separator, shortest first: 'job' and 'job_type' of 'job_type_clerk'."""
    name = column.strip(SEPARATORS)
    places = [match.start() for match in re.finditer(f"[{re.escape(SEPARATORS)}]+", name)]
    return [name[:place] for place in places[:DEEPEST]]


def _affixes(columns: Sequence[str]) -> tuple[int, int]:
    """Return how much all names begin and end alike, in whole words, with something of each left between."""
    head = max((i for i in _alike(columns) if all(_boundary(column, i) for column in columns)), default=0)
    tails = [column[head:][::-1] for column in columns]
    tail = max((i for i in _alike(tails) if all(_boundary(column, len(column) - i) for column in columns)), default=0)
    return head, tail


def _alike(texts: Sequence[str]) -> Iterator[int]:
    """Yield the lengths of the common beginnings that leave something of every text."""
    first = texts[0]
    for size in range(1, min(map(len, texts))):
        if any(text[size - 1] != first[size - 1] for text in texts):
            return
        yield size


def _boundary(text: str, at: int) -> bool:
    """Say whether a word ends before position `at`."""
    before, after = text[at - 1], text[at]
    apart = before in SEPARATORS or after in SEPARATORS or before.isdigit() != after.isdigit()
    return apart or (after.isupper() and not before.isupper())


def stem_of(columns: Sequence[str]) -> str:
    """Return the words all names share, or the first names where they share none."""
    head, tail = _affixes(columns)
    first = columns[0]
    stem = first[:head].strip(SEPARATORS) or first[len(first) - tail :].strip(SEPARATORS)
    return stem if len(stem) > 2 else " / ".join(columns[:3]) + (" / …" if len(columns) > 3 else "")


def option_names(columns: Sequence[str]) -> list[str]:
    """Return what tells each name from the others, or the names themselves where that says nothing."""
    head, tail = _affixes(columns)
    names = [column[head : len(column) - tail].strip(SEPARATORS) for column in columns]
    return names if len(set(names)) == len(names) and all(names) else list(columns)
