"""Presenter mode: whether the visitor looks at slides, and the button that begins it. The address carries the slide."""

from __future__ import annotations

import streamlit as st

from ui.session import Session, session


def presenting() -> bool:
    """Say whether the visitor looks at slides."""
    return session().view.slide is not None


def present_button(found: Session) -> None:
    """Offer the slides."""
    st.button(
        "Present",
        key="present",
        on_click=found.set_view,
        kwargs={"slide": 0},
        help="Slides in large type for a meeting. The arrow keys turn them, Escape leaves them.",
    )
