"""Listening: run the page again when experts of the study behind the costs have answered."""

from __future__ import annotations

import streamlit as st

from ui.background import ROOM
from ui.session import Session
from ui.shared import store

EVERY = 2.0  # seconds between looks


def listen(session: Session) -> None:
    """Look from time to time whether answers came in, while a study's experts decide the costs."""
    setup = session.state.setup
    if setup is None or not setup.study or setup.cost_set:
        return
    with st.session_state[ROOM]:
        _look(setup.study, store().studies.newest(setup.study))


@st.fragment(run_every=EVERY)
def _look(study: str, seen: int) -> None:
    if store().studies.newest(study) != seen:
        st.rerun()
