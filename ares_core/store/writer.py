"""The writer: one thread that writes for everybody, many writes to a commit.

Fifty visitors with a connection each wait for each other's locks for seconds; one writer that takes whatever has come
in since its last commit makes thousands of durable writes a second, in the order they came.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ares_core.errors import StoreError
from ares_core.store.engine import reason

T = TypeVar("T")
Work = Callable[[Connection], T]
Order = tuple[Work[Any], "Future[Any]"]
MOST_TOGETHER = 500
MOST_WAITING = 10_000
# A batch is tried again after these seconds: every write can be repeated without harm, and a server may be restarting.
PAUSES = (0.0, 0.0, 0.2, 1.0)


class Writer:
    """Runs pieces of work, each all or nothing, and says they are done only when they are on disk.

    Parameters
    ----------
    engine
        One made to write.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._orders: queue.Queue[Order | None] = queue.Queue(MOST_WAITING)
        self._gate, self._closed = threading.Lock(), False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, work: Work[T]) -> T:
        """Do a piece of work and return what it returned, once it is durable.

        Raises
        ------
        StoreError
            If it could not be written; then nothing of it was.
        """
        return self.submit(work).result()

    def submit(self, work: Work[T]) -> Future[T]:
        """Queue a piece of work, which must be harmless to repeat."""
        future: Future[T] = Future()
        with self._gate:
            try:
                if self._closed:
                    raise StoreError("The store is closed.", "Open it again.")
                self._orders.put_nowait((work, future))
            except queue.Full:
                future.set_exception(StoreError("The store is too busy to take more.", "Try again in a moment."))
            except StoreError as error:
                future.set_exception(error)
        return future

    def close(self) -> None:
        """Finish what is queued, and stop."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._orders.put(None)  # the last: whatever comes after is refused
        self._thread.join()

    def _run(self) -> None:
        while (first := self._orders.get()) is not None:
            together, last = self._gather(first)
            self._settle(together)
            if last:
                return

    def _gather(self, first: Order) -> tuple[list[Order], bool]:
        """Take what else is waiting; also say whether the end was among it."""
        together = [first]
        while len(together) < MOST_TOGETHER:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                break
            if order is None:
                return together, True
            together.append(order)
        return together, False

    def _settle(self, together: list[Order]) -> None:
        """Write a batch and tell everybody who still wants to know."""
        wanted = [order for order in together if order[1].set_running_or_notify_cancel()]
        for (_, future), outcome in zip(wanted, self._outcomes(wanted), strict=True):
            if isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _outcomes(self, together: list[Order]) -> list[Any]:
        """Commit a batch, first in one go; if that fails, again with each piece of work apart."""
        problems: list[Exception] = []
        for attempt, pause in enumerate(PAUSES):
            time.sleep(pause)
            try:
                return self._commit(together, apart=attempt > 0)
            except Exception as error:
                problems.append(error)
        return [_unwritten(problems[0])] * len(together)  # the first says why; later ones may only follow from it

    def _commit(self, together: list[Order], *, apart: bool) -> list[Any]:
        with self._engine.begin() as connection:
            done = _one_apart if apart else _one
            return [done(connection, work) for work, _ in together]


def _one(connection: Connection, work: Work[Any]) -> Any:
    return work(connection)


def _one_apart(connection: Connection, work: Work[Any]) -> Any:
    """Return what a piece of work returned or why it failed, undoing it then without undoing any other."""
    try:
        with connection.begin_nested():
            return work(connection)
    except Exception as error:
        if not _goes_on(connection):
            raise
        return _unwritten(error) if isinstance(error, SQLAlchemyError) else error


def _goes_on(connection: Connection) -> bool:
    """Say whether the batch can still be committed.

    A full disk makes SQLite undo the whole transaction; its driver would then commit nothing without a word.
    """
    if connection.invalidated:
        return False
    return connection.dialect.name != "sqlite" or bool(connection.connection.in_transaction)


def _unwritten(error: Exception) -> StoreError:
    found = StoreError(f"The store could not write: {reason(error)}.", "It may not be saved; try again.")
    found.__cause__ = error
    return found
