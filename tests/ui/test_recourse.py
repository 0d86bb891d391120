"""The Recourse page: from the model's answers to rules, live; choosing, opening, preparing, and what goes wrong."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ui.recourse
from ares_core.settings import PRESETS
from ares_core.worker import Errands, Evaluate, Summarise
from tests.patience import PATIENCE
from ui import links
from ui.background import finished
from ui.session import KEY, Session
from ui.shared import pool, shelf

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "4_Recourse.py")


@cache
def errands() -> Errands:
    """Return one visitor's questions, shared by all tests: a worker takes seconds to start."""
    return Errands(pool(), shelf().file)


def linked(**address: str) -> AppTest:
    """Return the page as a link opens it; the planted table and its groups unless told otherwise."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    for name, value in ({"data": "planted", "groups": "race"} | address).items():
        page.query_params[name] = value
    return page


def opened(**address: str) -> AppTest:
    """Return the same for a visitor whose worker runs already."""
    page = linked(**address)
    state, _ = links.read({name: [value] for name, value in page.query_params.items()}, shelf())
    page.session_state[KEY] = Session(state, errands())
    return page.run()


def visitor(page: AppTest) -> Session:
    """Return the visitor's session."""
    found = page.session_state[KEY]
    assert isinstance(found, Session)
    return found


def markup(page: AppTest) -> str:
    """Return all HTML of the page but its styles."""
    return "\n".join(body for element in page.get("html") if "<style" not in (body := element.proto.body))


def settled(page: AppTest) -> AppTest:
    """Wait for the background work, and return the page as it then runs by itself."""
    jobs = [*visitor(page).errands._jobs.values()]
    for job in jobs:
        assert job.wait(PATIENCE)
    return page.run()


@pytest.fixture(scope="module")
def ready() -> AppTest:
    """Return the page with everything worked out; tests that change it open their own."""
    return settled(settled(opened()))


def evaluations() -> int:
    """Count how often a model was asked everything."""
    return sum(isinstance(question, Evaluate) for question in errands()._jobs)


def test_without_data_the_page_says_what_to_do() -> None:
    """An empty audit gets a sentence, and no rules."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE).run()
    assert not page.exception
    assert page.info[0].value == "There are no people to look at yet."
    assert "rule-set" not in markup(page)


def test_a_link_opens_on_rules() -> None:
    """Without a click: whom the model refuses, four figures, and the planted rules nested by group."""
    page = linked().run()
    assert not page.exception
    assert not page.error
    html = markup(page)
    assert html.count('<section class="rule-group">') == 2
    assert html.count('<li class="rule-item">') == 4
    assert "If </span>Race = Caucasian:" in html
    assert '<strong class="rule-figure">100 %</strong>' in html
    assert "Proven: no summary of at most 20 rules in 10 subgroups, made from 5,076 candidates, scores higher." in html
    assert visitor(page).view.strata == ("race",)


def test_a_slider_answers_without_asking_the_model(ready: AppTest) -> None:
    """Fewer rules come at once, the address carries them, and the model was asked once."""
    page = opened()
    before = evaluations()
    page.slider(key="limit_max_rules").set_value(2).run()
    assert not page.exception
    assert markup(page).count('<li class="rule-item">') == 2
    assert visitor(page).view.settings.max_rules == 2
    assert evaluations() == before


def test_a_preset_sets_the_weights_and_own_weights_leave_it() -> None:
    """Choosing 'easy' sets its weights; moving one of them belongs to no preset."""
    page = opened()
    page.button_group(key="preset").set_value("easy").run()
    assert visitor(page).view.settings.weights == PRESETS["easy"][0]
    page.select_slider(key="weight_feature_cost").set_value(2.0).run()
    assert not page.exception
    assert visitor(page).view.settings.weights.feature_cost == 2.0
    assert "Your own weights, set below." in [caption.value for caption in page.caption]
    page.button_group(key="preset").set_value(None).run()
    assert visitor(page).view.settings.weights.feature_cost == 2.0


def test_comparing_by_something_else_keeps_the_model_s_answers() -> None:
    """Other features of interest bring other subgroups; the split into parts stays."""
    page = opened()
    page.multiselect(key="interest").set_value(["sex"]).run()
    assert not page.exception
    assert visitor(page).view.interest == ("sex",)
    assert visitor(page).view.strata == ("race",)
    assert "If </span>Sex = " in markup(page)


def test_with_no_weight_on_coverage_there_is_no_rule_and_the_page_says_why() -> None:
    """Finding no rule is a result: why, what to do, and no charts of nothing."""
    page = opened()
    page.select_slider(key="weight_coverage").set_value(0.0).run()
    page = settled(page)
    assert not page.exception
    assert page.info[0].value.startswith("No rule can be offered")
    assert not page.get("plotly_chart")


def test_the_trade_offs_come_by_themselves(ready: AppTest) -> None:
    """Once worked out there is the size plot; with unit costs one summary is best at every price."""
    assert len(ready.get("plotly_chart")) == 1
    assert any("However much cost counts" in element.value for element in ready.markdown)
    assert "rule-waiting" not in markup(ready)


def test_a_smaller_summary_is_chosen_and_left_again() -> None:
    """A size shows its own summary and figures, says so, and the way back leads back; moving a limit too."""
    page = settled(opened())
    page.slider(key="size_slider").set_value(2).run()
    assert visitor(page).view.size == 2
    assert any("at most 2 rules" in element.value for element in page.markdown)
    assert markup(page).count('<li class="rule-item">') == 2
    assert "no summary of at most 2 rules" in markup(page)
    page.button(key="size_back").click().run()
    assert visitor(page).view.size is None
    assert markup(page).count('<li class="rule-item">') == 4
    page.slider(key="size_slider").set_value(3).run()
    page.slider(key="limit_max_width").set_value(5).run()
    assert visitor(page).view.size is None


def test_a_link_to_a_size_opens_on_it() -> None:
    """The size in the address is what is shown first; one beyond the limit is the full summary."""
    assert markup(opened(size="1")).count('<li class="rule-item">') == 1
    assert markup(opened(size="900")).count('<li class="rule-item">') == 4


def test_a_point_of_the_plot_is_chosen_by_clicking_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A click chooses the size under it, the last point the full summary, and a click beside it nothing."""
    chosen: list[Any] = []

    class Stub:
        def set_view(self, **fields: Any) -> None:
            chosen.append(fields["size"])

    for points in ([{"x": 3}], [{"x": 20}], []):
        monkeypatch.setattr(st, "session_state", {ui.recourse.CHART: {"selection": {"points": points}}})
        ui.recourse._choose_point(Stub(), 20)  # type: ignore[arg-type]
    assert chosen == [3, None]


