"""A worker process: reads questions from stdin, writes answers to stdout, and ends when stdin does, whatever it is at.

SIGUSR1 gives the question at hand up; between questions it does nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from queue import SimpleQueue
from types import FrameType
from typing import BinaryIO

from ares_core.errors import AresError, Cancelled
from ares_core.processes import POLITE, own_stdout
from ares_core.worker.answers import answer
from ares_core.worker.desk import Desk, NeedsFileError
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


class Server:
    """Answers one question after the other.

    Parameters
    ----------
    replies
        The pipe to the parent.
    """

    def __init__(self, replies: BinaryIO) -> None:
        self._replies = replies
        self._waiting: SimpleQueue[Message] = SimpleQueue()
        self._number: int | None = None
        self._desk = Desk(self._tell)

    def listen(self, requests: BinaryIO) -> None:
        """Take messages in, and end the process when the parent closes the pipe or dies."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])  # it is for the thread that answers
        while (message := read_message(requests)) is not None:
            self._waiting.put(message)
        os._exit(0)

    def serve(self) -> None:
        """Answer for ever."""
        write_message(self._replies, Ready())
        while True:
            message = self._waiting.get()
            if isinstance(message, Keep):
                self._desk.keep(message.sha256, message.content)
            elif isinstance(message, Ask):
                write_message(self._replies, Told(message.number, "", 0.0))  # the question was taken
                write_message(self._replies, self._reply(message))

    def give_up(self, _signal: int, _frame: FrameType | None) -> None:
        """End the question at hand, wherever it is."""
        if self._number is not None:
            raise Cancelled

    def _reply(self, ask: Ask) -> Message:
        try:
            return self._worded(ask)
        except Cancelled as error:  # the signal came while an error was put into words
            return Refused(ask.number, Cancelled, error.problem, error.hint)

    def _worded(self, ask: Ask) -> Message:
        try:
            self._number = ask.number
            self._desk.headers = ask.headers
            return Answered(ask.number, answer(ask.question, self._desk))
        except NeedsFileError as error:
            return Wants(ask.number, error.sha256)
        except AresError as error:
            return Refused(ask.number, type(error), error.problem, error.hint)
        except Exception:
            return Broken(ask.number, traceback.format_exc())
        finally:
            self._number = None
            self._desk.headers = {}

    def _tell(self, stage: str, share: float) -> None:
        number, self._number = self._number, None  # no signal may end a message halfway; the parent sends another
        if number is not None:
            write_message(self._replies, Told(number, stage, share))
        self._number = number


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to stderr."""
    replies = own_stdout()
    os.nice(POLITE)
    server = Server(replies)
    signal.signal(signal.SIGUSR1, server.give_up)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, whose end closes our stdin
    threading.Thread(target=server.listen, args=(sys.stdin.buffer,), name="requests", daemon=True).start()
    server.serve()


if __name__ == "__main__":
    main()
