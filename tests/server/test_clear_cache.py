"""Any visitor can have Streamlit clear its caches: the other visitors must not notice, and no worker is lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from tests.browser.driving import TOP, Server
from tests.patience import PATIENCE
from tests.server.websocket import visit

TABLE = "sex,job,savings,loan\n" + "".join(
    f"{'fm'[n % 2]},{('none', 'steady')[n % 3 > 0]},{n * 37 % 100},{('refused', 'granted')[n * 37 % 100 > 40]}\n"
    for n in range(120)
)
VISITORS = 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the dashboard with a store of its own."""
    folder = tmp_path_factory.mktemp("server")
    started = Server(folder / "log.txt", ARES_STORE=f"sqlite:///{folder / 'store.sqlite3'}")
    yield started
    started.close()


def test_an_upload_survives_another_visitor_who_clears_the_caches(server: Server) -> None:
    """A file uploaded before the caches were cleared becomes an audit that its link opens."""
    with visit(server.url, "Data") as owner, visit(server.url) as other:
        owner.run()
        owner.upload("our loans.csv", TABLE.encode())
        assert "our loans.csv" in owner.text
        other.run()
        other.clear_caches()
        owner.press("data_use")
        token = owner.address["data"][0]
    with visit(server.url, "Data") as colleague:
        colleague.run(f"data={token}")
        assert "our loans.csv" in colleague.text
        assert "no longer on the server" not in colleague.text


def test_clearing_the_caches_orphans_no_worker(server: Server) -> None:
    """However often the caches are cleared, there is one worker for each visitor and one spare."""
    with visit(server.url) as attacker, ExitStack() as visitors:
        attacker.run()
        before = len(workers(server))  # with the spare, which the first visitor gets
        for _ in range(VISITORS):
            attacker.clear_caches()
            visitor = visitors.enter_context(visit(server.url))
            visitor.run("data=german")
            assert "1,000 people" in visitor.text
        assert VISITORS <= len(workers(server)) <= before + VISITORS


def test_no_other_origin_may_send_messages_to_the_page(server: Server) -> None:
    """The browser is told that no page that frames this one may control it."""
    with requests.Session() as http:
        http.trust_env = False
        told = http.get(f"{server.url}/_stcore/host-config", timeout=PATIENCE).json()
    assert told["allowedOrigins"] == []


def test_nothing_lives_in_streamlits_caches() -> None:
    """No page and no module of the dashboard uses `st.cache_data` or `st.cache_resource`."""
    paths = [TOP / "app.py", *TOP.glob("pages/*.py"), *TOP.glob("ui/**/*.py")]
    assert len(paths) > 20
    assert [path.name for path in paths if _caches(path)] == []


def _caches(path: Path) -> bool:
    """Say whether a module names one of Streamlit's caches."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    names = [getattr(node, "attr", None) or getattr(node, "name", "") for node in nodes]
    return any(str(name).startswith(("cache_data", "cache_resource")) for name in names)


def workers(server: Server) -> set[int]:
    """Return the numbers of the server's worker processes."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text("utf-8").rpartition(")")[2].split()[1])
            command = (stat.parent / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            continue
        if parent == server.process.pid and b"ares_core.worker" in command:
            found.add(int(stat.parent.name))
    return found
