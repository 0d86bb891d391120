"""Applicant: one person, the rule that applies, the cheapest move that works, and what if."""

from __future__ import annotations

import streamlit as st

from ares_core.worker import AskPerson
from ui.applicant_find import find_person
from ui.applicant_show import show_person
from ui.applicant_try import what_if
from ui.asking import evaluated
from ui.background import watch
from ui.recourse import summary_on_screen, which_summary
from ui.shell import answer, boundary, need, open_page
from ui.state import Step

session = open_page("Applicant", "One person: what the model says, what they could do about it, and what if.")
need(session, Step.MODEL)
with boundary():
    schema, asked = session.schema(), evaluated(session)
    finding, person_side = st.columns([2, 3], gap="large")
    with finding:
        st.header("Find a person", anchor=False)
        row = find_person(session, schema, asked.subject)
    below = st.container()
    if row is not None:
        with person_side, boundary():
            looked = summary_on_screen(session)
            which_summary(session, looked)
            person = answer(session, AskPerson(looked.key, row), "Trying moves, the cheapest first")
            show_person(schema, person, asked.settings.max_changes)
            with below:
                what_if(session, schema, asked.subject, person)
            watch(session, looked.search)
