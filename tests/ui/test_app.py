"""The first page: what this is, where the audit stands, the demonstrations, and how to begin anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ares_core.costs import Comparison
from ares_core.datasets import load_german
from ares_core.worker import RuleFile, Source, TrainHere
from tests.patience import PATIENCE
from ui.cards.steps import step_words
from ui.demos import DEMOS
from ui.session import KEY
from ui.shared import store
from ui.shelf import Setup
from ui.state import AuditState, Step, View
from ui.tutorial import tutorial

APP = str(Path(__file__).resolve().parents[2] / "app.py")
SETUP = Setup(Source("0" * 64, "people.csv", "outcome", "good"))


@pytest.fixture
def page() -> AppTest:
    """Return the page as a visitor first sees it."""
    return AppTest.from_file(APP, default_timeout=PATIENCE).run()


def opened(data: str) -> AppTest:
    """Return the page as a link to some data opens it."""
    page = AppTest.from_file(APP, default_timeout=PATIENCE)
    page.query_params["data"] = data
    return page.run()


def html(page: AppTest) -> str:
    """Return everything shown as HTML."""
    return " ".join(element.proto.body for element in page.get("html"))


def test_it_says_what_this_is_in_three_sentences(page: AppTest) -> None:
    """A visitor reads a title and three sentences before anything else."""
    assert not page.exception
    assert page.title[0].value == "AReS Audit"
    assert page.markdown[0].value.count(". ") == 2


def test_a_new_audit_stands_at_the_beginning(page: AppTest) -> None:
    """No step is done, and there is nothing to start over."""
    assert "not chosen yet" in html(page)
    assert "✓" not in " ".join(element.proto.label for element in page.get("page_link"))
    assert [button.key for button in page.button] == ["demo_german", "demo_planted"]


def test_every_page_is_linked(page: AppTest) -> None:
    """The sidebar leads to the start and to every page there is, but for the one that only invitations lead to."""
    pages = {path.stem.split("_", 1)[1] for path in (Path(APP).parent / "pages").glob("*.py")} - {"Answer"}
    labels = {element.proto.label.split()[-1] for element in page.sidebar.get("page_link")}
    assert labels == {"Start", *pages}


@pytest.mark.parametrize("name", DEMOS)
def test_a_demonstration_is_one_click_away(page: AppTest, name: str) -> None:
    """One click loads data and model; back on the first page, that is where the audit stands."""
    page.button(key=f"demo_{name}").click().run()
    assert not page.exception
    assert page.session_state["ares"].state.setup.demo == name
    assert page.session_state["ares"].state.subject is not None
    assert page.title[0].value == "Recourse"


def test_the_standing_names_file_people_and_model() -> None:
    """Once a demonstration is loaded, its file, its size and its model are named, and the steps are ticked."""
    page = opened("german")
    assert "german_credit.csv, 1,000 people" in html(page)
    assert "Random forest" in html(page)
    labels = [element.proto.label for element in page.sidebar.get("page_link")]
    assert {"✓ Data", "✓ Model", "– Recourse"} <= set(labels)


def test_starting_over_clears_everything() -> None:
    """After the confirmation, neither audit nor address is left."""
    page = opened("german")
    page.button(key="start_over").click().run()
    assert not page.exception
    assert page.session_state["ares"].state == AuditState()
    assert not page.query_params


def test_a_link_to_lost_data_says_so() -> None:
    """A link of another server opens the page with a sentence on what to do, and offers the demonstrations."""
    page = opened("x" * 22)
    assert not page.exception
    assert "no longer on the server" in page.info[0].value
    assert page.button(key="demo_german")


def test_lost_files_leave_the_page_usable(page: AppTest) -> None:
    """When the file of an audit is gone, that is an error message, and one can start over."""
    page.session_state["ares"].begin(AuditState(SETUP, TrainHere("rf")))
    page.run()
    assert not page.exception
    assert "no longer on the server" in page.error[0].value
    assert page.button(key="start_over")


def test_the_tutorial_takes_a_rule_apart(page: AppTest) -> None:
    """Five steps, a rule in the words of the demonstration, and figures that are computed, with intervals."""
    words = str(tutorial())
    assert page.expander[0].label.startswith("New to recourse")
    assert words.count("<strong>") >= 5
    assert "If </span>" in words
    assert "41 of 50: 82 % (95 % interval 69–90 %)" in words
    assert load_german().schema["savings"].levels[3].name in words


def test_steps_are_said_in_a_few_words() -> None:
    """File and people, model, costs and groups, each as far as it is known."""
    empty = step_words(AuditState())
    assert empty[Step.DATA] == empty[Step.MODEL] == "not chosen yet"
    assert empty[Step.COSTS].startswith("optional")
    priced = Setup(SETUP.source, (Comparison("a", "b"),), (("a", 2.0), ("b", 1.0)))
    state = AuditState(priced, RuleFile("1" * 64, "mine.json"), View(("age", "savings"), strata=("age",)))
    full = step_words(state, 1, load_german().schema)
    assert full == {
        Step.DATA: "people.csv, 1 person",
        Step.MODEL: "Rules of mine.json",
        Step.COSTS: "1 comparison, 2 costs typed in",
        Step.RULES: "by Age and Savings",
    }
    assert step_words(state)[Step.RULES] == "by age and savings"
    assert step_words(AuditState(priced, state.model, View(strata=())))[Step.RULES] == "found"


def test_an_audit_deleted_elsewhere_is_left() -> None:
    """A window that still shows it starts over with its next click, says why, and keeps nothing of it."""
    page = opened("planted")
    session = page.session_state[KEY]
    session.own()
    page.run()
    errands = session.errands
    store().documents.delete_audit(session.state.setup.audit)
    page.run()
    assert not page.exception
    assert "This audit was deleted" in page.info[0].value
    assert session.state == AuditState()
    assert session.errands is not errands


def test_a_run_that_was_cut_short_is_made_up_for() -> None:
    """A click may end the run that takes a table before its audit begins; the next page begins it and has a link."""
    page = opened("planted")
    session = page.session_state[KEY]
    session.state = replace(session.state, setup=replace(session.state.setup, demo=""))
    page.run()
    assert not page.exception
    assert store().documents.has_audit(session.state.setup.audit)
    assert page.query_params["data"] not in ([], ["planted"])


def test_deleting_what_is_gone_is_told() -> None:
    """Two windows on one audit: the second click to delete it says that it is gone, and both begin anew."""
    page = opened("planted")
    page.session_state[KEY].own()
    page.run()
    page.checkbox(key="delete_sure").check().run()
    store().documents.delete_audit(page.session_state[KEY].state.setup.audit)
    page.button(key="delete_audit").click().run()
    assert not page.exception
    assert "This audit is not in the store." in page.info[0].value.replace("\\", "")
    assert page.session_state[KEY].state.setup is None
