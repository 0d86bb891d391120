"""The same tests on both databases: SQLite in a file, PostgreSQL as a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from ares_core.store import Expert, Item, Store, Study
from tests.store.postgres import NONE_HERE, Server, find_programs

DATABASES = ("sqlite", "postgresql")
ITEMS = tuple(Item(name, name.title()) for name in ("savings", "job", "housing", "telephone"))
NewUrl = Callable[[str], str]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Lend a PostgreSQL server to all tests of this run."""
    programs = find_programs()
    if programs is None:
        pytest.skip(NONE_HERE)
    server = Server(programs)
    yield server
    server.close()


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> NewUrl:
    """Return what makes the address of a new, empty database of a kind."""
    numbers = count(1)

    def make(kind: str) -> str:
        if kind == "postgresql":
            server: Server = request.getfixturevalue("server")
            return server.new_database()
        folder = tmp_path / "databases"
        folder.mkdir(exist_ok=True)
        return f"sqlite:///{folder / f'{next(numbers)}.sqlite3'}"

    return make


@pytest.fixture(params=DATABASES)
def kind(request: pytest.FixtureRequest) -> str:
    """Return each kind of database in turn."""
    return str(request.param)


@pytest.fixture
def url(kind: str, new_url: NewUrl) -> str:
    """Return the address of an empty database."""
    return new_url(kind)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return an open store, empty."""
    store = Store(url)
    yield store
    store.close()


@pytest.fixture
def study(store: Store) -> Study:
    """Return a study of four features."""
    return store.studies.create("Loans", ITEMS)


@pytest.fixture
def expert(store: Store, study: Study) -> Expert:
    """Return somebody who was invited to it."""
    return store.studies.invite(study.id, "Ada")
