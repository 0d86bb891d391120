"""Kept costs on the Costs page: kept, used, and named in the record of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ares_core.costs import Comparison
from ares_core.store import Given, Item
from tests.patience import PATIENCE
from ui.comparing import comparable
from ui.session import KEY
from ui.shared import store

PAGE = Path(__file__).parents[2] / "pages" / "3_Costs.py"


def costs_page() -> AppTest:
    """Return the Costs page on a demonstration."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    page.query_params["data"] = "german"
    return page.run()


def asked(page: AppTest) -> bool:
    """Say whether a question is on the page."""
    return any(str(button.key).startswith("cost_first_") for button in page.button)


def test_costs_are_kept_used_and_named() -> None:
    """Costs kept under a name count instead of later answers until the visitor lets answers count again."""
    page = costs_page()
    session = page.session_state[KEY]
    assert session.costs_told() == "Nobody said what changes cost, so every feature costs 1."
    page.text_input(key="cost_set_name").set_value("Spring *panel*").run()
    page.button(key="cost_set_keep").click().run()
    assert not page.exception
    setup = session.state.setup
    assert setup.audit
    use = next(button for button in page.button if str(button.key).startswith("cost_set_use_"))
    use.click().run()
    assert "Spring *panel*, version 1" in session.costs_told()
    assert any("Spring \\*panel\\*" in info.value.replace("\u2060", "") for info in page.info)
    assert not asked(page)
    page.button(key="cost_set_stop").click().run()
    assert session.state.setup.cost_set == ""
    assert asked(page)


def test_while_experts_decide_nothing_is_asked() -> None:
    """The page says who decides and shows their costs; afterwards the visitor's own answers count again."""
    page = costs_page()
    session = page.session_state[KEY]
    session.own()
    first, second = comparable(session.schema())[:2]
    studies, audit = store().studies, session.state.setup.audit
    study = studies.create("Autumn *round*", [Item(first, "One"), Item(second, "Two")], audit)
    expert = studies.invite(study.id, "Ada")
    studies.save(Given(id=f"{study.id}1", expert=expert.id, first=first, second=second, verdict="harder"))
    session.set_setup(replace(session.state.setup, study=study.id))
    page.run()
    assert not page.exception
    assert not asked(page)
    assert "The experts of “Autumn \\*round\\*” decide the costs" in page.info[0].value
    assert session.costs().of(first) > session.costs().of(second)
    assert session.compared() == (Comparison(first, second, expert=expert.id),)
    page.button(key="cost_study_stop").click().run()
    assert asked(page)
    assert session.compared() == ()


def test_a_set_without_a_name_is_refused() -> None:
    """Nothing is kept under an empty name, and the page says what to do."""
    page = costs_page()
    page.button(key="cost_set_keep").click().run()
    assert "short name" in page.error[0].value
