"""Questions no page asks, to see what a worker does with them. A worker that reads one imports this file."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

from ares_core.errors import DataError, SettingError
from ares_core.worker import Question
from ares_core.worker.answers import answer
from ares_core.worker.desk import Desk

ENDLESS = 1e6  # seconds of work that only ends when it is cancelled
ERRORS = {"DataError": DataError, "SettingError": SettingError}


@dataclass(frozen=True)
class Who(Question[int]):
    """Ask for the process's number; `turn` makes it a new question each time."""

    turn: int = 0


@dataclass(frozen=True)
class Echo(Question[str]):
    """Ask for a text."""

    text: str


@dataclass(frozen=True)
class Shout(Question[str]):
    """Ask for an answer that prints on every way to stdout first."""


@dataclass(frozen=True)
class Break(Question[None]):
    """Ask for an error nobody foresaw."""


@dataclass(frozen=True)
class Mend(Question[None]):
    """Ask for an error the user can mend."""

    kind: str


@dataclass(frozen=True)
class Die(Question[None]):
    """Ask for the end of the process in the middle of an answer."""


@dataclass(frozen=True)
class Work(Question[int]):
    """Ask for work that tells how far it is; what it got to is the answer."""

    seconds: float
    turn: int = 0


@dataclass(frozen=True)
class Stubborn(Question[None]):
    """Ask for work that heeds no signal, as a solver does."""

    seconds: float


@dataclass(frozen=True)
class Swallow(Question[int]):
    """Ask for work that swallows the first errors it meets, as careless code does."""

    errors: int


@dataclass(frozen=True)
class Size(Question[int]):
    """Ask how many bytes a file has."""

    sha256: str


@answer.register
def _who(question: Who, desk: Desk) -> int:
    return os.getpid()


@answer.register
def _echo(question: Echo, desk: Desk) -> str:
    return question.text


@answer.register
def _shout(question: Shout, desk: Desk) -> str:
    print("out of the blue", flush=True)
    os.write(1, b"\0" * 64)
    return "calm"


@answer.register
def _break(question: Break, desk: Desk) -> None:
    raise ZeroDivisionError


@answer.register
def _mend(question: Mend, desk: Desk) -> None:
    raise ERRORS[question.kind]("The 'sky' is too low.", "Lift it.")


@answer.register
def _die(question: Die, desk: Desk) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@answer.register
def _work(question: Work, desk: Desk) -> int:
    began, steps = time.monotonic(), 0
    while (spent := time.monotonic() - began) < question.seconds:
        desk.watch("evaluate", spent / question.seconds)
        steps += sum(range(1000)) > 0
    return steps


@answer.register
def _stubborn(question: Stubborn, desk: Desk) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    desk.watch("evaluate", 0.5)
    time.sleep(question.seconds)


@answer.register
def _swallow(question: Swallow, desk: Desk) -> int:
    met = 0
    while True:
        try:
            time.sleep(60)
        except Exception:
            met += 1
            if met > question.errors:
                raise


@answer.register
def _size(question: Size, desk: Desk) -> int:
    return len(desk._file(question.sha256))
