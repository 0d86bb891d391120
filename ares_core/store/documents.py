"""Documents: audits, the files they are made from, and what was made of them, each under a token nobody can guess."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, text
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlalchemy.sql.dml import Insert

from ares_core.errors import StoreError
from ares_core.store.tables import audits, document_files, documents, files
from ares_core.store.writer import Writer


@dataclass(frozen=True, slots=True)
class Document:
    """Something made of an audit: its token, its kind, and its content."""

    token: str
    audit: str
    kind: str
    body: Mapping[str, Any]


def new_token() -> str:
    """Return a token of 128 random bits that no command line takes for an option."""
    while (token := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return token


def now() -> str:
    """Return the time as a text that sorts."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def insert_once(connection: Connection, table: Any, row: Mapping[str, Any]) -> bool:
    """Insert a row unless one like it is there; say whether it was new."""
    insert = insert_sqlite if connection.dialect.name == "sqlite" else insert_postgresql
    statement: Insert = insert(table).values(**row).on_conflict_do_nothing()
    return connection.execute(statement).rowcount == 1


class Documents:
    """Keeps audits and their documents.

    Parameters
    ----------
    engine
        To read with.
    writer
        To write with.
    """

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine, self._writer = engine, writer

    def begin_audit(self, name: str) -> str:
        """Begin an audit and return its id."""
        audit = new_token()
        self._writer.write(
            lambda connection: insert_once(connection, audits, {"id": audit, "name": name, "created": now()})
        )
        return audit

    def has_audit(self, audit: str) -> bool:
        """Say whether there is an audit of this id."""
        with self._engine.connect() as connection:
            return connection.scalar(select(audits.c.id).where(audits.c.id == audit)) is not None

    def keep_file(self, content: bytes) -> str:
        """Keep a file and return its digest; a file nothing refers to goes with the next audit that is deleted."""
        sha256 = hashlib.sha256(content).hexdigest()
        row = {"sha256": sha256, "content": content}
        self._writer.write(lambda connection: insert_once(connection, files, row))
        return sha256

    def file(self, sha256: str) -> bytes:
        """Return a file; KeyError if it is not kept."""
        with self._engine.connect() as connection:
            found = connection.scalar(select(files.c.content).where(files.c.sha256 == sha256))
        if found is None:
            raise KeyError(sha256)
        return bytes(found)

    def keep(self, audit: str, kind: str, body: Mapping[str, Any], needs: Iterable[str] = ()) -> str:
        """Keep a document of an audit and return its token; the same content keeps its token.

        Parameters
        ----------
        needs
            Digests of the files it is made from, which are kept as long as it is.
        """
        written = json.dumps(body, sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(written.encode()).hexdigest()
        row = {"token": new_token(), "audit": audit, "kind": kind, "digest": digest, "body": written, "created": now()}
        return self._writer.write(lambda connection: _keep(connection, row, tuple(needs)))

    def read(self, token: str) -> Document | None:
        """Return a document by its token."""
        with self._engine.connect() as connection:
            row = connection.execute(select(documents).where(documents.c.token == token)).one_or_none()
        return None if row is None else Document(row.token, row.audit, row.kind, json.loads(row.body))

    def of_audit(self, audit: str, kind: str) -> tuple[Document, ...]:
        """Return an audit's documents of a kind, oldest first."""
        wanted = select(documents).where(documents.c.audit == audit, documents.c.kind == kind)
        with self._engine.connect() as connection:
            rows = connection.execute(wanted.order_by(documents.c.created, documents.c.token)).all()
        return tuple(Document(row.token, row.audit, row.kind, json.loads(row.body)) for row in rows)

    def delete_audit(self, audit: str) -> None:
        """Delete an audit with everything that hangs on it, so that nothing of it is left in the file.

        Raises
        ------
        StoreError
            If there is no such audit.
        """
        if not self._writer.write(lambda connection: _delete(connection, audit)):
            raise StoreError("This audit is not in the store.", "It may have been deleted already.")
        _wipe(self._engine)


def _keep(connection: Connection, row: Mapping[str, Any], needs: tuple[str, ...]) -> str:
    insert_once(connection, documents, row)
    same = (documents.c.audit == row["audit"], documents.c.kind == row["kind"], documents.c.digest == row["digest"])
    token = connection.scalar(select(documents.c.token).where(*same))
    for sha256 in needs:
        insert_once(connection, document_files, {"token": token, "sha256": sha256})
    return str(token)


def _delete(connection: Connection, audit: str) -> bool:
    gone = connection.execute(delete(audits).where(audits.c.id == audit)).rowcount == 1
    unused = ~select(document_files.c.sha256).where(document_files.c.sha256 == files.c.sha256).exists()
    connection.execute(delete(files).where(unused))
    return gone


def _wipe(engine: Engine) -> None:
    """Leave nothing of what was deleted in SQLite's file and log; PostgreSQL frees the room for others."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name != "sqlite":
            connection.execute(text("VACUUM files, documents, answers"))
            return
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute("VACUUM")
            busy = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError:
            busy = True
    if busy:
        raise StoreError(
            "The audit is deleted, but somebody still reads the file, so its bytes may be in it.",
            "Restart the dashboard: whoever closes the file last cleans it.",
        )
