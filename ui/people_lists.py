"""Lists of people: who the rules help, fail and leave out, each openable and each a file."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ares_core.audit.intervals import Share
from ares_core.audit.summary_words import blocker_words
from ares_core.audit.words import share_text
from ares_core.worker import Evaluate, Evaluated, ListPeople, SummaryView, WhatBlocks
from ui.downloads import download_table
from ui.html import show, tag
from ui.session import Session
from ui.shell import answer
from ui.words import ROW_NUMBERS, safe

MOST_ROWS = 200
WANTED = "wanted"  # what a visitor asked to have prepared, by the button's key


@dataclass(frozen=True, slots=True)
class Kind:
    """A list of people: the name of its field in `Lists`, what it is called, and what it means."""

    name: str
    title: str
    words: str


KINDS = (
    Kind("helped", "Helped", "The rule that decides for them works: with its change, the model accepts them."),
    Kind("failed", "A rule fails them", "They are under a rule, but the model refuses them after its change too."),
    Kind("uncovered", "Under no rule", "No rule describes them, so the summary tells them nothing."),
    Kind(
        "conflicts",
        "Under more than one rule",
        "Several rules describe them. The one that works most often decides; the others are not counted for them.",
    ),
    Kind("without_recourse", "No move helps", "None of the changes that were tried makes the model accept them."),
)


def people_lists(session: Session, evaluated: Evaluated, summary: SummaryView, anchor: str) -> None:
    """Show every list, each with its share of the people checked on; `anchor` is what links to them name."""
    show(tag("h2", "Whom the rules help, fail and leave out", css="rule-heading", id=anchor))
    for kind in KINDS:
        rows: tuple[int, ...] = getattr(summary.lists, kind.name)
        label = f"**{kind.title}** · {safe(share_text(Share(len(rows), summary.check.affected)))}"
        box = st.expander(label, key=f"list_{kind.name}", on_change="rerun")
        if box.open:
            with box:
                _open(session, evaluated, kind, rows)


def _open(session: Session, evaluated: Evaluated, kind: Kind, rows: tuple[int, ...]) -> None:
    st.write(kind.words)
    if not rows:
        st.write("There is nobody on this list.")
        return
    if kind.name == "without_recourse":
        found = answer(session, WhatBlocks(evaluated), "Asking what stands in the way")
        st.write(safe(blocker_words(session.schema(), found, _affected(session, evaluated))))
    shown = answer(session, ListPeople(evaluated.subject, rows[:MOST_ROWS]), "Looking the people up")
    st.dataframe(shown.frame, key=f"frame_{kind.name}", height=_height(len(shown.frame)))
    if len(rows) <= MOST_ROWS:
        st.caption(ROW_NUMBERS)
        download_table("Download this list (CSV)", shown.frame, f"people-{kind.name}.csv", key=f"save_{kind.name}")
        return
    st.caption(f"The first {MOST_ROWS} of {len(rows):,}. {ROW_NUMBERS}")
    _whole(session, ListPeople(evaluated.subject, rows), kind)


def _affected(session: Session, evaluated: Evaluated) -> int:
    return answer(session, Evaluate(evaluated)).affected


def _height(rows: int) -> int:
    return min(36 * (rows + 1) + 3, 400)


def _whole(session: Session, question: ListPeople, kind: Kind) -> None:
    key = f"whole_{kind.name}"
    if not prepared(key, question, f"Prepare all {len(question.rows):,} people (CSV)", "May take a few seconds."):
        return
    everybody = answer(session, question, "Looking everybody up")
    download_table("Download this list (CSV)", everybody.frame, f"people-{kind.name}.csv", key=f"save_{kind.name}")


def prepared(key: str, content: object, label: str, words: str) -> bool:
    """Show a button that prepares a file, and return whether it was clicked for this very content."""
    wanted: dict[str, object] = st.session_state.setdefault(WANTED, {})
    if wanted.get(key) == content:
        return True
    st.button(label, key=key, help=words, on_click=wanted.__setitem__, args=(key, content))
    return False
