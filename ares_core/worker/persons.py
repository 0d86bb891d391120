"""People one by one: finding them, showing them, and changing them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import DataError
from ares_core.models import ask
from ares_core.people import Kind
from ares_core.people.levels import number_text, unused
from ares_core.people.table import Indices, Substitution, Table
from ares_core.worker.desk import Met
from ares_core.worker.views import WhatIfView

Named = tuple[tuple[str, str], ...]
Choices = tuple[tuple[str, tuple[str, ...]], ...]


def find_places(met: Met, levels: Sequence[tuple[str, str]], *, refused: bool) -> Indices:
    """Return the places of the people at all of these levels, in the order of the file."""
    table = met.table
    mask = met.accepted == 0 if refused else np.ones(len(table), dtype=bool)
    for name, level in levels:
        position = table.position(name)
        mask &= table.codes[:, position] == _level(table, position, level)
    places = np.flatnonzero(mask)
    return places[np.argsort(table.rows[places], kind="stable")]


def readable(table: Table, places: Indices) -> pd.DataFrame:
    """Return people, named by the line of the file, as a table of labels and readable cells, feature by feature."""
    columns: dict[str, Any] = {}
    for feature in table.schema.features:
        title = unused(feature.title, columns)
        columns[title] = _cells(table, table.position(feature.name), places)
    return pd.DataFrame(columns, index=pd.Index(table.lines[places], name="Row of the file"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person stands, feature by feature: their level, their cell, where they may go and where they can."""

    levels: Named
    cells: Named
    allowed: Choices
    held: Choices


def place_of(table: Table, place: int) -> Place:
    """Say where a person stands, and where the schema and the people of the table let them go."""
    names, cells, targets, held = [], [], [], []
    for feature in table.schema.features:
        position = table.position(feature.name)
        start = int(table.codes[place, position])
        allowed = tuple(level.name for at, level in enumerate(feature.levels) if feature.allows(start, at))
        names.append((feature.name, feature.levels[start].name))
        cells.append((feature.name, _cells(table, position, np.array([place]))[0]))
        targets.append((feature.name, allowed))
        held.append((feature.name, tuple(feature.levels[at].name for at in table.held[position])))
    return Place(tuple(names), tuple(cells), tuple(targets), tuple(held))


def what_if(met: Met, place: int, levels: Sequence[tuple[str, str]]) -> WhatIfView:
    """Move a person to some levels, allowed or not, and ask the model."""
    table, changes, against = met.table, [], []
    for name, wanted in levels:
        position = table.position(name)
        start, target = int(table.codes[place, position]), _level(table, position, wanted)
        if start == target:
            continue
        if target not in table.held[position]:
            raise DataError(
                f"Nobody audited has {name!r} at {wanted!r}, so it cannot be tried.",
                "Choose a level that somebody is at.",
            )
        changes.append((position, target))
        if not table.features[position].allows(start, target):
            against.append(name)
    move = tuple(sorted(changes))
    changed = (
        Substitution(table, np.array([place])).frame([(move, np.array([0]))]) if move else table.frame.iloc[[place]]
    )
    return WhatIfView(bool(ask(met.model, changed)[0]), table.conjunction(move), tuple(against))


def _level(table: Table, position: int, name: str) -> int:
    levels = [level.name for level in table.features[position].levels]
    if name not in levels:
        raise DataError(
            f"Feature {table.features[position].name!r} has no level {name!r}.", "Choose one of the levels shown."
        )
    return levels.index(name)


def _cells(table: Table, position: int, places: Indices) -> Any:
    """Return numbers as they are, with their unit, and anything else by the name of its level, shape (places,)."""
    feature, levels = table.features[position], table.codes[places, position]
    texts = np.array([level.name for level in feature.levels], dtype=object)[levels]
    if feature.kind is Kind.NUMBER:
        known = levels != (-1 if feature.missing is None else feature.missing)
        values = table.frame[feature.columns[0]].array.take(places[known])
        texts[known] = [f"{number_text(value)} {feature.unit}".strip() for value in values.tolist()]
    return texts
