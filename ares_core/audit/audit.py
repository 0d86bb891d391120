"""Audit: from a table and a black box to everything a report needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.audit.blockers import Blockers, find_blockers
from ares_core.audit.figures import PeopleFigures, RuleFigures, Totals, people_figures, rule_figures, totals
from ares_core.audit.subgroups import SubgroupFigures, compare_subgroups
from ares_core.costs import Costs
from ares_core.errors import DataError
from ares_core.models import BlackBox, split_half, train
from ares_core.people import Schema, Table, plain
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench, learn, learn_frontier, prepare
from ares_core.settings import Settings

Watch = Callable[[str, float], bool]
FEWEST_ROWS = 2


def unwatched(_stage: str, _share: float) -> bool:
    """Watch nothing and never cancel."""
    return True


@dataclass(frozen=True, slots=True)
class People:
    """The people of an audit: the table the model sees, and the outcome each had (1 favourable)."""

    table: Table
    outcomes: NDArray[np.int8]
    target: str
    favourable: str
    sha256: str

    @classmethod
    def of(cls, frame: pd.DataFrame, target: str, favourable: str, schema_of: Callable[[pd.DataFrame], Schema],
           sha256: str = "") -> People:
        """Separate the outcome from what the model sees, and describe the rest.

        Parameters
        ----------
        schema_of
            Makes the schema from the columns without the target.
        """
        outcomes = _outcomes(frame, target, favourable)
        seen = frame.drop(columns=[target])
        if not len(seen.columns):
            raise DataError(f"The table has no column beside the target {target!r}.", "Add what is known of the people.")
        table = Table.build(seen, schema_of(seen), outcomes=outcomes)
        return cls(table, outcomes[table.rows], target, favourable, sha256)


def _outcomes(frame: pd.DataFrame, target: str, favourable: str) -> NDArray[np.int8]:
    if target not in frame.columns:
        raise DataError(f"There is no column {target!r} to be the target.",
                        f"The table's columns: {', '.join(map(str, frame.columns[:12]))}.")
    if len(frame) < FEWEST_ROWS:
        raise DataError(f"The table has {len(frame)} row.", f"An audit needs at least {FEWEST_ROWS} people; add rows.")
    cells = frame[target]
    empty = np.flatnonzero(cells.isna())
    if len(empty):
        raise DataError(f"The target {target!r} is empty in row {empty[0] + 1} and {len(empty) - 1} others.",
                        "Leave out the people whose outcome is not known.")
    values = sorted({str(plain(value)) for value in cells.unique()})
    if len(values) != 2:
        shown = ", ".join(map(repr, values[:5])) + (", …" if len(values) > 5 else "")
        raise DataError(f"The target {target!r} holds {len(values)} different values ({shown}), not two.",
                        "Choose a target with two outcomes, one of them favourable.")
    if favourable not in values:
        raise DataError(f"The favourable value {favourable!r} does not occur in the target {target!r}.",
                        f"Use {values[0]!r} or {values[1]!r}.")
    return np.array([str(plain(value)) == favourable for value in cells], dtype=np.int8)


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
    trained_on: Indices
    timings: dict[str, float]
    notes: tuple[str, ...] = ()
    figures: PeopleFigures = field(init=False)
    move_costs: NDArray[np.float64] = field(init=False)
    rule_figures: tuple[RuleFigures, ...] = field(init=False)
    subgroups: tuple[SubgroupFigures, ...] = field(init=False)

    def __post_init__(self) -> None:
        prices = self.bench.prices(self.settings, self.costs)
        figures = people_figures(self.bench, self.learned, prices.move_costs)
        compared = compare_subgroups(self.bench, self.learned, figures, self.bench.split.check)
        derived: dict[str, Any] = {"move_costs": prices.move_costs, "figures": figures, "subgroups": compared,
                                   "rule_figures": rule_figures(self.bench, self.learned, prices.move_costs)}
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

    def blockers(self) -> Blockers:
        """Ask the model what would help the people no candidate move helps."""
        helpless = self.bench.affected[~self.figures.recourse]
        return find_blockers(self.model, self.bench.table, helpless, self.settings.max_changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to audit: the people, a model (or the family of one to train), settings, costs, features of interest."""

    people: People
    model: BlackBox | str
    settings: Settings
    costs: Costs
    interest: Sequence[str] = ()
    notes: tuple[str, ...] = ()


def run_audit(request: Request, watch: Watch = unwatched) -> Audit:
    """Run an audit from end to end.

    Parameters
    ----------
    watch
        Called with the stage and the share of it that is done; returning False cancels.
    """
    began = perf_counter()
    settings, people = request.settings, request.people
    watch("model", 0.0)
    model, table, trained_on = subject(people, request.model, settings.seed)
    interest = tuple(table.schema[name].name for name in request.interest)
    bench = prepare(model, table, settings, interest, lambda share: watch("evaluate", share))
    started = perf_counter()
    watch("search", 0.0)
    best = learn(bench, settings, request.costs, interest)
    found = perf_counter()
    watch("frontier", 0.0)
    frontier = learn_frontier(bench, settings, request.costs, interest, best.guard)
    ended = perf_counter()
    timings = {**bench.timings, "search": found - started, "frontier": ended - found, "total": ended - began}
    return Audit(people, model, settings, interest, request.costs, bench, best, frontier, trained_on, timings, request.notes)


def subject(people: People, model: BlackBox | str, seed: int) -> tuple[BlackBox, Table, Indices]:
    """Return the model, the people it is audited on, and the rows it was trained on here.

    A model given by its family is trained on one half of the people and audited on the other.
    """
    table = people.table
    if not isinstance(model, str):
        return model, table, np.zeros(0, dtype=np.intp)
    to_train, to_audit = split_half(people.outcomes, seed)
    trained = train(model, table.frame.iloc[to_train], table.schema, people.outcomes[to_train], seed)
    audited = Table.build(table.frame.iloc[to_audit].reset_index(drop=True), table.schema, table.rows[to_audit],
                          people.outcomes[to_audit])
    return trained, audited, np.sort(table.rows[to_train])
