"""Shelves for tests, each over a store of its own."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ares_core.store import Store
from ui.shelf import Shelf

_FOLDER = tempfile.TemporaryDirectory(prefix="ares-shelves-")
_STORES: list[Store] = []


def fresh_shelf(**options: Any) -> Shelf:
    """Return a shelf over an empty store, which is gone when the tests end."""
    return shelf_over(fresh_store(), **options)


def fresh_store() -> Store:
    """Return an empty store."""
    store = Store.in_file(Path(_FOLDER.name) / f"{len(_STORES)}.sqlite3")
    _STORES.append(store)
    return store


def shelf_over(store: Store, **options: Any) -> Shelf:
    """Return a shelf over a store, as another process of the server would have it."""
    return Shelf(store, **options)
