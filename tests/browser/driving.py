"""Driving: a real server and a real browser, for tests, pictures and benchmarks. Waits on states, never on time."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Playwright,
    Request,
    WebSocket,
    expect,
    sync_playwright,
)
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.patience import PATIENCE

TOP = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing the browser itself would like to fetch; as root it starts only without its sandbox.
FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")
FLAGS += ("--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage")
MILLISECONDS = 1000 * PATIENCE
WHOLE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
SLICE = 20  # milliseconds between two looks
QUIET = "[data-testid=stApp][data-test-script-state=notRunning]"
# The effect of a click and the request it sends come with the page's next task, or at the latest once it is drawn.
NEXT_TASK = "() => new Promise((done) => setTimeout(done))"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
# While an expander opens, the browser scrolls inside of it to what is clicked, and its content moves.
OPENED = "(details) => details.open && !details.getAnimations().length && details.scrollHeight <= details.clientHeight"
expect.set_options(timeout=MILLISECONDS)


def find_browser() -> str | None:
    """Return the path of a browser on this machine."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


def plain(text: str) -> str:
    """Return text as people see it: single blanks, and no joiners, which have no width."""
    return " ".join(text.replace("\u2060", "").split())


class Server:
    """The dashboard on a free port, in a process group of its own, with variables of its environment."""

    def __init__(self, log: Path, **environment: str) -> None:
        self.log, self.port = log, _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        with log.open("wb") as stream:
            self.process = subprocess.Popen(
                [*command, "--server.port", str(self.port)],
                cwd=TOP,
                env=os.environ | environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urlopen(f"{self.url}/_stcore/health", timeout=PATIENCE):
                    return
            except (URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        self.close()
        raise RuntimeError(f"The server did not start: {self.log.read_text('utf-8', errors='replace')[-2000:]}")

    def cpu_seconds(self) -> float:
        """Return the processor time the server's process has used, its workers aside."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the server; its workers end with it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def browser(driver: Playwright | None = None) -> Iterator[Browser]:
    """Start a browser."""
    path = find_browser()
    if path is None:
        raise RuntimeError("There is no browser; install Chromium.")
    if driver is not None:
        yield driver.chromium.launch(executable_path=path, args=list(FLAGS))
        return
    with sync_playwright() as own, browser(own) as found:
        yield found
        found.close()


class Runs:
    """Reads the messages between a page and its server: requests for a run of its script, and runs that answer them.

    A run answers if it began after the latest request, and did not end because another run was to begin.

    Parameters
    ----------
    parts
        Whether runs of a part of the page count too: not where they come by themselves while something is worked out.

    Attributes
    ----------
    requests
        Number of runs the page asked for because of something its visitor did.
    answered
        Whether a run that began after the latest request has ended.
    """

    def __init__(self, parts: bool = False) -> None:
        self.requests, self.answered = 0, False
        self._begun = False
        self._counted = (*WHOLE, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY) if parts else WHOLE

    def sent(self, payload: bytes | str) -> None:
        """Read one message from the page to the server."""
        message = BackMsg.FromString(payload) if isinstance(payload, bytes) else BackMsg()
        if message.WhichOneof("type") == "rerun_script" and not message.rerun_script.is_auto_rerun:
            self.requests += 1
            self.answered = self._begun = False

    def received(self, payload: bytes | str) -> None:
        """Read one message from the server to the page."""
        message = ForwardMsg.FromString(payload) if isinstance(payload, bytes) else ForwardMsg()
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._begun = True
        elif kind == "script_finished" and self._begun and message.script_finished in self._counted:
            self.answered = True


class Visitor:
    """One person at one browser, who has nothing in common with the others.

    Parameters
    ----------
    options
        Of the browser: `viewport`, `color_scheme`; `late` are requests and what to do with them instead.

    Attributes
    ----------
    outside
        Addresses of other machines that were asked for anything.
    problems
        What the page's console called an error, and dialogs that opened.
    """

    def __init__(self, found: Browser, url: str, **options: Any) -> None:
        self.url = url
        late = options.pop("late", None)
        size = options.pop("viewport", {"width": 1400, "height": 900})
        self.context = found.new_context(viewport=size, reduced_motion="reduce", **options)
        if late is not None:
            self.context.route(*late)
        self.outside: list[str] = []
        self.problems: list[str] = []
        self.runs = Runs()
        self.context.on("request", self._requested)
        self.page = self.context.new_page()
        self.page.set_default_timeout(MILLISECONDS)
        self.page.on("websocket", self._connected)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def _connected(self, connection: WebSocket) -> None:
        # A page loaded anew is another one: what the old one still hears counts for nothing.
        self.runs = Runs(parts="/Answer" in self.page.url)
        connection.on("framesent", self.runs.sent)
        connection.on("framereceived", self.runs.received)

    def _said(self, said: ConsoleMessage) -> None:
        # On a page of its own address Streamlit looks for its server beside the page first, and does not find it.
        if said.type == "error" and "/_stcore/" not in said.location["url"]:
            self.problems.append(f"{said.text} {said.location['url']}")

    def _requested(self, request: Request) -> None:
        if not request.url.startswith((self.url, self.url.replace("http", "ws", 1), "data:", "blob:")):
            self.outside.append(request.url)

    def open(self, path: str = "/") -> Visitor:
        """Go to a page and wait until it is there."""
        return self._arrive(lambda: self.page.goto(self.url + path))

    def reload(self) -> Visitor:
        """Load the page anew and wait until it is there."""
        return self._arrive(self.page.reload)

    def go(self, name: str) -> Visitor:
        """Go to a page by the link in the sidebar."""
        return self.click(self.page.locator("[data-testid=stSidebar]").get_by_role("link", name=name))

    def act(self, action: Callable[[], Any]) -> Visitor:
        """Do something once, and wait until the page has answered."""
        runs, before = self.runs, self.runs.requests
        action()
        return self._settle(lambda: (self.runs is not runs or self.runs.requests > before) and self.runs.answered)

    def repeat(self, action: Callable[[], Any], done: Callable[[], bool]) -> Visitor:
        """Do something again and again until it has had its effect.

        A click is lost if its target moves or is drawn again between pressing and releasing the mouse button. On a busy
        machine that takes long enough to happen.
        """
        until = time.monotonic() + PATIENCE
        while True:
            action()
            for later in (NEXT_TASK, DRAWN):
                self.page.evaluate(later)
                if done():
                    return self
            if time.monotonic() > until:
                raise TimeoutError("The action had no effect.")

    def send(self, action: Callable[[], Any]) -> Visitor:
        """Repeat an action until the page sends a request to the server, without waiting for the answer."""
        runs, before = self.runs, self.runs.requests
        return self.repeat(action, lambda: self.runs is not runs or self.runs.requests > before)

    def click(self, target: Locator) -> Visitor:
        """Click a button, a link or an option, again if the click is lost, and wait until the page has answered."""
        return self.act(lambda: self.send(target.click))

    def check(self, target: Locator) -> Visitor:
        """Tick a checkbox or choose a radio button by its label, unless it is ticked or chosen already."""
        if target.is_checked():
            return self
        return self.act(lambda: self.repeat(target.click, target.is_checked))

    def open_expander(self, title: str) -> Visitor:
        """Open a closed expander, and wait until all of its content is shown and has stopped moving."""
        head = self.page.locator("summary").filter(has_text=title)
        details = self.page.locator("details").filter(has=head)
        self.repeat(head.click, lambda: details.get_attribute("open") is not None)
        return self._wait(lambda: bool(details.evaluate(OPENED)), f"The expander {title!r} did not open.")

    def _arrive(self, action: Callable[[], Any]) -> Visitor:
        left = self.runs
        action()
        return self._settle(lambda: self.runs is not left and self.runs.answered)

    def _settle(self, answered: Callable[[], bool]) -> Visitor:
        self._wait(answered, "The page did not answer.")
        self.page.wait_for_selector(QUIET)
        self.page.evaluate(DRAWN)  # a click on what is about to be drawn again is lost
        return self

    def _wait(self, done: Callable[[], bool], problem: str) -> Visitor:
        until = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > until:
                raise TimeoutError(problem)
            self.page.wait_for_timeout(SLICE)  # lets messages in
        return self

    def key(self, name: str) -> Locator:
        """Return the widget or container with a key."""
        return self.page.locator(f".st-key-{name}")

    def press(self, key: str) -> Visitor:
        """Press the button with a key."""
        return self.click(self.key(key).get_by_role("button").first)

    def choose(self, key: str, option: str) -> Visitor:
        """Choose an option of a select box, unless it is chosen already.

        Its name is typed first: a click into a long list that is still scrolling to the option is lost.
        """
        box = self.key(key)
        box.locator("input").first.wait_for()
        if option in (box.inner_text(), *(each.input_value() for each in box.locator("input").all())):
            return self

        def pick() -> None:
            box.locator("input").first.fill(option)
            self.page.get_by_role("option", name=option, exact=True).first.click()

        return self.act(lambda: self.send(pick))

    def upload(self, within: Locator, path: Path) -> Visitor:
        """Give a file."""
        return self.act(lambda: within.locator("input[type=file]").first.set_input_files(path))

    def see(self, text: str) -> Visitor:
        """Wait until a text is on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=MILLISECONDS)
        return self

    def text(self) -> str:
        """Return what is written on the page."""
        return self.page.locator("[data-testid=stMain]").inner_text()

    def close(self) -> None:
        """Leave."""
        self.context.close()
