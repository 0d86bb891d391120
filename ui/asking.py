"""Asking: the long question behind every figure, put to the model once by whichever page comes first."""

from __future__ import annotations

import streamlit as st

from ares_core.models.agreement import Agreement
from ares_core.recourse import Recheck
from ares_core.worker import Evaluate, Evaluated
from ui.session import Session
from ui.shell import answer
from ui.words import safe


def evaluated(session: Session) -> Evaluated:
    """Have the model asked everything, with progress and a way to stop, and return what it was asked.

    The features of interest of the first time decide how people are split, and stay so: choosing other features later
    compares other groups without asking the model again.
    """
    asked = session.state.evaluated
    assert asked is not None, "a page that needs the model's answers opens with need(session, Step.MODEL)"
    view = answer(session, Evaluate(asked), "Asking the model what would help each person")
    warn_of(view.recheck, view.agreement)
    if session.view.strata is None:
        session.set_view(strata=session.view.interest)
    found = session.state.evaluated
    assert found is not None
    return found


def warn_of(recheck: Recheck | None, agreement: Agreement | None) -> None:
    """Show why no figure of this audit is to be trusted: the outcomes speak against the reading, or answers change."""
    if agreement is not None and agreement.warning:
        st.error(f"**The model's answers may be read the wrong way round.** {safe(agreement.warning)}")
    if recheck is not None and recheck.warning:
        st.error(f"**The model gives different answers in other batches.** {safe(recheck.warning)}")
