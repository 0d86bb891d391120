"""Blockers: why some people have no recourse among the candidate moves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ares_core.audit.cheapest import Steps, cheapest_first
from ares_core.models import BlackBox, ask
from ares_core.people.table import Indices, Move, Substitution, Table

MOST_PEOPLE = 100
MOST_MOVES = 4_000


@dataclass(frozen=True, slots=True)
class Blockers:
    """What stands between people and recourse.

    Parameters
    ----------
    people
        How many have no candidate move that works.
    looked_at
        How many of them were looked into, the first in canonical order; each with at most MOST_MOVES moves, those of
        the fewest and smallest changes.
    rare
        How many have an allowed move that works but ends where too few people live, or starts from too few.
    locked
        For each feature that may not change, or not that way: for how many others its change would open one.
    further
        How many would need more changes than were looked at, if any help at all.
    """

    people: int
    looked_at: int
    rare: int
    locked: tuple[tuple[str, int], ...]
    further: int

    def to_json(self) -> dict[str, Any]:
        """Return the blockers as a run file writes them."""
        return {
            "people": self.people,
            "looked_at": self.looked_at,
            "rare_end_state": self.rare,
            "locked_features": dict(self.locked),
            "further_changes": self.further,
        }


def find_blockers(model: BlackBox, table: Table, people: Indices, max_changes: int) -> Blockers:
    """Ask what would help people for whom no candidate move works.

    Parameters
    ----------
    people
        Places in the table.
    """
    rare, further = 0, 0
    locked: Counter[str] = Counter()
    looked_at = people[:MOST_PEOPLE]
    after = Substitution(table, looked_at)
    for place, person in enumerate(looked_at.tolist()):
        # Each change costs 1, so the narrowest moves come first.
        moves = list(islice(cheapest_first(_any_steps(table, person), max_changes), MOST_MOVES))
        working = _working(model, after, place, moves)
        free, opening = _ways(table, person, working)
        rare += int(free)
        further += int(not free and not opening)
        if not free:
            locked.update(opening)
    ranked = tuple(sorted(locked.items(), key=lambda entry: (-entry[1], entry[0])))
    return Blockers(len(people), len(looked_at), rare, ranked, further)


def _working(model: BlackBox, after: Substitution, place: int, moves: list[Move]) -> list[Move]:
    """Return the moves after which the model accepts a person."""
    if not moves:
        return []
    answers = ask(model, after.frame([(move, np.array([place])) for move in moves]))
    return [move for move, works in zip(moves, answers, strict=True) if works]


def _ways(table: Table, person: int, working: list[Move]) -> tuple[bool, set[str]]:
    """Say whether a working move is allowed, and else which locks would open one, the fewest possible."""
    levels = table.codes[person].tolist()
    locks = [
        {table.features[f].name for f, level in move if not table.features[f].allows(levels[f], level)}
        for move in working
    ]
    if any(not names for names in locks):
        return True, set()
    fewest = min(map(len, locks), default=0)
    return False, set().union(*(names for names in locks if len(names) == fewest))


def _any_steps(table: Table, person: int) -> list[Steps]:
    """Return how a person could change each feature if everything were allowed; what is not known stays so."""
    found = []
    for position, (feature, levels) in enumerate(zip(table.features, table.held, strict=True)):
        start = int(table.codes[person, position])
        others = [level for level in levels if level != start] if start != feature.missing else []
        found.append(Steps(position, 1.0, tuple(sorted((feature.magnitude(start, level), level) for level in others))))
    return found
