"""Engines: one schema on both databases, and sentences where it cannot be used."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import grimp
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from ares_core.errors import StoreError
from ares_core.store import Store, default_url
from ares_core.store.engine import connect, upgrade
from ares_core.store.tables import metadata

OLD = (
    "INSERT INTO audits (id, name, created) VALUES ('a', 'Loans', 'then')",
    "INSERT INTO studies (id, audit, key, title, items, revealed, closed, created)"
    " VALUES ('s', 'a', 'k', 'Loans', '[]', false, false, 'then')",
    "INSERT INTO experts (id, study, token, name, weight, revoked, created)"
    " VALUES ('e', 's', 't', 'Ada', 1.0, false, 'then')",
    "INSERT INTO answers (id, study, expert, first, second, verdict, reason, at)"
    " VALUES ('one', 's', 'e', 'savings', 'job', 'harder', '', 'then')",
)


def test_the_migrations_make_the_tables(store: Store) -> None:
    """What the migrations build is what tables.py says, to the last index and constraint."""
    engine = connect(store.url, writes=False)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_a_difference_to_the_tables_is_noticed(store: Store) -> None:
    """The comparison above can fail: a column too many is reported."""
    engine = connect(store.url, writes=True)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE audits ADD COLUMN extra TEXT"))
        assert "remove_column" in str(compare_metadata(MigrationContext.configure(connection), metadata))
    engine.dispose()


def test_a_store_is_opened_again_as_it_was_left(url: str) -> None:
    """Opening runs no migration twice and keeps what is there."""
    first = Store(url)
    audit = first.documents.begin_audit("Loans")
    token = first.documents.keep(audit, "note", {"text": "Grüße"})
    first.close()
    second = Store(url)
    found = second.documents.read(token)
    second.close()
    assert found is not None
    assert found.body == {"text": "Grüße"}


def test_an_older_store_keeps_what_it_holds(url: str) -> None:
    """Tables are replaced on the way; experts and answers of a study stay, and belong to it still."""
    old = connect(url, writes=True)
    upgrade(old, "0001")
    with old.begin() as connection:
        for row in OLD:
            connection.execute(text(row))
    old.dispose()
    store = Store(url)
    (study,) = store.studies.of_audit("a")
    (given,) = store.studies.history(study.id)
    assert (study.title, given.id, given.verdict, given.left) == ("Loans", "one", "harder", "")
    assert store.studies.save(replace(given, id="two", left="job", number=0)).number > given.number
    store.documents.delete_audit("a")
    assert store.studies.by_id(study.id) is None
    assert store.studies.history(study.id) == ()
    store.close()


def test_two_programs_may_open_a_new_store_together(url: str) -> None:
    """The second waits for the first one's migrations."""
    with ThreadPoolExecutor(3) as together:
        stores = list(together.map(lambda _: Store(url), range(3)))
    for store in stores:
        assert store.documents.begin_audit("Loans")
        store.close()


def test_a_store_of_a_later_version_is_refused(store: Store) -> None:
    """Whoever opens a newer database with an older program is told so, and nothing is changed."""
    engine = connect(store.url, writes=True)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="later version"):
        upgrade(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
    engine.dispose()


@pytest.mark.parametrize(
    "url",
    ["nonsense", "mysql://host/name", "sqlite://", "sqlite:///:memory:"],
    ids=["no url", "mysql", "none", "memory"],
)
def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    """Only a SQLite file or PostgreSQL will do; the hint shows how to write both."""
    with pytest.raises(StoreError) as caught:
        connect(url, writes=True)
    assert "sqlite:///" in caught.value.hint
    assert "postgresql://" in caught.value.hint


def test_a_missing_driver_is_told_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL needs a package that the product does not install by itself."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError) as caught:
        Store("postgresql://somebody@localhost/anything")
    assert "driver for postgresql" in caught.value.problem
    assert "pip install 'psycopg[binary]'" in caught.value.hint


def test_a_server_that_is_not_there_is_told_in_a_sentence() -> None:
    """No password and no traceback, one line."""
    with pytest.raises(StoreError) as caught:
        Store("postgresql://somebody:secret@127.0.0.1:1/anything")
    assert caught.value.problem.startswith("The database cannot be opened: ")
    assert "secret" not in caught.value.problem + caught.value.hint
    assert "\n" not in caught.value.problem


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """Another file at the address is not touched."""
    path = tmp_path / "ares.sqlite3"
    path.write_bytes(b"precious" * 1000)
    with pytest.raises(StoreError, match="not a database"):
        Store.in_file(path)
    assert path.read_bytes() == b"precious" * 1000


def test_a_failure_while_reading_is_a_sentence(store: Store) -> None:
    """Pages show what went wrong, whichever question met it."""
    engine = connect(store.url, writes=True)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE answers"))
    engine.dispose()
    with pytest.raises(StoreError, match="cannot be read"):
        store.studies.history("any")


def test_every_commit_to_sqlite_reaches_the_disk(tmp_path: Path) -> None:
    """Readers and the writer have a write-ahead log, synchronous FULL, foreign keys, and wipe what they delete."""
    for writes in (True, False):
        engine = connect(f"sqlite:///{tmp_path / 'a.sqlite3'}", writes=writes)
        with engine.connect() as connection:
            names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
            assert [connection.scalar(text(f"PRAGMA {name}")) for name in names] == ["wal", 2, 1, 1]
        engine.dispose()


def test_where_the_store_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable ARES_STORE decides, else a file in the working directory."""
    monkeypatch.setenv("ARES_STORE", "postgresql://host/name")
    assert default_url() == "postgresql://host/name"
    monkeypatch.delenv("ARES_STORE")
    assert default_url() == "sqlite:///ares.sqlite3"


def test_the_store_knows_errors_and_costs_alone() -> None:
    """The room imports nothing else of this project, and a worker never imports it."""
    graph = grimp.build_graph("ares_core", cache_dir=None)
    modules = {"ares_core.store"} | graph.find_descendants("ares_core.store")
    imported = {target for module in modules for target in graph.find_modules_directly_imported_by(module)}
    assert imported - modules == {"ares_core.errors", "ares_core.costs"}
    assert not graph.chain_exists("ares_core.worker", "ares_core.store", as_packages=True)
