"""Clients: experts with a websocket each, all in one process of their own, who talk to the server as browsers do.

Run as ``python -m benchmarks.clients``: reads a task as JSON and prints what was acknowledged, and what went wrong.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg  # noqa: TID251 - a client speaks its protocol
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg  # noqa: TID251 - likewise
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.cases import TOP

PATIENCE = 30.0  # seconds for one run of the page, and to catch up at the end
AT_ONCE = 10  # experts who open their link at the same moment
TITLE = re.compile(r"\*\*(.+?)\*\*")
SAVED = re.compile(r"<strong>Saved</strong>: (.+)\.</p>")
# What an expert can click, what that means, and what must then be acknowledged.
CLICKS = {
    "left": ("harder", "“{0}” is harder than “{1}”"),
    "right": ("harder", "“{1}” is harder than “{0}”"),
    "same": ("tie", "“{0}” and “{1}” are about the same"),
    "skip": ("skipped", "“{0}” or “{1}”: skipped"),
}
ODDS = (44, 44, 8, 4)
ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass(frozen=True, slots=True)
class Task:
    """Who answers where: invitations to a server's port, one answer of each every so many seconds, and for how long."""

    port: int
    invitations: tuple[str, ...]
    every: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer of which its expert heard that it is saved.

    Parameters
    ----------
    mark
        How its id begins.
    first, second
        What the two cards said; with the verdict "harder" the first is the harder one.
    seconds
        From the click to the end of the next question.
    """

    invitation: str
    mark: str
    first: str
    second: str
    verdict: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the experts heard, what went wrong, and the seconds from the common beginning to the last of it."""

    heard: tuple[Heard, ...]
    errors: tuple[str, ...]
    seconds: float


def run_clients(task: Task) -> Outcome:
    """Let experts answer, in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.clients"]
    done = subprocess.run(command, cwd=TOP, input=json.dumps(asdict(task)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"The clients failed: {done.stderr[-2000:]}")
    told = json.loads(done.stdout)
    return Outcome(tuple(Heard(*one) for one in told["heard"]), tuple(told["errors"]), told["seconds"])


@dataclass(slots=True)
class Shown:
    """What one run of the page has sent: its buttons by key, each with id and label, what is saved, and problems."""

    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)
    saved: str = ""
    problems: list[str] = field(default_factory=list)

    def take(self, message: ForwardMsg) -> None:
        """Read one message."""
        element = message.delta.new_element
        match element.WhichOneof("type"):
            case "button":
                key = element.button.id.rpartition("-")[2]
                self.buttons[key] = (element.button.id, element.button.label)
            case "html":
                found = SAVED.search(element.html.body)
                self.saved = found[1] if found else self.saved
            case "alert" | "exception" as kind:
                self.problems.append(str(getattr(element, kind)))

    @property
    def mark(self) -> str:
        """How the id of the answer to come begins."""
        return next((key.rpartition("_")[2] for key in self.buttons if key.startswith("answer_left_")), "")

    def title(self, side: str) -> str:
        """Return what a card says in bold."""
        found = TITLE.search(self.buttons[f"answer_{side}_{self.mark}"][1])
        return found[1] if found else ""


class Window:
    """One expert's browser window, as far as the server can tell."""

    def __init__(self, socket: ClientConnection, invitation: str) -> None:
        self._socket, self._invitation = socket, invitation
        self._page = self._part = ""
        self.shown = Shown()

    async def open(self) -> None:
        """Open the invitation's link, up to the first question."""
        await self._run()
        if not self.shown.mark:
            raise RuntimeError(f"no question was shown: {self.shown}")

    async def answer(self, click: str) -> Heard:
        """Click on an answer, and return it when it was acknowledged and the next question is whole."""
        mark, before = self.shown.mark, self.shown
        cards = (before.title("left"), before.title("right"))
        began = time.perf_counter()
        await self._run(before.buttons[f"answer_{click}_{mark}"][0])
        seconds = time.perf_counter() - began
        verdict, words = CLICKS[click]
        if self.shown.saved != words.format(*cards) or self.shown.mark in ("", mark):
            raise RuntimeError(f"{words.format(*cards)!r} was not acknowledged: {self.shown}")
        first, second = reversed(cards) if click == "right" else cards
        return Heard(self._invitation, mark, first, second, verdict, seconds)

    async def _run(self, clicked: str = "") -> None:
        """Ask for a run of the page and read all it sends."""
        asked = BackMsg()
        asked.rerun_script.query_string = urlencode({"invite": self._invitation})
        asked.rerun_script.page_script_hash = self._page
        asked.rerun_script.page_name = "" if self._page else "Answer"
        if clicked:
            asked.rerun_script.widget_states.widgets.add(id=clicked, trigger_value=True)
            asked.rerun_script.fragment_id = self._part
        self.shown = Shown()
        await self._socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._take(ForwardMsg.FromString(await self._socket.recv(decode=False))):
                pass
        if self.shown.problems:
            raise RuntimeError(f"the page shows a problem: {self.shown.problems[0]}")

    def _take(self, message: ForwardMsg) -> bool:
        """Read one message, and say whether the run has ended with it."""
        kind = message.WhichOneof("type")
        if kind == "delta":
            self.shown.take(message)
            self._part = message.delta.fragment_id or self._part
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        return kind == "script_finished" and message.script_finished in ENDED


