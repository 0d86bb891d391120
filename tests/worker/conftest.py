"""A pool of real processes, a shelf that is a dictionary, and visitors."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ares_core.worker import Errands, Pool
from tests.worker.odd import Who

TURNS = itertools.count()
Visit = Callable[[], Errands]


class Files(dict[str, bytes]):
    """Files by digest."""

    def put(self, content: bytes) -> str:
        """Keep a file and return its digest."""
        sha256 = hashlib.sha256(content).hexdigest()
        self[sha256] = content
        return sha256


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Return a pool whose processes end with the tests of a file."""
    made = Pool(most=6)
    yield made
    made.close()


@pytest.fixture
def files() -> Files:
    """Return an empty shelf."""
    return Files()


@pytest.fixture(scope="module")
def shelf() -> Files:
    """Return the shelf of the visitor below."""
    return Files()


@pytest.fixture(scope="module")
def visitor(pool: Pool, shelf: Files) -> Errands:
    """Return a visitor several tests share, so that few processes are started."""
    return Errands(pool, shelf.__getitem__)


@pytest.fixture
def visit(pool: Pool, files: Files) -> Visit:
    """Return what makes a visitor."""
    return lambda: Errands(pool, files.__getitem__)


def process(errands: Errands) -> int:
    """Return the number of a visitor's process, asking it."""
    return errands.ask(Who(next(TURNS))).result()


def running(pid: int) -> bool:
    """Say whether a process is there and not a zombie."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
