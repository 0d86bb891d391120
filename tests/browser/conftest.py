"""One server and one browser for all tests; every visitor starts with nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from ares_core.store import Store, default_url
from tests.browser.driving import Server, Visitor, browser, find_browser

Come = Callable[..., Visitor]
LOG_TAIL = 3000


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the dashboard on a free port."""
    if find_browser() is None:
        pytest.skip("there is no browser on this machine: install Chromium, or let `make browser` do so")
    started = Server(tmp_path_factory.mktemp("server") / "log.txt")
    yield started
    started.close()


@pytest.fixture(scope="session")
def store(server: Server) -> Iterator[Store]:
    """Return the store the server keeps everything in."""
    opened = Store(default_url())
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def chromium(server: Server) -> Iterator[Browser]:
    """Start a browser."""
    with browser() as found:
        yield found


@pytest.fixture
def come(chromium: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Come]:
    """Return what lets a visitor come; none may make an external request or meet an error on the way."""
    visitors: list[Visitor] = []
    before = server.log.stat().st_size

    def arrive(path: str = "/", **options: Any) -> Visitor:
        visitors.append(Visitor(chromium, server.url, **options))
        return visitors[-1].open(path)

    yield arrive
    met = [(visitor.outside, visitor.problems) for visitor in visitors]
    for visitor in visitors:
        visitor.close()
    log = server.log.read_bytes()[before:].decode("utf-8", errors="replace")
    print(f"The server's log: {log[-LOG_TAIL:]}")  # pytest shows it when a test fails
    assert met == [([], [])] * len(visitors)
    assert "Traceback" not in log


@pytest.fixture
def visitor(come: Come) -> Visitor:
    """Return a visitor on the first page."""
    return come()


@pytest.fixture(scope="session")
def own_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table of a visitor's own: 240 people of two towns, whose job, savings and debts decide."""
    path = tmp_path_factory.mktemp("own") / "our loans.csv"
    rows = ["sex,town,job,savings,debts,loan"]
    for number in range(240):
        job, savings, debts = number % 3, number * 37 % 100, number * 11 % 4
        good = 30 * job + savings - 15 * debts + (10 if number % 2 else 0) > 55
        words = ("none", "casual", "steady")[job]
        rows.append(f"{'fm'[number % 2]},{'north' if number % 5 < 3 else 'south'},{words},{savings},{debts},{good}")
    path.write_text("\n".join(rows).replace("True", "granted").replace("False", "refused") + "\n", "utf-8")
    return path
