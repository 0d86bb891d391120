"""The shell: the frame every page stands in, its guard, its error boundary, and waiting for answers."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitPageNotFoundError

from ares_core.errors import AresError, Cancelled
from ares_core.worker import Job, Question, WorkerError
from ui.background import leave_room
from ui.html import show, tag
from ui.presenter import presenting
from ui.session import Session, address, session, write_address
from ui.state import Step
from ui.words import STAGES, error_text, model_name, safe, time_left

A = TypeVar("A")
PRODUCT = "AReS Audit"
ASSETS = Path(__file__).resolve().parent.parent / "assets"
TICK = 0.1  # seconds between looks at a job
PATIENCE = 0.4  # seconds before a progress bar appears

START = "app.py"
PAGES = {
    Step.DATA: ("pages/1_Data.py", "Data"),
    Step.MODEL: ("pages/2_Model.py", "Model"),
    Step.COSTS: ("pages/3_Costs.py", "Costs"),
    Step.RULES: ("pages/4_Recourse.py", "Recourse"),
}
EXPERTS = ("pages/7_Experts.py", "Experts")
CLOSER = (("pages/5_Subgroups.py", "Subgroups"), ("pages/6_Applicant.py", "Applicant"))
MISSING = {
    Step.DATA: ("There are no people to look at yet.", "Choose the data"),
    Step.MODEL: ("There is no model to audit yet.", "Choose the model"),
}
SORRY = (
    "**Something went wrong here that should not have, and it is not your fault.**  \n"
    "Your audit is kept. Try once more; if it happens again, tell whoever runs this server the time: it is in the log."
)
# Space skips a question, but on a button somebody went to with Tab it must press that button, as everywhere else.
# The text is fixed: nothing of a visitor ever gets into it.
SPACE = """<script>
window.aresMendSpace ??= (() => {
  const mend = (event) => {
    if (event.code === 'Space' && event.target.closest('button, a, input')) event.stopPropagation();
  };
  window.addEventListener('keydown', mend, true);
  return mend;
})();
</script>"""

log = logging.getLogger(__name__)


def open_page(title: str, lead: str = "") -> Session:
    """Begin a page: its frame, what was cleared, where the audit stands, its title and a sentence on what it is for.

    In a meeting the page ends here, with a slide in its place.
    """
    name = title if title == PRODUCT else f"{title} · {PRODUCT}"
    st.set_page_config(page_title=name, page_icon=str(ASSETS / "icon.png"), layout="wide")
    st.html(ASSETS / "style.css")
    leave_room()
    found = session()
    found.leave_deleted()
    found.enter()
    write_address(found)
    _present(found)
    _sidebar(found)
    if found.state.setup is not None:
        show(tag("p", _audited(found), css="shell-audited"))
    st.title(title, anchor=False)
    if lead:
        st.write(lead)
    while found.told:
        st.info(safe(found.told.pop(0)))
    return found


def open_plain_page(title: str) -> None:
    """Begin a page for somebody who knows nothing of the audit: its title and looks, no sidebar, session or worker."""
    st.set_page_config(page_title=title, page_icon=str(ASSETS / "icon.png"), layout="centered")
    st.html(ASSETS / "answer.css")


def mend_space() -> None:
    """Let Space press the button that has the focus; once for each window is enough."""
    st.html(SPACE, unsafe_allow_javascript=True)


def _present(found: Session) -> None:
    if presenting() and found.state.subject is not None:
        from ui.slideshow import present  # not above: slides wait for answers with this module

        st.html(ASSETS / "presenter.css")
        present(found)


def _audited(found: Session) -> str:
    """Say what is being audited: 'german_credit.csv · Random forest'."""
    setup, model = found.state.setup, found.state.model
    data = "" if setup is None else setup.source.name
    return f"{data} · {model_name(model)}" if model else data


def _sidebar(found: Session) -> None:
    """List the pages, steps with a sign of whether they are done."""
    with st.sidebar:
        show(tag("p", tag("img", src=_logo(), alt=""), tag("span", PRODUCT), css="shell-brand"))
        link(START, "Start")
        show(tag("p", "Steps of the audit", css="shell-caption"))
        for step, (page, title) in PAGES.items():
            link(page, f"{mark(found, step)} {title}")
            if step is Step.COSTS:
                link(*EXPERTS)
        show(tag("p", "A closer look", css="shell-caption"))
        for page, title in CLOSER:
            link(page, title)


@cache
def _logo() -> str:
    """Return the logo as an address that needs no request."""
    return "data:image/svg+xml;base64," + b64encode((ASSETS / "logo.svg").read_bytes()).decode()


def mark(found: Session, step: Step) -> str:
    """Return the sign of a step: done or not."""
    return "✓" if found.state.done(step) else "–"


def link(page: str, label: str) -> None:
    """Link to a page by its file, with this audit, for those who open it in a new tab; the label is markdown.

    A page run by itself knows no others, and links to none.
    """
    with suppress(StreamlitPageNotFoundError):
        st.page_link(page, label=label, query_params=address())


def need(found: Session, step: Step) -> None:
    """Stop the page, with a link to what is missing, unless a step is done."""
    for earlier in (Step.DATA, Step.MODEL):
        if not found.state.done(earlier):
            sentence, label = MISSING[earlier]
            st.info(sentence)
            link(PAGES[earlier][0], f"{label} →")
            link(START, "Or begin with a demonstration →")
            st.stop()
        if earlier is step:
            return


@contextmanager
def boundary() -> Iterator[None]:
    """Show what the user can mend as one sentence and a hint; anything else as an apology, with a log entry.

    What Streamlit raises to end or repeat a run is no `Exception`, and passes.
    """
    try:
        yield
    except Cancelled:
        st.info("This was stopped, and nothing was changed.")
    except AresError as error:
        st.error(error_text(error))
    except Exception:
        log.exception("a page failed")
        st.error(SORRY)


def answer(found: Session, question: Question[A], doing: str = "") -> A:
    """Ask, wait with a progress bar and a way to stop, and return the answer.

    The page stops here when the visitor stops the question, and offers to ask it again; likewise when the worker ends.
    """
    if question in found.stopped:
        _offer_again(found, question)
    job = found.errands.ask(question)
    spot = st.empty()
    if not job.wait(PATIENCE):
        _watch(found, job, spot, doing)
    spot.empty()
    try:
        return job.result()
    except WorkerError as error:
        st.error(error_text(error))
        st.button("Try again", key="try_again", help="Ask the same question once more.")
        st.stop()


def _offer_again(found: Session, question: Question[A]) -> None:
    st.info("This was stopped, and nothing was changed.")
    help_text = "Ask the same question once more, from the beginning."
    st.button("Start again", on_click=found.stopped.discard, args=(question,), key="start_again", help=help_text)
    st.stop()


def _watch(found: Session, job: Job[A], spot: DeltaGenerator, doing: str) -> None:
    """Show how far a job is; each look is also where Streamlit can end this run for a newer one."""

    def stop() -> None:
        found.stopped.add(job.question)
        found.errands.cancel(job)

    with spot.container(key=f"waiting_{job.number}", border=True):
        bar = st.progress(0.0, text=progress_text(job, doing))
        st.button("Stop", on_click=stop, key=f"stop_{job.number}", help="Give this up; nothing else is lost.")
    while not job.wait(TICK):
        bar.progress(min(1.0, job.share), text=progress_text(job, doing))


def progress_text(job: Job[A], doing: str) -> str:
    """Say what is being done and how much longer it takes, as markdown: 'Preparing the model … about 4 s left'."""
    stage = STAGES.get(job.stage, "") if job.stage else ""
    return safe(f"{stage or doing or STAGES['']} … {time_left(job.seconds_left)}".strip())
