"""Schema: which features people have, and what may change.

The schema file is JSON the user may edit:

    {"format": "ares-schema", "version": 1,
     "features": [
       {"name": "income", "label": "Monthly income", "unit": "EUR", "kind": "number",
        "change": "increase only", "cuts": [1000, 2000], "missing": [-9], "forbidden": []},
       {"name": "job", "kind": "ordered", "levels": [{"value": "A171", "name": "unskilled"}, …]},
       {"name": "House", "kind": "category", "columns": ["OwnsHouse", "RentsHouse"],
        "levels": [{"name": "owns", "columns": {"OwnsHouse": 1, "RentsHouse": 0}}, …]}],
     "ignored": {"customer_id": "an identifier"}}

Only "name" is needed: what is left out is inferred from the table, and so is every column nobody names.
"missing" lists the cells that mean "not known"; an empty list gives empty cells a level of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import pandas as pd

from ares_core.errors import SchemaError
from ares_core.people.feature import Change, Feature, Kind, check_intervals
from ares_core.people.infer import infer_features
from ares_core.people.levels import Choice, Interval, Level, Missing, Value

FORMAT, VERSION = "ares-schema", 1


@dataclass(frozen=True, slots=True)
class Schema:
    """The features of a table.

    Parameters
    ----------
    features
        What rules may speak of.
    ignored
        Columns rules do not speak of (the model still sees them), each with the reason.
    """

    features: tuple[Feature, ...]
    ignored: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        names = Counter(feature.name for feature in self.features)
        columns = Counter(column for feature in self.features for column in feature.columns)
        columns.update(column for column, _ in self.ignored)
        for what, counts in (("Feature", names), ("Column", columns)):
            twice = next((name for name, count in counts.items() if count > 1), None)
            if twice is not None:
                raise SchemaError(
                    f"{what} {twice!r} stands twice in the schema.",
                    "Name every feature once, and put every column in one feature.",
                )
        for feature in self.features:
            if feature.kind is Kind.NUMBER:
                check_intervals(feature)

    @classmethod
    def infer(cls, frame: pd.DataFrame) -> Schema:
        """Describe every column of a table; `notes` says what was guessed."""
        return cls(*infer_features(frame))

    def __getitem__(self, name: str) -> Feature:
        return self.features[self.index(name)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    def index(self, name: str) -> int:
        """Return the position of a feature, named by itself or by one of its columns.

        Raises
        ------
        SchemaError
            If there is no such feature.
        """
        for position, feature in enumerate(self.features):
            if feature.name == name:
                return position
        for position, feature in enumerate(self.features):
            if name in feature.columns:
                return position
        reason = dict(self.ignored).get(name)
        if reason is not None:
            raise SchemaError(
                f"Column {name!r} is left out of the rules: {reason}.",
                "Choose another feature, or describe this column in the schema file.",
            )
        close = get_close_matches(name, self.names, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"Known features: {', '.join(self.names[:12])}."
        raise SchemaError(f"There is no feature {name!r}.", hint)

    def with_change(self, names: Iterable[str], change: Change) -> Schema:
        """Return this schema with the named features changed to free, one way or frozen.

        A category told to increase or decrease becomes ordered only if its values are numbers, because the
        order of names is not ours to guess.
        """
        changed = list(self.features)
        for name in names:
            position = self.index(name)
            changed[position] = _redirected(changed[position], change)
        return replace(self, features=tuple(changed))

    def notes(self) -> tuple[str, ...]:
        """Say in sentences what a careful reader should know."""
        notes = [
            f"Column {column!r} is left out of the rules: {reason}. The model still sees it."
            for column, reason in self.ignored
        ]
        notes += [
            f"Columns {', '.join(map(repr, feature.columns))} look like one choice: they move together "
            f"as {feature.name!r}."
            for feature in self.features
            if feature.proposed
        ]
        frozen = [repr(feature.title) for feature in self.features if feature.change is Change.FROZEN]
        if frozen:
            they, them = ("it describes", "it") if len(frozen) == 1 else ("they describe", "them")
            notes.append(f"Frozen, so {they} people and no rule changes {them}: {', '.join(frozen)}.")
        return tuple(notes)

    def to_json(self) -> dict[str, Any]:
        """Return the schema file's content."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "features": [feature_to_json(f) for f in self.features],
            "ignored": dict(self.ignored),
        }


def _redirected(feature: Feature, change: Change) -> Feature:
    directed = change in (Change.INCREASE, Change.DECREASE)
    values = [level.value for level in feature.levels if isinstance(level, Value)]
    numeric = bool(values) and all(not isinstance(value, str) for value in values)
    if directed and feature.kind is Kind.CATEGORY and numeric:
        return replace(feature, change=change, kind=Kind.ORDERED)
    return replace(feature, change=change)


def feature_to_json(feature: Feature) -> dict[str, Any]:
    """Return one feature as the schema file writes it."""
    entry: dict[str, Any] = {
        "name": feature.name,
        "label": feature.label,
        "unit": feature.unit,
        "kind": str(feature.kind),
        "change": str(feature.change),
    }
    if feature.columns != (feature.name,):
        entry["columns"] = list(feature.columns)
    known = [level for level in feature.levels if not isinstance(level, Missing)]
    if feature.kind is Kind.NUMBER:
        entry["cuts"] = [level.low for level in known[1:] if isinstance(level, Interval)]
        entry["level_names"] = [level.name for level in known]
    else:
        entry["levels"] = [_level_to_json(level) for level in known]
    last = feature.levels[-1] if feature.levels else None
    entry["missing"] = list(last.values) if isinstance(last, Missing) else None
    entry["forbidden"] = [level.name for level in feature.levels if level.name in feature.forbidden]
    if feature.proposed:
        entry["proposed"] = True
    return entry


def _level_to_json(level: Level) -> dict[str, Any]:
    if isinstance(level, Choice):
        return {"name": level.name, "columns": dict(level.assignment)}
    assert isinstance(level, Value)
    return {"value": level.value, "name": level.name}
