"""Controls: what the rules should be like, and what the model is asked. Every change goes through the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import streamlit as st

from ares_core.people import Schema
from ares_core.settings import PRESETS, SELECTIONS, Settings, Weights
from ares_core.worker import Evaluate
from ui.holding import begin, hold
from ui.session import Session
from ui.words import safe

MOST_FEATURES = 3
HELP: dict[str, str] = {item.name: item.metadata["help"] for item in fields(Settings)}
EDGES: dict[str, tuple[Any, Any]] = {
    item.name: (item.metadata["low"], item.metadata["high"]) for item in fields(Settings)
}
LIMITS = {  # the label, and the range most people need
    "max_rules": ("Most rules", 1, 30),
    "max_width": ("Most conditions in a rule", 2, 10),
    "max_subgroups": ("Most subgroups", 1, 20),
}
PEOPLE_STEPS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
PRICE_STEPS = (0.0, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
WEIGHTS = {  # the question each weight answers, what its numbers mean, and the steps of its slider
    "correctness": (
        "How bad is a rule that fails someone?",
        "1 is as bad as it is good to have a rule for one person at weight 1. More: fewer, safer rules.",
        PEOPLE_STEPS,
    ),
    "coverage": (
        "How good is it to have a rule for someone?",
        "What one more person under a rule is worth. More: rules for nearly everybody.",
        PEOPLE_STEPS,
    ),
    "feature_cost": (
        "How bad is it that a rule asks for something costly?",
        "The price of one unit of cost, in people. More: cheaper and fewer rules.",
        PRICE_STEPS,
    ),
    "feature_change": (
        "How bad is it that a rule asks for a big step?",
        "The price of one level crossed, in people: from 'low' to 'high' past 'medium' is two. More: smaller steps.",
        PRICE_STEPS,
    ),
}
SELECTION_WORDS = {
    "robust": "Also on invented people, when there are few (robust)",
    "paper": "On the real people alone (as in the paper)",
}


def known_features(session: Session) -> None:
    """Stop the page, with a way on, if a link names features these people do not have."""
    names, view = session.schema().names, session.view
    unknown = sorted({*view.interest, *(view.strata or ())}.difference(names))
    if not unknown:
        return
    st.error(safe(f"There is no feature {unknown[0]!r} in this data, so people cannot be compared by it."))
    known = {"interest": tuple(name for name in view.interest if name in names), "strata": None}
    st.button(
        "Go on without it",
        key="drop_unknown",
        on_click=session.set_view,
        kwargs=known,
        help="Compare people by the features that are there.",
    )
    st.stop()


def wishes(session: Session) -> None:
    """Show the controls that never ask the model: groups, what matters, limits."""
    st.subheader("What the rules should be like", anchor=False)
    _interest(session)
    _preset(session)
    for name in LIMITS:
        _limit(session, name)
    with st.expander("How much each thing counts", key="weights"):
        for name in WEIGHTS:
            _weight(session, name)
        _seconds(session)


def _interest(session: Session) -> None:
    schema = session.schema()
    held = hold("interest", list(session.view.interest), "default")
    st.multiselect(
        "Compare people by",
        schema.names,
        format_func=lambda name: schema[name].title,
        key="interest",
        max_selections=MOST_FEATURES,
        placeholder="Any feature",
        on_change=_take_interest,
        args=(session,),
        help="The features of interest: they describe the outer “If”. With none, any feature may.",
        **held,
    )


def _take_interest(session: Session) -> None:
    session.set_view(interest=tuple(st.session_state["interest"]), size=None)


def preset_of(weights: Weights) -> str | None:
    """Return the preset with these weights, None for a visitor's own."""
    return next((name for name, (preset, _) in PRESETS.items() if preset == weights), None)


def _preset(session: Session) -> None:
    chosen = preset_of(session.view.settings.weights)
    held = hold("preset", chosen, "default")
    st.segmented_control(
        "What matters most",
        list(PRESETS),
        format_func=str.capitalize,
        key="preset",
        on_change=_take_preset,
        args=(session,),
        help="Four ready answers to how much failing people, leaving people out and costly changes count.",
        **held,
    )
    st.caption(PRESETS[chosen][1] if chosen else "Your own weights, set below.")


def _take_preset(session: Session) -> None:
    name = st.session_state["preset"]
    if name:
        take(session, weights=PRESETS[name][0])


def _limit(session: Session, name: str) -> None:
    label, low, high = LIMITS[name]
    value = getattr(session.view.settings, name)
    key = f"limit_{name}"
    held = hold(key, value)
    # A link may ask for more than people do by hand.
    st.slider(
        label,
        low,
        max(high, value),
        key=key,
        help=HELP[name],
        on_change=_take_setting,
        args=(session, name, key),
        **held,
    )


