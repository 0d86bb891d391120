"""Documents: kept once, found by a token nobody can guess, gone when their audit is."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from sqlalchemy import make_url

from ares_core.errors import StoreError
from ares_core.store import Given, Store
from ares_core.store.backup import check
from ares_core.store.documents import new_token
from tests.store.conftest import ITEMS

SECRET = b"an applicant's secret that must not be found again " * 200


def test_a_file_comes_back_byte_by_byte(store: Store) -> None:
    """Whatever bytes a file holds, they are kept once under their digest."""
    content = bytes(range(256)) * 5000
    sha256 = store.documents.keep_file(content)
    assert store.documents.keep_file(content) == sha256
    assert store.documents.file(sha256) == content
    assert check(store.url)["files"] == 1


def test_an_empty_file_is_a_file(store: Store) -> None:
    """Nothing in it is not the same as not there."""
    assert store.documents.file(store.documents.keep_file(b"")) == b""


def test_a_file_that_is_not_kept_is_a_key_error(store: Store) -> None:
    """Asking for a file by a digest nobody kept names the digest."""
    with pytest.raises(KeyError, match="abc"):
        store.documents.file("abc")


def test_the_same_content_keeps_its_token(store: Store) -> None:
    """A link made twice is one link; another audit, kind or content has another."""
    one, other = store.documents.begin_audit("One"), store.documents.begin_audit("Other")
    first = store.documents.keep(one, "setup", {"a": 1, "b": [2.5, "ü"]})
    assert store.documents.keep(one, "setup", {"b": [2.5, "ü"], "a": 1}) == first
    others = [
        store.documents.keep(other, "setup", {"a": 1, "b": [2.5, "ü"]}),
        store.documents.keep(one, "model", {"a": 1, "b": [2.5, "ü"]}),
        store.documents.keep(one, "setup", {"a": 2, "b": [2.5, "ü"]}),
    ]
    assert len({first, *others}) == 4
    found = store.documents.read(first)
    assert found is not None
    assert (found.token, found.audit, found.kind, found.body) == (first, one, "setup", {"a": 1, "b": [2.5, "ü"]})


def test_tokens_cannot_be_guessed() -> None:
    """A token holds 128 bits, no two are alike, and every bit varies."""
    tokens = {new_token() for _ in range(500)}
    assert len(tokens) == 500
    numbers = [int.from_bytes(base64.urlsafe_b64decode(token + "=="), "big") for token in tokens]
    assert all(len(base64.urlsafe_b64decode(token + "==")) == 16 for token in tokens)
    for bit in range(128):
        assert 150 < sum(number >> bit & 1 for number in numbers) < 350


def test_an_unknown_token_is_nothing(store: Store) -> None:
    """Whoever tries tokens learns nothing."""
    assert store.documents.read(new_token()) is None
    assert store.documents.read("") is None


def test_documents_of_a_kind_come_oldest_first(store: Store) -> None:
    """An audit's documents are listed in the order they were made."""
    audit = store.documents.begin_audit("Loans")
    made = [store.documents.keep(audit, "run", {"number": number}) for number in range(5)]
    store.documents.keep(audit, "setup", {})
    assert [found.token for found in store.documents.of_audit(audit, "run")] == made


def test_a_document_of_no_audit_or_file_is_refused(store: Store) -> None:
    """What a document hangs on must be there, and a document that fails is not half kept."""
    with pytest.raises(StoreError, match="could not write"):
        store.documents.keep("no-such-audit", "run", {})
    audit = store.documents.begin_audit("Loans")
    with pytest.raises(StoreError, match="could not write"):
        store.documents.keep(audit, "run", {}, ["no-such-file"])
    assert store.documents.of_audit(audit, "run") == ()


def full(store: Store, name: str, content: bytes) -> str:
    """Return an audit with a file, a document, a study, an expert and an answer."""
    audit = store.documents.begin_audit(name)
    sha256 = store.documents.keep_file(content)
    store.documents.keep(audit, "setup", {"name": name}, [sha256])
    study = store.studies.create(name, ITEMS, audit)
    expert = store.studies.invite(study.id, f"Expert of {name}")
    store.studies.save(
        Given(id=new_token(), expert=expert.id, first="savings", second="job", verdict="harder", reason=name)
    )
    return audit


def test_deleting_an_audit_deletes_all_that_hangs_on_it(store: Store) -> None:
    """Nothing of the audit is left in any table, and nothing of another one is missing; shared files stay."""
    gone, kept = full(store, "gone", SECRET), full(store, "kept", b"shared")
    shared = store.documents.keep_file(b"shared")
    store.documents.keep(gone, "run", {}, [shared])
    store.documents.delete_audit(gone)
    counts = check(store.url)
    assert counts == {**dict.fromkeys(counts, 1), "cost_sets": 0}
    assert store.documents.file(shared) == b"shared"
    assert len(store.studies.of_audit(kept)) == 1


def test_a_file_nothing_refers_to_goes_with_the_next_deletion(store: Store) -> None:
    """An upload nobody went on with does not stay for ever."""
    sha256 = store.documents.keep_file(SECRET)
    store.documents.delete_audit(store.documents.begin_audit("Loans"))
    with pytest.raises(KeyError):
        store.documents.file(sha256)


def test_an_audit_that_is_not_there_cannot_be_deleted(store: Store) -> None:
    """Deleting twice is told, not passed over."""
    audit = full(store, "gone", SECRET)
    store.documents.delete_audit(audit)
    with pytest.raises(StoreError, match="not in the store"):
        store.documents.delete_audit(audit)


def on_disk(url: str) -> bytes:
    """Return all bytes of a SQLite database: the file, its log and its index."""
    path = Path(str(make_url(url).database))
    return b"".join(part.read_bytes() for part in sorted(path.parent.glob(f"{path.name}*")))


@pytest.mark.parametrize("kind", ["sqlite"])
def test_what_is_deleted_is_gone_from_the_file(store: Store) -> None:
    """While the store stays open, no byte of the audit is in SQLite's file or its write-ahead log."""
    audit = full(store, "Very Secret Bank", SECRET)
    full(store, "kept", b"shared")
    before = on_disk(store.url)
    assert SECRET[:40] in before
    assert b"Very Secret Bank" in before
    store.documents.delete_audit(audit)
    after = on_disk(store.url)
    assert SECRET[:40] not in after
    assert b"Very Secret Bank" not in after
    assert b"Expert of kept" in after


@pytest.mark.parametrize("kind", ["sqlite"])
def test_bytes_that_may_be_left_are_admitted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """If somebody still reads an older state, the deletion says that the file is not clean yet."""
    audit = full(store, "gone", SECRET)
    monkeypatch.setattr("ares_core.store.engine.BUSY_SECONDS", 0.1)
    again = Store(store.url)
    with again._reading.connect() as reader:
        reader.exec_driver_sql("SELECT count(*) FROM files").all()
        with pytest.raises(StoreError, match="somebody still reads"):
            again.documents.delete_audit(audit)
    again.close()


def test_no_token_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """An id can be given to a command: one that begins with a dash is not used."""
    drawn = iter(["-8LMOlu3og4pns", "8LMOlu3og4pns"])
    monkeypatch.setattr("ares_core.store.documents.secrets.token_urlsafe", lambda _: next(drawn))
    assert new_token() == "8LMOlu3og4pns"
