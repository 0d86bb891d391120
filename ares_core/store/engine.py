"""Engines: how the store talks to its database, and brings it up to date."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from ares_core.errors import StoreError

DRIVERS = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
INSTALL = "python -m pip install 'psycopg[binary]'"
BUSY_SECONDS = 10.0
LOCK = 0x41526553  # any number will do that nobody else locks the same database with
OWNER_ONLY = 0o600  # the store holds what people told us in confidence
SQLITE_FILES = ("", "-wal", "-shm")  # what SQLite appends to the name of the database
HINT = "Write sqlite:///file.sqlite3, or postgresql://user:password@host/database."


def default_url() -> str:
    """Return where the store is kept: what ARES_STORE says, else a SQLite file in the working directory."""
    return os.environ.get("ARES_STORE") or "sqlite:///ares.sqlite3"


def connect(url: str, *, writes: bool) -> Engine:
    """Return an engine for a database.

    Parameters
    ----------
    url
        As SQLAlchemy writes it; `sqlite:///file.sqlite3` or `postgresql://…`.
    writes
        For the one that writes: its transactions take SQLite's lock at once, so that none fails in the middle.

    Raises
    ------
    StoreError
        If the address cannot be used, or the driver is not installed.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError("The address of the database cannot be read.", HINT) from error
    kind = parsed.get_backend_name()
    if kind not in DRIVERS or (kind == "sqlite" and not _is_file(parsed.database)):
        raise StoreError(f"A store cannot be kept in {kind!r} at this address.", HINT)
    try:
        engine = create_engine(parsed.set(drivername=DRIVERS[kind]), pool_pre_ping=kind != "sqlite", pool_size=10)
    except (ImportError, NoSuchModuleError) as error:
        raise StoreError(f"The driver for {kind} is not installed.", f"Run {INSTALL} first.") from error
    if kind == "sqlite":
        _prepare_sqlite(engine, writes=writes)
    if not writes:
        event.listen(engine, "handle_error", _tell)
    return engine


def reason(error: BaseException) -> str:
    """Return what a database says is wrong, in one line without a full stop."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".")


def _tell(context: ExceptionContext) -> None:
    """Turn what goes wrong while reading into a sentence; a writer has its own way to fail."""
    if not context.is_pre_ping:  # then the pool connects anew by itself
        error = context.original_exception
        raise StoreError(f"The store cannot be read: {reason(error)}.", "Try again in a moment.") from error


def _prepare_sqlite(engine: Engine, *, writes: bool) -> None:
    """Make every commit durable, and let us, not the driver, begin transactions."""

    @event.listens_for(engine, "do_connect")
    def restrict(_dialect: Any, _record: Any, arguments: list[Any], _options: Any) -> None:
        _restrict_to_owner(Path(arguments[0]))

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000:.0f}",  # first, since the next one may have to wait already
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _is_file(database: str | None) -> bool:
    """Return whether SQLite keeps a database of this name in an ordinary file: not in memory, and not by a URI."""
    return bool(database) and database != ":memory:" and not str(database).startswith("file:")


def _restrict_to_owner(path: Path) -> None:
    """Create a database file that only its owner may read and write, or take the rights of others away.

    SQLite gives the files beside it, which it makes itself, the same mode.

    Raises
    ------
    StoreError
        If others may read the file and we may not change that.
    """
    # A file that exists is never opened here: closing it would release the locks SQLite holds on it in this process.
    with suppress(OSError):  # it exists, or SQLite says better why it cannot be made
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    for each in (path.with_name(path.name + ending) for ending in SQLITE_FILES):
        try:
            if stat.S_IMODE(each.stat().st_mode) & ~OWNER_ONLY:
                each.chmod(OWNER_ONLY)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(
                f"Other users may read the store file {each.name!r}, and this user cannot change that.",
                f"Have its owner run chmod 600 {each.name}, or start this program as its owner.",
            ) from error


@contextmanager
def _tables_apart(connection: Connection) -> Iterator[None]:
    """Let a table be replaced in SQLite, which else takes along all that refers to it."""
    if connection.dialect.name != "sqlite":
        yield
        return
    database: Any = connection.connection.driver_connection  # outside of a transaction, or it would change nothing
    database.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        database.execute("PRAGMA foreign_keys=ON")


def upgrade(engine: Engine, version: str = "head") -> None:
    """Bring the tables up to date, or to a version; a new database gets all of them.

    Raises
    ------
    StoreError
        If the database cannot be reached, or was written by a later version.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    try:
        with engine.connect() as connection, _tables_apart(connection), connection.begin():
            if engine.dialect.name == "postgresql":  # two servers that start together take turns
                connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            config.attributes["connection"] = connection
            command.upgrade(config, version)
    except CommandError as error:
        raise StoreError(
            "The database was written by a later version of this program.", "Update the program, or name another one."
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(f"The database cannot be opened: {reason(error)}.", HINT) from error
