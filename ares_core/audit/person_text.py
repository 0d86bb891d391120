"""One person's recourse in words."""

from __future__ import annotations

from ares_core.audit.person import PersonRecourse
from ares_core.audit.words import conjunction_text, cost_text, move_text, rule_text, wrapped
from ares_core.people import Schema
from ares_core.wording import counted

NO_RULE = "No rule of the summary applies to this person."
RULE_WORKS, RULE_FAILS = "It works for this person.", "It does not work for this person."


def person_text(schema: Schema, answer: PersonRecourse) -> str:
    """Say what one person can do."""
    who = f"Row {answer.line} of the file (its first line is row 1; --row {answer.row} on the command line)"
    if answer.accepted:
        return f"{who}: the model accepts this person.\nThere is nothing to change.\n"
    parts = [
        f"{who}: the model refuses this person.",
        _rule(schema, answer),
        _cheapest(schema, answer),
    ]
    return "".join(f"{wrapped(part)}\n" for part in parts)


def _rule(schema: Schema, answer: PersonRecourse) -> str:
    if answer.rule is None:
        return NO_RULE
    works = RULE_WORKS if answer.rule_works else RULE_FAILS
    group = conjunction_text(schema, answer.rule.subgroup)
    return f"The summary's rule where {group}: {rule_text(schema, answer.rule)} {works}"


def _cheapest(schema: Schema, answer: PersonRecourse) -> str:
    move = answer.cheapest
    if move is None:
        return no_move_text(answer)
    return f"The cheapest move that works, at cost {cost_text(move.cost)}: {move_text(schema, move.changes)}."


def no_move_text(answer: PersonRecourse) -> str:
    """Say how sure it is that nothing helps a person."""
    tried = counted(answer.tried, "move")
    if not answer.tried:
        return "No move is allowed to this person."
    if answer.gave_up:
        return (
            f"None of the {tried} tried, the cheapest first, makes the model accept them; dearer ones were not tried."
        )
    return f"Of {tried} allowed to this person none makes the model accept them."
