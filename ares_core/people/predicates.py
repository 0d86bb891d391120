"""Predicates and conjunctions: "savings = below 100 DM and job = skilled"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import ModelError
from ares_core.people.levels import (
    Cell,
    Choice,
    Interval,
    Level,
    Mask,
    Missing,
    Value,
    interval_name,
    is_cell,
    is_number,
    is_text,
    plain,
)

HINT = (
    'Write {"feature": "job", "equals": "skilled"}, {"feature": "age", "at_least": 30, "below": null} '
    'or {"feature": "age", "missing": true}.'
)
_RANGE = ("at_least", "below", "except")
# What tells a form from the others, and every key it may have beside "feature"; the first that is there counts.
_FORMS: dict[str, tuple[str, ...]] = {
    "missing": ("missing", "values"),
    "columns": ("columns", "equals"),
    "equals": ("equals",),
    "at_least": _RANGE,
    "below": _RANGE,
}
_KEYS = tuple(dict.fromkeys(["feature", *(key for keys in _FORMS.values() for key in keys)]))


@dataclass(frozen=True, slots=True)
class Predicate:
    """One feature at one level."""

    feature: str
    level: Level

    def mask(self, frame: pd.DataFrame) -> Mask:
        """Say for each row of the raw table whether the predicate holds."""
        return self.level.mask(frame, self.feature)

    def to_json(self) -> dict[str, Any]:
        """Return the predicate as a run file writes it."""
        return {"feature": self.feature, **self.level.to_json()}


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Predicates that all hold, on different features, sorted by feature."""

    predicates: tuple[Predicate, ...]

    def __post_init__(self) -> None:
        features = [predicate.feature for predicate in self.predicates]
        if sorted(set(features)) != features:
            raise ValueError("a conjunction names each feature once, in order of name")

    @classmethod
    def of(cls, predicates: Iterable[Predicate]) -> Conjunction:
        """Build a conjunction from predicates in any order."""
        return cls(tuple(sorted(predicates, key=lambda predicate: predicate.feature)))

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self.predicates)

    def __len__(self) -> int:
        return len(self.predicates)

    @property
    def features(self) -> tuple[str, ...]:
        """The features named, sorted."""
        return tuple(predicate.feature for predicate in self.predicates)

    def level(self, feature: str) -> Level:
        """Return the level a feature is at."""
        return next(predicate.level for predicate in self.predicates if predicate.feature == feature)

    def mask(self, frame: pd.DataFrame) -> Mask:
        """Say for each row of the raw table whether every predicate holds."""
        everyone = np.ones(len(frame), dtype=bool)
        return np.asarray(np.logical_and.reduce([everyone, *(predicate.mask(frame) for predicate in self)]))

    def to_json(self) -> list[dict[str, Any]]:
        """Return the conjunction as a run file writes it."""
        return [predicate.to_json() for predicate in self]


def check_keys(entry: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Check that an object of a file has no key but known ones: a misspelt one would change what it says.

    Parameters
    ----------
    where
        What a sentence calls the object, at its beginning.

    Raises
    ------
    ModelError
        If it has another key; the hint names the nearest known one.
    """
    allowed = list(known)
    strange = next((str(key) for key in entry if key not in allowed), None)
    if strange is None:
        return
    close = get_close_matches(strange[:60].lower(), allowed, n=1)
    hint = f"Write {close[0]!r}, or leave it out." if close else f"The keys it may have: {', '.join(allowed)}."
    raise ModelError(f"{where} has the unknown key {strange!r:.60}.", hint)


def predicate_from_json(entry: Any) -> Predicate:
    """Read a predicate of a run file or a rule model.

    Raises
    ------
    ModelError
        If the entry has none of the four forms, or more than the keys of one.
    """
    if isinstance(entry, Mapping):
        check_keys(entry, _KEYS, _subject(entry))
    if not isinstance(entry, Mapping) or not is_text(entry.get("feature")):
        raise ModelError(f"A predicate names no feature: {entry!r:.60}.", HINT)
    return Predicate(entry["feature"], _level(entry))


def _subject(entry: Mapping[str, Any]) -> str:
    return f"The predicate on {entry['feature']!r:.60}" if "feature" in entry else "A predicate"


def _level(entry: Mapping[str, Any]) -> Level:
    form = next((key for key in _FORMS if key in entry), None)
    if form is None:
        raise _no_level(entry)
    beside = next((key for key in entry if key not in ("feature", *_FORMS[form])), None)
    if beside is not None:
        raise ModelError(f"{_subject(entry)} has both {form!r} and {beside!r}, which do not go together.", HINT)
    match form:
        case "missing":
            return _missing(entry)
        case "columns":
            return _choice(entry)
        case "equals":
            return _value(entry)
    return _interval(entry)


def _missing(entry: Mapping[str, Any]) -> Missing:
    if entry["missing"] is not True:
        raise _no_level(entry)
    return Missing(values=_cells(entry, "values"))


def _value(entry: Mapping[str, Any]) -> Value:
    if not is_cell(entry["equals"]):
        raise _no_level(entry)
    value = plain(entry["equals"])
    return Value(str(value), value)


def _choice(entry: Mapping[str, Any]) -> Choice:
    columns = entry["columns"]
    cells = [*columns, *columns.values()] if isinstance(columns, Mapping) else []
    if not cells or not all(map(is_cell, cells)):
        raise ModelError(
            f"{_subject(entry)} gives its columns no values: {dict(entry)!r:.60}.",
            'Write {"feature": "House", "equals": "owns", "columns": {"Owns": 1, "Rents": 0}}.',
        )
    name = entry.get("equals", "")
    if not is_cell(name):
        raise _no_level(entry)
    assignment = tuple(sorted((str(column), plain(value)) for column, value in columns.items()))
    return Choice(str(name), assignment)


def _interval(entry: Mapping[str, Any]) -> Interval:
    low, high = entry.get("at_least"), entry.get("below")
    excluded = _cells(entry, "except")
    numbers = all(edge is None or is_number(edge) for edge in (low, high)) and all(map(is_number, excluded))
    if not numbers or (low is not None and high is not None and low >= high):
        raise ModelError(f"{_subject(entry)} has no range of numbers: {dict(entry)!r:.60}.", HINT)
    return Interval(interval_name(low, high), low, high, excluded)


def _cells(entry: Mapping[str, Any], key: str) -> tuple[Cell, ...]:
    cells = entry.get(key, [])
    if not isinstance(cells, list) or not all(map(is_cell, cells)):
        raise ModelError(
            f"{_subject(entry)} has {key!r}: {cells!r:.60}, not a list of cells.",
            f"List the cells under {key!r}, or leave it out.",
        )
    return tuple(plain(cell) for cell in cells)


def _no_level(entry: Mapping[str, Any]) -> ModelError:
    return ModelError(f"{_subject(entry)} has no level: {dict(entry)!r:.60}.", HINT)
