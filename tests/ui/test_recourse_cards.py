"""The Recourse page's cards, charts and files: values in, markup, figures and tables out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import streamlit as st

from ares_core.audit.figures import RuleFigures, Totals
from ares_core.audit.intervals import Share
from ares_core.costs import Costs
from ares_core.errors import AresError, Cancelled
from ares_core.people import Conjunction, Feature, Kind, Predicate, Schema
from ares_core.people.levels import Interval, Value
from ares_core.recourse import Certificate, RecourseRule
from ares_core.settings import PRESETS, Settings, Weights
from ares_core.worker import (
    Evaluated,
    EvaluationView,
    Job,
    Lists,
    ReadTable,
    RuleView,
    Source,
    Subject,
    SummaryKey,
    SummaryView,
    TrainHere,
    Wish,
)
from ui import background
from ui.cards.rules import figure_cards, left_out_line, rule_cards, sentence_markup
from ui.charts.tradeoff import cost_chart, cost_words, distinct, size_chart, size_words, trade_off_frame
from ui.controls import preset_of, with_value
from ui.rule_files import as_text, rules_frame

NASTY = "<img src=x onerror=y> ![](http://host/x.png)"
TOWN = Feature("town", Kind.CATEGORY, ("town",), (Value("north", "n"), Value(NASTY, "s")), label="Home town")
DEBTS = Feature("debts", Kind.CATEGORY, ("debts",), (Value("many", "m"), Value("none", "0")), label="Debts")
YEARS = Feature(
    "years", Kind.NUMBER, ("years",), (Interval("below 3 years", None, 3), Interval("3 years or more", 3, None))
)
SCHEMA = Schema((TOWN, DEBTS, YEARS))


def where(**levels: int) -> Conjunction:
    """Return a conjunction from positions of levels."""
    return Conjunction.of(Predicate(name, SCHEMA[name].levels[at]) for name, at in levels.items())


RULE = RecourseRule(where(town=0), where(debts=0, years=0), where(debts=1, years=0))
OTHER = RecourseRule(where(town=1), where(years=0), where(years=1))
NOBODY = Lists((), (), (), (), ())
PROOF = Certificate(8.0, 8.0, 0.0, True, 1234)
EVALUATED = Evaluated(Subject(Source("0" * 64, "people.csv", "outcome", "good"), TrainHere("lr")), Settings())
KEY = SummaryKey(EVALUATED, Wish(Settings(max_rules=5), Costs.unit(SCHEMA.names)), (), PROOF)


def totals(helped: int = 8, affected: int = 10, size: int = 2, cost: float | None = 1.5) -> Totals:
    """Return the figures of a summary."""
    return Totals(affected, helped, helped, cost, 0, 0, 0, size, 3, size)


def summary(**fields: Any) -> SummaryView:
    """Return a summary of two rules, one of them measured on three people."""
    figures = RuleFigures(Share(9, 9), Share(6, 7), 1.5, 1), RuleFigures(Share(5, 6), Share(2, 3), 1.0, 1)
    usual: dict[str, Any] = {
        "key": KEY,
        "rules": (RuleView(RULE, figures[0]), RuleView(OTHER, figures[1])),
        "learn": totals(14, 15),
        "check": totals(),
        "same_people": False,
        "certificate": PROOF,
        "settings": Settings(max_rules=5),
        "min_people": 5,
        "stand_ins": 0,
        "lists": NOBODY,
    }
    return SummaryView(**(usual | fields))


def evaluation(**fields: Any) -> EvaluationView:
    """Return what asking the model came to."""
    usual = EvaluationView(100, 25, 15, 10, False, 0, 40, 4000, Share(0, 10), 1.0)
    return replace(usual, **fields)


def test_the_figures_come_with_people_and_interval() -> None:
    """Checked figures first, each with how many of how many; the learn figures stand in the second place."""
    shown = figure_cards(summary()).striptags().replace("\N{NO-BREAK SPACE}", " ")
    assert "Refused people the rules help80 %8 of 10, 95 % interval 49–94 %" in shown
    assert shown.index("80 %") < shown.index("Of the people the rules were chosen on: 93 % of 15")
    assert "1.5on average" in shown


def test_figures_on_the_same_people_are_said_once() -> None:
    """Under the paper's protocol there is no second place."""
    assert "chosen on" not in figure_cards(summary(same_people=True))


