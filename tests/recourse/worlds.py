"""Small random worlds, and plain-loop answers to what the recourse room works out with arrays.

Nothing here uses the room under test: people are dictionaries, conjunctions are frozen sets, and counting is
counting.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from ares_core.costs import Costs
from ares_core.models import FunctionModel
from ares_core.people import (
    Change,
    Choice,
    Feature,
    Interval,
    Kind,
    Missing,
    Schema,
    Table,
    Value,
    schema_for,
)

Person = dict[str, int]
Conjunction = frozenset[tuple[str, int]]
Pair = tuple[Conjunction, Conjunction]
WAYS = ("free", "increase only", "decrease only", "frozen")


@dataclass(slots=True)
class World:
    """A table, a model that keeps what it was asked, and costs."""

    table: Table
    model: FunctionModel
    costs: Costs
    asked: list[pd.DataFrame] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many rows the model was asked so far."""
        return sum(len(frame) for frame in self.asked)

    def silence(self) -> None:
        """Make the model refuse to answer from now on."""
        object.__setattr__(self.model, "function", _refuse)


def _refuse(_frame: pd.DataFrame) -> Any:
    raise AssertionError("the model was asked again")


def random_world(seed: int, people: int = 60, columns: int = 6) -> World:
    """Return a world with features of every kind, a number with gaps and two columns as one among them."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], people),
            "job": random.choice(["none", "clerk", "nurse"], people, p=[0.5, 0.3, 0.2]),
            "step": random.integers(0, 4, people),
            "income": np.where(random.random(people) < 0.15, -9, random.integers(0, 30, people)),
            "phone": random.choice(["yes", "no"], people),
        }
    )
    house = random.choice(3, people, p=[0.5, 0.35, 0.15])
    frame["Owns"], frame["Rents"] = (house == 1).astype(int), (house == 2).astype(int)
    names = ["sex", "job", "step", "income", "house", "phone"][:columns]
    entries = [entry for entry in _entries(random) if entry["name"] in names]
    seen = [column for entry in entries for column in entry.get("columns", [entry["name"]])]
    schema = schema_for(frame[seen], {"format": "ares-schema", "version": 1, "features": entries})
    return world(frame[seen], schema, random)


def _entries(random: np.random.Generator) -> list[dict[str, Any]]:
    ways = [str(way) for way in random.choice(WAYS[:3], 2)]
    banned = ["clerk"] if random.random() < 0.5 else []
    sides = [
        {"name": name, "columns": {"Owns": own, "Rents": rent}}
        for name, own, rent in (("free", 0, 0), ("owns", 1, 0), ("rents", 0, 1))
    ]
    return [
        {"name": "sex", "kind": "category", "change": "frozen"},
        {"name": "job", "kind": "category", "change": "free", "forbidden": banned},
        {"name": "step", "kind": "ordered", "change": ways[0]},
        {"name": "income", "kind": "number", "change": ways[1], "cuts": [8, 15, 22], "missing": [-9]},
        {"name": "house", "kind": "category", "columns": ["Owns", "Rents"], "levels": sides},
        {"name": "phone", "kind": "category", "change": str(random.choice(["free", "frozen"]))},
    ]


def world(frame: pd.DataFrame, schema: Schema, random: np.random.Generator) -> World:
    """Join a table, a model with random tastes that refuses about half, and random costs."""
    tastes = {column: {value: random.normal() for value in sorted(set(frame[column]))} for column in frame.columns}
    usual = float(np.median(_points(frame, tastes)))
    asked: list[pd.DataFrame] = []

    def accepts(people: pd.DataFrame) -> Any:
        asked.append(people.copy())
        return _points(people, tastes) > usual

    entered = {name: float(random.integers(1, 9)) / 2 for name in schema.names}
    costs = Costs.unit(schema.names).with_direct(entered)
    return World(Table.build(frame, schema), FunctionModel(accepts), costs, asked)


def _points(frame: pd.DataFrame, tastes: Mapping[str, Mapping[Any, float]]) -> Any:
    return sum(frame[column].map(taste).to_numpy(dtype=float) for column, taste in tastes.items())


def answers(model: FunctionModel, table: Table) -> list[bool]:
    """Ask about everybody as they are."""
    return [bool(answer) for answer in model.function(table.frame)]


def levels_of(table: Table) -> list[Person]:
    """Return at which level of which feature everybody is, read from the raw cells."""
    return [
        {feature.name: _level(feature, row) for feature in table.features} for row in table.frame.to_dict("records")
    ]


def _level(feature: Feature, row: Mapping[Any, Any]) -> int:
    return next(index for index, level in enumerate(feature.levels) if _is_at(level, feature.columns[0], row))


def _is_at(level: Any, column: str, row: Mapping[Any, Any]) -> bool:
    if isinstance(level, Choice):
        return all(row[name] == value for name, value in level.assignment)
    if isinstance(level, Missing):
        return row[column] in level.values or row[column] != row[column]
    if isinstance(level, Value):
        return bool(row[column] == level.value)
    low = -math.inf if level.low is None else level.low
    high = math.inf if level.high is None else level.high
    return row[column] not in level.excluded and low <= row[column] < high


def holds(conjunction: Conjunction, person: Person) -> bool:
    """Say whether every part holds."""
    return all(person[name] == level for name, level in conjunction)


def members(conjunction: Conjunction, people: Sequence[Person]) -> set[int]:
    """Return the places of the people it describes."""
    return {place for place, person in enumerate(people) if holds(conjunction, person)}


def common(people: Sequence[Person], names: Sequence[str], support: float, width: int) -> dict[Conjunction, set[int]]:
    """List the conjunctions over `names` that describe the share `support` of the people, and whom."""
    least = max(1.0, support * len(people) - 1e-9)
    found = {}
    for size in range(1, width + 1):
        for chosen in combinations(sorted(names), size):
            for levels in sorted({tuple(person[name] for name in chosen) for person in people}):
                conjunction = frozenset(zip(chosen, levels, strict=True))
                who = members(conjunction, people)
                if len(who) >= least:
                    found[conjunction] = who
    return found


def may_move(feature: Feature, start: int, target: int) -> bool:
    """Read the schema's promises once more, in other words than the schema does."""
    if start == target or feature.change == "frozen" or feature.levels[target].name in feature.forbidden:
        return False
    if isinstance(feature.levels[start], Missing) or isinstance(feature.levels[target], Missing):
        return False
    return feature.change == Change.FREE or (feature.change == Change.INCREASE) == (target > start)


