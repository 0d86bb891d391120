"""The shell: the frame of every page, its guard, its error boundary, and waiting for answers."""

from __future__ import annotations

import logging

import pytest
from streamlit.testing.v1 import AppTest

from ares_core.worker import Job, LearnCosts
from tests.patience import PATIENCE
from ui.shell import SORRY, progress_text

QUESTION = LearnCosts(("age",))


def run(script: object, **state: object) -> AppTest:
    """Run a script as a page of its own."""
    page = AppTest.from_function(script, default_timeout=PATIENCE)  # type: ignore[arg-type]
    for name, value in state.items():
        page.session_state[name] = value
    return page.run()


def framed() -> None:
    from ui.shell import open_page

    session = open_page("A title", "What it is for.")
    session.told.append("The ![data](http://host/x.png) changed.")


def test_a_page_has_a_frame() -> None:
    """Title, sentence and the names of the steps; what was cleared is told once, on the next page, as plain text."""
    page = run(framed)
    assert not page.exception
    assert page.title[0].value == "A title"
    assert page.markdown[0].value == "What it is for."
    assert not page.info
    page.run()
    assert page.info[0].value == r"The \!\[data\]\(http\:" + "\N{WORD JOINER}" + r"\/\/host\/x\.png\) changed\."


def guarded() -> None:
    import streamlit as st

    from ui.demos import demo_setup
    from ui.shared import shelf
    from ui.shell import need, open_page
    from ui.state import Step

    session = open_page("Guarded")
    if st.session_state.get("with_data"):
        session.set_setup(demo_setup("german", shelf()))
    need(session, Step[st.session_state.step])
    st.write("Beyond.")


@pytest.mark.parametrize(
    ("step", "with_data", "sentence"),
    [
        ("DATA", False, "There are no people to look at yet."),
        ("MODEL", False, "There are no people to look at yet."),
        ("MODEL", True, "There is no model to audit yet."),
        ("DATA", True, None),
    ],
)
def test_a_page_whose_step_is_missing_stops(step: str, with_data: bool, sentence: str | None) -> None:
    """The first step that is missing is named, and nothing of the page beyond is shown."""
    page = run(guarded, step=step, with_data=with_data)
    assert not page.exception
    assert [told.value for told in page.info] == ([] if sentence is None else [sentence])
    assert ("Beyond." in [words.value for words in page.markdown]) == (sentence is None)


def failing() -> None:
    import streamlit as st

    from ares_core.errors import Cancelled, DataError
    from ui.shell import boundary

    with boundary():
        if st.session_state.how == "mendable":
            raise DataError("Column '*x*' is gone.", "Bring it back.")
        if st.session_state.how == "stopped":
            raise Cancelled
        if st.session_state.how == "unforeseen":
            raise ZeroDivisionError("secret of the data")
        if st.session_state.how == "stop":
            st.stop()
    st.write("The page goes on.")


def test_what_can_be_mended_is_said() -> None:
    """An error of ours is one sentence and one hint, escaped, and the page goes on."""
    page = run(failing, how="mendable")
    assert page.error[0].value == "**Column \\'\\*x\\*\\' is gone\\.**  \nBring it back\\."
    assert page.markdown[-1].value == "The page goes on."


def test_what_nobody_foresaw_is_an_apology(caplog: pytest.LogCaptureFixture) -> None:
    """An unforeseen error is logged with its traceback and shown without any of its words."""
    with caplog.at_level(logging.ERROR, "ui.shell"):
        page = run(failing, how="unforeseen")
    assert not page.exception
    assert page.error[0].value == SORRY
    assert "secret" not in SORRY
    assert any(record.exc_info and record.exc_info[0] is ZeroDivisionError for record in caplog.records)


def test_stopping_is_no_error() -> None:
    """A computation that was stopped is told as such, and Streamlit's own stop passes the boundary."""
    assert not run(failing, how="stopped").error
    assert "stopped" in run(failing, how="stopped").info[0].value
    page = run(failing, how="stop")
    assert not page.error
    assert not page.exception
    assert "The page goes on." not in [words.value for words in page.markdown]


def asking() -> None:
    import streamlit as st

    from ares_core.worker import LearnCosts
    from ui.shell import answer, boundary, open_page

    session = open_page("Asking")
    question = LearnCosts(("age",) if st.session_state.good else 7)  # type: ignore[arg-type]
    if st.session_state.pop("stopped", False):
        session.stopped.add(question)
    with boundary():
        costs = answer(session, question, "Learning")
        st.write(f"{len(costs)} cost")


def test_an_answer_is_returned() -> None:
    """A question is answered by the worker, and nothing of the waiting is left on the page."""
    page = run(asking, good=True)
    assert page.markdown[-1].value == "1 cost"
    assert not page.button


def test_a_question_that_was_stopped_waits_for_the_visitor() -> None:
    """It is not asked again by itself; the button asks it."""
    page = run(asking, good=True, stopped=True)
    assert "stopped" in page.info[0].value
    page.button(key="start_again").click().run()
    assert page.markdown[-1].value == "1 cost"
    assert not page.button


def test_a_worker_that_fails_can_be_asked_again() -> None:
    """A crash is an error message with a button, which asks anew."""
    page = run(asking, good=False)
    assert "ended unexpectedly" in page.error[0].value
    page.session_state["good"] = True
    page.button(key="try_again").click().run()
    assert not page.error
    assert page.markdown[-1].value == "1 cost"


def test_progress_is_said_in_words() -> None:
    """The stage is named in plain words; before the first one, what the page says it does; never a code."""
    job = Job(QUESTION, 1)
    assert progress_text(job, "Reading the *table*") == r"Reading the \*table\* …"
    assert progress_text(job, "") == "Starting …"
    job.tell("evaluate", 0.5)
    assert progress_text(job, "") == "Asking the model what would help each person …"
    job.tell("unheard", 0.5)
    assert progress_text(job, "Comparing") == "Comparing …"
