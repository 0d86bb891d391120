"""Costing: what a visitor does on the Costs page, each a change of the set-up, called by widgets before a page runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ares_core.costs import Comparison, beyond, parse_comparisons, parse_costs
from ares_core.wording import counted
from ares_core.worker import LearnCosts
from ui.comparing import strangers
from ui.session import Session
from ui.shared import store
from ui.shelf import Setup


def say(session: Session, number: int, pair: tuple[str, str], words: str) -> None:
    """Add an answer to question `number`; a second click on a question that was answered adds nothing."""
    setup = _setup(session)
    if number == len(setup.comparisons):
        _change(session, comparisons=(*setup.comparisons, Comparison.from_words(*pair, words)))


def undo(session: Session) -> None:
    """Take the last answer back."""
    _change(session, comparisons=_setup(session).comparisons[:-1])


def remove(session: Session, place: int) -> None:
    """Take one answer back."""
    given = _setup(session).comparisons
    _change(session, comparisons=given[:place] + given[place + 1 :])


def remove_all(session: Session) -> None:
    """Take every answer back."""
    _change(session, comparisons=())


def remove_strangers(session: Session) -> None:
    """Take back the answers about what is not a feature any more."""
    _change(session, comparisons=_known(session))


def keep_set(session: Session, name: str) -> None:
    """Keep the costs that count now under a name, as its next version."""
    session.own()
    kept = store().cost_sets.keep(_setup(session).audit, name, session.costs())
    session.told.append(f"Kept as {kept.title}.")


def use_set(session: Session, cost_set: str) -> None:
    """Let kept costs count in place of answers; an empty id lets answers count again."""
    _change(session, cost_set=cost_set)


def use_study(session: Session, study: str) -> None:
    """Let the experts of a study decide the costs, as they answer; an empty id lets this visitor's answers count."""
    _change(session, study=study)


def enter(session: Session, feature: str, cost: float) -> None:
    """Enter a cost directly, in place of a learned one."""
    _change(session, direct=tuple({**dict(_setup(session).direct), feature: cost}.items()))


def forget(session: Session, feature: str) -> None:
    """Let the cost of a feature be learned again."""
    _change(session, direct=tuple(pair for pair in _setup(session).direct if pair[0] != feature))


def import_answers(session: Session, content: bytes, name: str) -> None:
    """Add the answers of a file that are not among those given here.

    Raises
    ------
    CostError
        If the file or an answer in it cannot be used; then nothing is added.
    """
    found = parse_comparisons(content, name)
    # Those of the file first, since an error counts them.
    session.errands.ask(LearnCosts(session.schema().names, (*found, *_known(session)))).result()
    given = _setup(session).comparisons
    new = beyond(found, given)
    _change(session, comparisons=(*given, *new))
    session.told.append(added_words(len(new), len(found), name))


def added_words(new: int, found: int, name: str) -> str:
    """Say how many answers of a file were added; the others were there already."""
    there = f" {counted(found - new, 'answer')} of it {'was' if found - new == 1 else 'were'} here already."
    return f"{counted(new, 'answer')} of '{name}' added.{there if new < found else ''}"


def import_costs(session: Session, content: bytes, name: str) -> None:
    """Enter the costs of a file directly.

    Raises
    ------
    CostError
        If the file cannot be used; then nothing is entered.
    """
    read = parse_costs(content, name, session.schema().names)
    found = {feature: entry.cost for feature, entry in read.items() if entry.source == "direct"}
    _change(session, direct=tuple({**dict(_setup(session).direct), **found}.items()))
    session.told.append(f"{counted(len(found), 'cost')} of '{name}' entered.")


def _known(session: Session) -> tuple[Comparison, ...]:
    given = _setup(session).comparisons
    lost = set(strangers(given, session.schema()))
    return tuple(one for place, one in enumerate(given) if place not in lost)


def _setup(session: Session) -> Setup:
    assert session.state.setup is not None, "the page opens with need(session, Step.DATA)"
    return session.state.setup


def _change(session: Session, **fields: Any) -> None:
    session.set_setup(replace(_setup(session), **fields))
