"""Brought models: what a worker answers about a model from elsewhere, before and beside its audit."""

from __future__ import annotations

import numpy as np

from ares_core.errors import DataError
from ares_core.models import BlackBox, ForeignModel
from ares_core.models.endpoint import Service
from ares_core.models.expected import ExpectedCheck, compare_expected, expected_column
from ares_core.models.inspection import inspect_model
from ares_core.models.raw import Signature
from ares_core.models.sandbox import SandboxedModel
from ares_core.recourse.prepare import rows_to_ask
from ares_core.recourse.recheck import rows_of_recheck
from ares_core.worker.desk import Desk
from ares_core.worker.dispatch import answer
from ares_core.worker.model_views import BehaviourView, InspectionView
from ares_core.worker.questions import CheckBehaviour, CheckExpected, DescribeModel, InspectModel
from ares_core.worker.recipe import Brought, Evaluated, ModelSpec, Source


@answer.register
def describe_model(question: DescribeModel, desk: Desk) -> Signature:
    """Say what a model wants and gives, without asking it about anybody."""
    desk.watch("model", 0.0)
    return desk.opened(question.origin).signature


@answer.register
def inspect(question: InspectModel, desk: Desk) -> InspectionView:
    """Say what a model answers about the people, and how that could be read."""
    people, _ = desk.people(question.source)
    desk.watch("model", 0.0)
    raw = desk.opened(question.origin)
    found = inspect_model(raw, people.table.frame, people.known_outcomes, question.columns)
    return InspectionView(found, raw.level.words if isinstance(raw, SandboxedModel) else "")


@answer.register
def check_expected(question: CheckExpected, desk: Desk) -> ExpectedCheck | None:
    """Compare a model with the answers it is known to give."""
    return expected_of(question.source, question.model, desk)


def expected_of(source: Source, model: ModelSpec, desk: Desk) -> ExpectedCheck | None:
    """Compare a model from elsewhere with the answers it is known to give; None if nobody gave any."""
    if not isinstance(model, Brought):
        return None
    known = model.expected
    if known is None and source.expected:
        known = expected_column(desk.raw(source.sha256, source.name).frame[source.expected])
    if known is None:
        return None
    table = desk.people(source)[0].table
    return compare_expected(desk.fitted(model, table), table, known)


@answer.register
def check(question: CheckBehaviour, desk: Desk) -> BehaviourView:
    """Say how a model behaves, and how long its audit will take."""
    found = desk.behaviour(question.evaluated.subject)
    model, rows = desk.met(question.evaluated.subject).model, _rows(question.evaluated, desk)
    if not isinstance(model, ForeignModel) or not isinstance(model.raw, Service):
        return BehaviourView(found, rows)
    return BehaviourView(found, rows, model.asked, model.raw.budget.left)


def _rows(evaluated: Evaluated, desk: Desk) -> int:
    """Return how many rows the audit will ask about; 0 where there is nothing to ask, which the audit will tell."""
    met = desk.met(evaluated.subject)
    affected = np.flatnonzero(met.accepted == 0)
    try:
        rows = rows_to_ask(met.table, affected, evaluated.settings, evaluated.strata)
    except DataError:
        return 0
    return rows + rows_of_recheck(rows, len(met.table)) if isinstance(met.model, ForeignModel) else rows


def foreign_words(model: BlackBox) -> tuple[str, ...]:
    """Say of a model from elsewhere how its answers are read, where it runs, and how its columns were matched."""
    if not isinstance(model, ForeignModel):
        return ()
    where = f"It runs behind {model.sandbox}." if model.sandbox else "It is asked over HTTP, wherever it runs."
    return (model.reading.words(), where, *model.matching.notes)
