"""Two people on one server: neither sees anything of the other, unless given the link."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.test_walk import bring

SECRET = "our loans"
PAGES = ("", "Data", "Model", "Costs", "Recourse", "Subgroups", "Applicant")


def test_another_browser_sees_nothing(come: Come, own_table: Path) -> None:
    """Whoever comes later finds every page empty while the first visitor's data is there."""
    owner = come("/Data")
    bring(owner, own_table, "loan (granted or refused)", "granted")
    owner.see(SECRET)
    other = come("/")
    for page in PAGES:
        other.open(f"/{page}")
        assert SECRET not in other.page.content()
    owner.see(SECRET)


def test_only_the_link_opens_the_data(come: Come, own_table: Path) -> None:
    """A link names data by a token: with it a colleague sees the data, with a guess nobody does."""
    owner = come("/Data")
    bring(owner, own_table, "loan (granted or refused)", "granted")
    expect(owner.page).to_have_url(re.compile("data="))
    token = re.search(r"data=([\w-]+)", owner.page.url)
    assert token is not None and len(token[1]) >= 20
    colleague = come(f"/Data?data={token[1]}")
    colleague.see(SECRET)
    for guess in (token[1][:-1] + ("a" if token[1][-1] != "a" else "b"), "1", "our%20loans.csv"):
        stranger = come(f"/Data?data={guess}")
        stranger.see("This link names data that is no longer on the server.")
        assert SECRET not in stranger.page.content()
