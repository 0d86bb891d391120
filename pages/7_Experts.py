"""Experts: a study for this audit, its invitations, and what its experts say together."""

from __future__ import annotations

import streamlit as st

from ares_core.worker import Describe
from ui import experts_results as results
from ui.experts import Facilitator
from ui.experts_view import (
    choose_study,
    read_answers,
    show_creation,
    show_expert,
    show_invitation,
    show_messages,
    show_switches,
    show_voices,
    status_words,
)
from ui.shared import shelf, store
from ui.shell import answer, boundary, need, open_page
from ui.state import Step
from ui.words import safe

LEAD = (
    "Let people who know compare two changes at a time, each at their own screen. Everybody answers before seeing what "
    "the others say; you see how many answers came in, and reveal the result when you are ready."
)

session = open_page("Experts", LEAD)
need(session, Step.DATA)
assert session.state.setup is not None
with boundary():
    description = answer(session, Describe(session.state.setup.source), "Reading the data")
    lead = Facilitator(session, store(), shelf())
    known = lead.known()
    show_messages()
    if not known:
        st.header("Begin a study", anchor=False)
        show_creation(lead, description)
        st.stop()
    study = choose_study(known)
    (stands, newest), experts = read_answers(lead, study), lead.studies.experts(study.id)
    st.header(safe(study.title), anchor=False)
    st.caption(status_words(study, lead.setup.study == study.id))
    show_invitation(lead, study, experts)
    show_voices(lead, study, newest)
    show_switches(lead, study)
    if experts:
        with st.expander("Weights and invitations"):
            show_expert(lead, experts)
    if study.revealed:
        found = results.found_of(session, study, experts, stands)
        st.header("What the experts say together", anchor=False)
        results.show_costs(study, experts, found)
        results.show_use(lead, study)
        results.show_fixed(lead, description.schema, experts, found)
        st.subheader("Is one change harder than another?", anchor=False)
        results.show_probability(study, found)
        st.subheader("How far they agree", anchor=False)
        results.show_agreement(experts, found)
        st.subheader("What they disagree on", anchor=False)
        results.show_disputes(lead, study, experts, found)
        st.subheader("Without one of them", anchor=False)
        results.show_left_out(study, experts, found)
    with st.expander("Files: save the answers, or bring some"):
        results.show_files(lead, study, experts, stands)
    with st.expander("Begin another study"):
        show_creation(lead, description)
