"""Tests of the driver: a click that is lost on a busy machine is repeated, and one that counts is not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come

DEMO = "data=german&model=rf&groups=age"
SLOW = 200  # milliseconds between pressing and releasing the mouse button, as on a busy machine
# Loses every other click, as if its target had moved away.
LOSE_CLICKS = """() => {
  let lost = false;
  const filter = (event) => {
    if (event.type === "pointerdown") lost = !lost;
    if (!lost) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  for (const type of types) addEventListener(type, filter, true);
}"""


def test_lost_clicks_are_repeated(come: Come) -> None:
    """Options, expanders, select boxes, links and buttons work although clicks are lost, and none is clicked twice."""
    visitor = come(f"/Model?{DEMO}")
    visitor.page.evaluate(LOSE_CLICKS)
    family = visitor.key("model_family").get_by_text("Logistic regression", exact=True)
    visitor.check(family)
    expect(family).to_be_checked()
    visitor.open_expander("More")
    expect(visitor.key("model_seed")).to_be_visible()
    visitor.choose("model_feature", "Savings")
    visitor.go("Costs").press("cost_first_0")
    expect(visitor.key("cost_answers")).to_contain_text("Answers given (1)")


def test_an_action_without_effect_fails(come: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that never has an effect is reported, not repeated for ever."""
    visitor = come()
    monkeypatch.setattr("tests.browser.driving.PATIENCE", 0)
    with pytest.raises(TimeoutError, match="no effect"):
        visitor.send(lambda: None)


def test_an_open_expander_holds_still(come: Come) -> None:
    """All of an expander that was just opened is shown, and a slow click in it is not lost."""
    visitor = come(f"/?{DEMO}")
    visitor.open_expander("Start over")
    button = visitor.key("start_over").get_by_role("button")
    expander = visitor.page.locator("details", has=button)
    assert bottom(button) < bottom(expander)
    visitor.act(lambda: button.click(delay=SLOW))
    expect(button).to_have_count(0)


def bottom(target: Locator) -> float:
    """Return the lower edge of an element, in pixels."""
    box = target.bounding_box()
    assert box is not None
    return box["y"] + box["height"]
