"""What is looked at: sliders, a point on the plot, a link for a colleague, slides for a meeting, and stopping."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Come
from tests.browser.driving import Visitor
from tests.browser.test_walk import bring

GERMAN = "/Recourse?data=german&model=rf&groups=age"
CONTROLS = re.compile(r"/static/js/(Multiselect|Slider|ButtonGroup)")  # the browser fetches them when they are needed
POINTS = ".st-key-size_chart .scatterlayer .points path"


@pytest.fixture
def at_rules(come: Come) -> Visitor:
    """Return a visitor who looks at the rules of the demonstration."""
    visitor = come(GERMAN)
    expect(rules(visitor)).to_be_visible()
    return visitor


def rules(visitor: Visitor) -> Locator:
    """Return the rules on the page."""
    return visitor.page.locator(".rule-set")


def count(visitor: Visitor) -> int:
    """Count the rules on the page."""
    return visitor.page.locator(".rule-item").count()


def test_a_slider_brings_new_rules(at_rules: Visitor) -> None:
    """Moving a limit shows other rules that keep to it, and the address carries it."""
    before = rules(at_rules).inner_text()
    slider = at_rules.key("limit_max_rules").get_by_role("slider")
    at_rules.act(lambda: slider.press("Home"))
    expect(rules(at_rules)).not_to_have_text(before)
    expect(at_rules.page.locator(".rule-item")).to_have_count(1)
    assert "max_rules=1" in at_rules.page.url


def test_a_point_on_the_plot_shows_its_summary(at_rules: Visitor) -> None:
    """Choosing the point of a size shows the best rules of at most that many, and there is a way back."""
    expect(at_rules.page.locator(POINTS).first).to_be_visible()
    point = at_rules.page.locator(POINTS).nth(2)

    def click_point() -> None:
        point.scroll_into_view_if_needed()
        box = point.bounding_box()
        assert box is not None
        at_rules.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    at_rules.act(lambda: at_rules.send(click_point))
    expect(at_rules.key("rule_chosen")).to_contain_text("at most 3 rules")
    expect(at_rules.page.locator(".rule-item")).to_have_count(3)
    assert "size=3" in at_rules.page.url
    at_rules.press("size_back")
    expect(at_rules.key("rule_chosen")).to_have_count(0)


def test_a_link_shows_a_colleague_the_same(at_rules: Visitor, come: Come) -> None:
    """Another browser that opens the address sees the same rules under the same limits."""
    slider = at_rules.key("limit_max_rules").get_by_role("slider")
    at_rules.act(lambda: slider.press("PageDown"))
    expect(at_rules.page).to_have_url(re.compile("max_rules="))
    address = at_rules.page.url.removeprefix(at_rules.url)
    colleague = come(address)
    expect(rules(colleague)).to_be_visible()
    expect(at_rules.page.locator(".rule-status")).to_have_count(0)
    expect(colleague.page.locator(".rule-status")).to_have_count(0)
    assert rules(colleague).inner_text() == rules(at_rules).inner_text()


@pytest.mark.long
def test_a_link_holds_on_a_slow_line(come: Come) -> None:
    """Controls that arrive long after the rules show what the link says, and change nothing."""
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    address = f"{GERMAN}&asked=1&max_rules=7&weights=3,1,0.01,0.005"
    visitor = come(address, late=(CONTROLS, keep))
    expect(visitor.page.locator(POINTS).first).to_be_visible()
    assert late
    for route in late:
        route.continue_()
    expect(visitor.key("limit_max_rules").get_by_role("slider")).to_have_attribute("aria-valuetext", "7")
    expect(visitor.key("interest")).to_contain_text("Age")
    visitor.press("present")  # sends whatever the controls say
    assert "groups=age" in visitor.page.url
    assert "max_rules=7" in visitor.page.url
    assert "weights=3" in visitor.page.url


def test_slides_are_turned_with_keys(at_rules: Visitor) -> None:
    """In presenter mode the arrow keys turn slides in large type without controls, and Escape leaves."""
    at_rules.press("present")
    slide = at_rules.page.locator(".slide")
    expect(slide).to_be_visible()
    first = slide.inner_text()
    size = slide.locator("h1, h2, p").first.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 24
    assert at_rules.page.locator("[data-testid=stSlider]").count() == 0
    at_rules.act(lambda: at_rules.page.keyboard.press("ArrowRight"))
    expect(slide).not_to_have_text(first)
    at_rules.act(lambda: at_rules.page.keyboard.press("ArrowLeft"))
    assert slide.inner_text() == first
    at_rules.act(lambda: at_rules.page.keyboard.press("Escape"))
    expect(rules(at_rules)).to_be_visible()


@pytest.fixture(scope="session")
def large_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table on which a network trains for a while."""
    path, rng = tmp_path_factory.mktemp("large") / "large.csv", np.random.default_rng(0)
    people = pd.DataFrame({f"number {column}": rng.integers(0, 50, 40_000) for column in range(12)})
    people["paid"] = np.where(people.sum(axis=1) + rng.normal(0, 40, 40_000) > 300, "yes", "no")
    people.to_csv(path, index=False)
    return path


def test_long_work_can_be_stopped_and_started_again(come: Come, large_table: Path) -> None:
    """Training shows how far it is, Stop ends it within moments, and it starts again on demand."""
    visitor = come("/Data")
    bring(visitor, large_table, "paid (no or yes)", "yes")
    visitor.go("Model")
    visitor.check(visitor.key("model_family").get_by_text("Neural network").first)
    visitor.send(visitor.key("model_train").get_by_role("button").click)
    stop = visitor.page.get_by_role("button", name="Stop", exact=True)
    expect(visitor.page.get_by_role("progressbar").first).to_be_visible()
    visitor.send(stop.click)
    visitor.see("This was stopped, and nothing was changed.")
    visitor.send(visitor.key("start_again").get_by_role("button").click)
    expect(stop).to_be_visible()
    visitor.send(stop.click)
    visitor.see("This was stopped, and nothing was changed.")
