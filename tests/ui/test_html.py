"""HTML: everything that is not written by us is escaped."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from tests.ui.test_words import HOSTILE
from ui.html import joined, show, tag


@pytest.mark.parametrize("text", HOSTILE)
def test_content_and_attributes_are_escaped(text: str) -> None:
    """No text from outside begins an element or leaves its attribute."""
    found = str(tag("p", text, css=text, aria_label=text))
    assert found.count("<") == 2
    assert found.count(">") == 2
    assert found.count('"') == 4


def test_markup_is_kept() -> None:
    """Elements made here nest; an element without content is closed too."""
    found = tag("ul", tag("li", "a & b"), tag("li"), css="list", data_kind="x")
    assert found == '<ul class="list" data-kind="x"><li>a &amp; b</li><li></li></ul>'


def test_joining_escapes_both() -> None:
    """Pieces and what stands between them are escaped unless they are markup."""
    assert joined(["<a>", Markup("<b>x</b>")], " & ") == "&lt;a&gt; &amp; <b>x</b>"
    assert joined([]) == ""


def test_only_markup_is_shown() -> None:
    """A plain string is refused, since nobody knows who wrote it."""
    with pytest.raises(TypeError, match="only markup"):
        show("<b>x</b>")  # type: ignore[arg-type]
