"""The shelf: files visitors brought and the set-ups made of them, kept under names nobody can guess.

A link names a set-up by its token, so a colleague who is given the link sees the same thing, and nobody else does.
What belongs to an audit is in the store and survives a restart; the shelf keeps the last of it in memory.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass
from typing import Any

from ares_core.costs import Answer, Comparison
from ares_core.models import Reading
from ares_core.models.expected import ExpectedAnswers
from ares_core.store import Store
from ares_core.worker import Brought, ModelFile, RuleFile, ServiceAt, Source

MOST_BYTES = 300_000_000
MOST_VALUES = 2_000


@dataclass(frozen=True, slots=True)
class Setup:
    """A table as it is read, and what its features cost.

    Parameters
    ----------
    comparisons, direct
        One person's answers, and costs typed in.
    demo
        The demonstration it began as.
    audit
        The audit it belongs to in the store; empty for a demonstration nobody changed.
    study
        The study whose experts decide the costs, as their answers come in; empty without one.
    cost_set
        The kept costs that count instead of all of these; empty without one.
    """

    source: Source
    comparisons: tuple[Comparison, ...] = ()
    direct: tuple[tuple[str, float], ...] = ()
    demo: str = ""
    audit: str = ""
    study: str = ""
    cost_set: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the set-up as the store keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, body: Any) -> Setup:
        """Read back what `to_json` wrote."""
        compared = tuple(Comparison(**{**one, "answer": Answer(one["answer"])}) for one in body["comparisons"])
        direct = tuple((name, cost) for name, cost in body["direct"])
        return cls(**{**body, "source": Source(**body["source"]), "comparisons": compared, "direct": direct})


Kept = Setup | RuleFile | Brought


def _to_json(value: Kept) -> dict[str, Any]:
    """Return a value as the store keeps it."""
    if isinstance(value, Setup):
        return value.to_json()
    if isinstance(value, RuleFile):
        return asdict(value)
    return {**asdict(value), "reading": value.reading.to_json()}


def _from_json(kind: str, body: Any) -> Kept | None:
    """Read back what `_to_json` wrote; None if it is of another kind."""
    if kind == "Setup":
        return Setup.from_json(body)
    if kind == "RuleFile":
        return RuleFile(**body)
    if kind != "Brought":
        return None
    origin = body["origin"]
    found = ServiceAt(**origin) if "url" in origin else ModelFile(**origin)
    known = body.get("expected")
    expected = None if known is None else ExpectedAnswers.from_json(known)
    return Brought(found, Reading.from_json(body["reading"]), tuple(body.get("columns", ())), expected)


class Shelf:
    """Keeps files by digest and values by token, in the store and, the last ones used, in memory.

    Parameters
    ----------
    store
        What survives a restart.
    most_bytes
        Of files in memory.
    """

    def __init__(self, store: Store, most_bytes: int = MOST_BYTES) -> None:
        self._store, self._most_bytes = store, most_bytes
        self._lock = threading.Lock()
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._values: OrderedDict[str, tuple[str, Kept]] = OrderedDict()
        self._tokens: dict[tuple[str, Kept], str] = {}

    def put_file(self, content: bytes) -> str:
        """Hold a file and return its digest; it goes into the store with the first thing of an audit that needs it."""
        sha256 = hashlib.sha256(content).hexdigest()
        with self._lock:
            self._hold(sha256, content)
        return sha256

    def file(self, sha256: str) -> bytes:
        """Return a file; KeyError if it is gone."""
        with self._lock:
            if sha256 in self._files:
                self._files.move_to_end(sha256)
                return self._files[sha256]
        content = self._store.documents.file(sha256)
        with self._lock:
            self._hold(sha256, content)
        return content

    def begin_audit(self, name: str) -> str:
        """Begin an audit in the store and return its id."""
        return self._store.documents.begin_audit(name)

    def delete_audit(self, audit: str) -> None:
        """Delete an audit with everything that hangs on it, here and in the store."""
        try:
            self._store.documents.delete_audit(audit)
        finally:
            self._forget(audit)

    def holds(self, audit: str) -> bool:
        """Say whether an audit is in the store; one that was deleted by another program is forgotten here too."""
        there = self._store.documents.has_audit(audit)
        if not there:
            self._forget(audit)
        return there

    def _forget(self, audit: str) -> None:
        with self._lock:
            gone = {value: token for (owner, value), token in self._tokens.items() if owner == audit}
            for value, token in gone.items():
                del self._tokens[audit, value]
                self._values.pop(token, None)
            needed = {sha256 for _, value in self._tokens for sha256 in _files_of(value)}
            for sha256 in {sha256 for value in gone for sha256 in _files_of(value)} - needed:
                self._files.pop(sha256, None)

    def token(self, value: Kept, audit: str) -> str:
        """Return the token of something that belongs to an audit, always the same for the same thing.

        Empty if its file is gone, so that no link can lead to it.
        """
        with self._lock:
            known = self._tokens.get((audit, value))
        if known is not None:
            return known
        try:
            needs = [self._store.documents.keep_file(self.file(sha256)) for sha256 in _files_of(value)]
        except KeyError:
            return ""
        token = self._store.documents.keep(audit, type(value).__name__, _to_json(value), needs)
        with self._lock:
            self._note(audit, value, token)
        return token

    def value(self, token: str) -> Kept | None:
        """Return what a token stands for, None if nothing does."""
        with self._lock:
            audit, known = self._values.get(token, ("", None))
            if known is not None:
                self._values.move_to_end(token)
        if known is not None:
            return known if self.holds(audit) else None
        found = self._store.documents.read(token) if token else None
        value = None if found is None else _from_json(found.kind, found.body)
        if found is None or value is None:
            return None
        with self._lock:
            self._note(found.audit, value, token)
        return value

    def _hold(self, sha256: str, content: bytes) -> None:
        self._files[sha256] = content
        self._files.move_to_end(sha256)
        while sum(map(len, self._files.values())) > self._most_bytes and len(self._files) > 1:
            self._files.popitem(last=False)

    def _note(self, audit: str, value: Kept, token: str) -> None:
        self._values[token] = (audit, value)
        self._tokens[audit, value] = token
        while len(self._values) > MOST_VALUES:
            oldest, _ = self._values.popitem(last=False)
            self._tokens = {key: known for key, known in self._tokens.items() if known != oldest}


def _files_of(value: Kept) -> tuple[str, ...]:
    """Return the digests of the files something is made from; a service has none."""
    if isinstance(value, Setup):
        return (value.source.sha256,)
    if isinstance(value, RuleFile):
        return (value.sha256,)
    return (value.origin.sha256,) if isinstance(value.origin, ModelFile) else ()
