"""The store: one database behind a few nouns."""

from __future__ import annotations

from pathlib import Path

from ares_core.store.cost_sets import CostSets
from ares_core.store.documents import Documents
from ares_core.store.engine import connect, upgrade
from ares_core.store.studies import Studies
from ares_core.store.writer import Writer


class Store:
    """Everything that must survive a restart.

    Parameters
    ----------
    url
        `sqlite:///file.sqlite3` or `postgresql://user:password@host/database`. The tables are brought up to date.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._writing = connect(url, writes=True)
        upgrade(self._writing)
        self._reading = connect(url, writes=False)
        self._writer = Writer(self._writing)
        self.documents = Documents(self._reading, self._writer)
        self.studies = Studies(self._reading, self._writer)
        self.cost_sets = CostSets(self._reading, self._writer)

    @classmethod
    def in_file(cls, path: Path) -> Store:
        """Keep everything in one SQLite file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        return cls(f"sqlite:///{path}")

    def close(self) -> None:
        """Finish what is being written, and let go of the database."""
        self._writer.close()
        self._reading.dispose()
        self._writing.dispose()
