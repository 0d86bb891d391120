"""HTML: small pieces of it, in which everything that is not written here is escaped."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st
from markupsafe import Markup, escape


def tag(name: str, *content: object, css: str = "", **attributes: str) -> Markup:
    """Return an element; content that is not markup already is escaped, and so is every attribute.

    Parameters
    ----------
    css
        Its classes, defined in assets/style.css.
    attributes
        Further attributes; `aria_label` is written 'aria-label'.
    """
    named = {"class": css, **attributes} if css else attributes
    written = Markup("").join(Markup(' {}="{}"').format(key.replace("_", "-"), value) for key, value in named.items())
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), written, joined(content))


def joined(content: Iterable[object], between: str = "") -> Markup:
    """Join pieces, escaping those that are not markup."""
    return Markup(escape(between)).join(escape(piece) for piece in content)


def show(markup: Markup) -> None:
    """Show markup on the page."""
    if not isinstance(markup, Markup):
        raise TypeError("only markup is shown as HTML")
    st.html(str(markup))
