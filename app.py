"""The dashboard: the server that `streamlit run app.py` starts, and its first page.

Streamlit imports this file once to start the server, and runs it as the main module whenever somebody opens the page.
"""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from ares_core.errors import AresError
from ares_core.worker import Describe
from ui.cards.steps import step_words
from ui.demos import DEMOS, demo_state
from ui.html import show, tag
from ui.server import RequestGuard, opened_in_browser
from ui.session import Session, start_over
from ui.shared import shelf
from ui.shell import PAGES, PRODUCT, boundary, link, mark, open_page
from ui.state import Step
from ui.tutorial import show_tutorial

LEAD = (
    "A model says yes to some people and no to others. AReS Audit asks it what each person it refuses could change to "
    "get a yes, and sums the answers up in a few if-then rules for whole groups. You see how often each rule works, "
    "what it costs people, and whether some groups have a harder way than others."
)


def show_demos(session: Session) -> None:
    """Offer the demonstrations, one click each."""
    st.header("Look at an example", anchor=False)
    for column, (name, demo) in zip(st.columns(len(DEMOS)), DEMOS.items(), strict=True):
        with column, st.container(border=True, height="stretch", key=f"card_{name}"):
            show(tag("div", tag("h3", demo.title), tag("p", demo.question), tag("p", demo.about), css="demo"))
            open_demo = st.button(
                f"Explore {demo.title}",
                key=f"demo_{name}",
                type="primary",
                on_click=lambda name=name: session.begin(demo_state(name, shelf())),
            )
            if open_demo:
                st.switch_page(PAGES[Step.RULES][0])
    link(PAGES[Step.DATA][0], "Or bring your own table →")


def show_standing(session: Session) -> None:
    """Say where this audit stands, step by step."""
    st.header("Where this audit stands", anchor=False)
    size = schema = None
    with boundary():
        if session.state.setup is not None:
            described = session.errands.ask(Describe(session.state.setup.source)).result()
            size, schema = described.rows, described.schema
    words = step_words(session.state, size, schema)
    for column, (step, (page, title)) in zip(st.columns(len(PAGES)), PAGES.items(), strict=True):
        with column, st.container(border=True, height="stretch", key=f"step_{step}"):
            link(page, f"{mark(session, step)} {title}")
            show(tag("p", words[step], css="step-words"))


def show_ends(session: Session) -> None:
    """Say how to share this audit, and how to be rid of it."""
    if session.state.setup is None:
        return
    st.caption("This page's address is the link to share: who opens it on this server sees the same audit.")
    with st.expander("Start over"):
        st.write("This clears your data, model, costs and choices from this session. Files you downloaded stay yours.")
        st.button("Yes, clear everything", key="start_over", on_click=start_over)
    if session.state.setup.audit:
        with st.expander("Delete this audit from the server"):
            st.write(
                "This removes its data, costs, studies and every answer of its experts for everybody, also for those "
                "who have a link. It cannot be undone."
            )
            sure = st.checkbox("I want it gone for good", key="delete_sure", help="Only then can it be deleted.")
            st.button("Delete this audit", key="delete_audit", disabled=not sure, on_click=delete, args=(session,))


def delete(session: Session) -> None:
    """Delete the audit from the store and begin anew."""
    setup, told = session.state.setup, ""
    if setup is not None and setup.audit:
        try:
            shelf().delete_audit(setup.audit)
        except AresError as error:
            told = f"{error.problem} {error.hint}"
    start_over(told)


def show_page() -> None:
    """Show what this is, where this audit stands, and one click to a demonstration."""
    session = open_page(PRODUCT, LEAD)
    parts = [show_demos, show_standing]
    for part in parts if session.state.setup is None else reversed(parts):
        part(session)
    show_tutorial()
    show_ends(session)


if __name__ == "__main__":
    show_page()
else:
    app = st.App(__file__, middleware=[Middleware(RequestGuard)], lifespan=opened_in_browser)
