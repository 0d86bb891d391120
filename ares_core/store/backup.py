"""Backup and restore: the whole store as one SQLite file, whatever database it is kept in."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, Engine, LargeBinary, Table, func, insert, inspect, make_url, select, text
from sqlalchemy.exc import SQLAlchemyError

from ares_core.errors import StoreError
from ares_core.store.engine import connect, reason, upgrade
from ares_core.store.tables import answers, metadata

ROWS_AT_ONCE = 500
NO_STORE = "Name a database that a store was kept in."
NO_BACKUP = "Name the file that the backup command wrote."


def backup(url: str, path: Path) -> int:
    """Write everything a store holds into a new file; visitors may go on meanwhile. Returns the number of rows.

    Copying the file itself would miss what is still in the write-ahead log.

    Raises
    ------
    StoreError
        If the file is there already or cannot be written, or the database holds no store.
    """
    if path.exists():
        raise StoreError(
            f"The file {(path.name or str(path))!r} is there already.", "Name a file that does not exist yet."
        )
    if not path.parent.is_dir():
        raise StoreError(f"There is no folder {path.parent.name!r} to write to.", "Make the folder first.")
    with _opened(url) as source, _workshop(path.parent) as folder:
        made = folder / "backup.sqlite3"
        with _engine(f"sqlite:///{made}", writes=True) as target:
            upgrade(target)
            copied = _copy(source, target)
        with closing(sqlite3.connect(made)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # a backup is one file
        made.rename(path)
    return copied


def restore(path: Path, url: str) -> int:
    """Fill an empty store from a backup, which stays as it is. Returns the number of rows.

    Raises
    ------
    StoreError
        If there is no such file, it is no backup, or the store holds something already.
    """
    if not path.is_file():
        raise StoreError(f"There is no file {(path.name or str(path))!r}.", NO_BACKUP)
    if not _is_store(path):
        raise StoreError(f"The file {path.name!r} is no backup.", NO_BACKUP)
    with _workshop() as folder, _engine(url, writes=True) as target:
        copy = shutil.copyfile(path, folder / "backup.sqlite3")
        with _opened(f"sqlite:///{copy}") as source:
            upgrade(target)
            return _copy(source, target)


def check(url: str) -> dict[str, int]:
    """Count the rows of every table of a store, having seen that the database is whole.

    Raises
    ------
    StoreError
        If it is not, or holds no store.
    """
    with _opened(url) as engine, engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            _check_sqlite(connection)
        return {table.name: _count(connection, table) for table in metadata.sorted_tables}


@contextmanager
def _opened(url: str) -> Iterator[Engine]:
    """Open a store that must be there, and bring it up to date; a database that holds none is left as it is."""
    with _engine(url, writes=False) as engine:
        if engine.dialect.name == "sqlite":
            held = _is_store(Path(str(engine.url.database)))
        else:
            held = inspect(engine).has_table("alembic_version") and inspect(engine).has_table(answers.name)
        if not held:
            shown = Path(str(make_url(url).database)).name
            raise StoreError(f"The database {shown!r} holds no store.", NO_STORE)
        with _engine(url, writes=True) as writing:
            upgrade(writing)
        yield engine


@contextmanager
def _engine(url: str, *, writes: bool) -> Iterator[Engine]:
    engine = connect(url, writes=writes)
    try:
        yield engine
    except SQLAlchemyError as error:
        raise StoreError(
            f"The store could not be copied: {reason(error)}.", "Nothing was changed; try again."
        ) from error
    finally:
        engine.dispose()


@contextmanager
def _workshop(near: Path | None = None) -> Iterator[Path]:
    """Lend a folder to work in, so that nothing half written is left anywhere."""
    try:
        with TemporaryDirectory(dir=near, prefix=".backup-") as folder:
            yield Path(folder)
    except OSError as error:
        raise StoreError(
            f"The backup cannot be copied: {error.strerror}.", "Make room, or name another place."
        ) from error


def _is_store(path: Path) -> bool:
    """Look into a file without opening it for writing."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return False
    return {"alembic_version", answers.name} <= found


def _check_sqlite(connection: Connection) -> None:
    found = connection.scalar(text("PRAGMA integrity_check"))
    astray = connection.execute(text("PRAGMA foreign_key_check")).first()
    if found != "ok" or astray is not None:
        told = found if found != "ok" else f"a row of {astray[0]!r} belongs to nothing"  # type: ignore[index]
        raise StoreError(f"The database is damaged: {told}.", "Restore the last backup into a new file.")


def _count(connection: Connection, table: Table) -> int:
    return int(connection.scalar(select(func.count()).select_from(table)) or 0)


def _copy(source: Engine, target: Engine) -> int:
    """Copy every row in one transaction on each side, tables others refer to first, into a store that is empty."""
    level = "SERIALIZABLE" if source.dialect.name == "sqlite" else "REPEATABLE READ"
    with source.connect().execution_options(isolation_level=level) as reading, target.begin() as writing:
        held = sum(_count(writing, table) for table in metadata.sorted_tables)
        if held:
            raise StoreError(f"The store is not empty: it holds {held:,} rows.", "Restore into an empty one.")
        copied = sum(_copy_table(reading, writing, table) for table in metadata.sorted_tables)
        if target.dialect.name == "postgresql":  # the next answer must not get a number that is taken
            writing.execute(
                text("SELECT setval(pg_get_serial_sequence('answers', 'number'), (SELECT max(number) FROM answers))")
            )
    return copied


def _copy_table(reading: Connection, writing: Connection, table: Table) -> int:
    large = any(isinstance(column.type, LargeBinary) for column in table.columns)
    rows = reading.execution_options(yield_per=1 if large else ROWS_AT_ONCE).execute(select(table)).mappings()
    copied = 0
    for part in rows.partitions():
        writing.execute(insert(table), [dict(row) for row in part])
        copied += len(part)
    return copied