def size_of(feature: Feature, start: int, target: int) -> int:
    """Count the levels crossed: 1 for a category."""
    return 1 if feature.kind is Kind.CATEGORY else abs(start - target)


def pairs(table: Table, learners: set[int], shape: Mapping[str, Any]) -> dict[Pair, int]:
    """List every (before, after) the method allows, with its magnitude.

    Parameters
    ----------
    learners
        Places in the table of the people rules are chosen on.
    shape
        support, width, changes and people (the fewest of them in `before`).
    """
    people = levels_of(table)
    features = {feature.name: feature for feature in table.features}
    frequent = common(people, list(features), shape["support"], shape["width"])
    found = {}
    for before, after in _same_features(frequent):
        now, then = dict(before), dict(after)
        moved = [name for name in now if now[name] != then[name]]
        if not 1 <= len(moved) <= shape["changes"] or len(frequent[before] & learners) < shape["people"]:
            continue
        if all(may_move(features[name], now[name], then[name]) for name in moved):
            found[before, after] = sum(size_of(features[name], now[name], then[name]) for name in moved)
    return found


def _same_features(frequent: Mapping[Conjunction, set[int]]) -> Iterator[Pair]:
    by_names: dict[frozenset[str], list[Conjunction]] = {}
    for conjunction in frequent:
        by_names.setdefault(frozenset(name for name, _ in conjunction), []).append(conjunction)
    for alike in by_names.values():
        yield from product(alike, alike)


def change(pair: Pair) -> Conjunction:
    """Return the move of a pair: what is new in `after`."""
    return pair[1] - pair[0]


def substituted(table: Table, place: int, move: Conjunction) -> dict[Any, Any]:
    """Return one person's row after a move; numbers go to the nearest observed value of the level."""
    features = {feature.name: feature for feature in table.features}
    row: dict[Any, Any] = {column: table.frame[column].iat[place] for column in table.frame.columns}
    for name, target in move:
        level, column = features[name].levels[target], features[name].columns[0]
        if isinstance(level, Choice):
            row.update(level.assignment)
        elif isinstance(level, Interval):
            observed = table.frame[column].tolist()
            inside = [value for value in observed if _is_at(level, column, {column: value})]
            row[column] = min(inside, key=lambda value: abs(value - row[column]))
        elif isinstance(level, Value):
            row[column] = level.value
    return row


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with the learn people it covers and those of them it helps, as places in the table."""

    subgroup: Conjunction
    pair: Pair
    magnitude: int
    cost: float
    covers: frozenset[int]
    helps: frozenset[int]


def rules(world: World, learners: set[int], shape: Mapping[str, Any], interest: Sequence[str]) -> list[Rule]:
    """List every rule of method and settings, by plain loops over subgroups and pairs."""
    table = world.table
    people = levels_of(table)
    names = list(interest) or [feature.name for feature in table.features]
    found = []
    listed = pairs(table, learners, shape)
    inside = {before: members(before, people) for before, _ in listed}
    worked = helped(world, {(place, change(pair)) for pair in listed for place in inside[pair[0]] & learners})
    for subgroup, group in common(people, names, shape["support"], shape["subgroup"]).items():
        spoken = {name for name, _ in subgroup}
        for pair, magnitude in listed.items():
            covers = group & inside[pair[0]] & learners
            if spoken & {name for name, _ in pair[0]} or len(subgroup) + len(pair[0]) > shape["most"]:
                continue
            if len(covers) >= shape["people"]:
                cost = sum(world.costs.of(name) for name, _ in change(pair))
                helps = {place for place in covers if worked[place, change(pair)]}
                found.append(Rule(subgroup, pair, magnitude, cost, frozenset(covers), frozenset(helps)))
    return found


def helped(world: World, questions: set[tuple[int, Conjunction]]) -> dict[tuple[int, Conjunction], bool]:
    """Ask the model about people after moves, each substituted on its own."""
    if not questions:
        return {}
    ordered = list(questions)
    frame = pd.DataFrame([substituted(world.table, place, move) for place, move in ordered])
    said = world.model.function(frame[list(world.table.frame.columns)])
    return {question: bool(answer) for question, answer in zip(ordered, said, strict=True)}
