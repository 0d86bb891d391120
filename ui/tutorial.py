"""The tutorial: recourse in two minutes, with one rule taken apart."""

from __future__ import annotations

from functools import cache

import streamlit as st
from markupsafe import Markup

from ares_core.audit.intervals import Share
from ares_core.audit.words import conjunction_text, share_text
from ares_core.datasets import load_german
from ares_core.people import Conjunction, Predicate
from ares_core.recourse import RecourseRule
from ui.cards.meter import meter
from ui.cards.rules import sentence_markup
from ui.html import joined, show, tag

WORKS = Share(41, 50)
FEW = Share(4, 5)


def show_tutorial() -> None:
    """Offer the tutorial, closed."""
    with st.expander("New to recourse? Two minutes with an example"):
        show(tutorial())


@cache
def tutorial() -> Markup:
    """Return the steps of the tutorial."""
    steps = [
        (
            "A no, and a way to a yes",
            "A bank's model refuses Ana's loan. Recourse is what she could change so that the same model says yes: "
            "save more, perhaps, or borrow for a shorter time. Her age is nothing she can change, so no advice will "
            "ever ask for that.",
            Markup(""),
        ),
        (
            "From one person to a rule",
            "Advice for one person says little about the model. A rule gives the same advice to everybody in the "
            "same place, so that you can read it, doubt it and discuss it:",
            example_rule(),
        ),
        (
            "How often it works",
            "Rules are chosen on one half of the people refused and measured on the other half. This one works for "
            f"{share_text(WORKS)}. The interval is the range that chance leaves open. With 5 people instead of 50, "
            f"{share_text(FEW)} would say much less.",
            Markup(""),
        ),
        (
            "What it asks of people",
            "Saving is harder than choosing a shorter loan, or so your experts may say. They compare changes two at "
            "a time; each change gets a cost from their answers, and cheap rules are preferred.",
            Markup(""),
        ),
        (
            "What to look for",
            "Put the groups side by side. Does one group need two changes where another needs one? Do the rules help "
            "fewer of them, or nobody? That is a finding to take to the people who built the model. Whether it is "
            "fair is for you to judge, and what a change brings in real life no model knows.",
            Markup(""),
        ),
    ]
    return tag("ol", *(_step(*step) for step in steps), css="tutorial")


def _step(title: str, words: str, picture: Markup) -> Markup:
    return tag("li", tag("strong", title), tag("p", words), picture)


def example_rule() -> Markup:
    """Return one rule with its parts named, in the words of the German Credit demonstration."""
    schema = load_german().schema

    def at(*places: tuple[str, int]) -> Conjunction:
        return Conjunction(tuple(Predicate(name, schema[name].levels[level]) for name, level in places))

    now, then = at(("duration", 4), ("savings", 1)), at(("duration", 4), ("savings", 3))
    rule = RecourseRule(at(("age", 1)), now, then)
    keys = [
        ("Outer if", "the group the rule is for"),
        ("Inner if", "where these people stand today"),
        ("Then", "where they would have to get; what changes has an arrow and is underlined"),
    ]
    legend = joined(tag("div", tag("dt", name), tag("dd", words)) for name, words in keys)
    return tag(
        "div",
        tag("p", tag("b", "If "), conjunction_text(schema, rule.subgroup), ":"),
        tag("div", sentence_markup(schema, rule), tag("p", f"Works for {share_text(WORKS)}."), meter(WORKS)),
        tag("dl", legend),
        css="tutorial-rule",
    )
