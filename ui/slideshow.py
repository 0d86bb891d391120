"""The slide show: slides for a meeting, in large type, turned with the arrow keys."""

from __future__ import annotations

import streamlit as st

from ares_core.worker import CompareGroups
from ui.cards.slides import Slide, Story, slide_markup, slides
from ui.html import show
from ui.recourse import look
from ui.session import Session
from ui.shell import answer, boundary
from ui.words import model_name

DOING = "Preparing the slides"


def present(found: Session) -> None:
    """Show the current slide instead of the page, and end the run."""
    with boundary():
        _turn(found, slides(_story(found)))
    _control(found, "Leave", "Escape", None)  # what came instead of a slide must not be a dead end
    st.stop()


def _story(found: Session) -> Story:
    """Ask for everything the slides tell: the rules as the Recourse page shows them, the groups as Subgroups does."""
    model = found.state.model
    assert model is not None
    looked = look(found)
    groups = answer(found, CompareGroups(looked.key), DOING)
    points = answer(found, looked.sizes, DOING)
    return Story(found.schema(), model_name(model), looked.evaluation, looked.summary, groups, points, looked.size)


def _turn(found: Session, deck: list[Slide]) -> None:
    """Show a slide with its controls, and end the run."""
    at = min(found.view.slide or 0, len(deck) - 1)
    show(slide_markup(deck[at], at + 1, len(deck)))
    with st.container(key="presenter_controls", horizontal=True):
        _control(found, "Previous", "Left", at - 1, disabled=at == 0)
        _control(found, "Next", "Right", at + 1, disabled=at == len(deck) - 1)
        _control(found, "Leave", "Escape", None)
    st.stop()


def _control(found: Session, label: str, shortcut: str, slide: int | None, *, disabled: bool = False) -> None:
    st.button(
        label,
        key=f"present_{label.lower()}",
        shortcut=shortcut,
        on_click=found.set_view,
        kwargs={"slide": slide},
        disabled=disabled,
    )
