"""The parent's side of a worker: start one, give it questions, watch them, give them up."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, BinaryIO, Generic, TypeVar, cast

from ares_core import processes
from ares_core.errors import AresError, Cancelled
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
from ares_core.worker.questions import Question
from ares_core.worker.secrets import service_headers, worker_environment

A = TypeVar("A")
Files = Callable[[str], bytes]
GRACE = 2.0  # seconds a worker has to give a question up before it is ended
START = 60.0  # seconds it has to start
NUDGE = 0.1  # seconds between two signals to give it up; one may come where it cannot be heeded
LOOK = 0.2  # seconds between looks whether a worker is still there
SOME_SECONDS = 1.0  # before that, guessing the time left is idle
GONE = ("A file of this audit is no longer on the server.", "Bring it again, or begin another audit.")
KILLED = (
    "The server stopped the computation, most likely because it took too much memory.",
    "Try again with fewer rows or columns; if it happens again, tell whoever runs this server.",
)

log = logging.getLogger(__name__)


class WorkerError(AresError):
    """A worker ended or failed in a way nobody foresaw."""

    def __init__(
        self,
        problem: str = "The computation ended unexpectedly.",
        hint: str = "Try again; if it happens again, try fewer rows or columns.",
    ) -> None:
        super().__init__(problem, hint)


class Job(Generic[A]):
    """A question on its way to an answer; safe to look at from any thread."""

    def __init__(self, question: Question[A], number: int) -> None:
        self.question, self.number = question, number
        self.stage, self.share = "", 0.0
        self._began = self._stage_began = monotonic()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._answer: A | None = None
        self._error: AresError | None = None

    @property
    def done(self) -> bool:
        """Whether there is an answer or an error."""
        return self._over.is_set()

    @property
    def failed(self) -> bool:
        """Whether it ended without an answer."""
        return self._error is not None

    @property
    def cancelled(self) -> bool:
        """Whether it was given up."""
        return isinstance(self._error, Cancelled)

    @property
    def seconds(self) -> float:
        """How long ago it was asked."""
        return monotonic() - self._began

    @property
    def seconds_left(self) -> float | None:
        """How much longer the stage it is at will take, if that can be guessed."""
        spent = monotonic() - self._stage_began
        if not 0.02 < self.share < 1 or spent < SOME_SECONDS:
            return None
        return spent * (1 - self.share) / self.share

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, and say whether it came."""
        return self._over.wait(seconds)

    def result(self) -> A:
        """Return the answer, once done.

        Raises
        ------
        AresError
            What came instead of an answer.
        """
        self._over.wait()
        if self._error is not None:
            raise self._error
        return cast(A, self._answer)

    def tell(self, stage: str, share: float) -> None:
        """Note how far it is."""
        if stage != self.stage:
            self._stage_began = monotonic()
        self.stage, self.share = stage, share

    def succeed(self, answer: A) -> None:
        """End with an answer, unless it ended before."""
        self._end(answer, None)

    def fail(self, error: AresError) -> None:
        """End without one, unless it ended before."""
        self._end(None, error)

    def _end(self, answer: A | None, error: AresError | None) -> None:
        with self._lock:
            if not self._over.is_set():
                self._answer, self._error = answer, error
                self._over.set()