def test_without_people_to_check_on_no_rate_is_claimed() -> None:
    """A dash and a sentence, the figures of the people chosen on, and no card that says 0 %."""
    shown = figure_cards(summary(check=totals(0, 0, cost=None)))
    assert "There is nobody to measure on." in shown
    assert "0 %" not in shown.replace("93 %", "")
    assert "Of the people the rules were chosen on: 93 % of 15" in shown


def test_what_changes_is_marked_by_more_than_colour() -> None:
    """A change is bold, underlined, behind an arrow, and says what it was; what stays is plain."""
    shown = sentence_markup(SCHEMA, RULE)
    assert "→\N{NO-BREAK SPACE}</span><strong><u>Debts = none</u></strong>" in shown
    assert "(was many)" in shown
    assert '<span class="rule-part">years is below 3 years</span></p>' in shown
    assert shown.count("<u>") == 1


def test_rules_are_nested_by_subgroup() -> None:
    """Each subgroup once as a heading, each rule with number, rate, interval, bar, people, learn figure, cost."""
    shown = rule_cards(SCHEMA, summary()).replace("\N{NO-BREAK SPACE}", " ")
    assert shown.count("<h3") == 2
    assert shown.index("Home town = north:") < shown.index("Rule 1") < shown.index("Rule 2")
    assert "6 of 7 people, 95 % interval 49–97 %" in shown
    assert "Cost 1.5 · 1 change · helped 9 of the 9 it was chosen on" in shown
    assert shown.count('class="meter"') == 2


def test_a_rule_of_few_people_is_marked() -> None:
    """Fewer than five people: read with care; seven are not."""
    assert rule_cards(SCHEMA, summary()).count("Few people: read with care.") == 1


def test_a_rule_nobody_is_under_claims_no_rate() -> None:
    """There is nobody to measure it on, which is said."""
    alone = RuleView(RULE, RuleFigures(Share(9, 9), Share(0, 0), 1.5, 1))
    shown = rule_cards(SCHEMA, summary(rules=(alone,)))
    assert "There is nobody to measure it on." in shown
    assert "Works for" not in shown


def test_names_from_the_data_stay_text() -> None:
    """A level that looks like markup is shown, not obeyed."""
    shown = rule_cards(SCHEMA, summary())
    assert "<img" not in shown
    assert "&lt;img src=x onerror=y&gt;" in shown


def test_who_is_left_out_is_one_line_that_leads_to_the_lists() -> None:
    """Counts of every list, and a link to where they open."""
    lists = Lists((1,), (2, 3), (4, 5, 6), (), (7,))
    shown = left_out_line(summary(lists=lists), "people")
    assert "Failed by a rule: 2 · Under no rule: 3 · Under more than one: 0 · No move helps: 1" in shown
    assert 'href="#people"' in shown


def test_the_size_chart_draws_both_parts_apart() -> None:
    """Learn and check differ in dash and marker; the shown summary is ringed at its size."""
    points = [summary(check=totals(helped)) for helped in (3, 6, 8)]
    figure = size_chart(points, points[1], 2)
    by_name = {trace.name: trace for trace in figure.data if trace.name}
    check, learn = by_name["Checked on"], by_name["Chosen on"]
    assert list(check.y) == [0.3, 0.6, 0.8]
    assert (check.line.dash, check.marker.symbol) != (learn.line.dash, learn.marker.symbol)
    assert (by_name["Shown"].x, by_name["Shown"].y) == ((2,), (0.6,))
    assert "At most 2 rules: 60 % of 10 (95 % interval 31–83 %)" in check.hovertext


def test_the_size_chart_without_people_to_check_on_shows_the_others() -> None:
    """Only the learn curve, and the ring on it."""
    point = summary(check=totals(0, 0, cost=None))
    names = [trace.name for trace in size_chart([point], point, 1).data]
    assert names == ["Chosen on", "Shown"]


def test_the_cost_chart_has_one_point_for_each_different_summary() -> None:
    """Equal points are one, a summary that helps nobody has no cost, and each says its number of rules."""
    points = [
        summary(check=totals(8, cost=2.0)),
        summary(check=totals(8, cost=2.0)),
        summary(check=totals(5, size=1, cost=1.0)),
        summary(check=totals(0, size=0, cost=None)),
    ]
    assert len(distinct(points)) == 2
    figure = cost_chart(points, points[0])
    assert list(figure.data[0].x) == [2.0, 1.0]
    assert list(figure.data[0].text) == ["2 rules", "1 rule"]


