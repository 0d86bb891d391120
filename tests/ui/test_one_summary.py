"""One summary on screen: after every control, all pages, files, slides and links show exactly the same rules."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ui.recourse
import ui.slideshow
from ares_core.costs import Comparison
from ares_core.worker import Job, Summarise
from tests.ui.outputs import (
    Address,
    Files,
    Rule,
    address_of,
    first_column,
    markup,
    opened,
    prepared,
    rules_of_cards,
    rules_of_record,
    rules_of_slides,
    rules_of_table,
    rules_of_text,
    settled,
    steady,
    visitor,
)
from ui.cards.slides import Slide
from ui.people_lists import KINDS
from ui.shelf import Setup


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    """Return the files offered since this was last cleared, by the button's key."""
    found: Files = {}
    button = st.download_button

    def record(label: str, data: bytes, *rest: Any, key: str, **options: Any) -> bool:
        found[key] = data.decode()
        return button(label, data, *rest, key=key, **options)

    monkeypatch.setattr(st, "download_button", record)
    return found


@pytest.fixture
def deck(monkeypatch: pytest.MonkeyPatch) -> list[Slide]:
    """Return the slides shown last."""
    found: list[Slide] = []
    made = ui.slideshow.slides

    def record(story: Any) -> list[Slide]:
        found[:] = made(story)
        return list(found)

    monkeypatch.setattr(ui.slideshow, "slides", record)
    return found


def compare_page(page: AppTest, files: Files) -> Files:
    """Compare everything the Recourse page shows and offers, and return its files."""
    found, shown = prepared(page, files), rules_of_cards(markup(page))
    record = steady(found["save_record"])
    assert rules_of_table(found["save_rules"]) == shown
    assert rules_of_text(found["save_rules_text"]) == shown
    assert rules_of_record(visitor(page).schema(), record) == shown
    _compare_totals(page, found, record)
    _compare_sizes(page, found, record)
    return found


def compare_all(page: AppTest, files: Files, deck: list[Slide]) -> Files:
    """Compare the Recourse page with every other page, the slides, and its link; return its files."""
    found, address = compare_page(page, files), address_of(page)
    record = steady(found["save_record"])
    _compare_slides(address, deck, rules_of_cards(markup(page)), record)
    _compare_groups(page, files, record)
    _compare_people(page, files, found, record)
    _compare_link(address, files, found)
    return found


def _compare_totals(page: AppTest, found: Files, record: dict[str, Any]) -> None:
    """Compare the headline, the proof and the lists of people with the record."""
    totals, html, text = record["totals"]["check"], markup(page), " ".join(found["save_rules_text"].split())
    if totals["size"]:
        assert f"{totals['helped']:,} of {totals['affected']:,}" in html
        claim = f"at most {record['settings']['max_rules']} rule"
        assert (claim in html) == (claim in text) == bool(record["certificate"]["proven"])
    covered, helped = totals["covered"], totals["helped"]
    counts = {"helped": helped, "failed": covered - helped, "uncovered": totals["affected"] - covered}
    counts |= {"conflicts": totals["conflicts"], "without_recourse": totals["no_recourse"]}
    for kind in KINDS:
        people = first_column(found[f"save_{kind.name}"]) if f"save_{kind.name}" in found else []
        assert len(people) == counts[kind.name], kind
        label = next(box.label for box in page.expander if kind.title in box.label).replace("\\", "")
        assert f" {counts[kind.name]:,} of {totals['affected']:,}" in label


def _compare_sizes(page: AppTest, found: Files, record: dict[str, Any]) -> None:
    """Compare the trade-off with the frontier of the record, and the point chosen with the rules."""
    rows = list(csv.DictReader(io.StringIO(found["save_trade_off"])))
    columns = {"gain": "gain", "upper bound": "upper_bound", "share helped": "accuracy_check"}
    for column, name in columns.items():
        values = [point[name] for point in record["frontier"]]
        assert [float(row[column]) for row in rows] == values
    size = visitor(page).view.size
    assert record["settings"]["max_rules"] == (size or len(rows))
    chosen = record["frontier"][record["settings"]["max_rules"] - 1]["chosen"]
    parts = ("subgroup", "before", "after")
    rules = [{part: rule[part] for part in parts} for rule in record["rules"]]
    assert [record["frontier_rules"][place] for place in chosen] == rules
    assert any(f"at most {size} rule" in text.value for text in page.markdown) == (size is not None)


