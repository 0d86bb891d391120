"""The same move in every subgroup, side by side: whether the same effort leads as far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ares_core.audit.intervals import Share
from ares_core.audit.subgroups import compared_groups
from ares_core.people.predicates import Conjunction
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench


@dataclass(frozen=True, slots=True)
class MoveFigures:
    """One move of the summary, and how often it works in each subgroup.

    `works` counts, among the people of a subgroup whom the move was tried on (they could make it), those the model
    then accepts.
    """

    move: Conjunction
    works: tuple[tuple[Conjunction, Share], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a run file writes them."""
        rows = [
            {
                "subgroup": subgroup.to_json(),
                "tried": share.total,
                "works": share.count,
                "accuracy": share.value,
                "interval": list(share.interval),
            }
            for subgroup, share in self.works
        ]
        return {"move": self.move.to_json(), "subgroups": rows}


def compare_moves(bench: Workbench, learned: Learned, people: Indices) -> tuple[MoveFigures, ...]:
    """Follow every move of the summary through every subgroup, among `people`, places among the affected."""
    groups = [
        (bench.conjunction(bench.predicates(learned.groups.itemsets[group])), learned.groups.masks[group, people])
        for group in compared_groups(learned)
    ]
    moves = dict.fromkeys(int(bench.candidates.options.move[triple.option]) for triple in learned.triples)
    found = []
    for move in moves:
        tried, works = bench.evaluation.asked[move, people], bench.evaluation.works[move, people]
        shares = [(name, Share(int(np.sum(works & inside)), int(np.sum(tried & inside)))) for name, inside in groups]
        found.append(MoveFigures(bench.conjunction(dict(bench.candidates.moves[move])), tuple(shares)))
    return tuple(found)
