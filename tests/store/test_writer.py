"""The writer: many writes to a commit, each all or nothing, none acknowledged before it is durable."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future

import pytest
from sqlalchemy import Connection, Engine, event, func, insert, select, text

from ares_core.errors import StoreError
from ares_core.store import writer as module
from ares_core.store.engine import connect, upgrade
from ares_core.store.tables import audits, files
from ares_core.store.writer import Work, Writer
from tests.patience import PATIENCE


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """Return an engine that writes, on an empty store."""
    engine = connect(url, writes=True)
    upgrade(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def writer(engine: Engine) -> Iterator[Writer]:
    """Return a writer on it."""
    writer = Writer(engine)
    yield writer
    writer.close()


def adding(name: str) -> Work[str]:
    """Return work that adds an audit."""

    def work(connection: Connection) -> str:
        connection.execute(insert(audits).values(id=name, name=name, created=""))
        return name

    return work


def names(url: str) -> list[str]:
    """Return the audits that another connection sees."""
    engine = connect(url, writes=False)
    with engine.connect() as connection:
        found = list(connection.scalars(select(audits.c.id).order_by(audits.c.id)))
    engine.dispose()
    return found


def batch(writer: Writer, works: list[Work[object]]) -> list[Future[object]]:
    """Queue several pieces of work so that they are committed together."""
    held, free = threading.Event(), threading.Event()

    def hold(_connection: Connection) -> None:
        held.set()
        assert free.wait(PATIENCE)

    first = writer.submit(hold)
    assert held.wait(PATIENCE)
    futures = [writer.submit(work) for work in works]
    free.set()
    first.result(30)
    return futures


def test_what_waits_together_is_one_commit(writer: Writer, engine: Engine, url: str) -> None:
    """Fifty writes that wait at the same time cost one commit, not fifty."""
    commits: list[object] = []
    event.listen(engine, "commit", commits.append)
    done = batch(writer, [adding(f"{number:02}") for number in range(50)])
    assert [future.result(30) for future in done] == [f"{number:02}" for number in range(50)]
    assert len(commits) == 2  # the one that held up the others, and theirs
    assert len(names(url)) == 50


def test_one_that_fails_takes_no_other_with_it(writer: Writer, url: str) -> None:
    """In one batch each failure reaches its own caller, and everything else is written."""

    def wrong(connection: Connection) -> None:
        adding("half")(connection)
        raise StoreError("This one is refused.", "Do not.")

    def broken(connection: Connection) -> None:
        connection.execute(text("SELECT * FROM no_such_table"))

    def buggy(_connection: Connection) -> None:
        raise ZeroDivisionError

    works: list[Work[object]] = [adding("a"), wrong, adding("b"), broken, adding("a"), buggy, adding("c")]
    a, refused, b, told, twice, bug, c = batch(writer, works)
    assert [future.result(30) for future in (a, b, c)] == ["a", "b", "c"]
    with pytest.raises(StoreError, match="refused"):
        refused.result(30)
    for future in (told, twice):
        with pytest.raises(StoreError, match="could not write"):
            future.result(30)
    with pytest.raises(ZeroDivisionError):
        bug.result(30)
    assert names(url) == ["a", "b", "c"]


def test_nothing_is_acknowledged_before_the_commit(writer: Writer, engine: Engine, url: str) -> None:
    """While the commit is held up, the work has run, nobody else sees it, and its caller still waits."""
    reached, free = threading.Event(), threading.Event()

    def hold(_connection: Connection) -> None:
        reached.set()
        assert free.wait(PATIENCE)

    event.listen(engine, "commit", hold)
    future = writer.submit(adding("a"))
    assert reached.wait(PATIENCE)
    assert not future.done()
    assert names(url) == []
    free.set()
    assert future.result(30) == "a"
    assert names(url) == ["a"]


def test_a_commit_that_fails_is_acknowledged_to_nobody(
    writer: Writer, engine: Engine, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the batch cannot be committed, all its callers are told, and the writer goes on with the next."""
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))
    failing = [True]

    def fail(_connection: Connection) -> None:
        if failing[0]:
            raise OSError("the disk is gone")

    event.listen(engine, "commit", fail)
    for future in [writer.submit(adding(name)) for name in "ab"]:
        with pytest.raises(StoreError, match="the disk is gone"):
            future.result(30)
    failing[0] = False
    assert names(url) == []
    assert writer.write(adding("c")) == "c"


