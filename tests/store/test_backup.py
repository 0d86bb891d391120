"""Backup and restore: everything, from either database into either, or nothing at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, select, text

from ares_core.errors import StoreError
from ares_core.store import Given, Store
from ares_core.store import backup as module
from ares_core.store.backup import backup, check, restore
from ares_core.store.engine import connect
from ares_core.store.tables import metadata
from tests.store.conftest import DATABASES, ITEMS, NewUrl

ROWS = 1 + 2 + 1 + 2 + 1 + 1 + 4


def filled(url: str) -> tuple[Store, str]:
    """Return an open store with a row in every table that can have one, and an expert of it."""
    store = Store(url)
    audit = store.documents.begin_audit("Kredite für Häuser")
    digests = [store.documents.keep_file(content) for content in (bytes(range(256)), b"")]
    store.documents.keep(audit, "setup", {"name": "Ünder"}, digests)
    study = store.studies.create("Loans", ITEMS, audit)
    expert = store.studies.invite(study.id, "Ada").id
    for number in range(4):
        store.studies.save(
            Given(id=f"a{number}", expert=expert, first="savings", second="job", verdict="tie", reason="weil\n'so'")
        )
    return store, expert


def content(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table."""
    engine = connect(url, writes=False)
    with engine.connect() as connection:
        found = {table.name: sorted(map(tuple, connection.execute(select(table)))) for table in metadata.sorted_tables}
    engine.dispose()
    return found


@pytest.mark.parametrize("after", DATABASES)
def test_a_restored_store_is_the_same(kind: str, after: str, new_url: NewUrl, tmp_path: Path) -> None:
    """From either database into either, every row comes back, while the first store is still open."""
    url, other, file = new_url(kind), new_url(after), tmp_path / "saved" / "backup.sqlite3"
    file.parent.mkdir()
    store, expert = filled(url)
    assert backup(url, file) == ROWS
    assert list(file.parent.iterdir()) == [file]  # one file, with no log beside it
    before = file.read_bytes()
    assert restore(file, other) == ROWS
    assert content(other) == content(url)
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]
    store.close()
    again = Store(other)
    newest = again.studies.save(Given(id="new", expert=expert, first="job", second="savings", verdict="harder"))
    again.close()
    assert newest.number > 4  # not a number that is taken


def test_a_backup_is_a_store_itself(store: Store, tmp_path: Path) -> None:
    """The file can be checked, and opened as a store."""
    store.documents.begin_audit("Loans")
    backup(store.url, tmp_path / "b.sqlite3")
    assert check(f"sqlite:///{tmp_path / 'b.sqlite3'}")["audits"] == 1


def test_an_empty_store_can_be_backed_up(store: Store, new_url: NewUrl, kind: str, tmp_path: Path) -> None:
    """Nothing in it is not an error, and numbers of answers begin at 1 after restoring it."""
    assert backup(store.url, tmp_path / "b.sqlite3") == 0
    other = new_url(kind)
    assert restore(tmp_path / "b.sqlite3", other) == 0
    again, _ = filled(other)
    assert [given.number for given in again.studies.history(_study(again))] == [1, 2, 3, 4]
    again.close()


def _study(store: Store) -> str:
    with store._reading.connect() as connection:
        return str(connection.scalar(select(metadata.tables["studies"].c.id)))


def test_a_backup_never_replaces_a_file(store: Store, tmp_path: Path) -> None:
    """A file that is there stays as it is."""
    (tmp_path / "notes").write_text("precious", "utf-8")
    with pytest.raises(StoreError, match="'notes' is there already"):
        backup(store.url, tmp_path / "notes")
    assert (tmp_path / "notes").read_text("utf-8") == "precious"


