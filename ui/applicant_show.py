"""Showing one applicant: the model's answer, what they can do, and the same to take away."""

from __future__ import annotations

import streamlit as st

from ares_core.audit import person_text
from ares_core.files import dump_json
from ares_core.people import Schema
from ares_core.worker import PersonView
from ui.applicant import Levels, named
from ui.applicant_try import try_levels
from ui.cards.person import PARTS, answer_sign, person_cards
from ui.downloads import download
from ui.html import show
from ui.words import ROW_NUMBERS


def show_person(schema: Schema, person: PersonView, most: int) -> None:
    """Say what the model answers and what the person can do; `most` changes were tried at once."""
    found = person.recourse
    st.header(f"Row {found.line:,} of the file", anchor=False, help=ROW_NUMBERS)
    show(answer_sign(found.accepted))
    if found.accepted:
        st.write("There is nothing to change. Below you can try what would make the model refuse them.")
    else:
        st.caption(PARTS[person.part])
        show(person_cards(schema, person, most))
        _try_buttons(schema, person)
    with st.container(horizontal=True):
        download("Download as text", person_text(schema, found), f"row-{found.line}.txt", key="person_text")
        download("Download as JSON", dump_json(found.to_json()), f"row-{found.line}.json", key="person_json")


def _try_buttons(schema: Schema, person: PersonView) -> None:
    """Offer to fill the what-if below with the rule or the cheapest move."""
    found = person.recourse
    rule = () if found.rule is None else named(schema, found.rule.changes)
    cheapest = () if found.cheapest is None else named(schema, found.cheapest.changes)
    with st.container(horizontal=True):
        _try_button("Try the rule ↓", found.line, rule, "person_try_rule")
        _try_button("Try the cheapest move ↓", found.line, cheapest, "person_try_cheapest")


def _try_button(label: str, row: int, levels: Levels, key: str) -> None:
    words = "Fills in these changes under “What if …”, where you can go on from there."
    if levels:
        st.button(label, key=key, on_click=try_levels, args=(row, levels), help=words)
