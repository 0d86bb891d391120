"""One person: which rule applies, whether it works for them, and the cheapest move that does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ares_core.costs import Costs
from ares_core.errors import DataError
from ares_core.models import BlackBox, ask
from ares_core.people.predicates import Conjunction, Predicate
from ares_core.people.table import Substitution, Table
from ares_core.recourse import RecourseRule

Move = tuple[tuple[int, int], ...]
BATCH = 4_000


@dataclass(frozen=True, slots=True)
class PricedMove:
    """Changes of one person, with their price."""

    changes: Conjunction
    cost: float
    magnitude: int

    def to_json(self) -> dict[str, Any]:
        """Return the move for machines."""
        return {"changes": self.changes.to_json(), "cost": self.cost, "feature_change": self.magnitude}


@dataclass(frozen=True, slots=True)
class PersonRecourse:
    """What one person can do.

    Parameters
    ----------
    row
        The person's row of the file, counted from 0.
    accepted
        Whether the model accepts the person as they are.
    rule
        The rule of the summary that decides for them, with whether it works; None without one.
    cheapest
        The cheapest move that works, over all allowed moves; None when none does.
    tried
        How many moves the model was asked about.
    """

    row: int
    accepted: bool
    rule: RecourseRule | None
    rule_works: bool
    cheapest: PricedMove | None
    tried: int

    def to_json(self) -> dict[str, Any]:
        """Return the answer for machines."""
        return {"format": "ares-person", "version": 1, "row": self.row, "accepted": self.accepted,
                "rule": None if self.rule is None else {**self.rule.to_json(), "works": self.rule_works},
                "cheapest": None if self.cheapest is None else self.cheapest.to_json(), "tried": self.tried}


def allowed_moves(table: Table, person: int, max_changes: int) -> list[Move]:
    """List every move of up to `max_changes` features that the schema allows this person.

    A target must be a level that somebody in the table is at.
    """
    singles = []
    for position, feature in enumerate(table.features):
        start = int(table.codes[person, position])
        seen = np.unique(table.codes[:, position]).tolist()
        singles.append([(position, target) for target in seen if feature.allows(start, target)])
    moves: list[Move] = []
    for size in range(1, max_changes + 1):
        for chosen in combinations([options for options in singles if options], size):
            moves += _products(chosen)
    return moves


def _products(chosen: Sequence[Sequence[tuple[int, int]]]) -> list[Move]:
    moves: list[Move] = [()]
    for options in chosen:
        moves = [(*move, change) for move in moves for change in options]
    return moves


def cheapest_move(
    model: BlackBox, table: Table, person: int, costs: Costs, max_changes: int
) -> tuple[PricedMove | None, int]:
    """Find the cheapest allowed move that the model accepts, cheaper ones first.

    Returns
    -------
    The move, or None, and how many moves were tried.
    """
    by_feature = costs.vector([feature.name for feature in table.features])
    priced = sorted(
        (_price(table, person, move, by_feature), move) for move in allowed_moves(table, person, max_changes)
    )
    substitution = Substitution(table, np.array([person]))
    for low in range(0, len(priced), BATCH):
        batch = priced[low:low + BATCH]
        works = ask(model, substitution.frame([(move, np.array([0])) for _, move in batch])).astype(bool)
        if works.any():
            (cost, magnitude), move = batch[int(works.argmax())]
            return PricedMove(_conjunction(table, move), cost, magnitude), low + len(batch)
    return None, len(priced)


def _price(
    table: Table, person: int, move: Move, by_feature: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> tuple[float, int]:
    cost = float(sum(by_feature[feature] for feature, _ in move))
    return cost, sum(table.features[f].magnitude(int(table.codes[person, f]), level) for f, level in move)


def _conjunction(table: Table, move: Move) -> Conjunction:
    return Conjunction.of(
        Predicate(table.features[f].name, table.features[f].levels[level]) for f, level in move
    )


def person_recourse(model: BlackBox, table: Table, person: int, ranked: Sequence[tuple[RecourseRule, float]],
                    costs: Costs, max_changes: int) -> PersonRecourse:
    """Answer for one person of the table.

    Parameters
    ----------
    ranked
        The summary's rules with the accuracy that decides between them.
    """
    row = int(table.rows[person])
    for rule, _ in ranked:
        _check_levels(table, rule)
    me = table.frame.iloc[[person]]
    if ask(model, me)[0]:
        return PersonRecourse(row, True, None, False, None, 0)
    applying = [(accuracy, -place, rule) for place, (rule, accuracy) in enumerate(ranked)
                if rule.subgroup.mask(me)[0] and rule.before.mask(me)[0]]
    best = max(applying, key=lambda entry: entry[:2])[2] if applying else None
    works = best is not None and _works(model, table, person, best)
    cheapest, tried = cheapest_move(model, table, person, costs, max_changes)
    return PersonRecourse(row, False, best, works, cheapest, tried)


def _check_levels(table: Table, rule: RecourseRule) -> None:
    for predicate in (*rule.subgroup, *rule.before, *rule.after):
        _level(table, predicate)


def _works(model: BlackBox, table: Table, person: int, rule: RecourseRule) -> bool:
    move = tuple((table.position(change.feature), _level(table, change)) for change in rule.changes)
    changed = Substitution(table, np.array([person])).frame([(move, np.array([0]))])
    return bool(ask(model, changed)[0])


def _level(table: Table, predicate: Predicate) -> int:
    """Return the index of a level read from a file, which may carry another name."""
    levels = [level.to_json() for level in table.schema[predicate.feature].levels]
    if predicate.level.to_json() not in levels:
        raise DataError(f"A rule names a level of {predicate.feature!r} that the schema does not have.",
                        "Give the file that 'audit … --json' wrote, unchanged.")
    return levels.index(predicate.level.to_json())
