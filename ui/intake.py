"""Intake: a file comes in, is looked at, told which column is the outcome, and becomes the table of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import streamlit as st

from ares_core.audit.words import share_text
from ares_core.errors import AresError
from ares_core.wording import counted
from ares_core.worker import Describe, ReadTable, Source, TableView
from ui.demos import DEMOS, demo_state
from ui.holding import choose
from ui.schema_desk import forget_edits, spot
from ui.session import Session
from ui.shared import shelf
from ui.shelf import Setup
from ui.shell import answer
from ui.uploads import upload_box
from ui.words import error_text, safe

KEY = "data_intake"
MOST_NOTES = 100
OUTCOMES = (
    *("outcome", "target", "label", "class", "decision", "risk", "approved", "granted", "accepted", "default"),
    *("result", "status", "credit", "loan", "income", "recid", "bail", "y"),
)
GOOD = (
    *("good", "yes", "approved", "approve", "granted", "accepted", "accept", "pass", "passed", "paid", "repaid"),
    *("fully paid", "true", "release", "released", "low", "positive", "y", "t", "1"),
)
BAD_TARGETS = ("default", "risk", "recid", "fraud", "bad", "churn", "delinquen", "reject", "refus", "denied")
FILE_HELP = (
    "One row per person and one column per thing known about them, with a header line. Up to 50 MB. The file stays on "
    "this server, under a name nobody can guess."
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came in: its digest and its name."""

    sha256: str
    name: str


@dataclass(slots=True)
class Intake:
    """What a visitor is bringing in.

    `files` counts uploads, which tells one uploader from the next; `without_outcome` is whether the table has none.
    """

    upload: Upload | None = None
    target: str = ""
    favourable: str = ""
    files: int = 0
    without_outcome: bool = False

    def take(self, upload: Upload | None) -> None:
        """Begin with another file, or none."""
        self.upload, self.target, self.favourable, self.without_outcome = upload, "", "", False


