"""Finding one applicant: by filters, by row number, in a list, or at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from ares_core.errors import AresError
from ares_core.people import Schema
from ares_core.worker import FindPeople, PeopleView, PickPerson, Subject
from ui.applicant import Search, person_label
from ui.session import Session
from ui.shell import answer
from ui.words import ROW_NUMBERS, safe

TURN = "person_list_turn"
LIST_HEIGHT = 250  # pixels


def find_person(session: Session, schema: Schema, subject: Subject) -> int | None:
    """Let the visitor choose a person; return the row, that of the first match until one is chosen."""
    search = _search(subject)
    with st.container(key="person_ways"):
        people = _filtered(session, schema, subject, search)
        row = session.view.row if session.view.row is not None else next(iter(people.rows), None)
        left, right = st.columns(2, vertical_alignment="bottom")
        with left:
            _row_number(session, row)
        with right:
            _random(session, subject, people)
    _matches(session, people, row)
    return row


def _search(subject: Subject) -> Search:
    """Return who is looked for; with other people or another model, the search begins anew."""
    whose, search = st.session_state.get("person_search", (None, None))
    return cast(Search, search) if whose == subject else Search()


def _keep(subject: Subject, change: Callable[[Search], Search]) -> None:
    st.session_state.person_search = subject, change(_search(subject))
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1


def _filtered(session: Session, schema: Schema, subject: Subject, search: Search) -> PeopleView:
    st.session_state.person_refused = search.refused
    st.toggle(
        "Only people the model refuses",
        key="person_refused",
        on_change=lambda: _keep(subject, lambda old: old.only(st.session_state.person_refused)),
        help="Switch off to look at people the model accepts, too.",
    )
    st.session_state.person_features = [name for name, _ in search.levels]
    st.multiselect(
        "Only people with",
        schema.names,
        format_func=lambda name: schema[name].title,
        key="person_features",
        on_change=lambda: _keep(subject, lambda old: old.by(schema, st.session_state.person_features)),
        placeholder="Anything, or choose features",
        help="Keep to people at certain levels: choose features here, then a level of each below.",
    )
    for name, level in search.levels:
        _level_filter(schema, subject, name, level)
    return answer(session, FindPeople(subject, search.levels, search.refused), "Looking for people")


def _level_filter(schema: Schema, subject: Subject, name: str, level: str) -> None:
    feature, key = schema[name], f"person_at_{schema.index(name)}"
    st.session_state[key] = level
    st.selectbox(
        safe(feature.title),
        [each.name for each in feature.levels],
        key=key,
        on_change=lambda: _keep(subject, lambda old: old.at(name, st.session_state[key])),
        help="Only people at this level are listed.",
    )


def _row_number(session: Session, row: int | None) -> None:
    st.session_state.person_row = row
    st.number_input(
        "Row of the file",
        min_value=1,
        max_value=999_999_999,
        step=1,
        key="person_row",
        on_change=lambda: _choose(session, st.session_state.person_row),
        help=ROW_NUMBERS,
    )


def _random(session: Session, subject: Subject, people: PeopleView) -> None:
    st.button(
        "Anybody, at random",
        key="person_random",
        on_click=_draw,
        args=(session, subject),
        disabled=not people.rows,
        width="stretch",
        help="Draws one of the people who match; each click draws another.",
    )


def _choose(session: Session, row: int | None) -> None:
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1  # a new list, so that it marks nobody else
    session.set_view(row=row)


def _draw(session: Session, subject: Subject) -> None:
    search = _search(subject)
    question = PickPerson(subject, search.levels, search.refused, search.draws)
    try:
        row = session.errands.ask(question).result()
    except AresError as error:
        session.told.append(error.problem)
        return
    _keep(subject, Search.drawn)
    if row is not None:
        _choose(session, row)


def _matches(session: Session, people: PeopleView, row: int | None) -> None:
    """List who matches, as a table to click and as a list for keyboards."""
    if not people.rows:
        st.info("Nobody matches. Choose fewer features, or other levels.")
        return
    key = f"person_list_{st.session_state.get(TURN, 0)}"
    more = "" if people.found == len(people.rows) else f", of whom the first {len(people.rows):,} are listed"
    st.caption(f"{people.found:,} found{more}. Click at the left of a row, or choose below.")
    st.dataframe(
        people.frame,
        height=LIST_HEIGHT,
        key=key,
        selection_mode="single-row",
        on_select=lambda: _clicked(session, people, key),
        selection_default={"selection": {"rows": [people.rows.index(row)] if row in people.rows else []}},
        alt="The people found, one row for each.",
    )
    st.session_state.person_pick = row if row in people.rows else None
    st.selectbox(
        "Or choose here",
        people.rows,
        index=None,
        format_func=lambda each: person_label(people, each),
        key="person_pick",
        on_change=lambda: _picked(session),
        placeholder="Choose a person",
        help="The same people as in the table, for those who do not use a mouse.",
    )


def _picked(session: Session) -> None:
    if st.session_state.person_pick is not None:
        _choose(session, st.session_state.person_pick)


def _clicked(session: Session, people: PeopleView, key: str) -> None:
    chosen = st.session_state[key]["selection"]["rows"]
    if chosen:
        session.set_view(row=people.rows[chosen[0]])
