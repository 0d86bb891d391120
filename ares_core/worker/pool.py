"""The pool: a bounded number of workers, one for each visitor, and a spare that is warm."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from time import monotonic, sleep
from weakref import WeakSet

from ares_core.worker.client import Worker

MOST_WORKERS = 12  # some 200 MB each before they hold an audit
IDLE_SECONDS = 1800.0
TICK = 0.1  # seconds between looks for a worker that can be spared


class Pool:
    """Hires workers out.

    Parameters
    ----------
    most
        How many processes there may be, the spare aside. Beyond that the one idle longest is ended; what it knew is
        made again when its visitor asks next. While all are at work, whoever wants another waits.
    """

    def __init__(self, most: int = MOST_WORKERS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._hired: WeakSet[Worker] = WeakSet()
        self._spare: Worker | None = None
        self._closed = False
        atexit.register(self.close)

    def warm(self) -> None:
        """Start a spare, so that the next visitor does not wait for one to start."""
        with self._lock:
            if not self._closed and (self._spare is None or not self._spare.alive):
                self._spare = Worker()

    def hire(self, wanted: Callable[[], bool] = lambda: True) -> Worker | None:
        """Return a worker that is the caller's alone; None if it is no longer wanted before there is one."""
        while wanted():
            with self._lock:
                worker = self._free_one() if self._make_room() else None
            if worker is not None:
                threading.Thread(target=self.warm, name="warm-worker", daemon=True).start()
                return worker
            sleep(TICK)
        return None

    def _free_one(self) -> Worker:
        spare, self._spare = self._spare, None
        worker = spare if spare is not None and spare.alive else Worker()
        worker.used = monotonic()
        self._hired.add(worker)
        return worker

    def _make_room(self) -> bool:
        """End workers idle too long, and the one idle longest if there are too many; say whether there is room."""
        running = [each for each in self._hired if each.alive]
        count = len(running)
        for worker in sorted(running, key=lambda each: each.used):
            too_many, stale = count >= self._most, monotonic() - worker.used > IDLE_SECONDS
            if (too_many or stale) and worker.end_idle():
                count -= 1
        return count < self._most

    def close(self) -> None:
        """End every worker, and start none again."""
        with self._lock:
            self._closed = True
            for worker in (*self._hired, self._spare):
                if worker is not None:
                    worker.end()