def test_a_lost_connection_is_made_anew(writer: Writer, engine: Engine, url: str) -> None:
    """A batch whose connection breaks in the middle is written by the next try, once."""
    broken: list[bool] = []

    def breaking(connection: Connection) -> str:
        if not broken:
            broken.append(True)
            connection.invalidate()
        return adding("b")(connection)

    done = batch(writer, [adding("a"), breaking, adding("c")])
    assert [future.result(30) for future in done] == ["a", "b", "c"]
    assert names(url) == ["a", "b", "c"]


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_full_disk_is_never_acknowledged(
    writer: Writer, engine: Engine, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite may undo the whole transaction then; whoever hears "saved" is nevertheless stored, and nobody else."""
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))

    def shrink(connection: Connection) -> None:
        pages = connection.scalar(text("PRAGMA page_count"))
        connection.execute(text(f"PRAGMA max_page_count={pages + 3}"))

    def large(connection: Connection) -> None:
        connection.execute(insert(files).values(sha256="x", content=b"x" * 1_000_000))

    writer.write(shrink)
    futures = batch(writer, [adding("a"), large, adding("b")])
    with pytest.raises(StoreError, match="full"):
        futures[1].result(30)
    heard = [name for name, future in zip("ab", (futures[0], futures[2]), strict=True) if not future.exception(30)]
    assert names(url) == heard


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_transaction_undone_by_the_database_is_no_success(
    writer: Writer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the database ends the transaction behind the driver's back, nobody of that batch hears "saved"."""
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))

    def undo(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute("ROLLBACK")
        raise OSError("undone")

    for future in batch(writer, [adding("a"), undo, adding("b")]):
        with pytest.raises(StoreError):
            future.result(30)
    assert names(url) == []


def test_a_future_nobody_wants_any_more_is_left_out(writer: Writer, url: str) -> None:
    """Work that was cancelled while it waited is not done, and the writer lives on."""
    held, free = threading.Event(), threading.Event()

    def hold(_connection: Connection) -> None:
        held.set()
        assert free.wait(PATIENCE)

    writer.submit(hold)
    assert held.wait(PATIENCE)
    future = writer.submit(adding("a"))
    assert future.cancel()
    free.set()
    assert writer.write(adding("b")) == "b"
    with pytest.raises(CancelledError):
        future.result(30)
    assert names(url) == ["b"]


def test_closing_finishes_what_is_queued_and_refuses_more(writer: Writer, url: str) -> None:
    """Nobody waits for ever: queued work is done, later work is refused, closing twice is harmless."""
    done = batch(writer, [adding(name) for name in "abc"])
    writer.close()
    assert [future.result(0) for future in done] == ["a", "b", "c"]
    with pytest.raises(StoreError, match="closed"):
        writer.write(adding("d"))
    writer.close()
    assert names(url) == ["a", "b", "c"]


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_full_queue_is_told(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit a caller hears at once that the store is too busy."""
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    writer = Writer(engine)
    held, free = threading.Event(), threading.Event()

    def hold(_connection: Connection) -> None:
        held.set()
        assert free.wait(PATIENCE)

    writer.submit(hold)
    assert held.wait(PATIENCE)
    futures = [writer.submit(adding(name)) for name in "abc"]
    with pytest.raises(StoreError, match="too busy"):
        futures[2].result(0)
    free.set()
    assert [future.result(30) for future in futures[:2]] == ["a", "b"]
    writer.close()


def test_more_than_fits_one_commit_takes_several(
    writer: Writer, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch has an upper bound, so that the first of many does not wait for the last."""
    monkeypatch.setattr(module, "MOST_TOGETHER", 10)
    commits: list[object] = []
    event.listen(engine, "commit", commits.append)
    for future in batch(writer, [adding(str(number)) for number in range(25)]):
        future.result(30)
    assert len(commits) == 4
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(audits)) == 25