def _compare_slides(address: Address, deck: list[Slide], shown: list[Rule], record: dict[str, Any]) -> None:
    slides = opened("4_Recourse.py", address | {"present": ["0"]}).run()
    assert not slides.exception
    assert rules_of_slides(deck) == shown
    helped, affected = (record["totals"]["check"][name] for name in ("helped", "affected"))
    assert not shown or f"{helped:,} of {affected:,}" in deck[0].body
    size = record["settings"]["max_rules"]
    assert (f"at most {size} rule" in deck[0].notes) == ("size" in address)


def _compare_groups(page: AppTest, files: Files, record: dict[str, Any]) -> None:
    if not visitor(page).view.interest:
        return
    files.clear()
    groups = opened("5_Subgroups.py", address_of(page)).run()
    assert not groups.exception
    listed = record["subgroups"]
    assert json.loads(files["groups_json"])["subgroups"] == listed
    rows = list(csv.DictReader(io.StringIO(files["groups_csv"])))
    assert [int(row["People refused"]) for row in rows] == [group["affected"] for group in listed]
    assert [float(row["Helped"] or 0) for row in rows] == [group["accuracy"] or 0 for group in listed]
    if record["rules"]:
        assert json.loads(files["moves_json"])["moves"] == record["moves"]
    size = visitor(page).view.size
    assert any(f"at most {size} rule" in text.value.replace("*", "") for text in groups.markdown) == (size is not None)


def _compare_people(page: AppTest, files: Files, found: Files, record: dict[str, Any]) -> None:
    """Ask for somebody of every list: the rule that decides for them is one on screen, and does what the list says."""
    parts = ("subgroup", "before", "after")
    rules = [{part: rule[part] for part in parts} for rule in record["rules"]]
    size = visitor(page).view.size
    for name, works in (("helped", True), ("failed", False), ("uncovered", None)):
        if f"save_{name}" not in found:
            continue
        row = first_column(found[f"save_{name}"])[-1]
        files.clear()
        one = opened("6_Applicant.py", address_of(page) | {"line": [str(row)]}).run()
        assert not one.exception
        rule = json.loads(files["person_json"])["rule"]
        assert (rule is None) == (works is None)
        assert rule is None or ({part: rule[part] for part in parts} in rules and rule["works"] == works)
        assert any(f"at most {size} rule" in text.value.replace("*", "") for text in one.markdown) == (size is not None)


def _compare_link(address: Address, files: Files, found: Files) -> None:
    """Reopen the address as somebody else: every file is the same."""
    files.clear()
    again = prepared(opened("4_Recourse.py", address, "second"), files)
    assert again.keys() == found.keys()
    assert steady(again.pop("save_record")) == steady(found["save_record"])
    assert again == {name: text for name, text in found.items() if name != "save_record"}


def _setup(page: AppTest, change: Callable[[Setup], Setup]) -> None:
    """Change what was said of costs, as the Costs page does."""
    found = visitor(page)
    assert found.state.setup is not None
    found.state, _ = found.state.with_setup(change(found.state.setup))


def _ask(page: AppTest, key: str, value: Any) -> None:
    """Set a field of the form, and have the model asked again."""
    for widget in (*page.slider, *page.number_input, *page.radio):
        if widget.key == key:
            widget.set_value(value)
    page.button(key="ask_the_model_again").click()


