"""The places a model's process may read: Python's own libraries and this package, and nobody's files."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from ares_core.processes import HERE, ONE_THREAD

# Not the link in a virtual environment: the process finds its packages by the environment below.
PYTHON = Path(sys.executable).resolve()

_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


def readable() -> tuple[Path, ...]:
    """Return the folders and files that importing a module may read, those that exist."""
    return tuple(place for place in dict.fromkeys(_candidates()) if place.exists())


def _candidates() -> Iterator[Path]:
    yield Path(sys.base_prefix, "lib")
    yield Path(sysconfig.get_path("stdlib"))
    yield Path(sysconfig.get_path("platstdlib"))
    yield _packages()
    yield HERE / "ares_core"
    yield from map(Path, _SYSTEM)


def _packages() -> Path:
    """Return where numpy is installed: the other packages are there too."""
    found = find_spec("numpy")
    assert found is not None and found.origin is not None
    return Path(found.origin).resolve().parents[1]


def environment() -> dict[str, str]:
    """Return the whole environment of the process: nothing of the server's own is in it."""
    return {
        "PYTHONPATH": ":".join(dict.fromkeys((str(HERE), str(_packages())))),
        "LC_ALL": "C.UTF-8",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",  # landlock would not hold a thread that ran before it
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # its own pool reserves what counts against the limit
        "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime reports on its use unless told not to
        "LOKY_MAX_CPU_COUNT": "1",  # joblib would look for processors in files that cannot be read
        **ONE_THREAD,
    }