def test_charts_are_told_in_words_too() -> None:
    """What is drawn is said for those who cannot see it."""
    points = [summary(check=totals(helped)) for helped in (3, 6, 8)]
    assert "at most 2 rules 60 %, 93 % of those they were chosen on" in size_words(points)
    assert (
        cost_words(points[:1]) == "Refused people helped as cost counts for more: 2 rules 30 % at a mean cost of 1.5."
    )


def test_the_trade_off_is_a_table() -> None:
    """One row for each size, with interval and bound."""
    frame = trade_off_frame([summary(check=totals(helped)) for helped in (3, 6)])
    assert list(frame.index) == [1, 2]
    assert frame.loc[2, "share helped"] == 0.6
    assert frame.loc[2, "upper bound"] == 8.0


def test_the_rules_as_text_are_nested_as_the_command_line_prints_them() -> None:
    """Opening, rules in their subgroups with figures, totals, certificate."""
    text = as_text(SCHEMA, summary(), evaluation())
    assert text.startswith("The model refuses 25 of the 100 people audited. Rules were chosen on 15 of those refused;")
    assert "\n\nIf Home town = north:\n    If Debts = many and years is below 3 years, then → **Debts = none**" in text
    assert "Works for 6 of 7: 86 % (95 % interval 49–97 %); it helps 9 of the 9 it was chosen on. Cost 1.5." in text
    assert "Proven: no summary of at most 5 rules in 10 subgroups, made from 1,234 candidates, scores higher." in text


def test_the_text_of_no_rule_says_why() -> None:
    """Nothing to choose from is told with what to change."""
    empty = summary(rules=(), check=totals(0, size=0, cost=None), certificate=Certificate(0, 0, 0, True, 0, ("Few.",)))
    text = " ".join(as_text(SCHEMA, empty, evaluation()).split())
    assert "No rule can be offered: no change that is allowed speaks to at least 5 people among the 15 refused" in text
    assert text.endswith("Few.")
    lone = replace(empty, certificate=replace(empty.certificate, lone="Debts"))
    assert "'Debts' alone may change and alone describes subgroups" in as_text(SCHEMA, lone, evaluation())


def test_the_rules_are_a_table() -> None:
    """One row for each rule with its figures; no rules are a table without rows."""
    frame = rules_frame(SCHEMA, summary())
    assert frame.loc[1, "what changes"] == "Debts = none"
    assert list(frame["people"]) == [7, 3]
    assert rules_frame(SCHEMA, summary(rules=())).empty


def test_a_preset_is_known_by_its_weights() -> None:
    """Every preset is found again; other weights are the visitor's own."""
    assert all(preset_of(weights) == name for name, (weights, _) in PRESETS.items())
    assert preset_of(Weights(7, 7, 7, 7)) is None


def test_a_weight_from_a_link_has_its_place_on_the_slider() -> None:
    """It stands among the steps, in order, once."""
    assert with_value((0.0, 1.0), 0.3) == [0.0, 0.3, 1.0]
    assert with_value((0.0, 1.0), 1.0) == [0.0, 1.0]


class Asked:
    """A visitor who notes what is asked."""

    def __init__(self) -> None:
        self.errands = self
        self.count = 0

    def ask(self, question: Any, *, later: bool) -> Job[Any]:
        """Note the question, and let it wait."""
        assert later
        self.count += 1
        return Job(question, self.count)


def over(error: AresError) -> Job[Any]:
    """Return a job that ended with an error."""
    job: Job[Any] = Job(ReadTable("", "x.csv"), 1)
    job.fail(error)
    return job


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the page keeps, in a plain dictionary; running the page again does nothing."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "rerun", lambda: kept.update(again=True))
    return kept


def test_what_failed_in_the_background_is_not_asked_for_ever(state: dict[str, Any]) -> None:
    """A failure is kept, so that the page shows it; what gave way to another question is asked again."""
    visitor: Any = Asked()
    failed = over(AresError("It broke.", "Mend it."))
    background.look_once((failed,))
    assert state["again"]
    assert background.later(visitor, failed.question) is failed
    assert visitor.count == 0
    state.clear()
    given_way = over(Cancelled())
    background.look_once((given_way,))
    assert state["again"]
    assert background.later(visitor, given_way.question) is not given_way
    assert visitor.count == 1


def test_an_answer_is_taken_only_when_it_is_there() -> None:
    """Neither a job on its way nor one that failed has an answer."""
    job: Job[Any] = Job(ReadTable("", "x.csv"), 1)
    assert background.finished(job) is None
    job.succeed(3)
    assert background.finished(job) == 3
    assert background.finished(over(AresError("It broke.", "Mend it."))) is None
