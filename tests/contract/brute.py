"""Candidates by brute force, from their definition: frequent conjunctions, allowed moves, enough people."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from tests.contract.rows import Feature, Mover, Predicate, Row

Items = tuple[tuple[str, int], ...]
Predict = Callable[[list[Row]], list[int]]


@dataclass
class World:
    """The audited people of a run: their rows by number, their levels, and who is affected."""

    run: dict[str, Any]
    features: dict[str, Feature]
    people: dict[int, Row]
    predict: Predict
    codes: dict[int, dict[str, int]] = field(init=False)
    affected: list[int] = field(init=False)
    mover: Mover = field(init=False)

    def __post_init__(self) -> None:
        self.codes = {
            number: {name: feature.level_of(row) for name, feature in self.features.items()}
            for number, row in self.people.items()
        }
        answers = self.predict(list(self.people.values()))
        self.affected = [number for number, answer in zip(self.people, answers, strict=True) if answer == 0]
        self.mover = Mover(list(self.people.values()))

    @property
    def learn(self) -> list[int]:
        """The rows the rules were chosen on."""
        return list(self.run["split"]["learn"])

    @property
    def least(self) -> int:
        """How many audited people a conjunction must describe."""
        return max(1, math.ceil(float(self.run["settings"]["support"]) * len(self.people) - 1e-9))

    @property
    def fewest(self) -> int:
        """How many affected people of the learn part a condition must describe."""
        return int(self.run["settings"]["min_people"] or max(5, math.ceil(0.01 * len(self.learn) - 1e-9)))

    @property
    def widths(self) -> tuple[int, int, int]:
        """How wide subgroups and conditions may be, and how many features may change."""
        settings = self.run["settings"]
        condition = min(settings["condition_width"], settings["max_width"] - 1)
        return (
            min(settings["subgroup_width"], settings["max_width"] - 1),
            condition,
            min(settings["max_changes"], condition),
        )

    def count(self, names: tuple[str, ...], numbers: list[int]) -> Counter[tuple[int, ...]]:
        """Count people at each combination of levels of some features."""
        return Counter(tuple(self.codes[number][name] for name in names) for number in numbers)

    def flips(self, pairs: list[tuple[int, Items]]) -> list[bool]:
        """Ask the model about people after moves."""
        rows = [self.mover.moved(self.people[number], self.predicates(move)) for number, move in pairs]
        return [answer == 1 for answer in self.predict(rows)] if rows else []

    def predicates(self, items: Items) -> list[Predicate]:
        """Write features and levels as predicates."""
        return [self.features[name].levels[level] for name, level in items]


def frequent(world: World, names: list[str], width: int) -> list[Items]:
    """List every conjunction of up to `width` levels that describes enough audited people."""
    found: list[Items] = []
    for size in range(1, width + 1):
        for chosen in combinations(names, size):
            counts = world.count(chosen, list(world.people))
            found += [tuple(zip(chosen, levels, strict=True)) for levels, many in counts.items() if many >= world.least]
    return found


def subgroups(world: World) -> list[Items]:
    """List the subgroups over the features of interest, over all features when there are none.

    A whole number that is different for each of 20 people or more describes no group unasked.
    """
    names = sorted(world.run["settings"]["subgroup_features"])
    if not names:
        names = [name for name in world.features if not _numbers_everybody(world, name)] or list(world.features)
    return frequent(world, names, world.widths[0])


def _numbers_everybody(world: World, name: str) -> bool:
    cells = [row.get(name) for row in world.people.values()]
    whole = all(isinstance(cell, float) and cell.is_integer() for cell in cells)
    return whole and len(set(cells)) == len(cells) >= 20


def moves(world: World) -> dict[Items, list[int]]:
    """List every candidate move with the affected people it is for.

    A wider condition with the same move is for some of the same people, so conditions that name just what
    changes are enough to find them all.
    """
    found: dict[Items, list[int]] = {}
    for size in range(1, world.widths[2] + 1):
        for names in combinations(world.features, size):
            everyone, learners = world.count(names, list(world.people)), world.count(names, world.learn)
            common = [levels for levels, many in everyone.items() if many >= world.least]
            starts = [levels for levels in common if learners[levels] >= world.fewest]
            for start, target in product(starts, common):
                if all(world.features[name].allows(a, b) for name, a, b in zip(names, start, target, strict=True)):
                    who = [n for n in world.affected if tuple(world.codes[n][name] for name in names) == start]
                    found.setdefault(tuple(zip(names, target, strict=True)), []).extend(who)
    return found


@dataclass
class Option:
    """A candidate rule without its subgroup: condition, move, and the levels it crosses."""

    condition: Items
    move: Items
    change: int


def options(world: World) -> Iterator[Option]:
    """Yield every condition with every move that fits it."""
    _, width, changes = world.widths
    for size in range(1, width + 1):
        for names in combinations(world.features, size):
            everyone, learners = world.count(names, list(world.people)), world.count(names, world.learn)
            ends = [levels for levels, many in everyone.items() if many >= world.least]
            for start in (levels for levels in ends if learners[levels] >= world.fewest):
                for target in ends:
                    move = tuple((name, b) for name, a, b in zip(names, start, target, strict=True) if a != b)
                    steps = [
                        (world.features[name], a, b) for name, a, b in zip(names, start, target, strict=True) if a != b
                    ]
                    if 0 < len(move) <= changes and all(feature.allows(a, b) for feature, a, b in steps):
                        crossed = sum(feature.crossed(a, b) for feature, a, b in steps)
                        yield Option(tuple(zip(names, start, strict=True)), move, crossed)


@dataclass
class Brute:
    """What brute force says of the whole candidate set."""

    tried: dict[Items, set[int]]
    working: dict[Items, set[int]]
    model_rows: int
    no_recourse: set[int]
    candidates: int
    best_single: float
    described: set[int]


def brute(world: World) -> Brute:
    """Try every move on everybody it is for, and every rule on its own."""
    tried = moves(world)
    pairs = [(number, move) for move, who in tried.items() for number in who]
    working: dict[Items, set[int]] = {move: set() for move in tried}
    for (number, move), flips in zip(pairs, world.flips(pairs), strict=True):
        if flips:
            working[move].add(number)
    helped = set().union(*working.values()) if working else set()
    candidates, best, described = _every_rule(world, working)
    everybody = {move: set(who) for move, who in tried.items()}
    return Brute(everybody, working, len(pairs), set(world.affected) - helped, candidates, best, described)


def _every_rule(world: World, working: dict[Items, set[int]]) -> tuple[int, float, set[int]]:
    """Count the candidate rules; return also the best gain of one alone, by plain counts, and whom any describes."""
    settings, costs = world.run["settings"], world.run["costs"]
    weights, learners = settings["weights"], set(world.learn)
    affected = set(world.affected)
    groups = [(group, {name for name, _ in group}, _at(world, group, affected)) for group in subgroups(world)]
    count, best, described = 0, 0.0, set[int]()
    met: dict[Items, set[int]] = {}
    for option in options(world):
        if option.condition not in met:
            met[option.condition] = _at(world, option.condition, affected)
        named, inside = {name for name, _ in option.condition}, met[option.condition]
        price = weights["feature_cost"] * sum(costs[name]["cost"] for name, _ in option.move)
        price += weights["feature_change"] * option.change
        for group, used, members in groups:
            covered = inside & members & learners
            if named & used or len(named) + len(group) > settings["max_width"]:
                continue
            if len(covered) >= settings["guard"]["min_people"]:
                count += 1
                described |= inside & members
                failed = len(covered - working[option.move])
                best = max(best, weights["coverage"] * len(covered) - weights["correctness"] * failed - price)
    return count, best, described


def _at(world: World, items: Items, numbers: set[int]) -> set[int]:
    return {number for number in numbers if all(world.codes[number][name] == level for name, level in items)}
