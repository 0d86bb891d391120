"""Predicates and conjunctions: "savings = below 100 DM and job = skilled"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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


def predicate_from_json(entry: Any) -> Predicate:
    """Read a predicate of a run file or a rule model.

    Raises
    ------
    ModelError
        If the entry has none of the four forms.
    """
    if not isinstance(entry, Mapping) or not is_text(entry.get("feature")):
        raise ModelError(f"A predicate names no feature: {entry!r}.", HINT)
    return Predicate(entry["feature"], _level(entry))


def _level(entry: Mapping[str, Any]) -> Level:
    if entry.get("missing") is True:
        return Missing(values=_cells(entry, "values"))
    if "columns" in entry:
        return _choice(entry)
    if is_cell(entry.get("equals")):
        value = plain(entry["equals"])
        return Value(str(value), value)
    if "at_least" in entry or "below" in entry:
        return _interval(entry)
    raise ModelError(f"The predicate on {entry['feature']!r} has no level: {dict(entry)!r}.", HINT)


def _choice(entry: Mapping[str, Any]) -> Choice:
    columns = entry["columns"]
    cells = [*columns, *columns.values()] if isinstance(columns, Mapping) else []
    if not cells or not all(map(is_cell, cells)):
        raise ModelError(
            f"The predicate on {entry['feature']!r} gives its columns no values: {dict(entry)!r}.",
            'Write {"feature": "House", "equals": "owns", "columns": {"Owns": 1, "Rents": 0}}.',
        )
    assignment = tuple(sorted((str(column), plain(value)) for column, value in columns.items()))
    return Choice(str(entry.get("equals", "")), assignment)


def _interval(entry: Mapping[str, Any]) -> Interval:
    low, high = entry.get("at_least"), entry.get("below")
    excluded = _cells(entry, "except")
    numbers = all(edge is None or is_number(edge) for edge in (low, high)) and all(map(is_number, excluded))
    if not numbers or (low is not None and high is not None and low >= high):
        raise ModelError(f"The predicate on {entry['feature']!r} has no range of numbers: {dict(entry)!r}.", HINT)
    return Interval(interval_name(low, high), low, high, excluded)


def _cells(entry: Mapping[str, Any], key: str) -> tuple[Cell, ...]:
    cells = entry.get(key, [])
    if not isinstance(cells, list) or not all(map(is_cell, cells)):
        raise ModelError(
            f"The predicate on {entry['feature']!r} has {key!r}: {cells!r}, not a list of cells.",
            f"List the cells under {key!r}, or leave it out.",
        )
    return tuple(plain(cell) for cell in cells)
