"""Durability: kill what writes, again and again, and count what was promised and is not there; and how fast it is."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from ares_core.store import Item, Store
from benchmarks.cases import Case
from benchmarks.report import Check, Grid, Section
from tests.store.crowd import Tally, Trial, numbered
from tests.store.postgres import NONE_HERE, Server, find_programs

ROUNDS = 100
EXPERTS, EACH = 50, 20
KILLED = (
    ("killed", "what was ended with SIGKILL, at a random moment while six experts answer without a pause"),
    ("rounds", ""),
    ("acknowledged", "answers of which an expert heard that they are saved"),
    ("lost", "of these, how many were not stored"),
    ("doubled", "answers stored more than once; the last one of each expert was sent again after each kill"),
    ("unheard", "stored, but the kill came before anybody heard of it: why sending again must be harmless"),
    ("damaged", "rounds after which the database's own check found something"),
)
SPEED = (
    ("database", ""),
    ("answers", f"from {EXPERTS} threads at once, each the next as soon as the last is saved"),
    ("a second", "durable answers"),
    ("median", "milliseconds until an answer is saved"),
    ("p99", "milliseconds within which 99 % are"),
    ("processor", "milliseconds of this process's processor for one answer"),
)
SAYS = (
    "An answer is acknowledged when it is on disk: SQLite runs with synchronous FULL, PostgreSQL with fsync. A kill "
    "ends the process that holds the store, or every process of the database server.",
)


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a store took answers: seconds each, seconds in all, seconds of the processor."""

    database: str
    seconds: tuple[float, ...]
    wall: float
    processor: float

    def row(self) -> tuple[str, ...]:
        """Return its line of the table."""
        count = len(self.seconds)
        middle, late = np.quantile(self.seconds, (0.5, 0.99)) * 1000
        spent = self.processor / count * 1000
        return (
            self.database,
            f"{count:,}",
            f"{count / self.wall:,.0f}",
            f"{middle:.0f}",
            f"{late:.0f}",
            f"{spent:.2f}",
        )


def run(_cases: Sequence[Case], _folder: Path, _left_out: tuple[str, ...]) -> Section:
    """Kill and measure on SQLite, and on PostgreSQL where there is one."""
    killed: dict[str, Tally] = {}
    speeds: list[Speed] = []
    with tempfile.TemporaryDirectory() as place, _postgres() as server:
        killed["the program, SQLite"] = _rounds(Trial(f"sqlite:///{place}/kill.sqlite3", None))
        speeds.append(_speed("SQLite", f"sqlite:///{place}/speed.sqlite3"))
        if server is not None:
            speeds.append(_speed("PostgreSQL", server.new_database()))
            killed["the server, PostgreSQL"] = _rounds(Trial(server.new_database(), server))
    gone = () if server is not None else (f"PostgreSQL was not measured: {NONE_HERE}.",)
    rows = tuple((name, *_figures(tally)) for name, tally in killed.items())
    grids = (Grid(KILLED, rows), Grid(SPEED, tuple(speed.row() for speed in speeds)))
    return Section("durability", "Durability", SAYS, grids, tuple(_checks(killed)), gone)


@contextmanager
def _postgres() -> Iterator[Server | None]:
    programs = find_programs()
    if programs is None:
        yield None
        return
    server = Server(programs)
    try:
        yield server
    finally:
        server.close()


def _rounds(trial: Trial) -> Tally:
    trial.run(ROUNDS)
    return trial.tally


def _figures(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.rounds, tally.acknowledged, tally.lost, tally.repeated, tally.unheard, tally.damaged)
    return tuple(f"{number:,}" for number in numbers)


def _checks(killed: dict[str, Tally]) -> Iterator[Check]:
    for name, tally in killed.items():
        found = f"{tally.lost} lost, {tally.repeated} doubled, {tally.damaged} damaged"
        yield Check(f"{ROUNDS} kills of {name}: nothing acknowledged lost, doubled or damaged", found, tally.clean)


def _speed(database: str, url: str) -> Speed:
    """Let all experts answer at once, each the next when the last is saved."""
    store = Store(url)
    study = store.studies.create("Speed", [Item("savings", "Savings"), Item("job", "Job")])
    people = [store.studies.invite(study.id, str(number)).id for number in range(EXPERTS)]
    seconds: list[float] = []

    def session(expert: str) -> None:
        for number in range(EACH):
            began = perf_counter()
            store.studies.save(numbered(expert, number))
            seconds.append(perf_counter() - began)

    threads = [threading.Thread(target=session, args=(expert,)) for expert in people]
    began, spent = perf_counter(), process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall, processor = perf_counter() - began, process_time() - spent
    store.close()
    return Speed(database, tuple(seconds), wall, processor)
