"""Requests with foreign names: refused, without asking any other machine, while browsers and proxies get through."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
import requests
import streamlit as st
from streamlit import cli_util, config
from websockets.exceptions import InvalidStatus

from tests.browser.driving import Server
from tests.patience import PATIENCE
from tests.server.websocket import HEALTH, STREAM, visit
from ui.server import opened_in_browser

PUBLIC = "audit.example"
EVIL = "https://evil.example"
# Python runs this file when it starts. It notes every name that is looked up and every address connected to.
WATCH = """
import os, sys

def note(event, arguments):
    if event == "socket.getaddrinfo":
        place = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        place = arguments[1][0]
    else:
        return
    if place not in (None, "127.0.0.1", "::1", "localhost"):
        with open(os.environ["WATCHED_CALLS"], "a", encoding="utf-8") as stream:
            stream.write(f"{event} {place}\\n")

sys.addaudithook(note)
"""


@contextmanager
def watched(folder: Path, **options: str) -> Iterator[tuple[Server, Path]]:
    """Start a server that notes whom it calls, and return the file with these notes too."""
    (folder / "sitecustomize.py").write_text(WATCH, "utf-8")
    calls = folder / "calls.txt"
    calls.touch()
    environment = {"PYTHONPATH": str(folder), "WATCHED_CALLS": str(calls)}
    store = f"sqlite:///{folder / 'store.sqlite3'}"
    server = Server(folder / "log.txt", ARES_STORE=store, **environment, **options)
    try:
        yield server, calls
    finally:
        server.close()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Serve as `make run` does."""
    with watched(tmp_path_factory.mktemp("local")) as found:
        yield found


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Serve as a team does: under a public name, behind a reverse proxy."""
    options = {"STREAMLIT_SERVER_ALLOWED_HOSTS": f"127.0.0.1 {PUBLIC}", "STREAMLIT_BROWSER_SERVER_ADDRESS": PUBLIC}
    with watched(tmp_path_factory.mktemp("proxy"), **options) as found:
        yield found


def http_status(server: Server, path: str = HEALTH, **headers: str) -> int:
    """Return the status of an HTTP request with these headers."""
    with requests.Session() as http:
        http.trust_env = False
        return http.get(server.url + path, headers=headers, timeout=PATIENCE).status_code


def websocket_works(server: Server, **headers: str) -> bool:
    """Return whether a websocket with these headers opens and shows the first page."""
    try:
        with visit(server.url, **headers) as visitor:
            visitor.run()
            return "AReS Audit" in visitor.text
    except InvalidStatus as error:
        assert error.response.status_code == 403
        return False


def test_a_foreign_origin_is_refused_and_nobody_else_is_asked(local: tuple[Server, Path]) -> None:
    """Neither a websocket nor an HTTP request makes the server look a name up or connect to another machine."""
    server, calls = local
    for origin in (EVIL, "http://evil.example:8501", f"http://127.0.0.1.evil.example:{server.port}", "null"):
        assert not websocket_works(server, Origin=origin)
        for path in (HEALTH, "/", "/_stcore/host-config", STREAM):
            assert http_status(server, path, Origin=origin) == 403
    assert calls.read_text("utf-8") == ""


def test_the_watch_notes_calls_to_other_machines(local: tuple[Server, Path], tmp_path: Path) -> None:
    """The test above can fail: a process that is watched the same way and looks a name up is noted."""
    calls = tmp_path / "calls.txt"
    environment = {**os.environ, "PYTHONPATH": str(local[1].parent), "WATCHED_CALLS": str(calls)}
    code = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 9))"
    subprocess.run([sys.executable, "-c", code], env=environment, check=False, capture_output=True)
    assert calls.read_text("utf-8") == "socket.connect 192.0.2.1\n"


def test_a_foreign_host_is_refused(local: tuple[Server, Path]) -> None:
    """A page whose name was rebound to this machine gets nothing, although its Origin matches its Host."""
    server, calls = local
    for name in ("evil.example", f"evil.example:{server.port}", f"localhost.evil.example:{server.port}", PUBLIC):
        assert not websocket_works(server, Host=name, Origin=f"http://{name}")
        assert not websocket_works(server, Host=name)
        for path in (HEALTH, "/", "/Data"):
            assert http_status(server, path, Host=name) == 403
    assert calls.read_text("utf-8") == ""


def test_browsers_on_this_machine_get_through(local: tuple[Server, Path]) -> None:
    """By address and by name, with the Origin a browser sends."""
    server, calls = local
    for name in (f"127.0.0.1:{server.port}", f"localhost:{server.port}", f"[::1]:{server.port}"):
        assert websocket_works(server, Host=name, Origin=f"http://{name}")
        assert http_status(server, "/", Host=name) == 200
    assert calls.read_text("utf-8") == ""


def test_a_reverse_proxy_gets_through(behind_proxy: tuple[Server, Path]) -> None:
    """Under its public name, whether the proxy passes the Host on or puts its own there; other pages still do not."""
    server, calls = behind_proxy
    assert websocket_works(server, Host=PUBLIC, Origin=f"https://{PUBLIC}")
    assert websocket_works(server, Host=f"127.0.0.1:{server.port}", Origin=f"https://{PUBLIC}")
    assert http_status(server, "/", Host=PUBLIC) == 200
    assert not websocket_works(server, Host=PUBLIC, Origin=EVIL)
    assert not websocket_works(server, Host=PUBLIC, Origin=f"https://{PUBLIC}.")
    assert not websocket_works(server, Host="evil.example", Origin="http://evil.example")
    assert calls.read_text("utf-8") == ""


@pytest.mark.parametrize(("headless", "opened"), [(False, ["http://127.0.0.1:8501"]), (True, [])])
def test_the_dashboard_opens_in_a_browser(headless: bool, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As `make run` promises, at the address the server listens on, unless there is nobody to look at it."""
    options = {"server.headless": headless, "server.address": "127.0.0.1", "browser.serverPort": 8501}
    found: list[str] = []
    monkeypatch.setattr(cli_util, "open_browser", found.append)
    monkeypatch.setattr(config, "is_manually_set", options.__contains__)
    monkeypatch.setattr(config, "get_option", lambda name: options.get(name, ""))

    async def start() -> None:
        async with opened_in_browser(cast(st.App, None)):
            await asyncio.sleep(0)

    asyncio.run(start())
    assert found == opened
