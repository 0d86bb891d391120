"""The panel of the schema editor: one feature in full. Every change is checked and applied at once."""

from __future__ import annotations

import streamlit as st

from ares_core.people import Change, Feature, Interval, Kind, Missing, Value
from ares_core.people.schema import feature_to_json
from ares_core.wording import counted
from ui import schema_edits as edits
from ui.holding import choose, hold
from ui.schema_desk import PANEL, edit, editor, show_problem, spot, typed_editor, wanted
from ui.schema_edits import Document
from ui.schema_tables import CHANGES, KINDS, levels, table_height
from ui.schema_text import cuts_text, read_cell, read_cuts, write_lines
from ui.session import Session
from ui.words import safe

MOST = 300  # pixels of the table of levels
KIND_HELP = (
    "A category has values without an order, such as a purpose. Levels in order have less and more, such as grades. "
    "A number is cut into ranges, and rules speak of the ranges."
)
CHANGE_HELP = (
    "What rules may tell people to do. Up is towards larger numbers, or towards the last line of the levels. Only up "
    "and only down need an order: for a category, choose 'Levels in order' first. Never: it still describes people."
)
LINES_HELP = (
    "One line for each level: what the file says, then ' = ' and what people should read. Move lines to put levels in "
    "order, lowest first. Click outside the box to apply."
)
NAMES_HELP = "One line for each range, lowest first. Empty the box to have them named automatically."
CUTS_HELP = (
    "The numbers where a new range begins, such as 1000, 2000, 5000: the first range is then everything below 1000."
)
MISSING_HELP = (
    "Values that mean that nothing is known, such as -9 or n/a: type one and press Enter. People there are described "
    "as 'not known', and no rule moves anybody from or to it. Empty cells always count as not known. Changing this "
    "cuts a number into ranges anew."
)
FORBIDDEN_HELP = "Levels nobody may be told to move to, even if the model would then say yes."


def show_panel(session: Session, feature: Feature, counts: tuple[int, ...]) -> None:
    """Show one feature in full, every part of it editable, and who is at its levels."""
    show_problem(PANEL)
    left, right = st.columns(2, gap="large")
    with left:
        _words(session, feature)
        _kind(session, feature)
        _change(session, feature)
    with right:
        if feature.kind is Kind.NUMBER:
            _cuts(session, feature)
        _lines(session, feature)
        if len(feature.columns) == 1:
            _missing(session, feature)
        _forbidden(session, feature)
    _levels_table(feature, counts)
    _leave(session, feature)


def _words(session: Session, feature: Feature) -> None:
    label, unit = spot("label", feature.name), spot("unit", feature.name)

    def typed() -> None:
        words, measure = (" ".join(str(st.session_state[key]).split()) for key in (label, unit))
        edit(session, PANEL, lambda document: edits.with_words(document, feature.name, words, measure))

    first, second = st.columns([3, 1])
    first.text_input(
        "Name for people",
        key=label,
        **hold(label, wanted(label, feature.label)),
        placeholder=feature.name,
        max_chars=200,
        on_change=typed,
        help="What rules and pages call it. Empty: the name in the file.",
    )
    second.text_input(
        "Unit",
        key=unit,
        **hold(unit, wanted(unit, feature.unit)),
        max_chars=40,
        on_change=typed,
        help="What its numbers count, such as EUR or months.",
    )


def _kind(session: Session, feature: Feature) -> None:
    kinds = [kind for kind in KINDS if kind is not Kind.NUMBER or len(feature.columns) == 1]
    key = spot("kind", feature.name)
    st.radio(
        "What is it?",
        kinds,
        format_func=KINDS.__getitem__,
        key=choose(key, wanted(key, feature.kind)),
        on_change=typed_editor(session, key, lambda document, kind: edits.with_kind(document, feature.name, kind)),
        help=KIND_HELP,
    )


