"""Cards on one person: the model's answer, the rule that applies, and the cheapest move that works."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from ares_core.audit.person_text import NO_RULE, RULE_FAILS, RULE_WORKS, no_move_text
from ares_core.audit.words import conjunction_text, cost_text
from ares_core.people import Schema
from ares_core.wording import counted
from ares_core.worker import PersonView
from ui.applicant import moved, named
from ui.cards.rules import sentence_markup
from ui.html import tag

YES, NO = "✓", "✗"
PARTS = {
    "learn": "The rules were chosen on this person, among others, so a rule that works for them is no surprise.",
    "check": "No rule was chosen on this person, so whether a rule works for them is a fair test.",
}


def sign(good: bool, words: str, *, large: bool = False) -> Markup:
    """Say something good or bad with a sign, a border and words; never by colour alone."""
    mark = tag("span", YES if good else NO, css="person-mark", aria_hidden="true")
    css = f"person-sign {'person-yes' if good else 'person-no'}{' person-large' if large else ''}"
    return tag("p", mark, " ", tag("span", words), css=css)


def answer_sign(accepted: bool) -> Markup:
    """Say what the model answers about a person as they are."""
    return sign(
        accepted, "The model accepts this person." if accepted else "The model refuses this person.", large=True
    )


def person_cards(schema: Schema, person: PersonView, most: int) -> Markup:
    """Show the rule that applies and the cheapest move that works, side by side; `most` changes were tried at once."""
    return tag("div", _rule_card(schema, person), _cheapest_card(schema, person, most), css="person-cards")


def _rule_card(schema: Schema, person: PersonView) -> Markup:
    found = person.recourse
    title = tag("h3", "The rule that applies")
    if found.rule is None:
        return tag("section", title, tag("p", NO_RULE), css="person-card")
    whom = conjunction_text(schema, found.rule.subgroup) if len(found.rule.subgroup) else "anybody"
    outer = tag("p", f"For people with {whom}:", css="person-whom")
    works = sign(found.rule_works, RULE_WORKS if found.rule_works else RULE_FAILS)
    return tag("section", title, outer, sentence_markup(schema, found.rule), works, css="person-card")


def _cheapest_card(schema: Schema, person: PersonView, most: int) -> Markup:
    move, title = person.recourse.cheapest, tag("h3", "The cheapest move that works")
    if move is None:
        tried = tag("p", f"Moves of up to {counted(most, 'change')} were considered.")
        return tag("section", title, sign(False, no_move_text(person.recourse)), tried, css="person-card")
    size = tag("p", f"{counted(len(move.changes), 'change')}, cost {cost_text(move.cost)}.")
    return tag(
        "section",
        title,
        changes_list(moved(schema, named(schema, move.changes), dict(person.cells))),
        size,
        css="person-card",
    )


def changes_list(changes: Iterable[tuple[str, str, str]]) -> Markup:
    """List changes: what, from what, to what; the new one bold and underlined behind an arrow."""
    items = (
        tag("li", tag("span", f"{title}: ", css="person-what"), old, " → ", tag("strong", tag("u", new)))
        for title, old, new in changes
    )
    return tag("ul", *items, css="person-changes")
