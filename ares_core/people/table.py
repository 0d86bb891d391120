"""Table: the people, at which levels they are, and how they would look after a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.canonical import canonical_colours, canonical_order
from ares_core.people.feature import Feature
from ares_core.people.levels import Cell, Choice, Interval, Value, equals
from ares_core.people.lines import lines_of
from ares_core.people.predicates import Conjunction, Predicate
from ares_core.people.schema import Schema

Codes = NDArray[np.int16]
Indices = NDArray[np.intp]
Move = tuple[tuple[int, int], ...]
Targets = dict[int, Codes]


@dataclass(frozen=True, slots=True)
class Column:
    """A column as a dictionary of its values and each person's place in it."""

    values: Any  # a pandas array of the column's own type, so that models see what they were trained on
    codes: Indices

    @classmethod
    def of(cls, cells: pd.Series[Any]) -> Column:
        """Take a column apart."""
        codes, uniques = pd.factorize(cells, use_na_sentinel=False)
        return cls(pd.Series(uniques, dtype=cells.dtype).array, codes)

    def index(self, value: Cell) -> int:
        """Return the place of a value, -1 if nobody has it."""
        places = np.flatnonzero(equals(pd.Series(self.values), value))
        return int(places[0]) if len(places) else -1


@dataclass(frozen=True, slots=True)
class Table:
    """People in canonical order.

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
        For each column the place of each one's value among the column's values.
    """

    levels: Codes
    places: dict[str, Indices]

    @classmethod
    def of(cls, table: Table, columns: dict[str, Column], people: Indices) -> Crowd:
        """Take people out of a table."""
        return cls(table.codes[people], {name: column.codes[people] for name, column in columns.items()})

    def __len__(self) -> int:
        return len(self.levels)

    def take(self, people: Indices) -> Crowd:
        """Return some of them."""
        return Crowd(self.levels[people], {name: places[people] for name, places in self.places.items()})

    def joined(self, others: Crowd) -> Crowd:
        """Return these people and then the others."""
        places = {name: np.concatenate([mine, others.places[name]]) for name, mine in self.places.items()}
        return Crowd(np.concatenate([self.levels, others.levels]), places)


def columns_of(table: Table) -> dict[str, Column]:
    """Take every column of a table apart."""
    return {str(column): Column.of(table.frame[column]) for column in table.frame.columns}


def crowd_frame(columns: dict[str, Column], crowd: Crowd) -> pd.DataFrame:
    """Put a crowd's values together again, as the model sees them."""
    return pd.DataFrame({name: columns[name].values.take(places) for name, places in crowd.places.items()}, copy=False)


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a change of one feature leads: each column's place by (start, target), -1 where nobody is."""

    columns: tuple[str, ...]
    places: tuple[NDArray[np.int64], ...]


class Substitution:
    """Rewrites people as they would be after moves, column by column.

    Only the features that move are touched. A category takes the target value; a number moves to the nearest
    value of its target level that somebody in the table has. The place it lands depends only on the level it
    starts from, because a level it is not in lies wholly above or below it.
    """

    def __init__(self, table: Table, people: Indices | Crowd) -> None:
        columns = columns_of(table)
        crowd = people if isinstance(people, Crowd) else Crowd.of(table, columns, people)
        self._landings = [landing(table, position, columns) for position in range(len(table.features))]
        self._values = {name: column.values for name, column in columns.items()}
        self._start, self._codes = crowd.levels, crowd.places

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
        codes = {name: column[people] for name, column in self._codes.items()}
        for feature, by_move in targets.items():
            target = by_move[moves]
            start = self._start[people, feature]
            away = np.flatnonzero((target >= 0) & (start != target))  # whoever is there already stays as they are
            self._land(codes, feature, start[away], target[away], away)
        columns = {name: self._values[name].take(places) for name, places in codes.items()}
        return pd.DataFrame(columns, copy=False)

    def _land(self, codes: dict[str, Indices], feature: int, start: Codes, target: Codes, where: Indices) -> None:
        """Rewrite the columns of a feature in some rows."""
        land = self._landings[feature]
        for column, places in zip(land.columns, land.places, strict=True):
            arrived = places[start, target]
            if (arrived < 0).any():
                raise ValueError(f"nobody in the table has a value of column {column!r} to move to")
            codes[column][where] = arrived


def targets_of(moves: Sequence[Move]) -> Targets:
    """Return for each feature that moves its target in every move, -1 where it stays."""
    found: Targets = {}
    for number, move in enumerate(moves):
        for feature, target in move:
            found.setdefault(feature, np.full(len(moves), -1, dtype=np.int16))[number] = target
    return found


def landing(table: Table, position: int, columns: dict[str, Column]) -> Landing:
    """Work out where every change of one feature leads."""
    feature = table.features[position]
    size = len(feature.levels)
    if len(feature.columns) > 1:
        return _choice_landing(feature, columns)
    places = np.full((size, size), -1, dtype=np.int64)
    codes = columns[feature.columns[0]].codes
    for target, level in enumerate(feature.levels):
        here = np.flatnonzero(table.codes[:, position] == target)
        if not len(here):
            continue
        if isinstance(level, Value):
            places[:, target] = codes[here[0]]
        elif isinstance(level, Interval):
            numbers = table.frame[feature.columns[0]].to_numpy(dtype=float)[here]
            places[:target, target] = codes[here[numbers.argmin()]]
            places[target:, target] = codes[here[numbers.argmax()]]
    return Landing(feature.columns, (places,))


def _choice_landing(feature: Feature, columns: dict[str, Column]) -> Landing:
    places = []
    for name in feature.columns:
        targets = [dict(level.assignment)[name] for level in feature.levels if isinstance(level, Choice)]
        known = [columns[name].index(value) for value in targets]
        places.append(np.tile(np.array(known, dtype=np.int64), (len(feature.levels), 1)))
    return Landing(feature.columns, tuple(places))