class Worker:
    """A worker process, which answers one question at a time."""

    def __init__(self) -> None:
        self._process = processes.start([sys.executable, "-m", "ares_core.worker"], worker_environment())
        self._lock = threading.RLock()
        self._free = threading.Event()  # the process waits for a question; it may be busy with one that was given up
        self._free.set()
        self._ready = threading.Event()  # it heeds signals; before, one would end it
        self._ended = False
        self._job: Job[Any] | None = None
        self._question: Ask | None = None  # the job's, as it was sent
        self._files: Files | None = None
        self._heard = False  # the process has taken the job's question
        self._silent = threading.Event()  # it has ended and says nothing more
        self.used = monotonic()
        threading.Thread(target=self._listen, name="worker-replies", daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return not self._ended and self._process.poll() is None

    @property
    def busy(self) -> bool:
        """Whether the process is at work."""
        return not self._free.is_set()

    def give(self, job: Job[Any], files: Files) -> bool:
        """Start on a question, and say whether there still is a process to do so; it must not be busy.

        Files are fetched by `files` when the worker wants them. Headers of the services it asks go with the question.
        """
        try:
            question = Ask(job.number, job.question, service_headers(job.question))
        except AresError as error:
            job.fail(error)
            return True
        with self._lock:
            if self._ended:
                return False
            if self.busy:
                raise RuntimeError("the worker is busy")
            self._free.clear()
            self._job, self._heard, self._files, self.used = job, False, files, monotonic()
            self._question = question
            if self._send(question):
                return True
            self._job = None  # it ended before it heard the question, which another may answer
        self.end()
        return False

    def see_through(self, job: Job[Any]) -> None:
        """Wait for the end of a job, or for that of a process that never heard of it."""
        while not job.wait(LOOK) and not self._silent.is_set():
            pass

    def let_go(self) -> None:
        """Wait until the process has given up a question that nobody waits for; end it if it does not let go."""
        if not self._free.is_set():
            self._ready.wait(START)
        until = monotonic() + GRACE
        while not self._free.wait(NUDGE):
            if monotonic() > until:
                self.end()
                return
            self.nudge()

    def nudge(self) -> None:
        """Tell the process to give its question up if that is over for whoever asked it."""
        with self._lock:  # so that no other question begins between the look and the signal
            if self.busy and self._ready.is_set() and self.alive and self._job is not None and self._job.done:
                os.kill(self._process.pid, signal.SIGUSR1)

    def end(self) -> None:
        """End the process."""
        self._ended = True
        processes.end(self._process)

    def end_idle(self) -> bool:
        """End the process unless it is at work, and say whether it was ended."""
        with self._lock:
            if not self.busy:
                self.end()
            return self._ended

    def _send(self, message: Message) -> bool:
        """Send a message, and say whether there was somebody to take it."""
        try:
            write_message(cast(BinaryIO, self._process.stdin), message)
        except (OSError, ValueError):
            log.warning("a worker ended before it was asked")
            return False
        return True

    def _listen(self) -> None:
        stream = cast(BinaryIO, self._process.stdout)
        try:
            while (message := read_message(stream)) is not None:
                self._take(message)
        except Exception:
            log.exception("a worker's reply could not be read")
        was_ended = self._ended
        self.end()
        killed = not was_ended and self._process.returncode == -signal.SIGKILL
        with self._lock:
            processes.close_pipes(self._process)
            if self._job is not None and self._heard:
                self._job.fail(WorkerError(*KILLED) if killed else WorkerError())
            self._silent.set()
            self._free.set()
            self._ready.set()

    def _take(self, message: Message) -> None:
        job = self._job
        if isinstance(message, Ready):
            self._ready.set()
            return
        if job is None or isinstance(message, Keep | Ask) or message.number != job.number:
            return
        self._heard, self.used = True, monotonic()
        match message:
            case Told(_, stage, share):
                job.tell(stage, share)
            case Wants(_, sha256):
                self._supply(job, sha256)
            case Answered(_, answer):
                self._over(lambda: job.succeed(answer))
            case Refused(_, kind, problem, hint):
                self._over(lambda: job.fail(Cancelled() if kind is Cancelled else kind(problem, hint)))
            case Broken(_, traceback):
                log.error("a worker failed on %s:\n%s", type(job.question).__name__, traceback)
                self._over(lambda: job.fail(WorkerError()))

    def _over(self, tell: Callable[[], None]) -> None:
        """Be free again before whoever asked is told, since they may ask the next question at once."""
        self._free.set()
        tell()

    def _supply(self, job: Job[Any], sha256: str) -> None:
        """Send a file the worker wants, and the question again."""
        content = self._content(sha256)
        with self._lock:
            if content is None or job.done:
                self._over(lambda: job.fail(WorkerError(*GONE)))
                return
            self._send(Keep(sha256, content))
            if self._question is not None:
                self._send(self._question)

    def _content(self, sha256: str) -> bytes | None:
        try:
            return self._files(sha256) if self._files is not None else None
        except KeyError:
            return None
