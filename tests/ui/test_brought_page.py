"""The Model page with models from elsewhere: files and services, honest and not, from nothing to a behaviour list."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ares_core.models import Reading
from ares_core.worker import Brought, Errands, ServiceAt, Source
from tests.patience import PATIENCE
from tests.saved_models import SAVED, needs_sandbox, table
from tests.services import Asked, Reply, Served, kserve, mlflow, served
from tests.ui import test_model_page
from tests.ui.test_model_page import state, text
from ui.links import parameters
from ui.session import KEY, Session
from ui.shared import pool, shelf
from ui.shelf import Setup
from ui.state import AuditState, View

Serve = Callable[[Callable[[Asked], Reply]], Served]
REPLIES: list[Callable[[Asked], Reply]] = []
PAGES = Path(__file__).resolve().parents[2] / "pages"
ADDRESS = {"data": "planted", "model": "none"}


@pytest.fixture(scope="module", autouse=True)
def service() -> Iterator[Served]:
    """Serve on a port that workers may ask; they are new ones, since each keeps what was allowed when it started."""
    with served(_speak) as found, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARES_ALLOWED_HOSTS", found.host)
        pool.forget()
        yield found
        pool().close()
    pool.forget()


def _speak(asked: Asked) -> Reply:
    return REPLIES[-1](asked)


@pytest.fixture
def serve(service: Served) -> Serve:
    """Return what lets the service speak like this from now on."""

    def start(reply: Callable[[Asked], Reply]) -> Served:
        REPLIES.append(reply)
        return service

    return start


def decide(frame: pd.DataFrame) -> list[str]:
    """Release people with a job."""
    return ["free" if job == "Yes" else "held" for job in frame["has_job"]]


def chance(frame: pd.DataFrame) -> list[float]:
    """Return a score that is higher for people with a job, and for the married."""
    return [0.2 + 0.5 * (row.has_job == "Yes") + 0.2 * (row.married == "Yes") for row in frame.itertuples()]


def opened(**address: str) -> AppTest:
    """Return the page at an address, with time for workers and sandboxes to start on a busy machine."""
    page = test_model_page.opened(**address)
    page.default_timeout = PATIENCE
    return page


def ask_service(page: AppTest, url: str) -> AppTest:
    """Give an address and ask the service."""
    page.radio(key="model_way").set_value("service").run()
    page.text_input(key="model_url").set_value(url)
    return page.button(key="model_ask").click().run()


def widget(found: Any, beginning: str) -> Any:
    """Return the widget whose key begins so."""
    return next(each for each in found if each.key.startswith(beginning))


def test_a_service_is_asked_read_and_audited(serve: Serve) -> None:
    """Nothing is used before somebody says which answer is good; then quality, behaviour and refusals are shown."""
    server = serve(mlflow(decide))
    page = ask_service(opened(**ADDRESS), server.mlflow)
    assert not page.exception
    assert "an MLflow service" in text(page)
    assert page.button(key="model_use").disabled
    widget(page.radio, "model_label_").set_value("free").run()
    assert "Read so, the model refuses" in text(page)
    page.button(key="model_use").click().run()
    assert not page.exception
    assert state(page).model == Brought(ServiceAt(server.mlflow), Reading("free"))
    assert "The answer 'free' is favourable. It is asked over HTTP" in text(page)
    assert "Asked twice, it gave the same answers." in text(page)
    assert "the budget is 1,000,000." in text(page)
    assert page.button(key="model_use").disabled


def test_a_threshold_shows_its_effect(serve: Serve) -> None:
    """Moving the threshold changes how many people would be refused before the model is used."""
    columns = {"married": "BYTES", "has_job": "BYTES"}
    server = serve(kserve(chance, columns, output="FP64"))
    page = ask_service(opened(**ADDRESS), server.kserve)
    widget(page.radio, "model_side_").set_value("A higher score is better").run()
    told = []
    for threshold in (0.1, 0.5, 0.95):
        widget(page.number_input, "model_threshold_").set_value(threshold).run()
        told.append(next(str(each.value) for each in page.caption if "At this threshold" in str(each.value)))
    assert "nobody" in told[0] or " 0 of" in told[0]
    assert len(set(told)) == 3
    widget(page.number_input, "model_threshold_").set_value(0.6).run()
    page.button(key="model_use").click().run()
    assert not page.exception
    assert state(page).model.reading == Reading("", 0.6)
    assert "A score of 0.6 or more is favourable." in text(page)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://host/invocations", "does not begin with http"),
        ("https://me:word@host/invocations", "could be a secret"),
        ("http://127.0.0.1:1/predict", "that of no model service known here"),
        ("http://127.0.0.1:1/invocations", "not among those that may be asked on port 1"),
        ("", "does not begin with http"),
    ],
)
def test_addresses_that_cannot_be_asked_are_told(url: str, words: str) -> None:
    """A bad address, or one that is not allowed, changes nothing and is told in a sentence."""
    page = ask_service(opened(**ADDRESS), url)
    assert not page.exception
    assert words in text(page)
    assert "word@" not in " ".join(str(each.value) for each in page.error)
    assert state(page).model is None


def test_three_labels_and_strange_answers_are_told(serve: Serve) -> None:
    """What cannot be read is told where the model is chosen, and the page goes on."""
    server = serve(mlflow(lambda frame: [("a", "b", "c")[place % 3] for place in range(len(frame))]))
    page = ask_service(opened(**ADDRESS), server.mlflow)
    assert "3 different labels" in text(page)
    assert not page.exception
    assert "There is no model yet." in text(page)


def test_a_budget_that_may_not_last_is_told(serve: Serve) -> None:
    """Before anything is spent on the audit, whoever set a budget reads that it is too small."""
    server = serve(mlflow(decide))
    page = opened(**ADDRESS)
    page.radio(key="model_way").set_value("service").run()
    page.number_input(key="model_budget").set_value(8_000)
    page.text_input(key="model_url").set_value(server.mlflow)
    page.button(key="model_ask").click().run()
    widget(page.radio, "model_label_").set_value("free").run()
    page.button(key="model_use").click().run()
    assert not page.exception
    assert "The budget may not last" in page.warning[0].value


@pytest.fixture(scope="module")
def loans() -> dict[str, str]:
    """Return the address of an audit of the loans, without a model."""
    source = Source(shelf().put_file(table().to_csv(index=False).encode()), "loans.csv", "loan", "granted")
    state = AuditState(Setup(source, audit=shelf().begin_audit("loans.csv")))
    return {name: values[0] for name, values in parameters(state, shelf()).items()}


@needs_sandbox
@pytest.mark.parametrize("kind", SAVED)
def test_each_format_is_uploaded_and_read_as_it_answers_here(kind: str, loans: dict[str, str]) -> None:
    """Whatever the file is called, the page says that exactly those are refused whom the model refuses here."""
    saved = SAVED[kind]()
    page = opened(**loans)
    page.radio(key="model_way").set_value("file").run()
    page.file_uploader(key="model_upload").upload("model", saved.content, "application/octet-stream").run()
    if kind in ("xgboost", "lightgbm"):  # they give a score without a name
        assert page.button(key="model_use").disabled
        widget(page.radio, "model_side_").set_value("A higher score is better").run()
    page.button(key="model_use").click().run()
    assert not page.exception
    assert isinstance(state(page).model, Brought)
    refused = int((~saved.answers(table())).sum())
    assert f"The model refuses {refused} of 240 people audited" in text(page)
    assert "It runs behind" in text(page)
    assert "Asked twice, it gave the same answers." in text(page)


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("m.skops", b"\x80\x04K\x01.", "is a pickle"),
        ("m.skops", b"nothing known", "no model that can be read here"),
        ("m.skops", b"", "is empty"),
        ("![x](x).json", json.dumps({"format": "ares-rules"}).encode(), "Bring rules as a set of rules"),
        ("m.onnx", b"PK\x03\x04 no archive", "m.onnx"),
    ],
)
def test_files_that_cannot_be_opened_are_told(name: str, content: bytes, words: str) -> None:
    """What is no model, or a broken one, ends in a sentence, and no model is chosen."""
    page = opened(**ADDRESS)
    page.radio(key="model_way").set_value("file").run()
    assert "behind" in text(page)
    page.file_uploader(key="model_upload").upload(name, content, "application/octet-stream").run()
    assert not page.exception
    assert page.error
    assert words in text(page)
    assert state(page).model is None


@needs_sandbox
def test_a_problem_belongs_to_its_way_and_is_gone_when_it_is_left(loans: dict[str, str]) -> None:
    """A refused file says nothing about services, and nobody meets its error again later."""
    page = opened(**loans)
    page.radio(key="model_way").set_value("file").run()
    page.file_uploader(key="model_upload").upload("m.pkl", b"\x80\x04K\x01.", "application/octet-stream").run()
    assert "is a pickle" in text(page)
    page.run()
    assert "is a pickle" in text(page)
    for way in ("service", "file"):
        page.radio(key="model_way").set_value(way).run()
        assert not page.exception
        assert not page.error
    page = ask_service(page, "")
    assert "does not begin with http" in text(page)
    for way in ("file", "service"):
        page.radio(key="model_way").set_value(way).run()
        assert not page.error


@needs_sandbox
def test_a_damaged_file_leaves_the_model_in_use(loans: dict[str, str]) -> None:
    """Its error stands above the model that is used, and goes when the visitor leaves."""
    saved = SAVED["skops"]()
    page = opened(**loans)
    page.radio(key="model_way").set_value("file").run()
    page.file_uploader(key="model_upload").upload("good", saved.content, "application/octet-stream").run()
    page.button(key="model_use").click().run()
    used = state(page).model
    page.file_uploader(key="model_upload").upload("cut", saved.content[:900], "application/octet-stream").run()
    assert not page.exception
    assert [each for each in page.error if "cut" in str(each.value)]
    assert page.button(key="model_use").label == "This model is used"
    page.radio(key="model_way").set_value("train").run()
    page.radio(key="model_way").set_value("file").run()
    assert not page.error
    assert state(page).model == used


def test_without_a_sandbox_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where model files cannot be opened, no box invites one."""
    monkeypatch.setenv("ARES_SANDBOX", "none")
    page = opened(**ADDRESS)
    page.radio(key="model_way").set_value("file").run()
    assert "No model file can be opened on this machine" in text(page)
    assert not page.file_uploader


