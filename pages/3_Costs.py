"""Costs: how hard each feature is to change, from comparisons of two at a time."""

from __future__ import annotations

import streamlit as st

from ares_core.worker import Describe
from ui.cost_sets import show_in_force, show_sets
from ui.cost_view import show_answers, show_costs, show_direct, show_files, show_question, show_strangers, show_table
from ui.shell import answer, boundary, link, need, open_page
from ui.state import Step

LEAD = (
    "A cost says how hard it is for people to change something, and recourse that costs less comes first. "
    "Without any answer every feature costs 1, so that a cost counts changes."
)

session = open_page("Costs", LEAD)
need(session, Step.DATA)
setup = session.state.setup
assert setup is not None
with boundary():
    description = answer(session, Describe(setup.source), "Reading the data")
    schema, given = description.schema, setup.comparisons
    show_strangers(session, schema, given)
    asking, showing = st.columns([5, 4], gap="large")
    with asking:
        st.header("Which is harder to change?")
        if not show_in_force(session):
            show_question(session, description, given)
    costs, compared = session.costs(), session.compared()
    with showing:
        st.header("What each change costs")
        show_costs(schema, costs, compared)
    with st.expander("The costs as a table"):
        show_table(schema, costs, compared)
    with st.expander(f"Answers given ({len(given)})", key="cost_answers"):
        show_answers(session, schema, given)
    with st.expander("Type a cost in"):
        show_direct(session, schema, costs)
    with st.expander("Kept costs", key="cost_sets"):
        show_sets(session)
    with st.expander("Files: save answers and costs, or bring them"):
        show_files(session, schema, costs, compared)
    link("pages/4_Recourse.py", "See the rules under these costs →")
