"""Answers: what experts said, only ever added to; a later one may take the place of an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from ares_core.costs import Answer, Comparison
from ares_core.errors import StoreError
from ares_core.store.documents import now
from ares_core.store.tables import answers, experts, studies

WITHDRAWN = "withdrawn"
VERDICTS = (*map(str, Answer), "skipped", WITHDRAWN)
REFUSED = ("No more answers are taken: the invitation was taken back or the study is closed.", "Ask for a new link.")
SAID = ("first", "second", "verdict", "reason", "supersedes", "left")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer as it was given.

    Parameters
    ----------
    id
        Made by whoever answers, so that sending it twice stores it once.
    first, second
        Two features; with the verdict "harder" the first is the harder one.
    supersedes
        The id of the answer this one takes the place of.
    left
        The feature that was shown on the left; empty if nobody knows, as in a file.
    """

    id: str
    expert: str
    first: str
    second: str
    verdict: str
    reason: str = ""
    supersedes: str | None = None
    left: str = ""
    at: str = ""
    number: int = 0

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise StoreError(
                f"{self.verdict!r} is not an answer to a comparison.", f"Use one of: {', '.join(VERDICTS)}."
            )

    @property
    def comparison(self) -> Comparison | None:
        """The answer as costs are learned from it; None for a pair that was skipped."""
        if self.verdict not in list(Answer):
            return None
        return Comparison(self.first, self.second, Answer(self.verdict), self.expert, self.reason)


def given_of(row: Row[Any]) -> Given:
    """Read an answer from its row."""
    said = {name: getattr(row, name) for name in SAID}
    return Given(id=row.id, expert=row.expert, at=row.at, number=row.number, **said)


def standing(history: Iterable[Given]) -> tuple[Given, ...]:
    """Return the answers that stand: the last of each chain, unless it withdraws; in the order they came.

    An answer and all that supersede it, at whatever remove, are a chain, also when two windows changed the same one.
    Experts supersede only what they said themselves.
    """
    begun: dict[tuple[str, str | None], str] = {}
    last: dict[tuple[str, str], Given] = {}
    for given in history:
        begin = begun.get((given.expert, given.supersedes), given.id)
        begun[given.expert, given.id] = begin
        last[given.expert, begin] = given
    kept = (given for given in last.values() if given.verdict != WITHDRAWN)
    return tuple(sorted(kept, key=lambda given: given.number))


def _new() -> Select[Any]:
    """Return the row to add: none if the expert may not answer any more."""
    said = [bindparam(f"new_{name}", type_=answers.c[name].type) for name in ("id", *SAID, "at")]
    return (
        select(experts.c.study, experts.c.id, *said)
        .join(studies, studies.c.id == experts.c.study)
        .where(experts.c.id == bindparam("new_expert"), ~experts.c.revoked, ~studies.c.closed)
    )


# One statement, made once: it looks up the expert, adds the answer unless it is there, and says its number.
ADD = {
    name: insert(answers)
    .from_select(["study", "expert", "id", *SAID, "at"], _new())
    .on_conflict_do_nothing()
    .returning(answers.c.number)
    for name, insert in (("sqlite", insert_sqlite), ("postgresql", insert_postgresql))
}
MANY = {
    name: insert(answers).from_select(["study", "expert", "id", *SAID, "at"], _new()).on_conflict_do_nothing()
    for name, insert in (("sqlite", insert_sqlite), ("postgresql", insert_postgresql))
}
LOOK = select(answers).where(answers.c.id == bindparam("known"))


def add(connection: Connection, given: Given) -> Given:
    """Add an answer and return it as it is stored; the same answer again changes nothing.

    Raises
    ------
    StoreError
        If the expert may not answer any more, or another answer has this id.
    """
    at = given.at or now()
    number = connection.scalar(ADD[connection.dialect.name], _values(given, at))
    if number is not None:
        return replace(given, number=number, at=at)
    row = connection.execute(LOOK, {"known": given.id}).one_or_none()
    if row is None:
        raise StoreError(*REFUSED)
    stored = given_of(row)
    if replace(given, at=stored.at, number=stored.number) != stored:
        raise StoreError("Another answer has this id.", "Answer again.")
    return stored


def add_all(connection: Connection, given: Sequence[Given]) -> None:
    """Add many answers of different ids at once, all or none; those that are there already change nothing.

    Raises
    ------
    StoreError
        If one of the experts may not answer any more.
    """
    if not given:
        return
    at = now()
    connection.execute(MANY[connection.dialect.name], [_values(one, one.at or at) for one in given])
    there = select(func.count()).where(answers.c.id.in_([one.id for one in given]))
    if connection.scalar(there) != len(given):
        raise StoreError(*REFUSED)


def _values(given: Given, at: str) -> dict[str, str | None]:
    return {f"new_{name}": getattr(given, name) for name in ("id", "expert", *SAID)} | {"new_at": at}
