"""Answers: what a worker does for each question, about tables, models and people here, about summaries next door."""

from __future__ import annotations

import numpy as np

from ares_core.audit import person_recourse
from ares_core.audit.intervals import Share
from ares_core.costs import Costs, Panel, fit_costs, hear_panel, pool
from ares_core.errors import DataError
from ares_core.models import ForeignModel, quality
from ares_core.models.agreement import Agreement
from ares_core.people.suspects import suspect_numbers, suspect_words
from ares_core.people.table import Indices
from ares_core.recourse import Workbench
from ares_core.worker import brought, summaries
from ares_core.worker.brought import expected_of, foreign_words
from ares_core.worker.counts import level_counts, level_shares, two_valued
from ares_core.worker.desk import Desk, Met
from ares_core.worker.dispatch import answer
from ares_core.worker.model_views import ModelView
from ares_core.worker.persons import find_places, place_of, readable, what_if
from ares_core.worker.questions import (
    AskPerson,
    Describe,
    FindPeople,
    HearPanel,
    LearnCosts,
    ListPeople,
    MeetModel,
    PickPerson,
    PoolCosts,
    ReadTable,
    WhatIf,
)
from ares_core.worker.views import Description, PeopleView, PersonView, TableView, WhatIfView

__all__ = ["answer", "brought", "summaries"]  # whoever has this module has every answer

HEAD = 100


@answer.register
def read_file(question: ReadTable, desk: Desk) -> TableView:
    """Say what is in a file."""
    raw = desk.raw(question.sha256, question.name)
    return TableView(len(raw.frame), tuple(raw.frame.columns), raw.frame.head(HEAD), two_valued(raw), raw.notes)


@answer.register
def describe(question: Describe, desk: Desk) -> Description:
    """Say which features people have."""
    people, notes = desk.people(question.source)
    table, schema = people.table, people.table.schema
    counts, outcomes = level_counts(table), people.outcomes
    favoured = level_counts(table, np.zeros(len(table), dtype=bool) if outcomes is None else outcomes == 1)
    favourable = None if outcomes is None else Share(int(outcomes.sum()), len(table))
    head = desk.raw(question.source.sha256, question.source.name).frame.head(HEAD)
    suspects = (*suspect_numbers(table.frame, schema), *suspect_words(table.frame, schema))
    return Description(schema, counts, len(table), favourable, head, notes, suspects, favoured)


@answer.register
def learn_costs(question: LearnCosts, desk: Desk) -> Costs:  # noqa: ARG001 - the shape of its siblings
    """Learn costs from comparisons; what was typed in directly goes before."""
    return fit_costs(question.comparisons, question.features).with_direct(dict(question.direct))


@answer.register
def pool_costs(question: PoolCosts, desk: Desk) -> Costs:  # noqa: ARG001 - the shape of its siblings
    """Learn costs from several experts; what was typed in directly goes before."""
    pooled = pool(dict(question.answers), dict(question.weights), question.features)
    return pooled.with_direct(dict(question.direct))


@answer.register
def hear_experts(question: HearPanel, desk: Desk) -> Panel:  # noqa: ARG001 - the shape of its siblings
    """Say what several experts say together."""
    return hear_panel(dict(question.answers), dict(question.weights), question.features)


@answer.register
def meet_model(question: MeetModel, desk: Desk) -> ModelView:
    """Say how good a model is and whom it refuses."""
    met = desk.met(question.subject)
    refused, outcomes = met.accepted == 0, met.outcomes
    brought = isinstance(met.model, ForeignModel)
    return ModelView(
        met.model.kind,
        met.model.sha256,
        None if outcomes is None else quality(met.model, met.table.frame, outcomes),
        Share(int(refused.sum()), len(refused)),
        level_shares(met.table, refused),
        len(met.trained_on),
        None if outcomes is None else Share(int(outcomes.sum()), len(outcomes)),
        foreign_words(met.model),
        Agreement.of(met.accepted, outcomes) if brought and outcomes is not None else None,
        expected_of(question.subject.source, question.subject.model, desk),
    )


@answer.register
def list_people(question: ListPeople, desk: Desk) -> PeopleView:
    """Show the people in some rows of the file."""
    met = desk.met(question.subject)
    places = met.places(question.rows)
    return _people(met, places, len(places))


@answer.register
def find_people(question: FindPeople, desk: Desk) -> PeopleView:
    """Show the people at some levels."""
    met = desk.met(question.subject)
    places = find_places(met, question.levels, refused=question.refused)
    return _people(met, places[: question.most], len(places))


@answer.register
def pick_person(question: PickPerson, desk: Desk) -> int | None:
    """Draw one of the people at some levels."""
    met = desk.met(question.subject)
    places = find_places(met, question.levels, refused=question.refused)
    drawn = np.random.default_rng((question.subject.seed, question.draw)).choice(places) if len(places) else -1
    return None if drawn < 0 else int(met.table.lines[drawn])


def _people(met: Met, places: Indices, found: int) -> PeopleView:
    rows = tuple(met.table.lines[places].tolist())
    return PeopleView(rows, readable(met.table, places), tuple((met.accepted[places] == 1).tolist()), found)


@answer.register
def ask_person(question: AskPerson, desk: Desk) -> PersonView:
    """Say what one person can do."""
    evaluated, wish = question.summary.evaluated, question.summary.wish
    met, bench = desk.met(evaluated.subject), desk.bench(evaluated)
    place = _place(met, question.row)
    learned = desk.summary(question.summary)
    ranked = list(zip(learned.rules, learned.coverage.accuracy.tolist(), strict=True))
    found = person_recourse(met.model, met.table, place, ranked, wish.costs, evaluated.settings.max_changes)
    here = place_of(met.table, place)
    return PersonView(found, here.levels, here.cells, here.allowed, here.held, _part(bench, place))


def _place(met: Met, row: int) -> int:
    place = met.place(row)
    if place < 0:
        raise DataError(
            f"Row {row:,} of the file (its first line is row 1) is not among the {len(met.table):,} people audited.",
            "Choose a person who was audited; those a model was trained on here are not.",
        )
    return place


def _part(bench: Workbench, place: int) -> str:
    for name, part in (("learn", bench.split.learn), ("check", bench.split.check)):
        if place in bench.affected[part]:
            return name
    return ""


@answer.register
def answer_what_if(question: WhatIf, desk: Desk) -> WhatIfView:
    """Say what the model answers about a person changed by hand."""
    met = desk.met(question.subject)
    return what_if(met, _place(met, question.row), question.levels)
