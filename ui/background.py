"""Background work: questions that may wait, and a quiet look from time to time at whether they are answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import streamlit as st

from ares_core.worker import Job, Question
from ui.session import Session

A = TypeVar("A")
EVERY = 0.5  # seconds between looks
FAILED = "background_failed"
MOST_FAILED = 20
ROOM = "background_room"


def leave_room() -> None:
    """Leave room at the top of a page, the same on every page, where background work looks whether it is done.

    A look that is on its way while the visitor goes elsewhere arrives on the new page. Where that has less on it than
    the old one, the browser would find no place for it and show an error instead of the page.
    """
    st.session_state[ROOM] = st.container()


def later(found: Session, question: Question[A]) -> Job[A]:
    """Ask in the background; what failed there, rather than giving way, is not asked again by itself."""
    failed: dict[Question[Any], Job[Any]] = st.session_state.setdefault(FAILED, {})
    return failed.get(question) or found.errands.ask(question, later=True)


def finished(job: Job[A]) -> A | None:
    """Return the answer if it is there already."""
    return job.result() if job.done and not job.failed else None


def watch(found: Session, questions: Sequence[Question[Any]]) -> None:
    """Run the page again as soon as one of these is answered; ask those again that gave way to another question."""
    pending = tuple(job for job in (later(found, question) for question in questions) if not job.done)
    if pending:
        with st.session_state[ROOM]:
            _look(pending)


@st.fragment(run_every=EVERY)
def _look(pending: tuple[Job[Any], ...]) -> None:
    look_once(pending)


def look_once(pending: Sequence[Job[Any]]) -> None:
    """Run the page again if one of these is over; failures are kept, so that they are shown and not asked again."""
    over = [job for job in pending if job.done]
    if not over:
        return
    failed = st.session_state.setdefault(FAILED, {})
    failed.update({job.question: job for job in over if job.failed and not job.cancelled})
    for question in list(failed)[:-MOST_FAILED]:
        del failed[question]
    st.rerun()
