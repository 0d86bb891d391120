"""Models from elsewhere in a worker: opened, inspected, checked, asked, given up, and written down."""

from __future__ import annotations

import json
import time
import weakref
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from ares_core.costs import Costs
from ares_core.errors import Cancelled, ModelError
from ares_core.models import Reading
from ares_core.settings import Settings
from ares_core.worker import (
    Brought,
    CheckBehaviour,
    Errands,
    Evaluate,
    Evaluated,
    Export,
    InspectModel,
    MeetModel,
    ModelFile,
    Origin,
    Pool,
    ServiceAt,
    Source,
    Subject,
    Summarise,
    TrainHere,
    Wish,
)
from ares_core.worker.desk import Desk
from tests.patience import PATIENCE
from tests.saved_models import lightgbm_model, needs_sandbox, skops_model, table
from tests.services import Served, mlflow, served
from tests.worker.conftest import Files

SETTINGS = Settings(max_changes=1, condition_width=2, selection="paper")


def decide(frame: pd.DataFrame) -> list[str]:
    """Grant loans to people with income enough for their debts; rows of a slow question wait."""
    return ["granted" if row.income > 20 * row.debts else "refused" for row in frame.itertuples()]


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    """Serve a model that workers started from now on may ask."""
    with served(mlflow(decide)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARES_ALLOWED_HOSTS", server.host)
        yield server


@pytest.fixture(scope="module")
def visitor(service: Served, pool: Pool, shelf: Files) -> Errands:
    """Return a visitor whose worker may ask the service."""
    return Errands(pool, shelf.__getitem__)


@pytest.fixture(scope="module")
def source(shelf: Files) -> Source:
    """Return a table of loans."""
    return Source(shelf.put(table().to_csv(index=False).encode()), "loans.csv", "loan", "granted")


@pytest.fixture(scope="module")
def origins(service: Served, shelf: Files) -> dict[str, Origin]:
    """Return a model file and a service."""
    return {"file": ModelFile(shelf.put(skops_model().content), "m.skops"), "service": ServiceAt(service.mlflow)}


@pytest.mark.parametrize("kind", [pytest.param("file", marks=needs_sandbox), "service"])
def test_a_model_is_inspected_met_checked_and_recorded(
    kind: str, visitor: Errands, source: Source, origins: dict[str, Origin]
) -> None:
    """From an unknown model to its record: labels with counts, refusals, behaviour, rows to ask, and the run file."""
    answers = skops_model().answers(table()) if kind == "file" else np.array(decide(table())) == "granted"
    seen = visitor.ask(InspectModel(source, origins[kind])).result()
    assert dict(seen.found.labels)["granted"] == int(answers.sum())
    assert seen.found.suggested == Reading("granted")
    assert ("seccomp" in seen.sandbox) == (kind == "file")
    subject = Subject(source, Brought(origins[kind], Reading("granted")))
    met = visitor.ask(MeetModel(subject)).result()
    assert met.refused.count == int((~answers).sum())
    assert met.told[0] == "The answer 'granted' is favourable."
    evaluated = Evaluated(subject, SETTINGS)
    checked = visitor.ask(CheckBehaviour(evaluated)).result()
    assert checked.behaviour is not None
    assert checked.behaviour.batch_free
    assert bool(checked.asked) == (checked.left is not None) == (kind == "service")
    assert not checked.too_few_left
    asked = visitor.ask(Evaluate(evaluated)).result()
    assert asked.recheck is not None
    assert asked.recheck.passed
    assert asked.model_rows + 240 + asked.recheck.model_rows <= checked.rows
    costs = Costs.unit(("town", "income", "debts", "job"))
    shown = visitor.ask(Summarise(evaluated, Wish(SETTINGS, costs))).result().key
    written = json.loads(visitor.ask(Export(shown, (shown,))).result())
    assert asked.agreement is not None
    recheck = {"recheck": asked.recheck.to_json(), "agreement": asked.agreement.to_json(), "warning": None}
    assert written["behaviour"] == {**checked.behaviour.to_json(), **recheck}
    assert written["model"]["sandbox"] == (seen.sandbox or None)


def test_a_model_made_here_needs_no_check(visitor: Errands, source: Source) -> None:
    """Of models trained here it is known how they behave."""
    view = visitor.ask(CheckBehaviour(Evaluated(Subject(source, TrainHere("dt")), SETTINGS))).result()
    assert (view.behaviour, view.asked) == (None, "")


def test_reading_anew_asks_a_service_nothing(
    visitor: Errands, source: Source, service: Served, origins: dict[str, Origin]
) -> None:
    """Whoever chooses another favourable answer does not pay for it."""
    visitor.ask(MeetModel(Subject(source, Brought(origins["service"], Reading("granted"))))).result()
    before = len(service.asked)
    view = visitor.ask(MeetModel(Subject(source, Brought(origins["service"], Reading("refused"))))).result()
    assert len(service.asked) == before
    assert view.refused.count == decide(table()).count("granted")


@needs_sandbox
def test_a_file_that_is_no_model_is_told(visitor: Errands, source: Source, shelf: Files) -> None:
    """What the sandbox refuses reaches whoever asked in a sentence, and the next question is answered."""
    broken = ModelFile(shelf.put(b"PK\x03\x04 broken"), "broken.skops")
    with pytest.raises(ModelError, match=r"broken\.skops"):
        visitor.ask(InspectModel(source, broken)).result()
    assert visitor.ask(MeetModel(Subject(source, TrainHere("dt")))).result().kind == "dt"


@needs_sandbox
def test_one_process_holds_one_model_file(shelf: Files, source: Source) -> None:
    """Whoever opens another file lets go of the one before; going back opens it again, with the same answers."""
    desk = Desk(lambda stage, share: None)
    first, second = (ModelFile(shelf.put(saved().content), "m") for saved in (skops_model, lightgbm_model))
    for sha256 in (source.sha256, first.sha256, second.sha256):
        desk.keep(sha256, shelf[sha256])
    before = desk.met(Subject(source, Brought(first, Reading("granted")))).accepted
    gone = weakref.ref(desk.opened(first))
    desk.met(Subject(source, Brought(second, Reading("", 0.5))))
    assert gone() is None
    after = desk.met(Subject(source, Brought(first, Reading("granted")))).accepted
    assert (before == after).all()


def test_asking_a_slow_service_can_be_given_up(
    pool: Pool, shelf: Files, source: Source, service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visitor who stops waiting is free at once, and the worker with them."""
    released = []

    def slow(frame: pd.DataFrame) -> list[str]:
        while not released:
            time.sleep(0.01)
        return decide(frame)

    with served(mlflow(slow)) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        fresh = Pool(most=2)
        visitor = Errands(fresh, shelf.__getitem__)
        job = visitor.ask(InspectModel(source, ServiceAt(server.mlflow)))
        until = time.monotonic() + PATIENCE
        while not server.asked and time.monotonic() < until:
            time.sleep(0.01)
        visitor.cancel(job)
        with pytest.raises(Cancelled):
            job.result()
        assert visitor.ask(MeetModel(Subject(source, TrainHere("dt")))).result().kind == "dt"
        released.append(True)
        fresh.close()
