"""Changing an applicant by hand: every feature a list of levels, and the model's answer at once."""

from __future__ import annotations

from typing import cast

import streamlit as st

from ares_core.audit.words import cost_text
from ares_core.costs import Costs
from ares_core.people import Change, Feature, Schema
from ares_core.wording import counted
from ares_core.worker import PersonView, Subject, WhatIf, WhatIfView
from ui.applicant import Levels, Trial, choice_text, choices, in_order, moved, total_cost
from ui.cards.person import changes_list, sign
from ui.html import show
from ui.session import Session
from ui.shell import answer
from ui.words import safe

COLUMNS = 3


def try_levels(row: int, levels: Levels) -> None:
    """Change the person in a row to these levels, and nothing else."""
    st.session_state.person_trial = Trial(row, levels)


def what_if(session: Session, schema: Schema, subject: Subject, person: PersonView) -> None:
    """Let the visitor change the person, and say what the model then answers."""
    st.header("What if …", anchor=False, help="Nothing is stored: this only asks the model about a changed copy.")
    row, own = person.recourse.line, dict(person.levels)
    trial = _trial(row, own)
    view = answer(session, WhatIf(subject, row, trial.levels), "Asking the model")
    _show_answer(schema, person, trial, view, session.costs())
    word = _tools(trial)
    features = in_order(schema, dict(trial.levels), word)
    if not features:
        st.info("No feature has this word in its name.")
    for start in range(0, len(features), COLUMNS):  # row by row, so that a telephone keeps the order
        for column, feature in zip(st.columns(COLUMNS), features[start : start + COLUMNS], strict=False):
            with column:
                _choose_level(schema, person, trial, feature)


def _trial(row: int, own: dict[str, str]) -> Trial:
    """Return how this person was changed, without what other data or another schema left behind."""
    kept = cast("Trial | None", st.session_state.get("person_trial"))
    if kept is None or kept.row != row or not all(name in own for name, _ in kept.levels):
        return Trial(row)
    return kept


def _show_answer(schema: Schema, person: PersonView, trial: Trial, view: WhatIfView, costs: Costs) -> None:
    now = "accepts" if view.accepted else "refuses"
    size = f"{counted(len(trial.levels), 'change')}, cost {cost_text(total_cost(costs, trial.levels))}"
    still = "" if view.accepted != person.recourse.accepted else "still "
    as_is = f"As they are, the model {now} this person. Change something below."
    words = f"With {size}, the model {still}{now} this person." if trial.levels else as_is
    with st.container(key="person_answer"):  # stays in sight while one scrolls through many features
        show(sign(view.accepted, words, large=bool(trial.levels)))
    if trial.levels:
        show(changes_list(moved(schema, trial.levels, dict(person.cells))))
    if view.against:
        names = ", ".join(schema[name].title for name in view.against)
        st.warning(safe(f"Not allowed by the schema, so no rule would ask for it: {names}."))


def _tools(trial: Trial) -> str:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    word = left.text_input(
        "Find a feature",
        key="person_word",
        placeholder="Part of its name",
        persist_state="session",
        help="Shows only features with this in their name, and those already changed.",
    )
    right.button(
        "Undo all changes",
        key="person_reset",
        on_click=try_levels,
        args=(trial.row, ()),
        disabled=not trial.levels,
        help="Puts every feature back to what the person has.",
        width="stretch",
    )
    return word


def _choose_level(schema: Schema, person: PersonView, trial: Trial, feature: Feature) -> None:
    key, own = f"person_if_{schema.index(feature.name)}", dict(person.levels)[feature.name]
    chosen = dict(trial.levels).get(feature.name, own)
    options = choices(person, feature)
    st.session_state[key] = chosen if chosen in options else own

    def change() -> None:
        st.session_state.person_trial = trial.at(feature.name, st.session_state[key], own)

    marks = (" · changed" if chosen != own else "") + (" · cannot change" if feature.change is Change.FROZEN else "")
    st.selectbox(
        safe(feature.title) + marks,
        options,
        format_func=lambda level: choice_text(person, feature, level),
        key=key,
        on_change=change,
        help=safe(f"The file says: {dict(person.cells)[feature.name]}.") + _may(feature),
    )


def _may(feature: Feature) -> str:
    said = {
        Change.FROZEN: " Nobody can change this, so no rule asks for it; you may still ask what the model would say.",
        Change.INCREASE: " It may only go up.",
        Change.DECREASE: " It may only go down.",
    }
    return said.get(feature.change, "")
