"""A study to test with, in the store the dashboard uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from ares_core.store import Expert, Item, Studies, Study
from tests.patience import PATIENCE
from ui.shared import store

PAGES = Path(__file__).resolve().parents[2] / "pages"
NAMES = ("savings", "job", "phone", "housing")


def begun(*names: str) -> tuple[Studies, Study]:
    """Begin a study of some features."""
    studies = store().studies
    items = [Item(name, name.title(), "little → much", 0.2) for name in names or NAMES]
    return studies, studies.create("Loans", items)


def opened(expert: Expert | None = None, token: str = "") -> AppTest:
    """Open an invitation in a new window."""
    page = AppTest.from_file(str(PAGES / "8_Answer.py"), default_timeout=PATIENCE)
    page.query_params["invite"] = token or (expert.token if expert else "")
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, key: str) -> None:
    """Press the button whose key begins so."""
    found = [button for button in page.button if str(button.key).startswith(f"answer_{key}")]
    found[0].click().run()
    assert not page.exception


def sitting(page: AppTest) -> Any:
    """Return the expert's sitting."""
    return page.session_state["answer_sitting"]


def said(page: AppTest) -> str:
    """Return what is written on the page, without the backslashes that keep markdown away."""
    parts = [*page.markdown, *page.info, *page.error, *page.caption, *page.warning, *page.success, *page.title]
    bodies = [str(part.proto.body) for part in page.html]
    return " ".join([*(str(part.value) for part in parts), *bodies]).replace("\\", "")
