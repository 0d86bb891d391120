"""Studies: experts who compare features, and their answers, which are only ever added."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, func, select, update

from ares_core.errors import StoreError
from ares_core.store.answers import Given, add, add_all, given_of, standing
from ares_core.store.documents import insert_once, new_token, now
from ares_core.store.tables import answers, experts, studies
from ares_core.store.writer import Writer

GONE = "Ask for a new link."


@dataclass(frozen=True, slots=True)
class Item:
    """What experts compare: a feature, in words they understand.

    `step` says the change concretely, `share` how many people are where it leads.
    """

    name: str
    title: str
    step: str = ""
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """Experts compare these features."""

    id: str
    audit: str | None
    title: str
    items: tuple[Item, ...]
    revealed: bool
    closed: bool


@dataclass(frozen=True, slots=True)
class Expert:
    """Somebody who was invited; `token` is their link's secret."""

    id: str
    study: str
    token: str
    name: str
    weight: float
    revoked: bool


class Studies:
    """Keeps studies, experts and answers.

    Parameters
    ----------
    engine
        To read with.
    writer
        To write with.
    """

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine, self._writer = engine, writer

    def create(self, title: str, items: Sequence[Item], audit: str | None = None) -> Study:
        """Begin a study.

        Raises
        ------
        StoreError
            If there are fewer than two features to compare.
        """
        if len(items) < 2:
            raise StoreError("A study needs at least two features to compare.", "Let more features change.")
        study = Study(new_token(), audit, title, tuple(items), False, False)
        written = json.dumps([[item.name, item.title, item.step, item.share] for item in items], ensure_ascii=False)
        row = {
            "id": study.id,
            "audit": audit,
            "title": title,
            "items": written,
            "revealed": False,
            "closed": False,
            "created": now(),
        }
        self._writer.write(lambda connection: insert_once(connection, studies, row))
        return study

    def by_id(self, study: str) -> Study | None:
        """Return a study."""
        with self._engine.connect() as connection:
            row = connection.execute(select(studies).where(studies.c.id == study)).one_or_none()
        return None if row is None else _study(row)

    def of_audit(self, audit: str) -> tuple[Study, ...]:
        """Return an audit's studies, oldest first."""
        with self._engine.connect() as connection:
            rows = connection.execute(
                select(studies).where(studies.c.audit == audit).order_by(studies.c.created, studies.c.id)
            ).all()
        return tuple(map(_study, rows))

    def set(self, study: str, **changes: bool) -> None:
        """Reveal or close a study, or undo that."""
        self._writer.write(
            lambda connection: (
                connection.execute(update(studies).where(studies.c.id == study).values(**changes)).rowcount
            )
        )

    def invite(self, study: str, name: str) -> Expert:
        """Invite an expert: make them a link nobody can guess."""
        expert = new_expert(study, name)
        self._writer.write(lambda connection: insert_once(connection, experts, _row(expert)))
        return expert

    def invited(self, token: str) -> tuple[Expert, Study]:
        """Return the expert of an invitation and their study.

        Raises
        ------
        StoreError
            If there is no such invitation, or it was taken back.
        """
        with self._engine.connect() as connection:
            row = connection.execute(select(experts).where(experts.c.token == token)).one_or_none()
        if row is None:
            raise StoreError("This invitation is not known here.", GONE)
        expert = _expert(row)
        if expert.revoked:
            raise StoreError("This invitation was taken back.", GONE)
        study = self.by_id(expert.study)
        assert study is not None  # an expert goes with their study
        return expert, study

    def experts(self, study: str) -> tuple[Expert, ...]:
        """Return everybody invited to a study, in the order they were."""
        with self._engine.connect() as connection:
            rows = connection.execute(
                select(experts).where(experts.c.study == study).order_by(experts.c.created, experts.c.id)
            ).all()
        return tuple(map(_expert, rows))

    def change_expert(self, expert: str, **changes: Any) -> None:
        """Change an expert's name or weight, or take their invitation back."""
        self._writer.write(
            lambda connection: (
                connection.execute(update(experts).where(experts.c.id == expert).values(**changes)).rowcount
            )
        )

    def save(self, given: Given) -> Given:
        """Add an answer; returns only when it is durable. The same answer again changes nothing.

        Raises
        ------
        StoreError
            If the expert may not answer any more, or another answer has this id.
        """
        return self._writer.write(lambda connection: add(connection, given))

    def bring(self, newcomers: Sequence[Expert], given: Sequence[Given]) -> None:
        """Invite experts and add many answers in one go, all or none; what is there already changes nothing.

        Raises
        ------
        StoreError
            If one of the experts may not answer any more.
        """

        def work(connection: Connection) -> None:
            for expert in newcomers:
                insert_once(connection, experts, _row(expert))
            add_all(connection, given)

        self._writer.write(work)

    def standing(self, study: str, *, expert: str | None = None) -> tuple[Given, ...]:
        """Return the answers that stand: neither superseded nor withdrawn, in the order they came."""
        return standing(self.history(study, expert=expert))

    def history(self, study: str, *, expert: str | None = None) -> tuple[Given, ...]:
        """Return every answer ever given, in the order they came."""
        wanted = select(answers).where(answers.c.study == study)
        mine = wanted if expert is None else wanted.where(answers.c.expert == expert)
        with self._engine.connect() as connection:
            rows = connection.execute(mine.order_by(answers.c.number)).all()
        return tuple(map(given_of, rows))

    def newest(self, study: str) -> int:
        """Return the number of the newest answer, to see whether anything came in."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.max(answers.c.number)).where(answers.c.study == study)) or 0


def new_expert(study: str, name: str) -> Expert:
    """Return an expert with a link nobody can guess, not yet stored."""
    return Expert(new_token(), study, new_token(), name.strip(), 1.0, False)


def _row(expert: Expert) -> dict[str, Any]:
    return {**asdict(expert), "created": now()}


def _study(row: Row[Any]) -> Study:
    items = tuple(Item(*entry) for entry in json.loads(row.items))
    return Study(row.id, row.audit, row.title, items, row.revealed, row.closed)


def _expert(row: Row[Any]) -> Expert:
    return Expert(row.id, row.study, row.token, row.name, row.weight, row.revoked)
