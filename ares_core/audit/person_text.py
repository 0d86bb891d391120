"""One person's recourse in words."""

from __future__ import annotations

from ares_core.audit.person import PersonRecourse
from ares_core.audit.words import conjunction_text, cost_text, counted, move_text, rule_text, wrapped
from ares_core.people import Schema


def person_text(schema: Schema, answer: PersonRecourse) -> str:
    """Say what one person can do."""
    who = f"Row {answer.row}, counted from 0"
    if answer.accepted:
        return f"{who}: the model accepts this person; there is nothing to change.\n"
    parts = [
        f"{who}: the model refuses this person.",
        _rule(schema, answer),
        _cheapest(schema, answer),
    ]
    return "".join(f"{wrapped(part)}\n" for part in parts)


def _rule(schema: Schema, answer: PersonRecourse) -> str:
    if answer.rule is None:
        return "No rule of the summary applies to this person."
    works = "It works for this person." if answer.rule_works else "It does not work for this person."
    group = conjunction_text(schema, answer.rule.subgroup)
    return f"The summary's rule where {group}: {rule_text(schema, answer.rule)} {works}"


def _cheapest(schema: Schema, answer: PersonRecourse) -> str:
    move, tried = answer.cheapest, counted(answer.tried, "move")
    if move is not None:
        return f"The cheapest move that works, at cost {cost_text(move.cost)}: {move_text(schema, move.changes)}."
    if not answer.tried:
        return "No move is allowed to this person."
    if answer.gave_up:
        return (
            f"None of the {tried} tried, the cheapest first, makes the model accept them; dearer ones were not tried."
        )
    return f"Of {tried} allowed to this person none makes the model accept them."
