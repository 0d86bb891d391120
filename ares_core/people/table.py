"""Table: the people, at which levels they are, and how they would look after a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.canonical import canonical_colours, canonical_order
from ares_core.people.feature import Feature
from ares_core.people.levels import Cell, Choice, Interval, equals
from ares_core.people.lines import lines_of
from ares_core.people.predicates import Conjunction, Predicate
from ares_core.people.schema import Schema

Codes = NDArray[np.int16]
Indices = NDArray[np.intp]
Move = tuple[tuple[int, int], ...]
Targets = dict[int, Codes]


@dataclass(frozen=True)
class Table:
    """People in canonical order; without slots, so that what follows from a table is worked out once.

    Parameters
    ----------
    frame
        The columns the model sees, one row for each person.
    rows
        For each person the row of the file, counted from 0 without the header, as run files and `--row` name them.
    lines
        For each person the line of the file that row begins on, as people are told it: the header is usually line 1.
    schema
        What is known of the columns.
    features
        The schema's features, sorted by name.
    codes
        (people, features): the level each person is at.
    ranks
        For each feature the rank of its levels that does not depend on their names.
    """

    frame: pd.DataFrame
    rows: Indices
    lines: NDArray[np.int64]
    schema: Schema
    features: tuple[Feature, ...]
    codes: Codes
    ranks: tuple[Indices, ...]

    @classmethod
    def build(
        cls, frame: pd.DataFrame, schema: Schema, rows: Indices | None = None, outcomes: NDArray[Any] | None = None
    ) -> Table:
        """Put the people of a table in canonical order.

        Parameters
        ----------
        frame
            Its labels count only if they are lines of the file.
        rows
            For each person the row of the file; 0, 1, … when not given.
        outcomes
            What is known of each person beside the frame; it tells apart people who are otherwise alike.
        """
        features = tuple(sorted(schema.features, key=lambda feature: feature.name))
        codes = np.empty((len(frame), len(features)), dtype=np.int16)
        for position, feature in enumerate(features):
            codes[:, position] = feature.codes(frame)
        people, levels = canonical_colours(features, codes, frame, outcomes)
        order = canonical_order(people, frame)
        numbers = np.arange(len(frame)) if rows is None else np.asarray(rows)
        ranks = tuple(
            np.argsort(np.argsort(colours, kind="stable")) if feature.kind == "category" else np.arange(len(colours))
            for feature, colours in zip(features, levels, strict=True)
        )
        ordered = frame.iloc[order].reset_index(drop=True)
        lines = lines_of(frame.index, numbers)
        return cls(ordered, numbers[order], lines[order], schema, features, codes[order], ranks)

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def held(self) -> tuple[tuple[int, ...], ...]:
        """For each feature the levels that somebody is at, without the missing one."""
        found = (np.unique(self.codes[:, position]).tolist() for position in range(len(self.features)))
        known = zip(self.features, found, strict=True)
        return tuple(tuple(level for level in levels if level != feature.missing) for feature, levels in known)

    @cached_property
    def landings(self) -> tuple[Landing, ...]:
        """Where every change of each feature leads."""
        return tuple(_landing(self, position) for position in range(len(self.features)))

    def position(self, name: str) -> int:
        """Return the place of a feature in `features` and `codes`."""
        return self.features.index(self.schema[name])

    def conjunction(self, levels: Iterable[tuple[int, int]]) -> Conjunction:
        """Return (feature position, level) pairs, such as a move, as a conjunction."""
        named = ((self.features[position], level) for position, level in levels)
        return Conjunction.of(Predicate(feature.name, feature.levels[level]) for feature, level in named)


@dataclass(frozen=True, slots=True)
class Crowd:
    """People who need not stand in the table, made of values that do.

    Parameters
    ----------
    levels
        (people, features): the level each one is at.
    places
        For each column, whose value each one has: the place in the table of somebody with it.
    """

    levels: Codes
    places: dict[str, Indices]

    @classmethod
    def of(cls, table: Table, people: Indices) -> Crowd:
        """Take people out of a table."""
        return cls(table.codes[people], {str(name): people for name in table.frame.columns})

    def __len__(self) -> int:
        return len(self.levels)

    def take(self, people: Indices) -> Crowd:
        """Return some of them."""
        return Crowd(self.levels[people], {name: places[people] for name, places in self.places.items()})

    def joined(self, others: Crowd) -> Crowd:
        """Return these people and then the others."""
        places = {name: np.concatenate([mine, others.places[name]]) for name, mine in self.places.items()}
        return Crowd(np.concatenate([self.levels, others.levels]), places)

    def frame(self, table: Table) -> pd.DataFrame:
        """Put their values together, as the model sees them; the table is the one they were taken from."""
        # Columns keep their own type, so that models see what they were trained on.
        columns = {name: table.frame[name].array.take(places) for name, places in self.places.items()}
        return pd.DataFrame(columns, copy=False)


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a change of one feature leads.

    `places` has for each column, by (start, target), the place in the table of somebody with the value one lands at;
    -1 where nobody is.
    """

    columns: tuple[str, ...]
    places: tuple[NDArray[np.int64], ...]


