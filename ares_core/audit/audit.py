"""Audit: from a table and a black box to everything a report needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.audit.blockers import Blockers, find_blockers
from ares_core.audit.figures import PeopleFigures, RuleFigures, Totals, people_figures, rule_figures, totals
from ares_core.audit.moves import MoveFigures, compare_moves
from ares_core.audit.subgroups import SubgroupFigures, compare_subgroups
from ares_core.audit.subject import People, subject
from ares_core.costs import Costs
from ares_core.errors import Cancelled
from ares_core.models import BlackBox
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench, learn, learn_frontier, prepare, tune_weights
from ares_core.settings import Settings

Watch = Callable[[str, float], bool]
SAME_GAIN = 1e-9


def unwatched(_stage: str, _share: float) -> bool:
    """Watch nothing and never cancel."""
    return True


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit, finished: the people, the summary, and every figure."""

    people: People
    model: BlackBox
    settings: Settings
    interest: tuple[str, ...]
    costs: Costs
    bench: Workbench
    learned: Learned
    frontier: tuple[Learned, ...]
    blockers: Blockers
    trained_on: Indices
    timings: dict[str, float]
    notes: tuple[str, ...] = ()
    figures: PeopleFigures = field(init=False)
    move_costs: NDArray[np.float64] = field(init=False)
    rule_figures: tuple[RuleFigures, ...] = field(init=False)
    subgroups: tuple[SubgroupFigures, ...] = field(init=False)
    moves: tuple[MoveFigures, ...] = field(init=False)

    def __post_init__(self) -> None:
        prices = self.bench.prices(self.settings, self.costs)
        figures = people_figures(self.bench, self.learned, prices.move_costs)
        compared = compare_subgroups(self.bench, self.learned, figures, self.bench.split.check)
        derived: dict[str, Any] = {
            "move_costs": prices.move_costs,
            "figures": figures,
            "subgroups": compared,
            "moves": compare_moves(self.bench, self.learned, self.bench.split.check),
            "rule_figures": rule_figures(self.bench, self.learned, prices.move_costs),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def everyone(self) -> Indices:
        """All the affected."""
        return np.arange(len(self.bench.affected))

    def totals(self, people: Indices, learned: Learned | None = None) -> Totals:
        """Add up over some of the affected, for this summary or another of the frontier."""
        if learned is None:
            return totals(self.figures, self.learned, people)
        return totals(people_figures(self.bench, learned, self.move_costs), learned, people)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to audit: the people, a model (or the family to train), settings, costs, features of interest.

    `tune` sets the weights as the paper's appendix does; `reading` is how many seconds it took to read the people.
    """

    people: People
    model: BlackBox | str
    settings: Settings
    costs: Costs
    interest: Sequence[str] = ()
    notes: tuple[str, ...] = ()
    tune: bool = False
    reading: float = 0.0


def run_audit(request: Request, watch: Watch = unwatched) -> Audit:
    """Run an audit from end to end.

    Parameters
    ----------
    watch
        Called with the stage and the share of it that is done; returning False cancels.
    """
    stages = _Stages(watch, request.reading)
    stages.begin("model")
    model, table, trained_on = subject(request.people, request.model, request.settings.seed)
    interest = tuple(table.schema[name].name for name in request.interest)
    bench = prepare(model, table, request.settings, interest, lambda share: watch("evaluate", share))
    stages.begin("search")
    settings, notes = _tuned(request, bench, interest) if request.tune else (request.settings, ())
    best = learn(bench, settings, request.costs, interest)
    stages.begin("frontier")
    frontier = tuple(
        best if _same_answer(best, point, size) else point
        for size, point in enumerate(learn_frontier(bench, settings, request.costs, interest), start=1)
    )
    stages.begin("blockers")
    blockers = find_blockers(model, table, bench.affected[~bench.recourse], settings.max_changes)
    timings = stages.end(bench.timings)
    return Audit(
        people=request.people,
        model=model,
        settings=settings,
        interest=interest,
        costs=request.costs,
        bench=bench,
        learned=best,
        frontier=frontier,
        blockers=blockers,
        trained_on=trained_on,
        timings=timings,
        notes=(*request.notes, *notes),
    )


class _Stages:
    """The stages of an audit and the seconds each takes; a watcher may cancel at the start of any."""

    def __init__(self, watch: Watch, reading: float) -> None:
        self._watch, self._reading = watch, reading
        self._begins: dict[str, float] = {}

    def begin(self, stage: str) -> None:
        """Start a stage."""
        self._begins[stage] = perf_counter()
        if not self._watch(stage, 0.0):
            raise Cancelled

    def end(self, prepared: dict[str, float]) -> dict[str, float]:
        """Return the seconds of every stage the contract names, and of the whole."""
        now, begins = perf_counter(), self._begins
        return {
            "read": self._reading,
            **prepared,
            "search": begins["frontier"] - begins["search"],
            "frontier": begins["blockers"] - begins["frontier"],
            "blockers": now - begins["blockers"],
            "total": self._reading + now - begins["model"],
        }


def _tuned(request: Request, bench: Workbench, interest: Sequence[str]) -> tuple[Settings, tuple[str, ...]]:
    """Set the weights as the paper's appendix does, and say what came of it."""
    tuned = tune_weights(bench, request.settings, request.costs, interest)
    held = "hold" if tuned.validation.holds else "do not hold, so the start was kept"
    numbers = ", ".join(f"{value:g}" for value in astuple(tuned.weights))
    note = (
        f"The weights {numbers} were tuned on {tuned.validation.people} people set aside; "
        f"the paper's conditions {held}."
    )
    return replace(request.settings, weights=tuned.weights), (note,)


def _same_answer(best: Learned, point: Learned, size: int) -> bool:
    """Say whether the summary fits a point of the frontier and is as good: of equals, show the same one."""
    return len(best.rules) <= size and best.certificate.gain >= point.certificate.gain - SAME_GAIN
