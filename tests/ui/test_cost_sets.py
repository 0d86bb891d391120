"""Kept costs on the Costs page: kept, used, and named in the record of a run."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from ui.session import KEY

PAGE = Path(__file__).parents[2] / "pages" / "3_Costs.py"


def costs_page() -> AppTest:
    """Return the Costs page on a demonstration."""
    page = AppTest.from_file(PAGE, default_timeout=60)
    page.query_params["data"] = "german"
    return page.run()


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
    page.button(key="cost_set_stop").click().run()
    assert session.state.setup.cost_set == ""


def test_a_set_without_a_name_is_refused() -> None:
    """Nothing is kept under an empty name, and the page says what to do."""
    page = costs_page()
    page.button(key="cost_set_keep").click().run()
    assert "short name" in page.error[0].value
