"""The ladder: which locks this machine has for a model's process, strongest first, and which an operator leaves on."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ares_core.errors import ModelError
from ares_core.models.sandbox import bubblewrap, landlock, seccomp

VARIABLE = "ARES_SANDBOX"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Level:
    """A rung of the ladder.

    Parameters
    ----------
    name
        What an operator calls it.
    words
        The locks it has, for people and for the run file.
    """

    name: str
    words: str


BUBBLEWRAP = Level("bubblewrap", "bubblewrap, landlock, seccomp and limits")
LANDLOCK = Level("landlock", "landlock, seccomp and limits")
LADDER = (BUBBLEWRAP, LANDLOCK)


def level_in_force() -> Level | None:
    """Return the strongest level this machine has and the operator has not turned off; None if there is none."""
    return next(iter(levels_in_force()), None)


def levels_in_force() -> tuple[Level, ...]:
    """Return all levels this machine has at or below the one the operator allows, strongest first."""
    allowed = _allowed(os.environ.get(VARIABLE, LADDER[0].name))
    return tuple(level for level in allowed if _CHECKS[level]())


def require_level() -> Level:
    """Return the level in force.

    Raises
    ------
    ModelError
        If there is none: then no model file is opened.
    """
    level = level_in_force()
    if level is None:
        raise ModelError(
            f"No model file can be opened on this machine: {_why_none()}.",
            "Let AReS Audit ask the model over HTTP, train a model here, or run it on Linux with landlock and seccomp.",
        )
    return level


def _allowed(name: str) -> tuple[Level, ...]:
    """Return the level of that name and those below it; a name nobody knows allows nothing, as a typing error must."""
    names = [level.name for level in LADDER]
    return LADDER[names.index(name) :] if name in names else ()


def _why_none() -> str:
    if not _allowed(os.environ.get(VARIABLE, LADDER[0].name)):
        return f"the variable {VARIABLE} turns the sandbox off"
    if not _supported():
        return f"the sandbox needs Linux on x86-64, and this is {platform.system()} on {platform.machine()}"
    return "its kernel offers no landlock or no seccomp"


def _supported() -> bool:
    return sys.platform == "linux" and platform.machine() == "x86_64"


@cache
def _has_landlock() -> bool:
    return _supported() and landlock.version() >= 1 and seccomp.available()


@cache
def _has_bubblewrap() -> bool:
    return _has_landlock() and bubblewrap.works()


_CHECKS: dict[Level, Callable[[], bool]] = {BUBBLEWRAP: _has_bubblewrap, LANDLOCK: _has_landlock}
