"""Infer a schema from a table: kinds, levels, order, and choices made of several columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from ares_core.people.choices import propose_choices
from ares_core.people.feature import Change, Feature, Kind
from ares_core.people.levels import (
    Cell,
    Interval,
    Level,
    Missing,
    Value,
    holds_numbers,
    interval_names,
    number_text,
    plain,
    plain_number,
    unused,
)
from ares_core.people.protected import says_protected, words_of

NUMBER_LEVELS = 5
FEW_VALUES = 6
MANY_TEXTS = 100
SOME_ROWS = 20
DIGITS = (6, 9, 12, 17)
# Words in the name of a column that make different whole numbers identifiers rather than amounts.
NUMBERING = frozenset(("id", "identifier", "index", "key", "no", "nr", "number", "code", "row", "unnamed"))


def infer_features(
    frame: pd.DataFrame, taken: Collection[str] = ()
) -> tuple[tuple[Feature, ...], tuple[tuple[str, str], ...]]:
    """Describe every column of a table, and propose which columns are one choice.

    Features whose name says sex, race, age or the like are proposed as frozen: they still describe groups.

    Parameters
    ----------
    taken
        Names that features found here may not have.

    Returns
    -------
    The features, in the order of their first columns, and the columns left out with the reason.
    """
    choices = propose_choices(frame, taken)
    grouped = {column for choice in choices for column in choice.columns}
    features = [replace(choice, change=_proposed_change(choice.name, *choice.columns)) for choice in choices]
    ignored: list[tuple[str, str]] = []
    for column in frame.columns:
        if column in grouped:
            continue
        reason = _unusable(frame[column])
        if reason:
            ignored.append((column, reason))
        else:
            features.append(infer_feature(frame[column]))
    position = {column: index for index, column in enumerate(frame.columns)}
    features.sort(key=lambda feature: min(position[column] for column in feature.columns))
    return tuple(features), tuple(ignored)


def _unusable(cells: pd.Series[Any]) -> str:
    distinct = cells.nunique(dropna=False)
    if distinct <= 1:
        return "every cell is empty" if cells.isna().all() else "every row holds the same value"
    if numbers_every_row(cells) and (_counts_up(cells) or NUMBERING.intersection(words_of(str(cells.name)))):
        return "every row holds a different whole number, like an identifier"
    if holds_numbers(cells):
        return ""
    if distinct == len(cells) >= SOME_ROWS:
        return "every row holds a different text"
    return f"it holds {distinct:,} different texts" if distinct > MANY_TEXTS else ""


def numbers_every_row(cells: pd.Series[Any]) -> bool:
    """Say whether every row of a table of some size holds a different whole number, as identifiers do."""
    if not holds_numbers(cells) or len(cells) < SOME_ROWS or cells.hasnans or not cells.is_unique:
        return False
    return bool((cells == cells.round()).all())


def _counts_up(cells: pd.Series[Any]) -> bool:
    """Say whether different whole numbers leave none out between the least and the largest."""
    return bool(cells.max() - cells.min() == len(cells) - 1)


def _proposed_change(*names: str) -> Change:
    return Change.FROZEN if says_protected(*names) else Change.FREE


def infer_feature(cells: pd.Series[Any], *, missing: Sequence[Cell] | None = None, unit: str = "") -> Feature:
    """Describe one column.

    Text, true and false, and two-valued numbers are categories. Up to six whole numbers are ordered, and other
    numbers are cut.
    """
    name = str(cells.name)
    words = tuple(missing or ())
    known = cells[~Missing(values=words).mask(cells.to_frame(), name)]
    kind = infer_kind(known)
    levels: list[Level] = list(cut(known, words, unit)) if kind is Kind.NUMBER else list(value_levels(known))
    if missing is not None or len(known) < len(cells):
        levels.append(missing_level(words, levels))
    return Feature(name, kind, (name,), tuple(levels), unit=unit, change=_proposed_change(name))


def missing_level(values: Sequence[Cell], others: Sequence[Level]) -> Missing:
    """Return the level of what is not known, under a name no other level has."""
    return Missing(unused(Missing().name, {level.name for level in others}), tuple(values))


def infer_kind(known: pd.Series[Any]) -> Kind:
    """Guess the kind of a column from its known cells."""
    if not holds_numbers(known) or known.nunique() <= 2:
        return Kind.CATEGORY
    whole = bool((known == known.round()).all())
    return Kind.ORDERED if whole and known.nunique() <= FEW_VALUES else Kind.NUMBER


def value_levels(known: pd.Series[Any]) -> list[Value]:
    """Return one level for each value, in order of value."""
    values = [plain(value) for value in sorted(known.unique().tolist())]
    names = value_names(values)
    return [Value(name, value) for name, value in zip(names, values, strict=True)]


def value_names(values: Sequence[Cell]) -> list[str]:
    """Write values as people do, with as many digits as it takes to tell them apart."""
    return _told_apart(
        [
            [str(value) if isinstance(value, str | bool) else number_text(value, digits) for value in values]
            for digits in DIGITS
        ]
    )


def _told_apart(namings: Sequence[list[str]]) -> list[str]:
    return next((names for names in namings if len(set(names)) == len(names)), namings[-1])


def cut(known: pd.Series[Any], missing: Sequence[Cell] = (), unit: str = "") -> list[Interval]:
    """Cut numbers at quantiles, with edges at readable observed values."""
    numbers = known.to_numpy(dtype=float)
    cuts = readable_cuts(numbers[np.isfinite(numbers)])
    return intervals(cuts, missing, level_names(cuts, known, unit))


def level_names(cuts: Sequence[float], known: pd.Series[Any], unit: str) -> list[str]:
    """Name the levels between cuts; whole numbers read '2 to 5', others '2 to below 6'.

    A lowest level of whole numbers that holds a single one is called by it: '0', not 'below 1'.
    """
    whole = bool((known == known.round()).all()) and all(float(edge).is_integer() for edge in cuts)
    single = whole and len(cuts) > 0 and len(known) > 0 and known.min() == cuts[0] - 1
    edges: list[float | None] = [float(known.min()) if single else None, *cuts, None]
    return _told_apart([interval_names(edges, unit, whole=whole, digits=digits) for digits in DIGITS])


def intervals(cuts: Sequence[float], missing: Sequence[Cell], names: Sequence[str]) -> list[Interval]:
    """Return the levels between cuts; they cover the line."""
    edges: list[float | None] = [None, *cuts, None]
    excluded = tuple(value for value in missing if not isinstance(value, str))
    spans = zip(names, pairwise(edges), strict=True)
    return [Interval(name, low, high, excluded) for name, (low, high) in spans]


def readable_cuts(numbers: np.ndarray[Any, np.dtype[np.float64]], levels: int = NUMBER_LEVELS) -> list[float]:
    """Choose cuts near the quantiles, each the roundest observed value within 3 % of the people.

    A cut is the first value of the level above it, so it is never the smallest; equal numbers have no cut.
    """
    ordered = np.sort(numbers)
    larger = ordered[ordered > ordered[0]] if len(ordered) else ordered
    if not len(larger):
        return []
    cuts: set[float] = set()
    for share in np.arange(1, levels) / levels:
        middle = float(ordered[int(share * len(ordered))])
        low, high = (round((share + shift) * (len(ordered) - 1)) for shift in (-0.03, 0.03))
        near = np.unique(ordered[max(low, 0) : high + 1]).tolist()
        roundest = min(near, key=lambda value: (_digits(value), abs(value - middle)))
        cuts.add(float(max(roundest, larger[0])))
    return [plain_number(value) for value in sorted(cuts)]


def _digits(value: float) -> int:
    """Count significant digits: 1500 has 2."""
    text = f"{abs(value):.12g}".split("e")[0]
    return len(text.replace(".", "").strip("0")) if "." in text else len(text.strip("0"))
