"""Prepare: ask the model who is affected, what helps them, and, if they are few, what would help their like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from ares_core.errors import DataError
from ares_core.models.blackbox import BlackBox, ask
from ares_core.people.table import Indices, Table
from ares_core.recourse.candidates import build_candidates
from ares_core.recourse.evaluation import Progress, evaluate, unwatched, whom_to_ask
from ares_core.recourse.robust import plain_rules_hold
from ares_core.recourse.split import split_people, strata_of
from ares_core.recourse.standins import ENOUGH_PEOPLE, invent
from ares_core.recourse.workbench import Workbench
from ares_core.settings import Settings

REAL_SHARE = 0.2  # of the questions, roughly, those about real people when stand-ins are asked about too


def prepare(
    model: BlackBox, table: Table, settings: Settings, interest: Sequence[str] = (), progress: Progress = unwatched
) -> Workbench:
    """Ask the model everything; what follows is arithmetic.

    Parameters
    ----------
    interest
        Features of interest; the split into learn and check people is even within their levels.
    progress
        Called with the share of the questions that were asked; returning False cancels.
    """
    affected = find_affected(model, table)
    positions = [table.position(name) for name in interest]
    split = split_people(strata_of(table.codes[affected][:, positions]), settings.holdout, settings.seed)
    began = perf_counter()
    candidates = build_candidates(table, affected[split.learn], settings)
    timings = {"mine": perf_counter() - began}
    few = settings.selection == "robust" and len(split.learn) < ENOUGH_PEOPLE
    began = perf_counter()
    evaluation = evaluate(
        model, table, affected, candidates, (lambda share: progress(REAL_SHARE * share)) if few else progress
    )
    timings["evaluate"] = perf_counter() - began
    bench = Workbench(table, affected, split, table.codes[affected], candidates, evaluation, settings, timings)
    if not few:
        return bench
    if plain_rules_hold(bench, interest):
        progress(1.0)
        return bench
    return with_standins(bench, model, lambda share: progress(REAL_SHARE + (1 - REAL_SHARE) * share))


def rows_to_ask(table: Table, affected: Indices, settings: Settings, interest: Sequence[str] = ()) -> int:
    """Return about how many rows `prepare` will ask about at most, without asking.

    Raises
    ------
    DataError
        If there is no candidate to ask about.
    """
    positions = [table.position(name) for name in interest]
    split = split_people(strata_of(table.codes[affected][:, positions]), settings.holdout, settings.seed)
    candidates = build_candidates(table, affected[split.learn], settings)
    rows = int(whom_to_ask(candidates, candidates.items.masks_of(table.codes[affected])).sum())
    few = settings.selection == "robust" and len(split.learn) < ENOUGH_PEOPLE
    return len(table) + (round(rows / REAL_SHARE) if few else rows)


def find_affected(model: BlackBox, table: Table) -> Indices:
    """Return the places of the people the model refuses.

    Raises
    ------
    DataError
        If they are nobody or everybody.
    """
    accepted = ask(model, table.frame).astype(bool)
    if accepted.all():
        raise DataError(
            f"The model refuses nobody among {len(table):,} people, so there is no recourse to look for.",
            "Check that the favourable value is the right one, or audit a model that refuses somebody.",
        )
    if not accepted.any():
        everybody = f"all {len(table):,} people" if len(table) > 1 else "the only person there is"
        raise DataError(
            f"The model refuses {everybody}, so nobody shows what acceptance takes.",
            "Check that the favourable value is the right one, or audit a model that accepts somebody.",
        )
    return np.flatnonzero(~accepted)


def with_standins(bench: Workbench, model: BlackBox, progress: Progress = unwatched) -> Workbench:
    """Invent stand-ins for the learn people and try every move on them too."""
    table, split = bench.table, bench.split
    # Nothing of the people the rules are checked on goes into the people they are chosen on.
    checked = bench.affected[:0] if split.same_people else bench.affected[split.check]
    donors = np.setdiff1d(np.arange(len(table)), checked)
    began = perf_counter()
    invented, rows = invent(model, table, bench.affected[split.learn], donors, bench.settings.seed)
    answers = evaluate(model, table, invented, bench.candidates, progress).joined(bench.evaluation, rows)
    timings = {**bench.timings, "evaluate": bench.timings["evaluate"] + perf_counter() - began}
    return replace(bench, levels=np.concatenate([bench.levels, invented.levels]), evaluation=answers, timings=timings)
