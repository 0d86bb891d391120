"""The process itself: what it reads and writes, and when it ends."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ares_core.errors import DataError
from ares_core.worker.frames import (
    Answered,
    Ask,
    Broken,
    Keep,
    Message,
    Ready,
    Refused,
    Told,
    Wants,
    read_message,
    write_message,
)
from tests.patience import PATIENCE
from tests.worker.conftest import running
from tests.worker.odd import ENDLESS, Break, Mend, Size, Stubborn, Who, Work

TOP = Path(__file__).resolve().parents[2]
Process = subprocess.Popen[bytes]
PARENT = """
import os, sys, time
from ares_core.worker import Errands, Pool
from tests.worker.odd import Stubborn, Who
visitor = Errands(Pool(), {}.__getitem__)
print(visitor.ask(Who()).result(), flush=True)
visitor.ask(Stubborn(600))
time.sleep(600)
"""


@pytest.fixture
def worker() -> Iterator[Process]:
    """Start a worker as the dashboard does."""
    with subprocess.Popen(
        [sys.executable, "-m", "ares_core.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=TOP
    ) as process:
        assert take(process) == Ready()
        yield process
        process.kill()


def put(worker: Process, message: Message) -> None:
    """Send a message."""
    assert worker.stdin is not None
    write_message(worker.stdin, message)


def take(worker: Process) -> Message | None:
    """Read the worker's next message, past its word that it took a question."""
    assert worker.stdout is not None
    while isinstance(message := read_message(worker.stdout), Told) and not message.stage:
        pass
    return message


@pytest.mark.parametrize(
    "message",
    [
        Keep("abc", b"\0" * 100_000),
        Ask(1, Who(3)),
        Told(2, "evaluate", 0.5),
        Wants(3, "abc"),
        Answered(4, ("a", 1)),
        Refused(5, DataError, "What.", "Do."),
        Broken(6, "Traceback"),
    ],
)
def test_messages_arrive_as_they_were(message: Message) -> None:
    """A message is read as it was written, one after the other, and the end is told."""
    stream = io.BytesIO()
    write_message(stream, message)
    write_message(stream, message)
    stream.seek(0)
    assert (read_message(stream), read_message(stream), read_message(stream)) == (message, message, None)


@pytest.mark.parametrize("kept", [0, 3, 8, 20])
def test_half_a_message_is_the_end(kept: int) -> None:
    """A stream that ends within a message has ended."""
    stream = io.BytesIO()
    write_message(stream, Told(1, "evaluate", 0.25))
    assert read_message(io.BytesIO(stream.getvalue()[:kept])) is None


def test_a_worker_answers_by_number(worker: Process) -> None:
    """Every reply carries the number of its question: an answer, a refusal, a failure, or the wish for a file."""
    put(worker, Ask(7, Who()))
    assert worker.stdout is not None
    assert read_message(worker.stdout) == Told(7, "", 0.0)
    assert take(worker) == Answered(7, worker.pid)
    put(worker, Ask(8, Mend("DataError")))
    assert take(worker) == Refused(8, DataError, "The 'sky' is too low.", "Lift it.")
    put(worker, Ask(9, Break()))
    broken = take(worker)
    assert isinstance(broken, Broken) and broken.number == 9 and "ZeroDivisionError" in broken.traceback
    put(worker, Ask(10, Size("abc")))
    assert take(worker) == Wants(10, "abc")
    put(worker, Keep("abc", b"12345"))
    put(worker, Ask(10, Size("abc")))
    assert take(worker) == Answered(10, 5)


def test_a_worker_forgets_files(worker: Process) -> None:
    """It holds a few files; one it has forgotten it asks for again."""
    for name in "abcd":
        put(worker, Keep(name, name.encode()))
    put(worker, Ask(1, Size("a")))
    assert take(worker) == Wants(1, "a")
    put(worker, Ask(2, Size("d")))
    assert take(worker) == Answered(2, 1)


def test_a_signal_between_questions_does_nothing(worker: Process) -> None:
    """Only a question at hand is given up."""
    put(worker, Ask(1, Who()))
    take(worker)
    os.kill(worker.pid, signal.SIGUSR1)
    put(worker, Ask(2, Who(1)))
    assert take(worker) == Answered(2, worker.pid)


def test_a_signal_never_breaks_a_message(worker: Process) -> None:
    """However often work that tells much is given up, every message stays whole."""
    for number in range(1, 40):
        put(worker, Ask(number, Work(ENDLESS, number)))
        message = take(worker)
        while isinstance(message, Told):
            assert message.number == number
            os.kill(worker.pid, signal.SIGUSR1)
            message = take(worker)
        assert isinstance(message, Refused) and message.number == number


def test_a_worker_ends_with_its_pipe(worker: Process) -> None:
    """Closing the pipe ends it, even in the middle of work that hears nothing."""
    put(worker, Ask(1, Who()))
    take(worker)
    put(worker, Ask(2, Stubborn(600)))
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(PATIENCE) == 0


def test_a_worker_does_not_outlive_its_parent() -> None:
    """A server that is killed leaves nothing behind, whatever its workers were at."""
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, cwd=TOP) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert running(worker)
        parent.kill()
        parent.wait()
        until = time.monotonic() + PATIENCE
        while running(worker) and time.monotonic() < until:
            time.sleep(0.02)
        assert not running(worker)
