"""The first page: it starts, shows both audits as text, and words its errors."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ares_core import cli
from ares_core.arguments import DEMOS
from ares_core.errors import DataError

APP = str(Path(__file__).resolve().parents[2] / "app.py")


@pytest.fixture
def page() -> AppTest:
    """Return the page as a visitor first sees it."""
    return AppTest.from_file(APP, default_timeout=120).run()


def test_the_page_shows_the_audit_of_german_credit(page: AppTest) -> None:
    """It says what it is and shows the demo's rules without a click."""
    assert not page.exception
    assert page.title[0].value == "AReS Audit"
    assert page.markdown[0].value.count(". ") == 2
    assert "people audited" in page.code[0].value
    assert "then →" in page.code[0].value
    assert page.code[0].language is None or page.code[0].language == "plaintext"


def test_the_other_demo_is_a_click_away(page: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    """Choosing the planted table shows what the command line prints for it, four rules."""
    assert page.radio[0].options == ["German Credit, a random forest trained here", "Bail, with a planted bias"]
    page.radio[0].set_value("planted-bias").run()
    assert not page.exception
    assert page.code[0].value.count("then →") == 4
    assert cli.main(["demo", "--data", "planted-bias", "--quiet"]) == 0
    assert page.code[0].value.strip() == capsys.readouterr().out.strip()


def test_the_page_offers_every_demo(page: AppTest) -> None:
    """No bundled table is left out of the page."""
    assert len(page.radio[0].options) == len(DEMOS)


def test_an_error_is_shown_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem is told with its hint, as plain text, and the page goes on."""

    def refuse(_options: object) -> str:
        raise DataError("The table ![x](http://host/x.png) is broken.", "Mend it.")

    st.cache_data.clear()
    monkeypatch.setitem(cli.COMMANDS, "demo", refuse)
    page = AppTest.from_file(APP, default_timeout=120).run()
    assert not page.exception
    assert page.text[0].value == "The table ![x](http://host/x.png) is broken.\nMend it."
    assert all("http" not in shown.value for shown in [*page.markdown, *page.error])


def test_an_audit_is_made_once(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going back to an audit shown before asks nothing anew."""

    def never(_options: object) -> str:
        raise AssertionError("the audit was made again")

    page.radio[0].set_value("planted-bias").run()
    monkeypatch.setitem(cli.COMMANDS, "demo", never)
    page.radio[0].set_value("german").run()
    assert not page.exception
    assert "then →" in page.code[0].value
