"""Cost sets: costs under a name, each time they are kept a new version, so that a run can say which it used."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Row, func, insert, select

from ares_core.costs import Costs
from ares_core.errors import StoreError
from ares_core.store.documents import new_token, now
from ares_core.store.tables import cost_sets
from ares_core.store.writer import Writer

LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class CostSet:
    """Costs as they were when somebody kept them."""

    id: str
    audit: str
    name: str
    version: int
    costs: Costs
    created: str

    @property
    def title(self) -> str:
        """Name and version, as people say it."""
        return f"{self.name}, version {self.version}"


class CostSets:
    """Keeps cost sets.

    Parameters
    ----------
    engine
        To read with.
    writer
        To write with.
    """

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine, self._writer = engine, writer

    def keep(self, audit: str, name: str, costs: Costs) -> CostSet:
        """Keep costs as the next version of a name; the same costs again are the version they are.

        Raises
        ------
        StoreError
            If the name is empty or too long.
        """
        named = " ".join(name.split())
        if not 0 < len(named) <= LONGEST_NAME:
            raise StoreError(
                f"The name of a cost set has {len(named)} characters, not 1 to {LONGEST_NAME}.", "Give it a short name."
            )
        body = json.dumps(costs.to_json(), sort_keys=True, ensure_ascii=False)
        return self._writer.write(lambda connection: _keep(connection, audit, named, body))

    def of_audit(self, audit: str) -> tuple[CostSet, ...]:
        """Return an audit's cost sets, the newest first."""
        wanted = select(cost_sets).where(cost_sets.c.audit == audit)
        with self._engine.connect() as connection:
            rows = connection.execute(wanted.order_by(cost_sets.c.created.desc(), cost_sets.c.version.desc())).all()
        return tuple(map(_cost_set, rows))

    def read(self, cost_set: str) -> CostSet | None:
        """Return a cost set by its id."""
        with self._engine.connect() as connection:
            row = connection.execute(select(cost_sets).where(cost_sets.c.id == cost_set)).one_or_none()
        return None if row is None else _cost_set(row)


def _keep(connection: Connection, audit: str, name: str, body: str) -> CostSet:
    own = (cost_sets.c.audit == audit, cost_sets.c.name == name)
    newest = connection.scalar(select(func.max(cost_sets.c.version)).where(*own)) or 0
    latest = connection.execute(select(cost_sets).where(*own, cost_sets.c.version == newest)).one_or_none()
    if latest is not None and latest.body == body:
        return _cost_set(latest)
    row = {
        "id": new_token(),
        "audit": audit,
        "name": name,
        "version": newest + 1,
        "body": body,
        "created": now(),
    }
    connection.execute(insert(cost_sets).values(**row))
    return _cost_set(connection.execute(select(cost_sets).where(cost_sets.c.id == row["id"])).one())


def _cost_set(row: Row[tuple[object, ...]]) -> CostSet:
    costs = Costs.from_json(json.loads(row.body))
    return CostSet(row.id, row.audit, row.name, row.version, costs, row.created)
