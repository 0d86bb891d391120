"""Everybody can use the pages: no violation of the rules axe checks, empty and full, light and dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.driving import Visitor

PAGES = ("Start", "Data", "Model", "Costs", "Recourse", "Subgroups", "Applicant")
DEMO = "data=german&model=rf&groups=age"
SCHEMES = ("light", pytest.param("dark", marks=pytest.mark.long))
# What says that a page of the demonstration is complete.
FULL = {
    "Model": ".st-key-model_refused .main-svg",
    "Recourse": ".st-key-size_chart .main-svg",
    "Subgroups": ".st-key-groups_forest .main-svg",
    "Applicant": ".st-key-person_answer",
}


def violations(visitor: Visitor) -> str:
    """Return what axe finds, in words; nothing if there is nothing."""
    found = Axe().run(visitor.page)
    return found.generate_report() if found.violations_count else ""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_empty_pages_are_accessible(come: Come, scheme: str) -> None:
    """Every page without its step."""
    visitor = come("/", color_scheme=scheme)
    for page in PAGES:
        visitor.go(page)
        assert violations(visitor) == "", page


@pytest.mark.parametrize("scheme", SCHEMES)
def test_full_pages_are_accessible(come: Come, scheme: str) -> None:
    """Every page of the demonstration, charts included."""
    visitor = come(f"/Recourse?{DEMO}", color_scheme=scheme)
    for page in PAGES:
        visitor.go(page)
        if page in FULL:
            expect(visitor.page.locator(FULL[page]).first).to_be_visible()
        assert violations(visitor) == "", page


@pytest.mark.parametrize("scheme", SCHEMES)
def test_slides_are_accessible(come: Come, scheme: str) -> None:
    """The first slides of a meeting."""
    visitor = come(f"/Recourse?{DEMO}&present=0", color_scheme=scheme)
    for _ in range(3):
        expect(visitor.page.locator(".slide")).to_be_visible()
        assert violations(visitor) == ""
        visitor.act(lambda: visitor.page.keyboard.press("ArrowRight"))
