"""The audit's table: its facts, what to check, every feature, and the schema as a file."""

from __future__ import annotations

import streamlit as st

from ares_core.files import dump_json
from ares_core.worker import Describe, Description
from ui.cards.data import facts
from ui.demos import caveats
from ui.downloads import download
from ui.html import show
from ui.intake import show_notes
from ui.schema_checks import show_checks, show_frozen, show_left_out
from ui.schema_desk import FILE, editing, show_problem, take_back, use_file
from ui.schema_editor import show_editor
from ui.session import Session
from ui.shelf import Setup
from ui.shell import PAGES, answer, link
from ui.state import Step
from ui.uploads import upload_box

SCHEMA_HELP = "A schema that was downloaded here, perhaps edited: names, kinds, levels, and what may change."


def show_data(session: Session, setup: Setup) -> None:
    """Show the audit's table and let its schema be edited."""
    described = answer(session, Describe(setup.source), "Reading the table")
    show(facts(setup, described))
    _about(setup, described)
    show_checks(session, described)
    st.header("What nobody should be told to change", anchor=False)
    show_frozen(session, described.schema)
    _features(session, described)
    show_left_out(session, described.schema)
    _schema_file(session, described)
    with st.container(key="data_onward"):
        link(PAGES[Step.MODEL][0], "Next: the model →")


def _about(setup: Setup, described: Description) -> None:
    if setup.demo:
        show_notes(caveats(setup.demo), "What to know about this demonstration")
    with st.expander("The first rows of the file"):
        st.dataframe(described.head, hide_index=True, height=250, key="data_rows")
    show_notes(described.notes, "Notes on reading it")


def _features(session: Session, described: Description) -> None:
    title, undo = st.columns([4, 1], vertical_alignment="bottom")
    title.header("Features", anchor=False)
    undo.button(
        "Undo the last change",
        key="data_undo",
        on_click=take_back,
        args=(session,),
        disabled=not editing().undo,
        width="stretch",
        help="Take back the last change of the schema, as often as there were changes.",
    )
    show_editor(session, described)


def _schema_file(session: Session, described: Description) -> None:
    show_problem(FILE)
    with st.expander("Keep this schema, or bring one"):
        download("Download the schema (JSON)", dump_json(described.schema.to_json()), "schema.json", key="data_schema")
        key = f"data_schema_file_{editing().files}"
        upload_box("Use a schema file (JSON)", key=key, on_change=_schema_given, args=(session, key), help=SCHEMA_HELP)


def _schema_given(session: Session, key: str) -> None:
    file = st.session_state.get(key)
    if file is not None:
        editing().files += 1
        use_file(session, file.getvalue(), file.name)
