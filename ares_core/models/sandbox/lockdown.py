"""Lockdown: what a model's process does to itself before it sees the model, in the order that leaves no gap."""

from __future__ import annotations

import math
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from time import process_time

from ares_core.models.sandbox import landlock, seccomp
from ares_core.models.sandbox.places import readable

_OPEN_FILES = 64
_NOTICE = 2  # seconds of processor time between being told and being killed


class OpenError(Exception):
    """The process is not locked as it should be."""


def lock_down(memory_bytes: int, cpu_seconds: int) -> None:
    """Lock this process for good.

    Parameters
    ----------
    memory_bytes
        What it may take on top of what it holds now.
    cpu_seconds
        Of processor time on top of what it has used.

    Raises
    ------
    OpenError
        If another thread runs, which landlock would not hold, or something is possible that must not be.
    OSError
        If the kernel refuses a lock.
    """
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise OpenError("another thread runs")
    _silence()
    _limit(memory_bytes, cpu_seconds)
    landlock.restrict(readable())
    seccomp.restrict()
    _try_to_get_out()


def _silence() -> None:
    """Send whatever is printed nowhere, at the lowest level."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _limit(memory_bytes: int, cpu_seconds: int) -> None:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    limits = {
        resource.RLIMIT_AS: pages * resource.getpagesize() + memory_bytes,
        resource.RLIMIT_CPU: math.ceil(process_time()) + cpu_seconds,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_NPROC: 0,
    }
    for what, most in limits.items():
        _, before = resource.getrlimit(what)
        least = most if before == resource.RLIM_INFINITY else min(most, before)
        # A process over its processor time is first told so, by a signal that names the reason of its end.
        resource.setrlimit(what, (max(0, least - _NOTICE) if what == resource.RLIMIT_CPU else least, least))


def _try_to_get_out() -> None:
    """Check that the locks hold: a kernel that says yes and does nothing must not go unnoticed."""
    attempts: dict[str, Callable[[], object]] = {
        "list the root folder": lambda: list(Path("/").iterdir()),
        "open a file to write": lambda: os.open(os.devnull, os.O_WRONLY),
        "open a socket": socket.socket,
        "signal its parent": lambda: os.kill(os.getppid(), 0),
    }
    for what, attempt in attempts.items():
        try:
            attempt()
        except PermissionError:
            continue
        raise OpenError(f"it could {what}")