def intake() -> Intake:
    """Return what this visitor is bringing in."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Intake()
    return cast(Intake, st.session_state[KEY])


def show_ways(session: Session) -> None:
    """Offer to upload a file or to take a demonstration."""
    own, demos = st.columns(2, gap="large")
    with own:
        key = f"data_file_{intake().files}"
        upload_box("Your own table: CSV or Parquet", key=key, on_change=_given, args=(key,), help=FILE_HELP)
        st.caption(
            "One row for each person and a header line. To train a model here it needs a column with two values that "
            "says how it turned out."
        )
    with demos:
        st.write("Or a demonstration, with its model:")
        for name, demo in DEMOS.items():
            act, about = st.columns([2, 3], vertical_alignment="center")
            act.button(
                demo.title,
                key=f"data_demo_{name}",
                on_click=_begin_demo,
                args=(session, name),
                width="stretch",
                help="A demonstration, with its model.",
            )
            about.caption(demo.about)


def _given(key: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        intake().take(None)
    else:
        intake().take(Upload(shelf().put_file(file.getvalue()), file.name))


def _begin_demo(session: Session, name: str) -> None:
    _finish()
    session.begin(demo_state(name, shelf()))


def _finish() -> None:
    """Empty the uploader and forget the edits of the table before."""
    _set_aside()
    forget_edits()


def show_upload(session: Session, upload: Upload) -> None:
    """Show what is in a file, ask for the outcome, and offer to use it."""
    title, aside = st.columns([4, 1], vertical_alignment="bottom")
    title.header("Your file", anchor=False)
    aside.button("Set it aside", key="data_aside", on_click=_set_aside, width="stretch", help="Forget this file.")
    try:
        table = answer(session, ReadTable(upload.sha256, upload.name), "Reading the file")
    except AresError as error:
        st.error(error_text(error))
        return
    size = f"{counted(table.rows, 'row')} and {counted(len(table.columns), 'column')}"
    st.write(f"**{safe(upload.name)}** has {size}. The first rows:")
    st.dataframe(table.head, hide_index=True, height=250, key="data_head")
    show_notes(table.notes, "What reading the file noted")
    _ask_outcome(table)
    _offer(session, upload)


def show_notes(notes: Sequence[str], title: str) -> None:
    """Show sentences one click away."""
    if not notes:
        return
    with st.expander(f"{title} ({len(notes):,})"):
        st.markdown("\n".join(f"- {safe(note)}" for note in notes[:MOST_NOTES]))
        if len(notes) > MOST_NOTES:
            st.caption(f"And {len(notes) - MOST_NOTES:,} more of the kind.")


def _ask_outcome(table: TableView) -> None:
    taken, two = intake(), dict(table.two_valued)
    st.checkbox(
        "The table has no outcome; I bring a model",
        key=choose("data_without_outcome", taken.without_outcome),
        on_change=_without_outcome_chosen,
        help="Then no model can be trained here, and nothing can say how often your model is right.",
    )
    if taken.without_outcome:
        return
    columns = [*two, *(column for column in table.columns if column not in two)]
    if taken.target not in columns:
        taken.target, taken.favourable = guess_target([*two] or columns), ""
    target, good = st.columns(2)
    target.selectbox(
        "Which column says how it turned out?",
        columns,
        format_func=lambda column: f"{column} ({' or '.join(two[column])})" if column in two else column,
        key=choose("data_target", taken.target),
        on_change=_target_chosen,
        help="The outcome, such as a loan granted or refused. It needs two values; columns with two come first.",
    )
    values = two.get(taken.target)
    if values is None:
        taken.favourable = ""
        return
    if taken.favourable not in values:
        taken.favourable = guess_favourable(taken.target, values)
    key = spot("favourable", taken.target)
    with good:
        st.radio(
            "Which of the two is the good outcome?",
            values,
            format_func=safe,
            key=choose(key, taken.favourable),
            horizontal=True,
            on_change=_favourable_chosen,
            args=(key,),
            help="The one people hope for. Recourse is the way to it.",
        )


def _without_outcome_chosen() -> None:
    intake().without_outcome = bool(st.session_state["data_without_outcome"])


def _target_chosen() -> None:
    intake().target, intake().favourable = st.session_state["data_target"], ""


def _favourable_chosen(key: str) -> None:
    intake().favourable = st.session_state[key]


def _offer(session: Session, upload: Upload) -> None:
    """Check the choice with the engine before offering it."""
    taken = intake()
    outcome = ("", "") if taken.without_outcome else (taken.target, taken.favourable)
    source = Source(upload.sha256, upload.name, *outcome)
    try:
        described = answer(session, Describe(source), "Looking at the columns")
    except AresError as error:
        st.error(error_text(error))
        return
    if described.favourable is None:
        st.write(f"{described.rows:,} people, without an outcome.")
    else:
        st.write(safe(f"The good outcome, {source.favourable}: {share_text(described.favourable)}."))
    st.button(
        "Use this table",
        type="primary",
        key="data_use",
        on_click=_use,
        args=(session, source),
        help="The audit begins with this table. What was found with another table is cleared.",
    )


def _set_aside() -> None:
    intake().take(None)
    intake().files += 1


def _use(session: Session, source: Source) -> None:
    _finish()
    session.set_setup(Setup(source))


def guess_target(columns: Sequence[str]) -> str:
    """Guess which column is the outcome: one that is called so, else the last."""
    for word in OUTCOMES:
        named = [column for column in columns if word in column.casefold().replace("_", " ").split()]
        if named:
            return named[-1]
    return columns[-1]


def guess_favourable(target: str, values: Sequence[str]) -> str:
    """Guess which of two values is the good outcome: one that says so; of 'default', the one that says no."""
    said = next((value for word in GOOD for value in values if value.casefold() == word), values[-1])
    plain_words = said.casefold() in ("good", "approved", "granted", "accepted", "paid", "repaid", "fully paid")
    if not plain_words and any(word in target.casefold() for word in BAD_TARGETS):
        return next(value for value in values if value != said)
    return said
