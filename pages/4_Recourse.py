"""Recourse: what refused people can change, as a few rules, and what these trade off."""

from __future__ import annotations

import streamlit as st

from ui.background import watch
from ui.controls import asking, known_features, wishes
from ui.listening import listen
from ui.people_lists import people_lists
from ui.presenter import present_button
from ui.recourse import PEOPLE, chosen_size, headline, look, opening, rules, trade_offs
from ui.rule_files import files
from ui.shell import boundary, need, open_page
from ui.state import Step

session = open_page("Recourse", "What refused people can change to be accepted, and how often that works.")
need(session, Step.MODEL)
with boundary():
    known_features(session)
    with st.sidebar:
        panel = st.container(key="wishes")
        asking(session)
    looked = look(session)
    with panel:
        wishes(session)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        opening(looked)
        present_button(session)
    chosen_size(session, looked)
    headline(looked)
    left, right = st.columns([3, 2], gap="large")
    with left:
        rules(session, looked)
    with right, st.container(key="rule_plots"):
        trade_offs(session, looked)
    watch(session, looked.background)
    listen(session)
    people_lists(session, looked.evaluated, looked.summary, PEOPLE)
    files(session, looked)