CONTROLS: dict[str, Callable[[AppTest], Any]] = {
    "interest": lambda page: page.multiselect(key="interest").set_value(["sex"]),
    "preset": lambda page: page.button_group(key="preset").set_value("easy"),
    "limit_max_rules": lambda page: page.slider(key="limit_max_rules").set_value(3),
    "limit_max_width": lambda page: page.slider(key="limit_max_width").set_value(3),
    "limit_max_subgroups": lambda page: page.slider(key="limit_max_subgroups").set_value(1),
    "weight_correctness": lambda page: page.select_slider(key="weight_correctness").set_value(0.25),
    "weight_coverage": lambda page: page.select_slider(key="weight_coverage").set_value(0.5),
    "weight_feature_cost": lambda page: page.select_slider(key="weight_feature_cost").set_value(5.0),
    "weight_feature_change": lambda page: page.select_slider(key="weight_feature_change").set_value(5.0),
    "limit_time": lambda page: page.select_slider(key="limit_time").set_value(60.0),
    "ask_support": lambda page: _ask(page, "ask_support", 20.0),
    "ask_max_changes": lambda page: _ask(page, "ask_max_changes", 1),
    "ask_condition_width": lambda page: _ask(page, "ask_condition_width", 2),
    "ask_subgroup_width": lambda page: _ask(page, "ask_subgroup_width", 1),
    "ask_min_people": lambda page: _ask(page, "ask_min_people", 300),
    "ask_holdout": lambda page: _ask(page, "ask_holdout", 0),
    "ask_selection": lambda page: _ask(page, "ask_selection", "paper"),
    "ask_seed": lambda page: _ask(page, "ask_seed", 7),
    "costs typed in": lambda page: _setup(page, lambda setup: replace(setup, direct=(("has_job", 9.0),))),
    "costs compared": lambda page: _setup(
        page, lambda setup: replace(setup, comparisons=(Comparison("has_job", "drugs"),))
    ),
}
START = {"data": ["planted"], "groups": ["race"]}


@pytest.mark.parametrize("name", CONTROLS)
def test_every_output_shows_the_rules_on_screen(name: str, files: Files, deck: list[Slide]) -> None:
    """A record is prepared, a control is moved, a size is chosen: all outputs agree each time."""
    page = opened("4_Recourse.py", START).run()
    page.button(key="prepare_record").click().run()
    assert "save_record" in files
    CONTROLS[name](page)
    assert steady(compare_page(page, files)["save_record"])["rules"]
    page.slider(key="size_slider").set_value(1)
    assert len(rules_of_table(compare_all(page, files, deck)["save_rules"])) == 1


@pytest.mark.parametrize("size", [None, 2])
def test_every_size_is_the_same_everywhere(size: int | None, files: Files, deck: list[Slide]) -> None:
    """The full summary has four rules, a smaller one as many as were chosen."""
    page = settled(opened("4_Recourse.py", START).run())
    if size is not None:
        page.slider(key="size_slider").set_value(size)
    assert len(rules_of_table(compare_all(page, files, deck)["save_rules"])) == (size or 4)


def test_every_control_of_the_page_is_moved() -> None:
    """No control of the Recourse page is left out above."""
    page = settled(opened("4_Recourse.py", START).run())
    kinds = ("slider", "select_slider", "multiselect", "button_group", "number_input", "radio", "checkbox", "toggle")
    kinds = (*kinds, "selectbox", "text_input", "color_picker", "date_input", "time_input", "text_area")
    found = {widget.key for kind in kinds for widget in page.get(kind)}
    assert found == {name for name in CONTROLS if not name.startswith("costs ")} | {"size_slider"}


class Proof:
    """A search for something better that ends when a test says so."""

    def __init__(self) -> None:
        self.ended, self._finished = False, ui.recourse.finished

    def finished(self, job: Job[Any]) -> Any:
        """Return the answer of a job; the proof is kept back until it has ended."""
        return self._finished(job) if self.ended or not isinstance(job.question, Summarise) else None


@pytest.fixture
def proof(monkeypatch: pytest.MonkeyPatch) -> Proof:
    """Let no live answer count as close to the best, and keep the proof back."""
    found = Proof()
    monkeypatch.setattr(ui.recourse, "CLOSE", -1.0)
    monkeypatch.setattr(ui.recourse, "finished", found.finished)
    return found


def test_a_record_of_an_unproven_summary_goes_when_a_better_one_comes(proof: Proof, files: Files) -> None:
    """What is written while the search goes on says so; with the proof the record must be prepared again."""
    page = opened("4_Recourse.py", START | {"max_rules": ["5"]}).run()
    assert "Still looking" in markup(page)
    page.button(key="prepare_record").click().run()
    record = steady(files["save_record"])
    assert rules_of_record(visitor(page).schema(), record) == rules_of_cards(markup(page))
    assert re.search("search .* had not ended", " ".join(record["notes"]))
    for other in ("5_Subgroups.py", "6_Applicant.py"):
        assert "Still looking" in markup(opened(other, address_of(page)).run())
    proof.ended = True
    files.clear()
    settled(page.run())
    assert "Still looking" not in markup(page)
    assert "save_record" not in files
    page.button(key="prepare_record").click().run()
    assert not re.search("had not ended", " ".join(steady(files["save_record"])["notes"]))
