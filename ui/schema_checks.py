"""What to check in a schema: what was guessed and may be wrong, each with its remedy beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ares_core.people import Change, Feature, Schema
from ares_core.people.protected import hinting
from ares_core.people.suspects import Suspect
from ares_core.worker import Description
from ui import schema_edits as edits
from ui.holding import choose
from ui.schema_desk import DECIDE, FROZEN, LEFT_OUT, edit, editing, editor, show_problem, spot
from ui.schema_edits import Document
from ui.schema_tables import titles
from ui.session import Session
from ui.words import safe

MOST_SHOWN = 12  # remedies side by side before the rest is only counted
FROZEN_HELP = (
    "Frozen features describe groups, and no rule ever tells anybody to change them. Freeze what people cannot or "
    "should not have to change: sex, race, age and the like."
)
BACK_HELP = "Rules will speak of it. The model sees it either way."


def show_checks(session: Session, described: Description) -> None:
    """Show everything that wants a decision, with its remedy."""
    open_points = [
        *(partial(_suspect, session, suspect) for suspect in _suspects(session, described)),
        *(partial(_choice, session, feature) for feature in described.schema.features if feature.proposed),
    ]
    if not open_points:
        return
    st.header("To decide", anchor=False)
    show_problem(DECIDE)
    for show_point in open_points[:MOST_SHOWN]:
        with st.container(border=True):
            show_point()
    if len(open_points) > MOST_SHOWN:
        st.caption(f"{len(open_points) - MOST_SHOWN:,} more come once these are decided.")


def _suspects(session: Session, described: Description) -> list[Suspect]:
    """Return the suspects nobody has spoken of yet; of a demonstration every word is known to be an answer."""
    setup = session.state.setup
    if setup is None or setup.demo:
        return []
    return [each for each in described.suspects if (each.column, each.value) not in editing().answers]


def _point(words: str, actions: list[tuple[str, str, Callable[[], None], str]]) -> None:
    """Show a sentence and its remedies: label, key, callback and help of each."""
    text, *spots = st.columns([3, *[1] * len(actions)], vertical_alignment="center")
    text.write(words)
    for place, (label, key, act, about) in zip(spots, actions, strict=True):
        place.button(safe(label), key=key, on_click=act, help=about, width="stretch")


def _suspect(session: Session, suspect: Suspect) -> None:
    key = f"{suspect.column} {suspect.value}"
    shown = f"{suspect.value}"
    remedy = editor(session, DECIDE, lambda document: edits.as_missing(document, suspect.column, suspect.value))
    _point(
        f"**{safe(suspect.column)}** holds {safe(suspect.told)}. Does it mean that no value is known?",
        [
            (f"Treat {shown} as missing", spot("missing_yes", key), remedy, "People there are then 'not known'."),
            ("No, it is an answer", spot("missing_no", key), partial(_answered, suspect), "Leave it as it is."),
        ],
    )


def _answered(suspect: Suspect) -> None:
    editing().answers.add((suspect.column, suspect.value))


def _choice(session: Session, feature: Feature) -> None:
    columns = ", ".join(feature.columns)
    levels = ", ".join(level.name for level in feature.levels)
    yes = editor(session, DECIDE, lambda document: edits.confirmed(document, feature.name))
    no = editor(session, DECIDE, lambda document: edits.separated(document, feature.name))
    _point(
        f"The columns {safe(columns)} look like one choice, **{safe(feature.title)}**, between: {safe(levels)}. "
        "Then they change together.",
        [
            ("Yes, one choice", spot("choice_yes", feature.name), yes, "They stay one feature."),
            ("No, separate columns", spot("choice_no", feature.name), no, "Each becomes a feature of its own."),
        ],
    )


def show_frozen(session: Session, schema: Schema) -> None:
    """Show which features are frozen, to be changed many at once, and suggest more."""
    frozen = [feature.name for feature in schema.features if feature.change is Change.FROZEN]
    words = titles(schema)
    show_problem(FROZEN)

    def chosen() -> None:
        names = list(st.session_state["data_frozen"])
        edit(session, FROZEN, lambda document: edits.with_frozen(document, names))

    st.multiselect(
        "Cannot be changed (frozen)",
        list(schema.names),
        format_func=words.__getitem__,
        key=choose("data_frozen", frozen),
        on_change=chosen,
        placeholder="Choose what nobody should be told to change",
        help=FROZEN_HELP,
    )
    found = hinting(schema.features)
    if found:
        _suggestion(session, found)


def _suggestion(session: Session, found: tuple[Feature, ...]) -> None:
    names = [feature.name for feature in found]
    shown = ", ".join(feature.title for feature in found[:MOST_SHOWN]) + (", …" if len(found) > MOST_SHOWN else "")

    def freeze(document: Document) -> Document:
        return edits.with_change(document, names, Change.FROZEN)

    with st.container(border=True):
        _point(
            f"By name, these look like things nobody should be told to change: **{safe(shown)}**.",
            [("Freeze them", "data_freeze_suggested", editor(session, FROZEN, freeze), "They still describe groups.")],
        )


def show_left_out(session: Session, schema: Schema) -> None:
    """Show which columns rules do not speak of and why, and let one come back."""
    if not schema.ignored:
        return
    reasons = dict(schema.ignored)
    show_problem(LEFT_OUT)
    choice, action = st.columns([4, 1], vertical_alignment="bottom")
    choice.selectbox(
        f"Left out of the rules ({len(reasons):,})",
        list(reasons),
        format_func=lambda column: f"{column}: {reasons[column]}",
        key="data_ignored",
        help="Columns that rules do not speak of, each with the reason. The model still sees them.",
    )
    action.button(
        "Bring it back", key="data_bring", on_click=_bring_back, args=(session,), help=BACK_HELP, width="stretch"
    )


def _bring_back(session: Session) -> None:
    column = st.session_state["data_ignored"]
    if edit(session, LEFT_OUT, lambda document: edits.brought_back(document, column)):
        editing().chosen = column