def test_something_better_is_swapped_in_when_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the proof runs the page says how much better is possible; with the proof that sentence goes."""
    monkeypatch.setattr(ui.recourse, "CLOSE", -1.0)  # as if no live answer were close
    monkeypatch.setattr(ui.recourse, "finished", lambda _: None)  # as if every search still ran
    page = opened(max_rules="3")
    assert "Still looking for something better: at most 0 % better is possible" in markup(page)
    monkeypatch.setattr(ui.recourse, "finished", finished)
    page = settled(page)
    assert "Still looking" not in markup(page)
    assert "rule-set" in markup(page)


def test_people_behind_a_figure_are_listed() -> None:
    """An open list shows its people by their rows of the file, as many as its label says, and is a file."""
    page = opened(max_rules="2")
    page.session_state["list_uncovered"] = True
    page.run()
    assert not page.exception
    evaluated = visitor(page).state.evaluated
    assert evaluated is not None
    uncovered = errands().ask(Summarise(evaluated, visitor(page).wish())).result().lists.uncovered
    assert len(uncovered) > 200
    frame = page.dataframe[0].value
    assert len(frame) == 200
    assert frame.index[0] == uncovered[0]
    page.button(key="whole_uncovered").click().run()
    assert not page.exception
    assert any(button.proto.label == "Download this list (CSV)" for button in page.get("download_button"))


def test_an_empty_list_says_so() -> None:
    """Nobody under more than one rule: a sentence, not an empty table."""
    page = opened()
    page.session_state["list_conflicts"] = True
    page.run()
    assert "There is nobody on this list." in [element.value for element in page.markdown]
    assert not page.dataframe


def test_the_full_record_is_prepared_when_asked(ready: AppTest) -> None:
    """Rules and trade-off are files at once; the run file after a click."""
    labels = [button.proto.label for button in ready.get("download_button")]
    assert labels == ["Rules as text", "Rules (CSV)", "Trade-off (CSV)"]
    page = settled(opened())
    page.button(key="prepare_record").click().run()
    assert not page.exception
    assert "Full record (JSON)" in [button.proto.label for button in page.get("download_button")]


def test_asking_again_takes_the_form_and_the_groups() -> None:
    """The button asks the model under the new settings, splitting people by the groups now looked at."""
    page = opened()
    page.multiselect(key="interest").set_value(["sex"]).run()
    page.slider(key="ask_max_changes").set_value(1)
    page.slider(key="ask_holdout").set_value(30)
    page.button(key="ask_the_model_again").click().run()
    assert not page.exception
    view = visitor(page).view
    assert (view.settings.max_changes, view.settings.holdout, view.strata) == (1, 0.3, ("sex",))
    assert "2 changes" not in markup(page)


def test_checking_on_the_same_people_is_said() -> None:
    """The paper's protocol names itself and gives no second figure."""
    page = opened(holdout="0.0")
    assert any("on the same people" in element.value for element in page.markdown)
    assert "Of the people the rules were chosen on" not in markup(page)


def test_a_link_with_an_unknown_feature_can_be_mended() -> None:
    """It is named, and one click goes on without it."""
    page = opened(groups="![x](http://host/y)")
    assert "no feature" in page.error[0].value
    assert "](http" not in page.error[0].value
    page.button(key="drop_unknown").click().run()
    assert not page.exception
    assert not page.error
    assert "rule-set" in markup(page)


def test_a_rerun_with_nothing_to_compute_is_cheap(ready: AppTest) -> None:
    """The page draws itself from remembered answers within 150 ms of CPU."""
    spent = []
    for _ in range(5):
        began = time.process_time()
        ready.run()
        spent.append(time.process_time() - began)
    assert min(spent) < 0.15
