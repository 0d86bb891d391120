"""Grids: none offers the browser's own CSV file, which would hold formulas as they are."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Come

BUTTON = "[data-testid=stElementToolbarButton] button[aria-label^='{}']"
GRIDS = 3  # on the Data page: the first rows, the features, and the levels of one of them


def test_no_grid_offers_its_own_download(come: Come) -> None:
    """Every grid's toolbar has its search and no download."""
    page = come("/Data?data=german").page
    expect(page.locator(BUTTON.format("Search"))).to_have_count(GRIDS)
    expect(page.locator(BUTTON.format("Download"))).to_have_count(0)
