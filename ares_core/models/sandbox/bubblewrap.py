"""Bubblewrap: the process sees an empty, read-only world with Python in it, no network, and no other process."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from ares_core.models.sandbox.places import PYTHON, environment, readable

_PATIENCE = 20.0  # seconds to find out whether it works
_WORLD = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--chdir", "/")


def wrapped(command: Sequence[str]) -> list[str]:
    """Return a command that runs another one in a world of its own."""
    binds = [part for place in (PYTHON, *readable()) for part in ("--ro-bind", str(place), str(place))]
    # The root of that world is in memory: left writable, a model could fill the machine's.
    return [_program() or "bwrap", *_WORLD, *binds, "--remount-ro", "/", "--", *command]


def works() -> bool:
    """Whether it is installed and the machine lets it make such a world."""
    if _program() is None:
        return False
    command = wrapped([str(PYTHON), "-I", "-S", "-c", ""])
    try:
        done = subprocess.run(command, env=environment(), capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _program() -> str | None:
    return shutil.which("bwrap")