class Crowd:
    """All experts of a task, who begin together once each has a first question."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._doors = asyncio.Semaphore(AT_ONCE)
        self._ready = asyncio.Barrier(len(task.invitations))
        self._began = 0.0
        self._heard: list[Heard] = []
        self._errors: list[str] = []

    async def run(self) -> Outcome:
        """Let everybody answer."""
        await asyncio.gather(*map(self._attend, self._task.invitations))
        return Outcome(tuple(self._heard), tuple(self._errors), time.perf_counter() - self._began)

    async def _attend(self, invitation: str) -> None:
        try:
            await self._converse(invitation)
        except Exception as error:
            self._errors.append(f"{type(error).__name__}: {error}")
            await self._ready.abort()  # if somebody cannot begin, nobody does: it would be another load

    async def _converse(self, invitation: str) -> None:
        port = self._task.port
        async with connect(
            f"ws://127.0.0.1:{port}/_stcore/stream",
            origin=Origin(f"http://127.0.0.1:{port}"),
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            open_timeout=PATIENCE,
        ) as socket:
            window = Window(socket, invitation)
            async with self._doors:
                await window.open()
            await self._ready.wait()
            self._began = self._began or time.perf_counter()
            await self._answer(window, random.Random(invitation))

    async def _answer(self, window: Window, rng: random.Random) -> None:
        """Answer at regular moments; an expert who is kept waiting answers as soon as there is a question."""
        for due in self._moments(rng):
            now = time.perf_counter() - self._began
            if now > self._task.seconds + PATIENCE:
                raise RuntimeError("the server is too slow for this many answers")
            await asyncio.sleep(max(0.0, due - now))
            (click,) = rng.choices(list(CLICKS), ODDS)
            self._heard.append(await window.answer(click))

    def _moments(self, rng: random.Random) -> Iterator[float]:
        due = rng.random() * self._task.every
        while due < self._task.seconds:
            yield due
            due += self._task.every


def main() -> None:
    """Do the task that is read, and print the outcome."""
    asked = json.load(sys.stdin)
    task = Task(asked["port"], tuple(asked["invitations"]), asked["every"], asked["seconds"])
    outcome = asyncio.run(Crowd(task).run())
    heard = [list(asdict(one).values()) for one in outcome.heard]
    print(json.dumps({"heard": heard, "errors": outcome.errors, "seconds": outcome.seconds}))


if __name__ == "__main__":
    main()
