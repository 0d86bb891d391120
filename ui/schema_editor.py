"""The schema editor: all features at a glance, and one of them, chosen from the table or the list, in full."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ares_core.worker import Description
from ui.holding import choose
from ui.schema_desk import editing
from ui.schema_panel import show_panel
from ui.schema_tables import overview, table_height, titles
from ui.session import Session

MOST = 330  # pixels of the overview's height
OVERVIEW = "data_overview"
MOST_TITLE = 28  # characters of a name that a column of medium width shows


def show_editor(session: Session, described: Description) -> None:
    """Show all features, and the chosen one in full."""
    names = list(described.schema.names)
    if not names:
        st.info("Rules can speak of no column yet: all are left out. Bring one back below.")
        return
    desk = editing()
    if desk.chosen not in names:
        desk.chosen = names[0]
    _overview(described, names)
    _picker(described, names)
    with st.container(border=True, key="data_panel"):
        show_panel(session, described.schema[desk.chosen], described.people[names.index(desk.chosen)])


def _long(frame: pd.DataFrame) -> bool:
    """Say whether some names differ only behind what a column of medium width shows."""
    return len({title[:MOST_TITLE] for title in frame["Feature"]}) < frame["Feature"].nunique()


def _overview(described: Description, names: list[str]) -> None:
    frame, place = overview(described), names.index(editing().chosen)
    shown = st.session_state.get(OVERVIEW)
    if shown is None or shown["selection"]["rows"] != [place]:
        st.session_state[OVERVIEW] = {"selection": {"rows": [place]}}  # the list below chose another one

    def chosen() -> None:
        rows = st.session_state[OVERVIEW]["selection"]["rows"]
        if rows and rows[0] < len(names):
            _choose(names[rows[0]])

    st.dataframe(
        frame,
        hide_index=True,
        height=table_height(len(frame), MOST),
        key=OVERVIEW,
        column_config={"Feature": st.column_config.TextColumn(width="large" if _long(frame) else "medium")},
        on_select=chosen,
        selection_mode="single-row",
        alt="All features: whether each can change, its kind, its levels and its columns.",
    )


def _picker(described: Description, names: list[str]) -> None:
    place, words = names.index(editing().chosen), titles(described.schema)
    choice, back, on = st.columns([6, 1, 1], vertical_alignment="bottom")
    choice.selectbox(
        f"Feature to look at or change, of {len(names):,}",
        names,
        format_func=words.__getitem__,
        key=choose("data_feature", editing().chosen),
        on_change=lambda: _choose(st.session_state["data_feature"]),
        help="Type to search. Choosing a row of the table above does the same.",
    )
    before, after = names[place - 1], names[(place + 1) % len(names)]
    back.button("← Back", key="data_back", on_click=_choose, args=(before,), width="stretch", help="The one before.")
    on.button("Next →", key="data_next", on_click=_choose, args=(after,), width="stretch", help="The one after.")


def _choose(name: str) -> None:
    desk = editing()
    desk.chosen, desk.problem = name, None
    desk.drafts.clear()
