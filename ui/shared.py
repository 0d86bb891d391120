"""Objects that all visitors of this server share: the worker pool, the uploads and the store.

They live as long as the process. Streamlit's caches would not do, because any visitor can clear those for everybody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from ares_core.store import Store, default_url
from ares_core.worker import Pool
from ui.shelf import Shelf

T = TypeVar("T")


class Shared(Generic[T]):
    """A value that is built at the first call and returned by every later one, from any thread.

    Parameters
    ----------
    build
        Makes the value.
    """

    def __init__(self, build: Callable[[], T]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._built: list[T] = []

    def __call__(self) -> T:
        """Return the value, and build it first if nobody asked before."""
        with self._lock:
            if not self._built:
                self._built.append(self._build())
            return self._built[0]

    def forget(self) -> None:
        """Drop the value, so that the next call builds another; for tests."""
        with self._lock:
            self._built.clear()


def _warm_pool() -> Pool:
    made = Pool()
    made.warm()
    return made


pool = Shared(_warm_pool)
store = Shared(lambda: Store(default_url()))
shelf = Shared(lambda: Shelf(store()))
