"""Errands: the questions of one visitor. Answers are remembered; what is asked now goes before what may wait."""

from __future__ import annotations

import itertools
import logging
import threading
from collections import OrderedDict, deque
from typing import Any, TypeVar, cast
from weakref import finalize

from ares_core.errors import Cancelled
from ares_core.worker.client import Files, Job, Worker, WorkerError
from ares_core.worker.pool import Pool
from ares_core.worker.questions import Evaluate, MeetModel, Question
from ares_core.worker.recipe import Subject

A = TypeVar("A")
REMEMBERED = 80  # answers; most are a few kilobytes
MOST_LOST = 3  # workers that may end without having taken a question
LASTING = (Evaluate, MeetModel)  # long: given up by the visitor or for another of these, not for a smaller question

log = logging.getLogger(__name__)


class Errands:
    """Runs one visitor's questions on one worker, one at a time.

    Parameters
    ----------
    pool
        Where the worker comes from.
    files
        Returns the content of a file by its digest, or raises KeyError.
    """

    def __init__(self, pool: Pool, files: Files) -> None:
        self._pool, self._files = pool, files
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._jobs: OrderedDict[Question[Any], Job[Any]] = OrderedDict()
        self._waiting: deque[Job[Any]] = deque()
        self._current: Job[Any] | None = None
        self._worker: Worker | None = None
        self._let_go = finalize(self, _nothing)

    def ask(self, question: Question[A], *, later: bool = False) -> Job[A]:
        """Ask, or return the job of the same question asked before.

        A question asked now ends every other one, because whoever asked them has moved on: a page asks anew for what
        it still wants. Only a long one that is still of use goes on. A question for `later` waits until the others
        are answered. This never waits itself.
        """
        with self._lock:
            job = self._jobs.get(question)
            fresh = job is None or job.failed
            if job is None or fresh:
                job = Job(question, next(self._numbers))
            if not later and not job.done:
                self._drop_others(job)
            if fresh:
                self._remember(job)
                self._waiting.append(job)
                self._start()
            return cast("Job[A]", job)

    def known(self, question: Question[A]) -> A | None:
        """Return the answer to a question if it is there already; nothing is asked."""
        with self._lock:
            job = self._jobs.get(question)
        return job.result() if job is not None and job.done and not job.failed else None

    def cancel(self, job: Job[Any]) -> None:
        """Give a job up: it is over at once, and the worker is free for the next soon after."""
        with self._lock:
            job.fail(Cancelled())
            if job in self._waiting:
                self._waiting.remove(job)
            worker = self._worker if job is self._current else None
        if worker is not None:
            worker.nudge()

    def _drop_others(self, job: Job[Any]) -> None:
        for other in [*self._waiting, self._current]:
            if other is not None and other is not job and not _of_use(other.question, job.question):
                self.cancel(other)

    def _remember(self, job: Job[Any]) -> None:
        self._jobs[job.question] = job
        self._jobs.move_to_end(job.question)
        over = [question for question, known in self._jobs.items() if known.done]
        for question in over[: max(0, len(self._jobs) - REMEMBERED)]:
            del self._jobs[question]

    def _start(self) -> None:
        """Let a thread run the jobs; it ends with the last of them, so that nothing outlives the visitor."""
        if self._current is None:
            self._current = self._waiting.popleft()
            threading.Thread(target=self._run, args=(self._current,), name="errands", daemon=True).start()

    def _run(self, job: Job[Any] | None) -> None:
        while job is not None:
            try:
                self._finish(job)
            except Exception:
                log.exception("a question could not be given to a worker")
                job.fail(WorkerError())
            with self._lock:
                job = self._current = self._waiting.popleft() if self._waiting else None

    def _finish(self, job: Job[Any]) -> None:
        """See a job through to its end; a worker that ends before it takes the question is replaced, some times."""
        lost = 0
        while not job.done and lost < MOST_LOST:
            worker = self._hired(job)
            if worker is not None and worker.give(job, self._files):
                worker.see_through(job)
                worker.let_go()
                lost += not job.done
        job.fail(WorkerError())

    def _hired(self, job: Job[Any]) -> Worker | None:
        """Return this visitor's worker, or another if it has ended; it ends with the visitor."""
        if self._worker is None or not self._worker.alive:
            self._worker = self._pool.hire(lambda: not job.done)
            self._let_go.detach()
            self._let_go = finalize(self, self._worker.end if self._worker is not None else _nothing)
        return self._worker


def _nothing() -> None:
    """Be what there is to do at the end of a visitor who has no worker."""


def _of_use(other: Question[Any], question: Question[Any]) -> bool:
    """Say whether a long question goes on although another is asked: unless that is a long one about something else."""
    if not isinstance(other, LASTING):
        return False
    if isinstance(other, Evaluate) and isinstance(question, Evaluate):
        return False
    return not isinstance(question, LASTING) or _subject(other) == _subject(question)


def _subject(question: Evaluate | MeetModel) -> Subject:
    return question.evaluated.subject if isinstance(question, Evaluate) else question.subject
