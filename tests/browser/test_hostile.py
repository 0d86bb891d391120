"""Whatever stands in the cells, the header or the file's name, pages show it as text and do nothing."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.driving import Visitor, plain
from tests.browser.hostile import HOST, NAMES, OUTCOMES, SCAN, STRINGS, TARGET, write_hostile
from tests.browser.test_walk import give, train


def test_hostile_strings_are_shown_and_do_nothing(come: Come, tmp_path: Path) -> None:
    """Forty strings as names, levels, outcomes and file name reach every page as text, and nothing else comes of it."""
    assert len(set(STRINGS)) >= 40
    visitor = come("/Data")
    visitor.page.route(f"**/*{HOST}*/**", lambda route: route.abort())
    seen: set[str] = set()
    give(visitor, write_hostile(tmp_path), f"{TARGET} ({' or '.join(sorted(OUTCOMES))})", OUTCOMES[0])
    look(visitor, seen)
    visitor.press("data_use")
    look(visitor, seen)
    train(visitor, "Logistic regression")
    visitor.see("How good is it?")
    for name in NAMES:
        visitor.choose("model_feature", name)
        look(visitor, seen)
    visitor.go("Costs").press("cost_first_0")
    look(visitor, seen)
    visitor.go("Recourse")
    expect(visitor.page.locator(".rule-set")).to_be_visible()
    expect(visitor.page.locator(".st-key-size_chart .main-svg").first).to_be_visible()
    look(visitor, seen)
    visitor.press("present")
    for _ in range(2):
        visitor.act(lambda: visitor.page.keyboard.press("ArrowRight"))
        look(visitor, seen)
    visitor.act(lambda: visitor.page.keyboard.press("Escape"))
    visitor.go("Subgroups")
    visitor.repeat(
        visitor.key("groups_interest").locator("input").click, visitor.page.get_by_role("option").first.is_visible
    )
    look(visitor, seen)
    visitor.choose("groups_interest", NAMES[7])
    visitor.page.keyboard.press("Escape")
    visitor.see("Each group against everybody else")
    look(visitor, seen)
    visitor.go("Applicant")
    visitor.see("What if …")
    look(visitor, seen)
    visitor.go("Start")
    look(visitor, seen)
    assert set(STRINGS) - seen == set()


def look(visitor: Visitor, seen: set[str]) -> None:
    """Check that nothing came of any string, and note which are on the page as text."""
    assert visitor.page.evaluate(SCAN) == []
    assert (visitor.outside, visitor.problems) == ([], [])
    shown = plain(visitor.page.locator("#root").text_content() or "")
    typed = visitor.page.locator("input").evaluate_all("all => all.map(one => one.value).join(' ')")
    seen |= {text for text in STRINGS if plain(text) in f"{shown} {plain(typed)}"}