class Substitution:
    """Rewrites people as they would be after moves, column by column.

    Only the features that move are touched. A category takes the target value; a number moves to the nearest
    value of its target level that somebody in the table has. The place it lands depends only on the level it
    starts from, because a level it is not in lies wholly above or below it.
    """

    def __init__(self, table: Table, people: Indices | Crowd) -> None:
        self._table = table
        self._crowd = people if isinstance(people, Crowd) else Crowd.of(table, people)

    def frame(self, moves: Sequence[tuple[Move, Indices]]) -> pd.DataFrame:
        """Return the people after their moves, move by move.

        Parameters
        ----------
        moves
            Pairs of a move, as (feature position, target level) pairs, and the people it is tried on.
        """
        numbers = np.repeat(np.arange(len(moves)), [len(who) for _, who in moves])
        return self.rows(targets_of([move for move, _ in moves]), numbers, np.concatenate([who for _, who in moves]))

    def rows(self, targets: Targets, moves: Indices, people: Indices) -> pd.DataFrame:
        """Return people after moves: row i is `people[i]` after the move of number `moves[i]` in `targets`."""
        crowd = self._crowd.take(people)
        for feature, by_move in targets.items():
            target = by_move[moves]
            start = crowd.levels[:, feature]
            away = np.flatnonzero((target >= 0) & (start != target))  # whoever is there already stays as they are
            self._land(crowd, feature, target[away], away)
        return crowd.frame(self._table)

    def _land(self, crowd: Crowd, feature: int, target: Codes, who: Indices) -> None:
        """Rewrite the columns of a feature for some people."""
        landing, start = self._table.landings[feature], crowd.levels[who, feature]
        for column, places in zip(landing.columns, landing.places, strict=True):
            arrived = places[start, target]
            if (arrived < 0).any():
                raise ValueError(f"nobody in the table has a value of column {column!r} to move to")
            crowd.places[column][who] = arrived


def targets_of(moves: Sequence[Move]) -> Targets:
    """Return for each feature that moves its target in every move, -1 where it stays."""
    found: Targets = {}
    for number, move in enumerate(moves):
        for feature, target in move:
            found.setdefault(feature, np.full(len(moves), -1, dtype=np.int16))[number] = target
    return found


def _landing(table: Table, position: int) -> Landing:
    """Work out where every change of one feature leads."""
    feature = table.features[position]
    if len(feature.columns) > 1:
        return _choice_landing(table, feature)
    places = np.full((len(feature.levels), len(feature.levels)), -1, dtype=np.int64)
    cells, codes = table.frame[feature.columns[0]], np.ascontiguousarray(table.codes[:, position])
    for target in table.held[position]:
        here = np.flatnonzero(codes == target)
        if isinstance(feature.levels[target], Interval):
            numbers = cells.iloc[here].to_numpy(dtype=float)
            places[:target, target] = here[numbers.argmin()]
            places[target:, target] = here[numbers.argmax()]
        else:
            places[:, target] = here[0]
    return Landing(feature.columns, (places,))


def _choice_landing(table: Table, feature: Feature) -> Landing:
    places = []
    for name in feature.columns:
        targets = [dict(level.assignment)[name] for level in feature.levels if isinstance(level, Choice)]
        # Hundreds of levels share a flag's two values, so each value is looked up once.
        known = {value: _first_place(table.frame[name], value) for value in set(targets)}
        found = np.array([known[value] for value in targets], dtype=np.int64)
        places.append(np.tile(found, (len(feature.levels), 1)))
    return Landing(feature.columns, tuple(places))


def _first_place(cells: pd.Series[Any], value: Cell) -> int:
    """Return the place of the first who has a value, -1 if nobody has it."""
    places = np.flatnonzero(equals(cells, value))
    return int(places[0]) if len(places) else -1
