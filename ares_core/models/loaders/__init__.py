"""Loaders: one for each form of model file. They run in the sandbox's process only, and none falls back on another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import cast

from ares_core.models.loaders.base import Loaded, Reason, Refusal
from ares_core.models.raw import Categories

__all__ = ["Loaded", "Loader", "Reason", "Refusal", "loader"]

Loader = Callable[[bytes, Categories], Loaded]


def loader(kind: str, packages: Iterable[str] = ()) -> Loader:
    """Return what reads a kind of model file.

    Everything it needs is imported now, before the process is locked, together with the named packages.
    """
    for package in packages:
        import_module(package)
    return cast(Loader, import_module(f"ares_core.models.loaders.{kind}_file").load)
