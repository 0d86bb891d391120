"""Run: every cell of the comparison, the most telling and cheapest first, each computed once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

from ares_core.audit import People
from ares_core.errors import AresError
from ares_core.models.training import FAMILIES
from benchmarks.cases import CASES, VARIABLE, Case
from benchmarks.measure import forget_peak, peak_megabytes
from benchmarks.paper.growing import narrowed
from benchmarks.paper.results import Cell, Found, Job, Results, fingerprint
from benchmarks.paper.scene import BUNDLED, OURS, PAPER, PROTOCOLS, Scene, described, read_people, stage
from benchmarks.paper.systems import SYSTEMS

SEEDS = (0, 1, 2)
# Those of the paper's Table 2 first, then those of its twin, then those it gives no figures for.
MODELS = ("lr", "rf", "dnn3", "gbt", "svm", "dnn5", "dt", "dnn10")


# A few features of the table that ships, for a short run.
QUICK = replace(BUNDLED, name="quick", title="German Credit, a few features", protected=BUNDLED.interest)
QUICK_FEATURES = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """Which cells to compute, from which tables."""

    cases: tuple[Case, ...]
    models: tuple[str, ...] = MODELS
    seeds: tuple[int, ...] = SEEDS
    protocols: tuple[str, ...] = (PAPER.name, OURS.name)
    systems: tuple[str, ...] = tuple(SYSTEMS)

    def __post_init__(self) -> None:
        unknown = [name for name in self.models if name not in FAMILIES]
        if unknown:
            raise ValueError(f"there is no model {unknown[0]!r}")

    def cells(self) -> Iterator[Cell]:
        """Yield the cells, those of one scene together."""
        order = product(self.seeds, self.protocols, self.cases, self.models, self.systems)
        for seed, protocol, case, family, system in order:
            # The trade-off by size is drawn once.
            if SYSTEMS[system].suits(family) and (system != "frontier" or seed == 0):
                yield Cell(case.name, family, seed, protocol, system)


def tables(folder: Path, only: Sequence[str] = ()) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the tables to measure on, and a sentence for each that is missing or replaced."""
    found, said = [], []
    for case in (case for case in CASES if not only or case.name in only):
        if (folder / case.file).is_file():
            found.append(case)
        elif case.name == BUNDLED.name:
            found.append(BUNDLED)
            said.append(f"The data folder has no file {case.file!r}: German Credit is the table that ships.")
        else:
            said.append(f"{case.title} is left out: the data folder has no file {case.file!r}.")
    hint = f"Name another folder with --data or {VARIABLE}."
    return tuple(found), tuple(f"{sentence} {hint}" for sentence in said)


@dataclass(frozen=True)
class Runner:
    """Computes cells, one scene at a time."""

    cases: tuple[Case, ...]
    folder: Path
    results: Results

    def mark(self, cell: Cell) -> str:
        """Say what a cell's result depends on: code and data."""
        return f"{fingerprint(SYSTEMS[cell.system].modules)} {_digest(self._case(cell), self.folder)}"

    def known(self, cell: Cell) -> Found | None:
        """Return the result of a cell if it is there."""
        return self.results.read(cell.file, self.mark(cell))

    def job(self, cell: Cell) -> Job:
        """Return how to compute a cell unless it is there."""
        return cell.file, lambda: self.results.get(cell.file, self.mark(cell), lambda: self._compute(cell))[1]

    def _case(self, cell: Cell) -> Case:
        return next(case for case in self.cases if case.name == cell.table)

    def _compute(self, cell: Cell) -> Found:
        try:
            scene = _scene(self._case(cell), self.folder, cell.family, cell.protocol, cell.seed)
        except AresError as error:  # such as a model that refuses nobody: a result, and no reason to stop
            return {"impossible": error.problem}
        forget_peak()
        return SYSTEMS[cell.system].run(scene) | {"megabytes": peak_megabytes()}


@lru_cache(maxsize=1)
def _scene(case: Case, folder: Path, family: str, protocol: str, seed: int) -> Scene:
    how = PROTOCOLS[protocol]
    return stage(described(_people(case, folder), case, how), case.interest, family, how, seed)


def _people(case: Case, folder: Path) -> People:
    if case == QUICK:
        return narrowed(read_people(BUNDLED, folder), QUICK, QUICK_FEATURES)
    return read_people(case, folder)


@lru_cache(maxsize=8)
def _digest(case: Case, folder: Path) -> str:
    if not case.file:
        return "bundled"
    return hashlib.sha256((folder / case.file).read_bytes()).hexdigest()[:16]
