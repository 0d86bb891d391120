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
from ares_core.models import Behaviour, BlackBox, ForeignModel, check_behaviour
from ares_core.models.agreement import Agreement
from ares_core.models.expected import ExpectedCheck
from ares_core.people.table import Indices
from ares_core.recourse import (
    Learned,
    Recheck,
    Workbench,
    agreed,
    learn,
    learn_frontier,
    prepare,
    recheck,
    tune_weights,
)
from ares_core.settings import Settings

Watch = Callable[[str, float], bool]


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
    behaviour: Behaviour | None = None
    recheck: Recheck | None = None
    expected: ExpectedCheck | None = None
    figures: PeopleFigures = field(init=False)
    move_costs: NDArray[np.float64] = field(init=False)
    rule_figures: tuple[RuleFigures, ...] = field(init=False)
    subgroups: tuple[SubgroupFigures, ...] = field(init=False)
    moves: tuple[MoveFigures, ...] = field(init=False)

    def __post_init__(self) -> None:
        prices = self.bench.prices(self.settings, self.costs)
        figures = people_figures(self.bench, self.learned, prices.move_costs)
        need, check = self.bench.need(prices.move_costs), self.bench.split.check
        compared = compare_subgroups(self.bench, self.learned, figures, need, check)
        derived: dict[str, Any] = {
            "move_costs": prices.move_costs,
            "figures": figures,
            "subgroups": compared,
            "moves": compare_moves(self.bench, self.learned, check),
            "rule_figures": rule_figures(self.bench, self.learned, prices.move_costs),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def warning(self) -> str:
        """Why the figures are not to be trusted, in sentences; empty if nothing speaks against them."""
        agreement = self.agreement
        found = ("" if agreement is None else agreement.warning, "" if self.recheck is None else self.recheck.warning)
        return " ".join(each for each in found if each)

    @property
    def agreement(self) -> Agreement | None:
        """How far a model from elsewhere agrees with the outcomes; None for one made here, or without outcomes."""
        return agreement_of(self.people, self.model, self.bench)

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
    `expected` is what came of comparing the model with answers it is known to give; None if there were none.
    """

    people: People
    model: BlackBox | str
    settings: Settings
    costs: Costs
    interest: Sequence[str] = ()
    notes: tuple[str, ...] = ()
    tune: bool = False
    reading: float = 0.0
    expected: ExpectedCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """An audit whose model was asked everything.

    `spent` are the seconds that took, stage by stage; `behaviour` is how a model from elsewhere behaves, and
    `recheck` whether it repeats the answers of its evaluation in other batches.
    """

    people: People
    model: BlackBox
    bench: Workbench
    trained_on: Indices
    interest: tuple[str, ...]
    notes: tuple[str, ...]
    spent: dict[str, float]
    behaviour: Behaviour | None = None
    recheck: Recheck | None = None
    expected: ExpectedCheck | None = None


def run_audit(request: Request, watch: Watch = unwatched) -> Audit:
    """Run an audit from end to end.

    Parameters
    ----------
    watch
        Called with the stage and the share of it that is done; returning False cancels.
    """
    began = _begin("model", watch)
    model, table, trained_on = subject(request.people, request.model, request.settings.seed)
    interest = tuple(table.schema[name].name for name in request.interest)
    trained = perf_counter()
    behaviour = behaviour_of(request.people, model, watch)
    checked = perf_counter()
    bench = prepare(model, table, request.settings, interest, lambda share: watch("evaluate", share))
    evaluated = perf_counter()
    repeated = recheck_of(model, bench, watch)
    rechecked = perf_counter()
    tuning = _begin("search", watch) if request.tune else perf_counter()
    settings, notes = _tuned(request, bench, interest) if request.tune else (request.settings, ())
    spent = {
        "read": request.reading,
        "model": trained - began,
        "behaviour": checked - trained + rechecked - evaluated,
        **bench.timings,
        "search": perf_counter() - tuning,
    }
    prepared = Prepared(
        people=request.people,
        model=model,
        bench=bench,
        trained_on=trained_on,
        interest=interest,
        notes=(*request.notes, *notes),
        spent=spent,
        behaviour=behaviour,
        recheck=repeated,
        expected=request.expected,
    )
    return _conclude(prepared, settings, request.costs, watch)


def _conclude(prepared: Prepared, settings: Settings, costs: Costs, watch: Watch) -> Audit:
    """Choose the rules, for every size too, and report on them."""
    bench, interest, spent = prepared.bench, prepared.interest, prepared.spent
    searching = _begin("search", watch)
    best = learn(bench, settings, costs, interest)
    measuring = _begin("frontier", watch)
    frontier = learn_frontier(bench, settings, costs, interest, best=best)
    search = spent.get("search", 0.0) + measuring - searching
    spent = {**spent, "search": search, "frontier": perf_counter() - measuring}
    return report(replace(prepared, spent=spent), agreed(best, frontier), frontier, costs, watch)


def report(
    prepared: Prepared, learned: Learned, frontier: tuple[Learned, ...], costs: Costs, watch: Watch = unwatched
) -> Audit:
    """Ask what stands in the way, and work out every figure of rules that are chosen already.

    The settings of the audit are those of the rules.
    """
    bench, began = prepared.bench, _begin("blockers", watch)
    without = bench.affected[~bench.recourse]
    blockers = find_blockers(prepared.model, bench.table, without, learned.settings.max_changes)
    return Audit(
        people=prepared.people,
        model=prepared.model,
        settings=learned.settings,
        interest=prepared.interest,
        costs=costs,
        bench=bench,
        learned=learned,
        frontier=frontier,
        blockers=blockers,
        trained_on=prepared.trained_on,
        timings=_timings({**prepared.spent, "blockers": perf_counter() - began}),
        notes=prepared.notes,
        behaviour=prepared.behaviour,
        recheck=prepared.recheck,
        expected=prepared.expected,
    )


def behaviour_of(people: People, model: BlackBox, watch: Watch = unwatched) -> Behaviour | None:
    """Say how a model from elsewhere behaves; of those made here that is known."""
    if not isinstance(model, ForeignModel):
        return None
    _begin("behaviour", watch)
    asked = model.without_memory()
    return check_behaviour(asked, people.table.frame, people.outcomes, lambda share: watch("behaviour", share))


def agreement_of(people: People, model: BlackBox, bench: Workbench) -> Agreement | None:
    """Count how far a model from elsewhere agrees with the outcomes of everybody, without asking it again.

    None for a model made here, and where no outcome is known.
    """
    if not isinstance(model, ForeignModel) or people.outcomes is None:
        return None
    accepted = np.ones(len(people.outcomes), dtype=np.int8)
    accepted[bench.affected] = 0
    return Agreement.of(accepted, people.outcomes)


def recheck_of(model: BlackBox, bench: Workbench, watch: Watch = unwatched) -> Recheck | None:
    """Ask a model from elsewhere again about rows of its evaluation; None for a model made here."""
    if not isinstance(model, ForeignModel):
        return None
    _begin("behaviour", watch)
    return recheck(model, bench, lambda share: watch("behaviour", share))


def _begin(stage: str, watch: Watch) -> float:
    """Start a stage, where a watcher may cancel, and return when that was."""
    if not watch(stage, 0.0):
        raise Cancelled
    return perf_counter()


def _timings(spent: dict[str, float]) -> dict[str, float]:
    """Return the seconds of every stage the contract names, and of the whole, in which training counts too."""
    found = {"behaviour": 0.0, "search": 0.0, "frontier": 0.0, **spent}
    total = sum(found.values())
    return {**{stage: seconds for stage, seconds in found.items() if stage != "model"}, "total": total}


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