def test_a_backup_that_fails_leaves_nothing(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither half a file nor anything to work with is left behind."""
    folder = tmp_path / "saved"
    folder.mkdir()

    def fail(*_anything: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ares_core.store.backup._copy_table", fail)
    with pytest.raises(StoreError, match="No space left on device"):
        backup(store.url, folder / "b.sqlite3")
    assert list(folder.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(store: Store, tmp_path: Path) -> None:
    """A backup makes a file, no folders."""
    with pytest.raises(StoreError, match="no folder 'gone'"):
        backup(store.url, tmp_path / "gone" / "b.sqlite3")


def test_only_an_empty_store_is_restored_into(kind: str, new_url: NewUrl, tmp_path: Path) -> None:
    """A store that holds something is left as it is."""
    store, _ = filled(new_url(kind))
    backup(store.url, tmp_path / "b.sqlite3")
    before = content(store.url)
    with pytest.raises(StoreError, match=f"holds {ROWS} rows"):
        restore(tmp_path / "b.sqlite3", store.url)
    assert content(store.url) == before
    store.close()


def test_a_restore_that_fails_leaves_an_empty_store(
    kind: str, new_url: NewUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the last table cannot be copied, nothing of the first ones is there, and a second try succeeds."""
    store, _ = filled(new_url(kind))
    file, other = tmp_path / "b.sqlite3", new_url(kind)
    backup(store.url, file)
    store.close()
    copy, last = module._copy_table, metadata.sorted_tables[-1]

    def fail(*given: object) -> int:
        if given[-1] is last:
            raise StoreError("The copy failed.", "Try again.")
        return copy(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(module, "_copy_table", fail)
        with pytest.raises(StoreError, match="copy failed"):
            restore(file, other)
    assert set(check(other).values()) == {0}
    assert restore(file, other) == ROWS


def not_sqlite(path: Path) -> None:
    path.write_bytes(b"no database at all" * 400)


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def another(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE answers (id)")
        connection.commit()


def torn(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE answers (id)")
        connection.commit()
    path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize("make", [not_sqlite, nothing, another, torn])
def test_a_file_that_is_no_backup_is_refused(
    kind: str, new_url: NewUrl, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """Without SQLite's header, empty, cut off, or of another program: refused, untouched, nothing made."""
    file, url = tmp_path / "file", new_url(kind)
    make(file)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="'file' is no backup"):
        restore(file, url)
    with pytest.raises(StoreError, match="holds no store"):
        check(f"sqlite:///{file}")
    assert file.read_bytes() == before
    with pytest.raises(StoreError, match="holds no store"):
        check(url)


def test_a_backup_of_a_later_version_is_refused(kind: str, new_url: NewUrl, tmp_path: Path) -> None:
    """An older program does not guess what a newer one wrote."""
    store, _ = filled(new_url("sqlite"))
    backup(store.url, tmp_path / "b.sqlite3")
    store.close()
    with closing(sqlite3.connect(tmp_path / "b.sqlite3")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(StoreError, match="later version"):
        restore(tmp_path / "b.sqlite3", new_url(kind))


def test_a_missing_file_is_told(url: str, tmp_path: Path) -> None:
    """Neither a backup nor a store is made where there is none."""
    with pytest.raises(StoreError, match="no file 'gone'"):
        restore(tmp_path / "gone", url)
    for ask in (check, lambda gone: backup(gone, tmp_path / "b.sqlite3")):
        with pytest.raises(StoreError, match="holds no store"):
            ask(f"sqlite:///{tmp_path / 'gone.sqlite3'}")
    assert not any(path.name.startswith(("gone", "b.")) for path in tmp_path.iterdir())


def test_check_counts_what_there_is(kind: str, new_url: NewUrl) -> None:
    """Every table is named with its rows."""
    store, _ = filled(new_url(kind))
    store.close()
    counts = check(store.url)
    assert set(counts) == set(metadata.tables)
    assert sum(counts.values()) == ROWS


@pytest.mark.parametrize("kind", ["sqlite"])
def test_damage_is_found(kind: str, new_url: NewUrl) -> None:
    """A page that was overwritten, and a row that belongs to nothing, are each told."""
    store, _ = filled(new_url(kind))
    store.close()
    path = Path(str(make_url(store.url).database))
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_experts_study'").fetchone()[0]
        connection.execute("DELETE FROM studies")
        connection.commit()
    with pytest.raises(StoreError, match="damaged: a row of"):
        check(store.url)
    path.write_bytes(whole[: (page - 1) * size] + bytes(size) + whole[page * size :])
    with pytest.raises(StoreError, match=r"damaged|malformed"):
        check(store.url)


def test_a_backup_is_one_moment(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes in while the backup is written is in none of its tables."""
    copy = module._copy_table

    def copy_late(*given: object) -> int:
        store.documents.begin_audit("late")
        return copy(*given)  # type: ignore[arg-type]

    store.documents.begin_audit("early")
    first = metadata.sorted_tables[0]

    def after_first(*given: object) -> int:
        return copy(*given) if given[-1] is first else copy_late(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_copy_table", after_first)
    backup(store.url, tmp_path / "b.sqlite3")
    assert check(f"sqlite:///{tmp_path / 'b.sqlite3'}")["audits"] == 1
    engine = connect(store.url, writes=False)
    with engine.connect() as connection:
        assert (connection.scalar(text("SELECT count(*) FROM audits")) or 0) > 5
    engine.dispose()
