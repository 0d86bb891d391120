"""Read the room's arrays back into the plain words of `worlds`."""

from __future__ import annotations

from typing import Any

from ares_core.people import Table
from ares_core.recourse.candidates import Candidates
from ares_core.recourse.mining import Items
from ares_core.recourse.workbench import Triple, Workbench
from tests.recourse.worlds import Conjunction, Pair


def conjunction(table: Table, items: Items, itemset: Any) -> Conjunction:
    """Read an itemset; -1 pads."""
    chosen = [int(item) for item in itemset if item >= 0]
    return frozenset((table.features[items.features[item]].name, int(items.levels[item])) for item in chosen)


def move(table: Table, candidates: Candidates, number: int) -> Conjunction:
    """Read a move."""
    return frozenset((table.features[position].name, level) for position, level in candidates.moves[number])


def conditions(table: Table, candidates: Candidates) -> list[Conjunction]:
    """Read all conditions."""
    return [conjunction(table, candidates.items, row) for row in candidates.conditions]


def pair(before: Conjunction, target: Conjunction) -> Pair:
    """Return before and after of a condition and a move."""
    after = {**dict(before), **dict(target)}
    return before, frozenset(after.items())


def option_pairs(table: Table, candidates: Candidates) -> list[tuple[Pair, int]]:
    """Read all options, each with its magnitude, in order."""
    known = conditions(table, candidates)
    options = candidates.options
    columns = zip(options.condition, options.move, options.magnitude, strict=True)
    return [
        (pair(known[condition], move(table, candidates, number)), int(magnitude))
        for condition, number, magnitude in columns
    ]


def rule(bench: Workbench, itemsets: Any, triple: Triple) -> tuple[Conjunction, Pair]:
    """Read a triple."""
    table, candidates = bench.table, bench.candidates
    assert candidates.options.condition[triple.option] == triple.condition
    before = conjunction(table, candidates.items, candidates.conditions[triple.condition])
    target = move(table, candidates, int(candidates.options.move[triple.option]))
    return conjunction(table, candidates.items, itemsets[triple.subgroup]), pair(before, target)