def test_a_service_in_a_link_is_asked_again(serve: Serve) -> None:
    """The address of the page leads a colleague to the same model, read in the same way."""
    server = serve(mlflow(decide))
    page = ask_service(opened(**ADDRESS), server.mlflow)
    widget(page.radio, "model_label_").set_value("free").run()
    page.button(key="model_use").click().run()
    address = {name: values[0] for name, values in parameters(state(page), shelf()).items()}
    other = opened(**address)
    assert not other.exception
    assert state(other).model == state(page).model
    assert server.host not in json.dumps(address)


def test_a_model_that_does_not_repeat_its_answers_is_warned_of_on_every_page(serve: Serve) -> None:
    """The verdict is on the Model page once the model was evaluated, and on top of every page with figures."""
    dice = random.Random(3)

    def unsteady(frame: pd.DataFrame) -> list[str]:
        honest = ["granted" if row.income > 20 * row.debts else "refused" for row in frame.itertuples()]
        return [answer if dice.random() > 0.1 else "granted" for answer in honest]

    source = Source(shelf().put_file(table().to_csv(index=False).encode()), "loans.csv", "loan", "granted")
    setup = Setup(source, audit=shelf().begin_audit("loans.csv"))
    model = Brought(ServiceAt(serve(mlflow(unsteady)).mlflow), Reading("granted"))
    session = Session(AuditState(setup, model, View(interest=("town",))), Errands(pool(), shelf().file))

    def visited(name: str) -> AppTest:
        page = AppTest.from_file(str(PAGES / name), default_timeout=PATIENCE)
        page.session_state[KEY] = session
        page.run()
        assert not page.exception
        return page

    before = visited("2_Model.py")
    assert "Same answers in other batches: " in text(before)
    assert "Not checked yet" in text(before)
    assert not before.error
    for name in ("4_Recourse.py", "5_Subgroups.py", "6_Applicant.py", "2_Model.py"):
        page = visited(name)
        assert any("are not to be trusted" in str(error.value) for error in page.error), name
    assert "Not checked yet" not in text(page)
