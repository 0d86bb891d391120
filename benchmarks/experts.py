"""Experts: many of them answer at once over real websockets; how long each waits, and whether all is stored once."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ares_core.store import Item, Store, Study
from benchmarks.cases import Case
from benchmarks.clients import Outcome, Task, run_clients
from benchmarks.report import Check, Grid, Section
from tests.browser.driving import Server

SECONDS = 120.0
FEATURES = 20
MARK = 8  # characters of an answer's id that its expert gets to see
COLUMNS = (
    ("experts", ""),
    ("answers", "acknowledged: the expert saw what was saved, and the next question"),
    ("a second", "until the last was acknowledged: fewer than asked for if the server cannot keep up"),
    ("median", "milliseconds from the click to the end of the next question"),
    ("p95", "milliseconds within which 95 % of them are there"),
    ("p99", "milliseconds within which 99 % are"),
    ("errors", "experts who were refused, cut off or shown something else, and failures in the server's log"),
    ("lost", "acknowledged answers that are not in the store as they were given"),
    ("extra", "answers in the store beyond those acknowledged: doubled, or never heard of"),
    (
        "processor",
        "milliseconds of the server's processor for one answer; its start and the opening of all links are shared out",
    ),
    ("load", "processes of the whole machine that wanted a processor, over the last minute, clients included"),
)
SAYS = (
    f"Each expert is a websocket that speaks to the server as a browser does, in a study of {FEATURES} features on "
    "SQLite; all of them are in one process beside the server's, on the same machine. Each reads the question, clicks "
    "on one of its answers and waits for the next question with what was saved.",
)
Answers = Counter[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Load:
    """So many experts, answers a second of each, and the milliseconds within which 95 % must be served."""

    experts: int
    rate: float
    limit: float

    @property
    def title(self) -> str:
        """How people say it."""
        return f"{self.experts} experts × {self.rate:g} answer/s"


LOADS = (Load(50, 1.0, 250.0), Load(200, 0.2, 500.0))


@dataclass(frozen=True, slots=True)
class Served:
    """What came of a load: the outcome for the experts, answers lost and extra, server and machine.

    Parameters
    ----------
    failures
        In the server's log.
    processor
        Seconds of the server.
    busy
        The machine's load average at the end.
    """

    load: Load
    outcome: Outcome
    failures: int
    lost: int
    extra: int
    processor: float
    busy: float

    @property
    def errors(self) -> int:
        """All that went wrong."""
        return len(self.outcome.errors) + self.failures

    def late(self, share: float) -> float:
        """Return the milliseconds within which a share of the answers was acknowledged."""
        waits = [one.seconds for one in self.outcome.heard]
        return float(np.quantile(waits, share)) * 1000 if waits else float("inf")

    def row(self) -> tuple[str, ...]:
        """Return its line of the table."""
        count = len(self.outcome.heard)
        waits = (f"{self.late(share):.0f}" for share in (0.5, 0.95, 0.99))
        wrong = (f"{number:,}" for number in (self.errors, self.lost, self.extra))
        spent = f"{self.processor / max(count, 1) * 1000:.1f}"
        rate = f"{count / self.outcome.seconds:.1f}"
        return (f"{self.load.experts}", f"{count:,}", rate, *waits, *wrong, spent, f"{self.busy:.1f}")


def run(_cases: Sequence[Case], _folder: Path, _left_out: tuple[str, ...], *, seconds: float = SECONDS) -> Section:
    """Serve each load for so many seconds."""
    served = [_serve(load, seconds) for load in LOADS]
    grid = Grid(COLUMNS, tuple(one.row() for one in served))
    checks = tuple(check for one in served for check in _checks(one))
    short = () if seconds >= SECONDS else (f"Each load ran for {seconds:g} seconds, not {SECONDS:g}.",)
    return Section("experts", "Many experts at once", SAYS, (grid,), checks, (*short, *_first_errors(served)))


def _serve(load: Load, seconds: float) -> Served:
    """Start a server on a store of its own, let the experts answer, and compare the store with what they heard."""
    with tempfile.TemporaryDirectory() as place:
        url = f"sqlite:///{place}/experts.sqlite3"
        study, invitations = new_study(url, load.experts)
        server = Server(Path(place) / "log.txt", ARES_STORE=url)
        try:
            outcome = run_clients(Task(server.port, invitations, 1 / load.rate, seconds))
            processor, busy = server.cpu_seconds(), os.getloadavg()[0]
        finally:
            server.close()
        failures = server.log.read_text("utf-8", errors="replace").count("Traceback")
        heard, stored = heard_answers(outcome), stored_answers(url, study)
    return Served(load, outcome, failures, (heard - stored).total(), (stored - heard).total(), processor, busy)


def new_study(url: str, experts: int) -> tuple[Study, tuple[str, ...]]:
    """Make a study and invite experts to it; return it with the invitations."""
    store = Store(url)
    items = [
        Item(f"feature_{place}", f"Feature {place}", f"from level {place} to level {place + 1}", place / FEATURES)
        for place in range(FEATURES)
    ]
    study = store.studies.create("Load", items)
    invitations = tuple(store.studies.invite(study.id, f"Expert {number}").token for number in range(experts))
    store.close()
    return study, invitations


def heard_answers(outcome: Outcome) -> Answers:
    """Count what was acknowledged."""
    return Counter((one.invitation, one.mark, one.first, one.second, one.verdict) for one in outcome.heard)


def stored_answers(url: str, study: Study) -> Answers:
    """Count what is stored, in the words the experts saw."""
    store = Store(url)
    tokens = {expert.id: expert.token for expert in store.studies.experts(study.id)}
    history = store.studies.history(study.id)
    store.close()
    titles = {item.name: item.title for item in study.items}
    return Counter(
        (tokens[one.expert], one.id[:MARK], titles[one.first], titles[one.second], one.verdict) for one in history
    )


def _checks(one: Served) -> Iterator[Check]:
    found = f"{one.errors} errors, {one.lost} lost, {one.extra} extra of {len(one.outcome.heard):,}"
    clean = bool(one.outcome.heard) and not (one.errors or one.lost or one.extra)
    yield Check(f"{one.load.title}: 0 errors, every acknowledged answer stored exactly once", found, clean)
    late = one.late(0.95)
    yield Check(f"{one.load.title}: p95 at most {one.load.limit:.0f} ms", f"{late:.0f} ms", late <= one.load.limit)


def _first_errors(served: Sequence[Served]) -> tuple[str, ...]:
    return tuple(
        f"The first error with {one.load.title}: {one.outcome.errors[0][:500]}" for one in served if one.outcome.errors
    )
