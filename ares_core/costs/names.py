"""Hints about names: what the user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

SHOWN = 12


def closest_hint(name: str, known: Iterable[str]) -> str:
    """Say which known name is nearest to an unknown one, and which names there are.

    Parameters
    ----------
    name
        A name that is not among the known ones.
    known
        The names that would have been right.

    Returns
    -------
    str
        One sentence for an error's hint.
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1) or [one for one in names if _same(one, name)][:1]
    listed = ", ".join(repr(one) for one in names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    if close:
        return f"Did you mean {close[0]!r}? The features are {listed}."
    return f"The features are {listed}." if names else "There are no features to name."


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
