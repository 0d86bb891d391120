"""Sandbox: what it costs to ask a model behind locks, beside the same model in process, and how soon it is ended."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

import numpy as np
import pandas as pd

from ares_core.audit import subject
from ares_core.errors import ModelError
from ares_core.models import TrainedModel
from ares_core.models.foreign import ForeignModel
from ares_core.models.formats import PICKLE_VARIABLE
from ares_core.models.reading import Reading
from ares_core.models.sandbox import Level, levels_in_force, open_model
from ares_core.models.saving import to_skops
from ares_core.people import Table
from ares_core.recourse import prepare
from ares_core.settings import Settings
from benchmarks.cases import Case
from benchmarks.report import Check, Grid, Section, at_most
from tests.models.hostile.cells import HURRIED, hostile_model

TABLE, FAMILIES = "compas", ("lr", "rf")
RATIO, BEYOND = 1.3, 2.0
TURNS, ENOUGH = 20, 20.0  # how often evaluation is timed, and after how many seconds that is enough
HANGS = ("endless_loop", "endless_without_letting_go", "sleep_for_ever", "ignore_signals")
COLUMNS = (
    ("locks", ""),
    ("model", "trained on one half of COMPAS, kept as a skops file"),
    ("file", "megabytes"),
    ("start", "seconds from the file to a model that can be asked: start, import, lock, load"),
    ("model rows", "how many rows the model was asked"),
    ("in process", "seconds to ask them of the model that was trained, all our work included"),
    ("behind locks", "the same of the file, opened in its own process"),
    ("ratio", "of these two"),
)
ENDED = (
    ("locks", ""),
    ("what hangs", "what the model does when it is asked"),
    ("limit", "seconds it may take"),
    ("beyond", "seconds after that until whoever asked is told"),
)
SAYS = (
    "Both are timed in turns within one run, so that what else the machine does meets both; the best of each counts.",
    "The answers of the two are compared too: the same moves work for the same people.",
)
Ended = tuple[Level, str, float]  # the locks, what the model did, and how many seconds beyond its limit
NOTHING = "The sandbox was not measured: this machine has no locks for it."


@dataclass(frozen=True, slots=True)
class Cost:
    """What a model cost: bytes of its file, seconds to start, rows asked, and seconds to ask them in both ways."""

    level: Level
    family: str
    size: int
    start: float
    rows: int
    inside: float
    locked: float

    @property
    def ratio(self) -> float:
        """How many times as long it takes behind locks."""
        return self.locked / self.inside

    def row(self) -> tuple[str, ...]:
        """Return its line of the table."""
        seconds = (f"{self.inside:.2f}", f"{self.locked:.2f}", f"{self.ratio:.2f}")
        return (
            self.level.words,
            self.family,
            f"{self.size / 1e6:.1f}",
            f"{self.start:.1f}",
            f"{self.rows:,}",
            *seconds,
        )


def run(cases: Sequence[Case], folder: Path, left_out: tuple[str, ...]) -> Section:
    """Measure every level of locks this machine has."""
    levels = levels_in_force()
    case = next((case for case in cases if case.name == TABLE), None)
    if case is None or not levels:
        return Section("sandbox", "The sandbox", SAYS, (), (), left_out or (NOTHING,))
    costs = [cost for family in FAMILIES for cost in _costs(case, folder, family, levels)]
    ended = [(level, act.replace("_", " "), _beyond(level, act)) for level in levels for act in HANGS]
    grids = (Grid(COLUMNS, tuple(cost.row() for cost in costs)), Grid(ENDED, tuple(map(_row, ended))))
    return Section("sandbox", "The sandbox", SAYS, grids, tuple(_checks(costs, ended)), left_out)


def _costs(case: Case, folder: Path, family: str, levels: Sequence[Level]) -> Iterator[Cost]:
    model, table, _ = subject(case.people(folder), family, Settings().seed)
    assert isinstance(model, TrainedModel)
    for level in levels:
        yield _cost(model, table, case, level)


def _cost(model: TrainedModel, table: Table, case: Case, level: Level) -> Cost:
    content = to_skops(model)
    began = perf_counter()
    with open_model(content, model.kind, level=level) as opened:
        start = perf_counter() - began
        foreign = ForeignModel.fitted(opened, table.frame, Reading("1"))
        inside, locked = [], []
        while len(inside) < TURNS and sum(inside) + sum(locked) < ENOUGH:
            benches = [prepare(asked, table, Settings(), case.interest) for asked in (model, foreign)]
            inside.append(benches[0].timings["evaluate"])
            locked.append(benches[1].timings["evaluate"])
        if not np.array_equal(*(bench.evaluation.works for bench in benches)):
            raise RuntimeError("the model answers differently behind locks")
    rows = benches[0].evaluation.model_rows
    return Cost(level, model.kind, len(content), start, rows, min(inside), min(locked))


def _beyond(level: Level, act: str) -> float:
    """Return how many seconds after its limit a model that hangs has ended and its user is told."""
    rows = pd.DataFrame({"act": [act], "where": [""]})
    with (
        patch.dict(os.environ, {PICKLE_VARIABLE: "1"}),
        open_model(hostile_model(), level=level, limits=HURRIED) as model,
    ):
        began = perf_counter()
        try:
            model.answer(rows, "label")
        except ModelError:
            return perf_counter() - began - HURRIED.answer_seconds
    raise RuntimeError(f"{act} ended by itself")


def _row(ended: Ended) -> tuple[str, ...]:
    level, act, seconds = ended
    return level.words, act, f"{HURRIED.answer_seconds:g}", f"{seconds:.2f}"


def _checks(costs: Sequence[Cost], ended: Sequence[Ended]) -> Iterator[Check]:
    for family in FAMILIES:
        ratios = [(cost.level.words, cost.ratio) for cost in costs if cost.family == family]
        yield at_most(f"evaluation of {family} behind locks at most {RATIO} × in process", ratios, RATIO, " ×")
    late = [(f"{act}, {level.words}", seconds) for level, act, seconds in ended]
    yield at_most(f"a model that hangs ended within {BEYOND:g} s of its limit", late, BEYOND, " s")
