"""The Costs page's parts: the question, the costs, the answers, costs typed in, and files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ares_core.costs import Comparison, Costs, comparisons_json, write_comparisons, write_costs
from ares_core.errors import AresError
from ares_core.files import dump_json
from ares_core.people import Schema
from ares_core.worker import Description
from ui import costing
from ui.cards.costs import answers_table, costs_frame, costs_table, feature_card, pair_cards
from ui.charts import show_chart
from ui.charts.costs import costs_alt, costs_figure
from ui.comparing import (
    answer_words,
    asked_next,
    comparable,
    guessed,
    hardest_first,
    pair_steps,
    progress,
    strangers,
    unlinked_words,
)
from ui.downloads import download, download_table
from ui.html import show
from ui.session import Session
from ui.uploads import upload_box
from ui.words import error_text, safe

Given = tuple[Comparison, ...]
PROBLEM = "cost_problem"  # what was wrong with the file given last
MOST_COST = 1000.0


def show_question(session: Session, description: Description, given: Given) -> None:
    """Ask which of two features is harder to change; one question at a time."""
    schema, features = description.schema, comparable(description.schema)
    asked = asked_next(features, given)
    if asked is None:
        few = "Fewer than two features may change, so there is nothing to compare."
        st.info(few if len(features) < 2 else "Every pair was asked about, so nothing is left to ask.")
    else:
        _cards(session, description, (asked.left, asked.right), len(given))
    share, words = progress(given, features)
    if features:
        st.progress(share, text=safe(words))
    st.button(
        "Undo the last answer",
        key="cost_undo",
        shortcut="Backspace",
        disabled=not given,
        on_click=costing.undo,
        args=(session,),
        help=safe(f"Takes back: {answer_words(schema, given[-1])}." if given else "There is no answer to take back."),
    )


def _cards(session: Session, description: Description, pair: tuple[str, str], number: int) -> None:
    """Show two features and the four answers; keys carry the number, so that a double click answers once."""

    def button(label: str, words: str, key: str, shortcut: str, text: str) -> None:
        st.button(
            label,
            key=f"cost_{key}_{number}",
            shortcut=shortcut,
            width="stretch",
            wrap=True,
            help=text,
            on_click=costing.say,
            args=(session, number, pair, words),
        )

    with st.container(key="cost_question"):
        steps = zip(pair, pair_steps(description, pair), strict=True)
        show(pair_cards(*(feature_card(description.schema[name], step) for name, step in steps)))
        sides = zip(st.columns(2), pair, ("first", "second"), ("Left", "Right"), strict=True)
        for column, name, which, shortcut in sides:
            label = f"{safe(description.schema[name].title)} is harder"
            with column:
                button(label, f"{which} is harder", which, shortcut, "Harder to change for most people.")
        same, unsure = st.columns(2)
        with same:
            button("About the same", "about the same", "same", "Down", "Counts as half an answer each way.")
        with unsure:
            button("Cannot say", "cannot say", "unsure", "Up", "Is kept, and changes no cost.")


def show_costs(schema: Schema, costs: Costs, given: Given | None) -> None:
    """Draw what each feature that may change costs, and say what the answers leave open, if they are known."""
    features = comparable(schema)
    ordered = hardest_first(costs, features)
    if all(cost.source == "unit" for _, cost in ordered):
        st.info("Nobody has said anything yet, so every feature costs 1.")
        return
    guesses = guessed(given, costs)
    rows = [(schema[name].title, cost, name in guesses) for name, cost in ordered]
    show_chart(costs_figure(rows), costs_alt(rows), key="cost_forest")
    answers = given or ()
    say = st.caption if len(answers) < len(features) else st.warning  # the first questions link everything anyway
    for words in unlinked_words(schema, answers, features):
        say(safe(words))


def show_table(schema: Schema, costs: Costs, given: Given | None) -> None:
    """Show the costs as a table."""
    show(costs_table(schema, hardest_first(costs, comparable(schema)), guessed(given, costs)))


def show_answers(session: Session, schema: Schema, given: Given) -> None:
    """List the answers, each of which can be removed."""
    words = [answer_words(schema, one) for one in given]
    if not given:
        st.write("There are no answers yet.")
        return
    place = st.selectbox(
        "Answer to remove",
        list(reversed(range(len(given)))),
        format_func=lambda place: f"{place + 1}. {words[place]}",
        key=f"cost_chosen_{len(given)}",
        help="Any answer can be removed; the question may then come again.",
    )
    with st.container(horizontal=True):
        st.button("Remove this answer", key="cost_remove", on_click=costing.remove, args=(session, place))
        st.button("Remove all answers", key="cost_remove_all", on_click=costing.remove_all, args=(session,))
    show(answers_table(words))


def show_strangers(session: Session, schema: Schema, given: Given) -> None:
    """Warn of answers about features that are no longer there."""
    lost = strangers(given, schema)
    if not lost:
        return
    first = answer_words(schema, given[lost[0]])
    st.warning(safe(f"{len(lost)} of the answers name features that these people do not have: {first}."))
    st.button("Remove these answers", key="cost_strangers", on_click=costing.remove_strangers, args=(session,))


def show_direct(session: Session, schema: Schema, costs: Costs) -> None:
    """Let a cost be typed in, in place of a learned one."""
    assert session.state.setup is not None
    typed = dict(session.state.setup.direct)
    name = st.selectbox(
        "Feature",
        comparable(schema),
        format_func=lambda name: schema[name].title + (" (typed in)" if name in typed else ""),
        key="cost_feature",
        persist_state="session",
        help="A cost typed in goes before whatever the answers say of the feature.",
    )
    if name is None:
        return
    now = min(costs.of(name), MOST_COST)
    key = f"cost_number_{schema.index(name)}_{now:.3f}"
    st.number_input("Cost", 0.01, MOST_COST, now, 0.5, key=key, help="1 is an easy change; 2 is twice the cost.")
    with st.container(horizontal=True):
        st.button("Use this cost", key="cost_enter", on_click=_enter, args=(session, name, key))
        st.button(
            "Forget the cost typed in",
            key="cost_forget",
            disabled=name not in typed,
            on_click=costing.forget,
            args=(session, name),
        )


def _enter(session: Session, name: str, key: str) -> None:
    costing.enter(session, name, float(st.session_state[key]))


def show_files(session: Session, schema: Schema, costs: Costs, given: Given | None) -> None:
    """Offer this page's answers and the costs as files, and take such files in."""
    assert session.state.setup is not None
    own = session.state.setup.comparisons
    with st.container(horizontal=True):
        download("Answers (CSV)", write_comparisons(own), "answers.csv", key="cost_answers_csv")
        download("Answers (JSON)", comparisons_json(own), "answers.json", key="cost_answers_json")
        download("Costs (CSV)", write_costs(costs), "costs.csv", key="cost_costs_csv")
        download("Costs (JSON)", dump_json(costs.to_json()), "costs.json", key="cost_costs_json")
        frame = costs_frame(schema, costs, guessed(given, costs))
        download_table("Costs with intervals (CSV)", frame, "costs-intervals.csv", key="cost_frame")
    answers, direct = st.columns(2)
    with answers:
        _taker(
            "Bring answers (CSV or JSON)",
            "cost_answers_file",
            partial(costing.import_answers, session),
            "Columns harder and easier, and if wanted answer, expert and reason. Those not here yet are added.",
        )
    with direct:
        _taker(
            "Bring costs (CSV)",
            "cost_costs_file",
            partial(costing.import_costs, session),
            "Columns feature and cost. They count as typed in.",
        )
    problem = st.session_state.get(PROBLEM)
    if problem is not None:
        st.error(error_text(problem))


def _taker(label: str, key: str, take: Callable[[bytes, str], None], text: str) -> None:
    upload_box(label, key=key, on_change=_given, args=(key, take), help=text)


def _given(key: str, take: Callable[[bytes, str], None]) -> None:
    given = st.session_state[key]
    st.session_state[PROBLEM] = None
    if given is None:
        return
    try:
        take(given.getvalue(), given.name)
    except AresError as error:
        st.session_state[PROBLEM] = error
