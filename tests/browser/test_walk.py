"""A newcomer's walk: one click to the rules of the demonstration, and from an own table to one person's recourse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.driving import Visitor, plain


def test_one_click_shows_rules(visitor: Visitor) -> None:
    """Whoever presses the first button sees nested rules, how often they work, and what is proven."""
    visitor.press("demo_german")
    rules = visitor.page.locator(".rule-set")
    expect(rules).to_be_visible()
    assert re.search(r"If .*:\s", rules.inner_text())
    expect(rules.locator(".rule-change").first).to_contain_text("→")
    expect(rules.locator(".rule-works").first).to_contain_text(re.compile(r"Works for \d+ %"))
    visitor.see("How sure is this?")


def test_from_an_own_table_to_one_person(come: Come, own_table: Path) -> None:
    """A table of one's own becomes data, a model, costs, rules, a comparison of groups and one person's recourse."""
    visitor = come("/Data")
    bring(visitor, own_table, "loan (granted or refused)", "granted")
    visitor.see("our loans.csv")
    train(visitor, "Logistic regression")
    visitor.see("How good is it?")
    compare(visitor)
    visitor.go("Recourse")
    expect(visitor.page.locator(".rule-set")).to_be_visible()
    visitor.go("Subgroups")
    visitor.press("groups_likely")
    visitor.see("Each group against everybody else")
    visitor.go("Applicant")
    visitor.see("What if …")
    assert visitor.key("person_answer").inner_text()


@pytest.mark.parametrize("pause", [0, *(pytest.param(pause, marks=pytest.mark.long) for pause in (20, 60))])
def test_a_click_in_haste_leaves_nothing_unsaid(come: Come, own_table: Path, pause: int) -> None:
    """A page drawn anew before it was drawn at all still shows, and so sends, what it holds: here, what is frozen."""
    visitor = come("/Data")
    give(visitor, own_table, "loan (granted or refused)", "granted")
    visitor.send(visitor.key("data_use").get_by_role("button").first.click)
    visitor.page.wait_for_timeout(pause)
    visitor.go("Data")
    expect(visitor.key("data_frozen")).to_contain_text("sex")


def bring(visitor: Visitor, table: Path, target: str, good: str) -> None:
    """Upload a table, say how it turned out, and use it."""
    give(visitor, table, target, good)
    visitor.press("data_use")


def give(visitor: Visitor, table: Path, target: str, good: str) -> None:
    """Upload a table, and say how it turned out."""
    visitor.upload(visitor.page.locator("[data-testid=stMain]"), table)
    visitor.choose("data_target", target)
    options = visitor.page.get_by_role("radiogroup", name="Which of the two is the good outcome?").locator("label")
    expect(options).to_have_count(2)
    for option in options.all():
        if plain(option.inner_text()) == good:
            visitor.check(option)


def train(visitor: Visitor, family: str) -> None:
    """Train a model and wait until its quality is shown."""
    visitor.go("Model")
    visitor.check(visitor.key("model_family").get_by_text(family, exact=True))
    visitor.press("model_train")


def compare(visitor: Visitor) -> None:
    """Answer three questions on what is harder to change; the costs then differ."""
    visitor.go("Costs")
    visitor.see("Nobody has said anything yet")
    for number in range(3):
        visitor.press(f"cost_first_{number}")
    expect(visitor.key("cost_forest")).to_be_visible()
    expect(visitor.key("cost_answers")).to_contain_text("Answers given (3)")
