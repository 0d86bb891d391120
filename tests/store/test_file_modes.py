"""File modes: nobody but its owner may read a store or a backup, whatever the umask and whatever it was before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ares_core.errors import StoreError
from ares_core.store import Store
from ares_core.store.backup import backup, check, restore


@pytest.fixture(autouse=True)
def lax_umask() -> Iterator[None]:
    """Let new files be readable and writable by everybody, unless whoever makes them says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """Return the mode of every file in a folder."""
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir() if path.is_file()}


def url(path: Path) -> str:
    """Return the address of a store in a file."""
    return f"sqlite:///{path}"


def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    """The database, its write-ahead log and its shared memory are made with mode 600."""
    store = Store(url(tmp_path / "store.sqlite3"))
    store.documents.begin_audit("Loans")
    found = modes(tmp_path)
    store.close()
    assert found == dict.fromkeys(("store.sqlite3", "store.sqlite3-wal", "store.sqlite3-shm"), "0o600")


def test_an_old_store_is_tightened_when_it_is_opened(tmp_path: Path) -> None:
    """Files others could read are closed to them, also those beside the database that a killed server left."""
    path = tmp_path / "store.sqlite3"
    first = Store(url(path))
    audit = first.documents.begin_audit("Loans")
    for each in tmp_path.iterdir():
        each.chmod(0o664)
    second = Store(url(path))
    found = modes(tmp_path)
    assert second.documents.has_audit(audit)
    second.close()
    first.close()
    assert len(found) == 3
    assert set(found.values()) == {"0o600"}


def test_backups_and_restored_stores_are_their_owners_alone(tmp_path: Path) -> None:
    """The file a backup writes, and the store it is restored into, have mode 600."""
    made = Store(url(tmp_path / "store.sqlite3"))
    made.documents.begin_audit("Loans")
    made.close()
    backup(url(tmp_path / "store.sqlite3"), tmp_path / "backup.sqlite3")
    restore(tmp_path / "backup.sqlite3", url(tmp_path / "again.sqlite3"))
    assert check(url(tmp_path / "again.sqlite3"))["audits"] == 1
    assert modes(tmp_path) == dict.fromkeys(("store.sqlite3", "backup.sqlite3", "again.sqlite3"), "0o600")


def test_a_file_whose_mode_cannot_be_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that others may read and another user owns is not used, and the sentence says what to do."""
    path = tmp_path / "store.sqlite3"
    Store(url(path)).close()
    path.chmod(0o644)

    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(StoreError, match=r"Other users may read the store file 'store.sqlite3'") as caught:
        Store(url(path))
    assert caught.value.hint.startswith("Have its owner run chmod 600 store.sqlite3")


def test_a_store_that_exists_is_not_opened_for_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing a second handle of the file would release the locks SQLite holds on it in this process."""
    path, opened, real = tmp_path / "store.sqlite3", [], os.open
    first = Store(url(path))

    def watch(name: str | Path, *arguments: int) -> int:
        handle = real(name, *arguments)
        opened.append(Path(name))
        return handle

    monkeypatch.setattr(os, "open", watch)
    Store(url(path)).close()
    first.close()
    assert path not in opened


def test_a_store_by_a_uri_is_refused() -> None:
    """SQLite's own file: addresses name no ordinary file whose mode could be set."""
    with pytest.raises(StoreError, match="cannot be kept"):
        Store("sqlite:///file:store.sqlite3?uri=true")