def _take_setting(session: Session, name: str, key: str) -> None:
    take(session, **{name: st.session_state[key]})


def take(session: Session, **changes: Any) -> None:
    """Change settings that are arithmetic; a size chosen on the plot of other settings no longer holds."""
    session.set_view(settings=replace(session.view.settings, **changes), size=None)


def _weight(session: Session, name: str) -> None:
    label, words, steps = WEIGHTS[name]
    value = getattr(session.view.settings.weights, name)
    key = f"weight_{name}"
    held = hold(key, value)
    st.select_slider(
        label,
        with_value(steps, value),
        format_func=lambda number: f"{number:g}",
        key=key,
        help=words,
        on_change=_take_weight,
        args=(session, name, key),
        **held,
    )


def with_value(steps: Sequence[float], value: float) -> list[float]:
    """Return the steps of a slider, with a value that came from elsewhere among them."""
    return sorted({*steps, value})


def _take_weight(session: Session, name: str, key: str) -> None:
    take(session, weights=replace(session.view.settings.weights, **{name: st.session_state[key]}))


def _seconds(session: Session) -> None:
    value = session.view.settings.time_limit
    held = hold("limit_time", value)
    st.select_slider(
        "Seconds to look for something better",
        with_value((5.0, 10.0, 20.0, 60.0, 180.0), value),
        format_func=lambda seconds: f"{seconds:g} s",
        key="limit_time",
        help="An answer comes within a second; this is how long a proof that nothing is better may take after it.",
        on_change=_take_setting,
        args=(session, "time_limit", "limit_time"),
        **held,
    )


def asking(session: Session) -> None:
    """Show the settings that need the model's answers anew, with the button that asks for them."""
    with st.expander("What the model is asked", key="asking"):
        st.caption(_split_words(session.view.strata, session.schema()))
        with st.form("ask_again", border=False):
            _candidate_fields(session.view.settings)
            _people_fields(session.view.settings)
            st.form_submit_button(
                "Ask the model again",
                on_click=_ask_again,
                args=(session,),
                key="ask_the_model_again",
                help="These settings decide what is asked, so changing them takes as long as the first time.",
            )


def _split_words(strata: tuple[str, ...] | None, schema: Schema) -> str:
    titles = [schema[name].title for name in strata or ()]
    evenly = f", evenly by {safe(' and '.join(titles))}" if titles else ""
    return f"Refused people are split{evenly} into those rules are chosen on and those they are checked on."


def _candidate_fields(settings: Settings) -> None:
    held = begin("ask_support", round(100 * settings.support, 4))
    low, high = EDGES["support"]
    st.number_input(
        "Smallest share of people considered (%)",
        100 * low,
        100 * high,
        key="ask_support",
        step=0.5,
        format="%g",
        help=HELP["support"],
        **held,
    )
    for name, label in (
        ("max_changes", "Most changes in a rule"),
        ("condition_width", "Most conditions in the inner “If”"),
        ("subgroup_width", "Most conditions in the outer “If”"),
    ):
        held = begin(f"ask_{name}", getattr(settings, name))
        st.slider(label, *EDGES[name], key=f"ask_{name}", help=HELP[name], **held)
    _whole_number("min_people", "Fewest people of a rule", settings)


def _people_fields(settings: Settings) -> None:
    held = begin("ask_holdout", round(100 * settings.holdout))
    label = "Refused people kept aside to check on (%)"
    st.slider(label, 0, 90, key="ask_holdout", step=5, help=HELP["holdout"], **held)
    chosen = begin("ask_selection", settings.selection)
    st.radio(
        "Choose rules",
        SELECTIONS,
        SELECTIONS.index(chosen.get("value", SELECTIONS[0])),
        format_func=lambda name: SELECTION_WORDS[name],
        key="ask_selection",
        help=HELP["selection"],
    )
    _whole_number("seed", "Number that starts every random choice", settings)


def _whole_number(name: str, label: str, settings: Settings) -> None:
    held = begin(f"ask_{name}", getattr(settings, name))
    st.number_input(label, *EDGES[name], key=f"ask_{name}", step=1, help=HELP[name], **held)


def _ask_again(session: Session) -> None:
    given = st.session_state
    names = ("max_changes", "condition_width", "subgroup_width", "min_people", "selection", "seed")
    settings = replace(
        session.view.settings,
        support=round(given["ask_support"] / 100, 8),
        holdout=given["ask_holdout"] / 100,
        **{name: given[f"ask_{name}"] for name in names},
    )
    session.set_view(settings=settings, strata=session.view.interest, size=None)
    evaluated = session.state.evaluated
    assert evaluated is not None
    session.stopped.discard(Evaluate(evaluated))
