"""Loaders: one for each form of model file. They run in the sandbox's process only, and none falls back on another."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from ares_core.models.loaders.base import Loaded, Reason, Refusal

__all__ = ["Loaded", "Loader", "Reason", "Refusal", "loader"]

Loader = Callable[[bytes], Loaded]


def loader(kind: str) -> Loader:
    """Return what reads a kind of model file; its packages are imported now, before the process is locked."""
    return cast(Loader, import_module(f"ares_core.models.loaders.{kind}_file").load)
