"""The shelf: files and set-ups under names nobody can guess, kept in the store."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from ares_core.costs import Answer, Comparison
from ares_core.errors import StoreError
from ares_core.models import Reading
from ares_core.worker import Brought, ModelFile, RuleFile, ServiceAt, Source
from tests.ui.shelves import fresh_shelf, fresh_store, shelf_over
from ui import shelf as module
from ui.shelf import Setup, Shelf

TABLE = b"a,b\n1,2\n"
DIGEST = hashlib.sha256(TABLE).hexdigest()


def own(shelf: Shelf, **changes: object) -> Setup:
    """Return a set-up of somebody's own table."""
    setup = Setup(Source(shelf.put_file(TABLE), "mine.csv", "y", "1"), audit=shelf.begin_audit("mine.csv"))
    return replace(setup, **changes)


def test_a_file_is_found_by_its_digest() -> None:
    """What was put comes back, and the same content is the same file."""
    shelf = fresh_shelf()
    assert shelf.put_file(TABLE) == DIGEST
    assert shelf.put_file(TABLE) == DIGEST
    assert shelf.file(DIGEST) == TABLE


def test_an_unknown_file_is_a_key_error() -> None:
    """Whoever asks for a file that is gone learns so."""
    with pytest.raises(KeyError):
        fresh_shelf().file("0" * 64)


def test_a_file_that_belongs_to_an_audit_is_found_beyond_the_room_in_memory() -> None:
    """What hangs on an audit is in the store; a file nobody used yet is gone when there is no room for it."""
    shelf = fresh_shelf(most_bytes=25)
    setup, unused = own(shelf), shelf.put_file(b"b" * 10)
    shelf.token(setup, setup.audit)
    shelf.put_file(b"c" * 24)
    assert shelf.file(DIGEST) == TABLE
    shelf.put_file(b"d" * 24)
    with pytest.raises(KeyError):
        shelf.file(unused)


def test_deleting_an_audit_leaves_what_others_brought() -> None:
    """A file another visitor has just uploaded, or another audit needs, stays."""
    shelf = fresh_shelf()
    setup, other = own(shelf), own(shelf)
    fresh = shelf.put_file(b"just uploaded")
    tokens = [shelf.token(each, each.audit) for each in (setup, other)]
    shelf.delete_audit(setup.audit)
    assert (shelf.file(fresh), shelf.file(DIGEST)) == (b"just uploaded", TABLE)
    assert [shelf.value(token) for token in tokens] == [None, other]


def test_a_value_has_one_token() -> None:
    """Equal values share a token, others do not, and no token can be guessed."""
    shelf = fresh_shelf()
    setup = own(shelf)
    token = shelf.token(setup, setup.audit)
    assert shelf.token(setup, setup.audit) == token
    assert shelf.token(replace(setup, direct=(("a", 2.0),)), setup.audit) != token
    assert len(token) >= 20
    assert shelf.value(token) == setup


def test_everything_of_an_audit_survives_a_restart() -> None:
    """Another process over the same store finds set-ups, models and their files by the same tokens."""
    store = fresh_store()
    shelf = shelf_over(store)
    said = (Comparison("a", "b", Answer.TIE, "Ada", "why"), Comparison("b", "c"))
    setup = own(shelf, comparisons=said, direct=(("a", 2.5),), study="s")
    rules = RuleFile(shelf.put_file(b"{}"), "rules.json")
    model = Brought(ModelFile(shelf.put_file(b"PK"), "mine.skops"), Reading("", 0.25, above=False))
    service = Brought(ServiceAt("https://models.example/invocations", 500), Reading("granted"))
    kept = (setup, rules, model, service)
    tokens = [shelf.token(value, setup.audit) for value in kept]
    later = shelf_over(store)
    assert tuple(later.value(token) for token in tokens) == kept
    digests = (setup.source.sha256, rules.sha256, hashlib.sha256(b"PK").hexdigest())
    assert [later.file(sha256) for sha256 in digests] == [TABLE, b"{}", b"PK"]
    assert [later.token(value, setup.audit) for value in kept] == tokens


def test_an_unknown_token_is_nothing() -> None:
    """A made-up token finds nothing."""
    assert fresh_shelf().value("") is None
    assert fresh_shelf().value("x" * 22) is None


def test_a_deleted_audit_is_gone() -> None:
    """Neither token nor file of a deleted audit is found again, and it cannot be deleted twice."""
    shelf = fresh_shelf()
    setup = own(shelf)
    token = shelf.token(setup, setup.audit)
    shelf.delete_audit(setup.audit)
    assert shelf.value(token) is None
    with pytest.raises(KeyError):
        shelf.file(DIGEST)
    with pytest.raises(StoreError):
        shelf.delete_audit(setup.audit)


def test_memory_holds_only_the_last_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many links there are, memory stays bounded, and the store still knows them all."""
    monkeypatch.setattr(module, "MOST_VALUES", 2)
    shelf = fresh_shelf()
    setups = [own(shelf, direct=(("a", float(cost)),)) for cost in range(1, 5)]
    tokens = [shelf.token(setup, setup.audit) for setup in setups]
    assert len(shelf._values) == len(shelf._tokens) == 2
    assert [shelf.value(token) for token in tokens] == setups


def test_what_another_program_deletes_is_forgotten_here() -> None:
    """Two servers on one store: once one has deleted an audit, its link opens on neither, and no file is held."""
    store = fresh_store()
    one, other = shelf_over(store), shelf_over(store)
    setup = own(one)
    token = one.token(setup, setup.audit)
    assert (other.value(token), other.file(DIGEST)) == (setup, TABLE)
    one.delete_audit(setup.audit)
    assert not other.holds(setup.audit)
    assert other.value(token) is None
    with pytest.raises(KeyError):
        other.file(DIGEST)
