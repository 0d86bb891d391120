"""A model's process seen from its parent: start it behind its locks, ask it with a time limit, end it for sure."""

from __future__ import annotations

import json
import subprocess
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import BinaryIO, cast

from ares_core import processes
from ares_core.models.raw import NO_CATEGORIES, Categories
from ares_core.models.sandbox import bubblewrap
from ares_core.models.sandbox.ladder import BUBBLEWRAP, Level
from ares_core.models.sandbox.limits import Limits
from ares_core.models.sandbox.messages import BEGIN, READY, REFUSED, GarbledError, head, open_message
from ares_core.models.sandbox.places import PYTHON, environment
from ares_core.models.sandbox.trouble import Trouble, crash, refusal
from ares_core.processes import LongFrameError, close_pipes, read_frame, write_frame

_HEAD_BYTES = 4_096  # of a frame on top of the array in it
# The kernel ends such a process with the thread that started it, so that thread lasts as long as this program.
_STARTER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model-processes")


class ModelProcess:
    """A locked process for models of one kind.

    Parameters
    ----------
    kind
        What it will load.
    level
        The locks it gets.
    limits
        What it may take.
    packages
        Python packages the model needs besides those of its kind.
    categories
        Categories of columns for a file that does not hold them.

    Raises
    ------
    Trouble
        If it does not start, or cannot be locked.
    """

    def __init__(
        self,
        kind: str,
        level: Level,
        limits: Limits,
        packages: tuple[str, ...] = (),
        categories: Categories = NO_CATEGORIES,
    ) -> None:
        command = [str(PYTHON), "-P", "-s", "-B", "-m", "ares_core.models.sandbox"]
        self._process = _start(bubblewrap.wrapped(command) if level is BUBBLEWRAP else command)
        processes.widen_pipes(self._process)
        self.end = weakref.finalize(self, _end, self._process)
        self._most = limits.answer_bytes + _HEAD_BYTES
        self._number = 0
        plan = {
            "kind": kind,
            "packages": packages,
            "categories": dict(categories),
            "memory_bytes": limits.memory_bytes,
            "cpu_seconds": limits.cpu_seconds,
        }
        try:
            self.ask(BEGIN, json.dumps(plan).encode(), limits.start_seconds, READY)
        except Trouble as trouble:
            took = f"it took longer than {trouble.detail} seconds"
            raise Trouble("start", took if trouble.reason == "late" else trouble.detail) from trouble

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self.end.alive and self._process.poll() is None

    def ask(self, letter: bytes, content: bytes | memoryview, seconds: float, wanted: bytes) -> memoryview:
        """Send a message and return the content of the one that comes back.

        After anything but an orderly reply, and a refusal is one, the process is gone.

        Raises
        ------
        Trouble
            If it takes too long, crashes, refuses, or answers with anything but the wanted letter.
        """
        self._number += 1
        try:
            heard, reply = self._opened(self._exchange(letter, content, seconds), wanted)
        except BaseException:  # an interruption too: its late answer must not be taken for that to the next question
            self.end()
            raise
        if heard == REFUSED:
            raise refusal(reply)
        return reply

    def _exchange(self, letter: bytes, content: bytes | memoryview, seconds: float) -> bytes:
        with _Alarm(seconds, self._process) as alarm:
            try:
                write_frame(cast(BinaryIO, self._process.stdin), head(letter, self._number), content)
                body = read_frame(cast(BinaryIO, self._process.stdout), self._most)
            except LongFrameError as error:
                raise Trouble("long") from error
            except (OSError, ValueError):  # it ended while the question was on its way
                body = None
        if body is None:
            raise Trouble("late", f"{seconds:g}") if alarm.rang else crash(processes.end(self._process))
        return body

    def _opened(self, body: bytes, wanted: bytes) -> tuple[bytes, memoryview]:
        try:
            letter, number, content = open_message(body)
        except GarbledError as error:
            raise Trouble("garbled", str(error)) from error
        if number != self._number or letter not in (wanted, REFUSED):
            raise Trouble("garbled", "a reply to a question that was not asked")
        return letter, content


class _Alarm:
    """Ends a process that takes too long, so that whoever waits for it reads the end of its pipe."""

    def __init__(self, seconds: float, process: subprocess.Popen[bytes]) -> None:
        self.rang = False
        self._process = process
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True

    def __enter__(self) -> _Alarm:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def _ring(self) -> None:
        self.rang = True
        processes.end(self._process)


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    started = _STARTER.submit(processes.start, command, environment())
    try:
        return started.result()
    except OSError as error:
        raise Trouble("start", str(error)) from error
    except BaseException:  # whoever asked no longer waits, so nobody would end it
        started.add_done_callback(_end_unwanted)
        raise


def _end_unwanted(started: Future[subprocess.Popen[bytes]]) -> None:
    if not started.cancelled() and started.exception() is None:
        _end(started.result())


def _end(process: subprocess.Popen[bytes]) -> None:
    processes.end(process)
    close_pipes(process)
