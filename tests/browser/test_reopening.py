"""Audits are in the store: they outlive the server, and are gone once deleted."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from ares_core.store import Store
from tests.browser.conftest import Come
from tests.browser.driving import Server, Visitor
from tests.browser.test_view import rules
from tests.browser.test_walk import bring, train

GONE = "This link names data that is no longer on the server."


def audit(come: Come, table: Path) -> Visitor:
    """Return somebody who looks at the rules of a table of their own."""
    visitor = come("/Data")
    bring(visitor, table, "loan (granted or refused)", "granted")
    train(visitor, "Logistic regression")
    visitor.go("Recourse")
    expect(rules(visitor)).to_be_visible()
    expect(visitor.page.locator(".rule-status")).to_have_count(0)
    return visitor


def test_an_audit_outlives_the_server(come: Come, chromium: Browser, own_table: Path, tmp_path: Path) -> None:
    """A server that begins anew on the same store shows the same rules at the same link."""
    first = audit(come, own_table)
    address, said = first.page.url.removeprefix(first.url), rules(first).inner_text()
    second = Server(tmp_path / "log.txt")
    try:
        later = Visitor(chromium, second.url).open(address)
        expect(rules(later)).to_be_visible()
        expect(later.page.locator(".rule-status")).to_have_count(0)
        assert rules(later).inner_text() == said
        assert (later.outside, later.problems) == ([], [])
        later.close()
    finally:
        second.close()


def test_a_deleted_audit_is_gone(come: Come, store: Store, own_table: Path) -> None:
    """Once its owner is sure, an audit is gone: from the start page, from every link and from the store."""
    visitor = come("/Data")
    bring(visitor, own_table, "loan (granted or refused)", "granted")
    token = re.search(r"data=([\w-]+)", visitor.page.url)
    assert token is not None and store.documents.read(token[1]) is not None
    visitor.go("Start")
    visitor.open_expander("Delete this audit from the server")
    expect(visitor.key("delete_audit").get_by_role("button")).to_be_disabled()
    visitor.check(visitor.key("delete_sure").get_by_text("I want it gone for good"))
    visitor.press("delete_audit")
    expect(visitor.key("delete_audit")).to_have_count(0)
    come(f"/Data?data={token[1]}").see(GONE)
    assert store.documents.read(token[1]) is None
