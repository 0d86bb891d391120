"""Subgroups: how recourse differs between groups of people."""

from __future__ import annotations

import streamlit as st

from ares_core.worker import CompareGroups
from ui.background import watch
from ui.groups_page import choose_interest, offer_likely, show_gaps, show_moves, show_picture, show_whom
from ui.presenter import present_button
from ui.recourse import summary_on_screen, which_summary
from ui.shell import answer, boundary, need, open_page
from ui.state import Step

session = open_page(
    "Subgroups", "How recourse differs between groups: how often it works, what it takes, whom it leaves out."
)
need(session, Step.MODEL)
with boundary():
    schema = session.schema()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        chosen = choose_interest(session, schema)
        present_button(session)
    if not chosen:
        offer_likely(session, schema)
    else:
        looked = summary_on_screen(session)
        which_summary(session, looked)
        view = answer(session, CompareGroups(looked.key), "Comparing the groups")
        if show_whom(view, same_people=looked.evaluation.same_people):
            show_picture(schema, view)
            show_gaps(schema, view)
            show_moves(schema, view)
        watch(session, looked.search)
