"""One person: which rule applies, whether it works for them, and the cheapest move that does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ares_core.audit.cheapest import Steps, cheapest_first
from ares_core.costs import Costs
from ares_core.errors import DataError
from ares_core.models import BlackBox, ask
from ares_core.people.names import quote
from ares_core.people.predicates import Conjunction, Predicate
from ares_core.people.table import Move, Substitution, Table
from ares_core.recourse import RecourseRule

BATCH = 4_000
MOST_MOVES = 200_000  # beyond so many the model is not asked
UNCHANGED = "Give the file that 'audit … --json' wrote, unchanged."


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
        The person's row of the file, counted from 0 without the header, as files and `--row` name it.
    line
        The line of the file that row begins on, as people are told it.
    accepted
        Whether the model accepts the person as they are.
    rule
        The rule of the summary that decides for them, with whether it works; None without one.
    cheapest
        The cheapest allowed move that works; None when none does.
    tried
        How many moves the model was asked about.
    gave_up
        Whether there were more moves, none of them cheaper, than the model is asked about.
    """

    row: int
    line: int
    accepted: bool
    rule: RecourseRule | None
    rule_works: bool
    cheapest: PricedMove | None
    tried: int
    gave_up: bool

    def to_json(self) -> dict[str, Any]:
        """Return the answer for machines."""
        return {
            "format": "ares-person",
            "version": 1,
            "row": self.row,
            "accepted": self.accepted,
            "rule": None if self.rule is None else {**self.rule.to_json(), "works": self.rule_works},
            "cheapest": None if self.cheapest is None else self.cheapest.to_json(),
            "tried": self.tried,
            "gave_up": self.gave_up,
        }


def allowed_steps(table: Table, person: int, costs: Costs) -> list[Steps]:
    """Return how the schema allows a person to change each feature; a target is a level that somebody is at."""
    found = []
    for position, (feature, levels) in enumerate(zip(table.features, table.held, strict=True)):
        start = int(table.codes[person, position])
        targets = [(feature.magnitude(start, level), level) for level in levels if feature.allows(start, level)]
        found.append(Steps(position, costs.of(feature.name), tuple(sorted(targets))))
    return found


def cheapest_move(
    model: BlackBox, table: Table, person: int, costs: Costs, max_changes: int
) -> tuple[PricedMove | None, int, bool]:
    """Find the cheapest allowed move that the model accepts, cheaper ones first.

    Returns
    -------
    The move, or None, how many moves were tried, and whether MOST_MOVES ended the search.
    """
    moves = cheapest_first(allowed_steps(table, person, costs), max_changes)
    substitution, tried = Substitution(table, np.array([person])), 0
    while batch := list(islice(moves, min(BATCH, MOST_MOVES - tried))):
        tried += len(batch)
        works = ask(model, substitution.frame([(move, np.array([0])) for move in batch]))
        if works.any():
            return _priced(table, person, batch[int(works.argmax())], costs), tried, False
    return None, tried, next(moves, None) is not None


def _priced(table: Table, person: int, move: Move, costs: Costs) -> PricedMove:
    changed = [(table.features[position], position, level) for position, level in move]
    crossed = sum(feature.magnitude(int(table.codes[person, at]), level) for feature, at, level in changed)
    return PricedMove(table.conjunction(move), sum(costs.of(feature.name) for feature, *_ in changed), crossed)


def person_recourse(
    model: BlackBox,
    table: Table,
    person: int,
    ranked: Sequence[tuple[RecourseRule, float]],
    costs: Costs,
    max_changes: int,
) -> PersonRecourse:
    """Answer for one person of the table.

    Parameters
    ----------
    ranked
        The summary's rules with the accuracy that decides between them.
    """
    row, line = int(table.rows[person]), int(table.lines[person])
    ranked = [(_own_rule(table, rule), accuracy) for rule, accuracy in ranked]
    me = table.frame.iloc[[person]]
    if ask(model, me)[0]:
        return PersonRecourse(row, line, True, None, False, None, 0, False)
    applying = [
        (accuracy, -place, rule)
        for place, (rule, accuracy) in enumerate(ranked)
        if rule.subgroup.mask(me)[0] and rule.before.mask(me)[0]
    ]
    best = max(applying, key=lambda entry: entry[:2])[2] if applying else None
    works = best is not None and _works(model, table, person, best)
    return PersonRecourse(row, line, False, best, works, *cheapest_move(model, table, person, costs, max_changes))


def _own_rule(table: Table, rule: RecourseRule) -> RecourseRule:
    """Return a rule read from a file with the levels of the table's schema."""
    parts = (rule.subgroup, rule.before, rule.after)
    return RecourseRule(*(Conjunction.of(_own_predicate(table, predicate) for predicate in part) for part in parts))


def _own_predicate(table: Table, predicate: Predicate) -> Predicate:
    level = _level(table, predicate)
    return Predicate(predicate.feature, table.schema[predicate.feature].levels[level])


def _works(model: BlackBox, table: Table, person: int, rule: RecourseRule) -> bool:
    move = tuple((table.position(change.feature), _level(table, change)) for change in rule.changes)
    changed = Substitution(table, np.array([person])).frame([(move, np.array([0]))])
    return bool(ask(model, changed)[0])


def _level(table: Table, predicate: Predicate) -> int:
    """Return the index of a level read from a file, which may carry another name."""
    if predicate.feature not in table.schema.names:
        raise DataError(f"A rule names {quote(predicate.feature)}, which is not a feature of the schema.", UNCHANGED)
    feature = table.schema[predicate.feature]
    levels = [level.to_json() for level in feature.levels]
    wanted = predicate.level.held(table.frame, feature.columns[0]).to_json()
    if wanted not in levels:
        raise DataError(f"A rule names a level of {predicate.feature!r} that the schema does not have.", UNCHANGED)
    return levels.index(wanted)
