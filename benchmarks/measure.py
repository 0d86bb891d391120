"""Measure: seconds, memory, and the machine they were measured on."""

from __future__ import annotations

import os
import platform
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

PACKAGES = ("numpy", "pandas", "scikit-learn", "scipy", "highspy", "mlxtend", "choix")
LONG = 5.0  # what takes longer is not measured again
STATUS = Path("/proc/self/status")
PEAK = Path("/proc/self/clear_refs")


def best_seconds(work: Callable[[], Any], before: Callable[[], Any] = lambda: None, times: int = 3) -> float:
    """Return the seconds of the best of a few runs; `before` is called ahead of each and not counted."""
    best = float("inf")
    for _ in range(times):
        before()
        began = perf_counter()
        work()
        best = min(best, perf_counter() - began)
        if best > LONG:
            break
    return best


def peak_megabytes() -> float:
    """Return the most memory this process ever held.

    What the kernel says of this program is preferred: the resource usage of a started process begins with
    what the process that started it held.
    """
    if STATUS.is_file():
        line = next(line for line in STATUS.read_text("ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def forget_peak() -> None:
    """Let the most memory this process held be measured from now on, where the kernel can."""
    with suppress(OSError):
        PEAK.write_text("5", "ascii")


def machine() -> str:
    """Say what the figures were measured with."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return f"Python {platform.python_version()} on {platform.system()}, {os.cpu_count()} cores; {packages}."
