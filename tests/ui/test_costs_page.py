"""The Costs page: without data, a visitor who answers, and files that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ares_core.costs import Answer, Comparison
from tests.patience import PATIENCE
from ui import costing

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "3_Costs.py")


def opened(**address: str) -> AppTest:
    """Return the page at an address."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    for name, value in address.items():
        page.query_params[name] = value
    return page.run()


def said(page: AppTest) -> str:
    """Return what is written on the page, without the backslashes that keep markdown away."""
    parts = [*page.markdown, *page.info, *page.error, *page.caption, *page.warning]
    bodies = [str(part.proto.body) for part in page.html]
    return " ".join([*(str(part.value) for part in parts), *bodies]).replace("\\", "")


def session(page: AppTest) -> Any:
    """Return the visitor's session."""
    return page.session_state["ares"]


def given(page: AppTest) -> tuple[Comparison, ...]:
    """Return the answers so far."""
    return tuple(session(page).state.setup.comparisons)


def press(page: AppTest, which: str) -> None:
    """Answer the question shown."""
    page.button(key=f"cost_{which}_{len(given(page))}").click().run()
    assert not page.exception


@pytest.fixture
def page() -> AppTest:
    """Return the page on the generated people."""
    return opened(data="planted")


def test_without_data_the_page_says_what_to_do() -> None:
    """There is nothing to compare before there are people."""
    page = opened()
    assert not page.exception
    assert "There are no people to look at yet." in said(page)
    assert not page.number_input


def test_answers_become_costs_that_the_rules_are_found_with(page: AppTest) -> None:
    """Four kinds of answers are kept, undone and removed, and the model stays; the wish holds the learned costs."""
    assert "every feature costs 1" in said(page)
    model = session(page).state.model
    for which in ("first", "second", "same", "unsure"):
        press(page, which)
    assert [one.answer for one in given(page)] == [Answer.HARDER, Answer.HARDER, Answer.TIE, Answer.CANNOT_SAY]
    assert "3 answers, and 1 “cannot say”" in page.get("progress")[0].proto.text.replace("\\", "")
    page.button(key="cost_undo").click().run()
    assert len(given(page)) == 3
    first = given(page)[0]
    costs = session(page).wish().costs
    assert costs.of(first.first) > costs.of(first.second)
    assert costs[first.first].source == "learned"
    assert session(page).state.model == model
    page.selectbox(key="cost_chosen_3").select(0).run()
    page.button(key="cost_remove").click().run()
    assert first not in given(page)
    page.button(key="cost_remove_all").click().run()
    assert given(page) == ()


def test_a_cost_can_be_typed_in_and_forgotten(page: AppTest) -> None:
    """It counts for the rules, is marked, and goes again."""
    name = page.selectbox(key="cost_feature").value
    page.number_input[0].set_value(3.5)
    page.button(key="cost_enter").click().run()
    assert not page.exception
    assert session(page).wish().costs[name].source == "direct"
    assert session(page).wish().costs.of(name) == 3.5
    assert "typed in" in said(page)
    page.button(key="cost_forget").click().run()
    assert session(page).wish().costs[name].source == "unit"


def test_files_are_taken_whole_or_not_at_all(page: AppTest) -> None:
    """Answers are added, costs entered; a file with a mistake changes nothing and is told in the engine's words."""
    one, other = session(page).schema().names[:2]
    good = f"harder,easier,answer\n{one},{other},\n{other},{one},tie\n".encode()
    page.file_uploader(key="cost_answers_file").upload("pairs.csv", good, "text/csv").run()
    assert given(page) == (Comparison(one, other), Comparison(other, one, Answer.TIE))
    assert "2 answers of 'pairs.csv' added." in said(page)
    page.file_uploader(key="cost_answers_file").set_value(("again.csv", good, "text/csv")).run()
    assert "0 answers of 'again.csv' added. 2 answers of it were here already." in said(page)
    bad = f"harder,easier\n{one},{other}\nboat,{one}\n".encode()
    page.file_uploader(key="cost_answers_file").set_value(("bad.csv", bad, "text/csv")).run()
    assert "Comparison 2 names 'boat', which is not a feature." in said(page)
    assert len(given(page)) == 2
    page.file_uploader(key="cost_costs_file").upload(
        "costs.csv", f"feature,cost\n{one},2.5\n".encode(), "text/csv"
    ).run()
    assert session(page).state.setup.direct == ((one, 2.5),)
    assert "not a feature" not in said(page)


def test_a_second_click_on_an_answered_question_adds_nothing() -> None:
    """Only the question that is next can be answered."""

    class Held:
        """A session that holds a set-up and nothing else."""

        def __init__(self, setup: Any) -> None:
            self.state = type("State", (), {"setup": setup})()

        def set_setup(self, setup: Any) -> None:
            self.state.setup = setup

    from ares_core.worker import Source
    from ui.shelf import Setup

    held: Any = Held(Setup(Source("0" * 64, "p.csv", "t", "1")))
    costing.say(held, 0, ("a", "b"), "second is harder")
    costing.say(held, 0, ("a", "b"), "second is harder")
    assert held.state.setup.comparisons == (Comparison("b", "a"),)
    costing.say(held, 1, ("a", "c"), "about the same")
    assert len(held.state.setup.comparisons) == 2