def _change(session: Session, feature: Feature) -> None:
    key = spot("change", feature.name)
    one_way = (Change.INCREASE, Change.DECREASE)
    options = [change for change in CHANGES if feature.kind is not Kind.CATEGORY or change not in one_way]
    st.radio(
        "Can it change?",
        options,
        format_func=CHANGES.__getitem__,
        key=choose(key, wanted(key, feature.change)),
        horizontal=True,
        on_change=typed_editor(
            session, key, lambda document, change: edits.with_change(document, [feature.name], change)
        ),
        help=CHANGE_HELP,
    )


def _cuts(session: Session, feature: Feature) -> None:
    key = spot("cuts", feature.name)
    cuts = [level.low for level in feature.levels if isinstance(level, Interval) and level.low is not None]

    def change(document: Document, text: str) -> Document:
        return edits.with_cuts(document, feature.name, read_cuts(text, feature.title))

    st.text_input(
        "Where it is cut",
        key=key,
        **hold(key, wanted(key, cuts_text(cuts))),
        on_change=typed_editor(session, key, change),
        help=CUTS_HELP,
    )


def _lines(session: Session, feature: Feature) -> None:
    key = spot("levels", feature.name)
    entry = feature_to_json(feature)
    number = feature.kind is Kind.NUMBER
    text = "\n".join(entry["level_names"]) if number else write_lines(entry["levels"])
    st.text_area(
        "What the ranges are called" if number else "Levels and their order",
        key=key,
        **hold(key, wanted(key, text)),
        height=min(420, 40 + 24 * max(3, text.count("\n") + 1)),
        on_change=typed_editor(session, key, lambda document, lines: edits.with_levels(document, feature.name, lines)),
        help=NAMES_HELP if number else LINES_HELP,
    )


def _missing(session: Session, feature: Feature) -> None:
    key = spot("missing", feature.name)
    entry = feature_to_json(feature)
    words = [str(value) for value in entry["missing"] or []]
    values = [str(level.value) for level in feature.levels if isinstance(level, Value)]

    def change(document: Document, typed: list[str]) -> Document:
        cells = [read_cell(word, entry) for word in typed]
        return edits.with_missing(document, feature.name, cells)

    st.multiselect(
        "What counts as not known",
        [*words, *(value for value in values if value not in words)],
        key=choose(key, wanted(key, words)),
        accept_new_options=True,
        placeholder="Only empty cells",
        on_change=typed_editor(session, key, change),
        help=MISSING_HELP,
    )


def _forbidden(session: Session, feature: Feature) -> None:
    key = spot("forbidden", feature.name)
    names = [level.name for level in feature.levels if not isinstance(level, Missing)]
    st.multiselect(
        "Never tell anybody to move to",
        names,
        key=choose(key, wanted(key, [name for name in names if name in feature.forbidden])),
        placeholder="Every level may be suggested",
        disabled=feature.change is Change.FROZEN,
        on_change=typed_editor(
            session, key, lambda document, chosen: edits.with_forbidden(document, feature.name, chosen)
        ),
        help=FORBIDDEN_HELP,
    )


def _leave(session: Session, feature: Feature) -> None:
    with st.container(horizontal=True):
        st.button(
            "Leave it out of the rules",
            key="data_leave",
            on_click=editor(session, PANEL, lambda document: edits.left_out(document, feature.name)),
            help="Rules will not speak of it. The model still sees it.",
        )
        if len(feature.columns) > 1:
            st.button(
                "Separate its columns",
                key="data_separate",
                on_click=editor(session, PANEL, lambda document: edits.separated(document, feature.name)),
                help="Each column becomes a feature of its own, and they no longer move together.",
            )


def _levels_table(feature: Feature, counts: tuple[int, ...]) -> None:
    st.caption(safe(f"{feature.title}: {counted(len(feature.levels), 'level')} and who is there"))
    frame = levels(feature, counts)
    height = table_height(len(frame), MOST)
    st.dataframe(
        frame, hide_index=True, height=height, key="data_levels", alt="The levels and how many people are there."
    )
