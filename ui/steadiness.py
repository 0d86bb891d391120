"""Steadiness: whether the rules would be others if features cost what the answers leave open."""

from __future__ import annotations

from ares_core.audit.words import percent
from ares_core.worker import Evaluated, Stability, StabilityView, SummaryView, Wish
from ui.background import finished, later
from ui.session import Session

WAITING = "Working out whether the rules would change within what the answers leave open …"
ALL_STAY = "Within what the answers leave open, no recommendation changes."


def steadiness_question(session: Session, evaluated: Evaluated, wish: Wish) -> Stability | None:
    """Return the question for how often each rule stays, to be asked for later.

    None while no cost is learned, and for a kept set of costs, which has no answers to draw from.
    """
    if session.cost_set() is not None or not any(entry.source == "learned" for entry in wish.costs.values()):
        return None
    said = session.said()
    return Stability(evaluated, wish, said.answers, said.weights, said.direct)


def steadiness(session: Session, question: Stability | None, summary: SummaryView) -> StabilityView | None:
    """Return the answer, if it is there and speaks of the rules that are shown."""
    found = None if question is None else finished(later(session, question))
    return found if found is not None and found.rules == tuple(view.rule for view in summary.rules) else None


def waits(session: Session, question: Stability | None) -> bool:
    """Say whether the answer is still being worked out."""
    return question is not None and not later(session, question).done


def rule_words(found: StabilityView | None) -> tuple[str, ...]:
    """Say of each rule how often it stays."""
    if found is None:
        return ()
    return tuple(f"Stays in {percent(share)} of {found.draws:,} draws of the costs" for share in found.shares)


def page_words(found: StabilityView) -> str:
    """Say whether any rule would change."""
    if found.unchanged == 1:
        return ALL_STAY
    return (
        f"In {percent(round(1 - found.unchanged, 9))} of {found.draws:,} draws of the costs at least one rule changes."
    )
