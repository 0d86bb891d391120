"""Gathered: the results that are there, as means over seeds; what is missing stays missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from benchmarks.paper.published import published
from benchmarks.paper.results import Cell
from benchmarks.paper.run import Plan, Runner

Found = dict[str, Any]
Pick = Callable[[Found, Cell], Found]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of some seeds' figures and their standard deviation; `count` is how many seeds there are."""

    value: float
    spread: float
    count: int

    @classmethod
    def of(cls, numbers: list[float]) -> Mean | None:
        """Return the mean, None of nothing."""
        if not numbers:
            return None
        return cls(fmean(numbers), stdev(numbers) if len(numbers) > 1 else math.nan, len(numbers))

    def text(self, factor: float = 1.0, digits: int = 2) -> str:
        """Write 'mean ± standard deviation', the mean alone of one seed."""
        plain = f"{factor * self.value:.{digits}f}"
        return plain if math.isnan(self.spread) else f"{plain} ± {factor * self.spread:.{digits}f}"


def itself(found: Found, _cell: Cell) -> Found:
    """Return a result as it is."""
    return found


def own(found: Found, _cell: Cell) -> Found:
    """Return what AR achieves with the costs of its authors."""
    return dict(found["own"])


def local(found: Found, _cell: Cell) -> Found:
    """Return what the paper's local search achieves on the same candidates."""
    return dict(found["beside"][1])


def frugal(found: Found, cell: Cell) -> Found:
    """Return the cheapest rules tried that are as accurate as the paper's; where none are, the most accurate ones."""
    printed = published(cell.table, cell.family)
    enough = [
        each for each in found["tried"] if printed and 100 * each["accuracy"] >= printed[0] and each["mean_fcost"]
    ]
    return min(enough, key=lambda each: each["mean_fcost"]) if enough else found


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the tables: whose figures, in which words, and which part of a result."""

    system: str
    title: str
    pick: Pick = itself


EXACT = Row("ares", "**AReS, ours**")
FRUGAL = Row("ares", "AReS, ours, frugal", frugal)
LOCAL = Row("ares", "AReS, local search", local)
ALONE = Row("alone", "one person at a time")
OTHERS = (
    Row("ar", "AR"),
    Row("ar", "AR, own costs", own),
    Row("ar-lime", "AR-LIME"),
    Row("ar-lime", "AR-LIME, own costs", own),
    Row("ar-kmeans", "AR-KMeans"),
    Row("ar-kmeans", "AR-KMeans, own costs", own),
    Row("face", "FACE"),
)
ROWS = (EXACT, FRUGAL, LOCAL, *OTHERS, ALONE)


@dataclass(frozen=True)
class Gathered:
    """The cells of a plan that are there; `impossible` says of others why they cannot be."""

    plan: Plan
    found: dict[Cell, Found]
    impossible: dict[Cell, str] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, runner: Runner) -> Gathered:
        """Read what is there."""
        read = {cell: runner.known(cell) for cell in plan.cells()}
        there = {cell: found for cell, found in read.items() if found is not None}
        impossible = {cell: str(found["impossible"]) for cell, found in there.items() if "impossible" in found}
        return cls(plan, {cell: found for cell, found in there.items() if cell not in impossible}, impossible)

    @property
    def cells(self) -> int:
        """How many cells the plan has."""
        return sum(1 for _ in self.plan.cells())

    def is_impossible(self, table: str, family: str, protocol: str) -> bool:
        """Say whether a seed of a scene cannot be."""
        return any((cell.table, cell.family, cell.protocol) == (table, family, protocol) for cell in self.impossible)

    def seeds(self, table: str, family: str, protocol: str, row: Row) -> Iterator[Found]:
        """Yield the figures of one line, seed by seed."""
        for seed in self.plan.seeds:
            cell = Cell(table, family, seed, protocol, row.system)
            if cell in self.found:
                yield row.pick(self.found[cell], cell)

    def mean(self, table: str, family: str, protocol: str, row: Row, key: str) -> Mean | None:
        """Return the mean of one figure over the seeds that have it."""
        numbers = [each.get(key) for each in self.seeds(table, family, protocol, row)]
        return Mean.of([float(number) for number in numbers if number is not None])
