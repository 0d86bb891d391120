"""Frames: how a worker and its parent talk over a pipe, in pickled messages.

Both ends are this program, started by the same user from the same code, and nothing a visitor sends is unpickled.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from ares_core.errors import AresError
from ares_core.processes import read_frame, write_frame
from ares_core.worker.questions import Question
from ares_core.worker.secrets import Headers

_MOST = 1 << 34  # bytes: no message of ours is longer, so what is must be a mistake


@dataclass(frozen=True, slots=True)
class Keep:
    """To the worker: take in a file."""

    sha256: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Ask:
    """To the worker: answer a question; `headers` are for the services it asks, by address, and never shown."""

    number: int
    question: Question[Any]
    headers: Headers = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Ready:
    """From the worker, first of all: it has started, and heeds signals."""


@dataclass(frozen=True, slots=True)
class Told:
    """From the worker: how far it is."""

    number: int
    stage: str
    share: float


@dataclass(frozen=True, slots=True)
class Wants:
    """From the worker: it needs a file before it can answer."""

    number: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Answered:
    """From the worker: the answer."""

    number: int
    answer: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """From the worker: the user can mend what is wrong."""

    number: int
    kind: type[AresError]
    problem: str
    hint: str


@dataclass(frozen=True, slots=True)
class Broken:
    """From the worker: an error nobody foresaw; its traceback is for the log."""

    number: int
    traceback: str


Message = Keep | Ask | Ready | Told | Wants | Answered | Refused | Broken


def write_message(stream: BinaryIO, message: Message) -> None:
    """Write one message and flush it."""
    write_frame(stream, pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))


def read_message(stream: BinaryIO) -> Message | None:
    """Read one message; None at the end of the stream, also if that comes in the middle of a message."""
    body = read_frame(stream, _MOST)
    return None if body is None else pickle.loads(body)
