"""Processes: this program started once more as a child, the frames on its pipes, and its sure end."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

HERE = Path(__file__).resolve().parents[1]
# One thread each: processes of two visitors must not fight for the same cores.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
POLITE = 5  # a child yields to the process that serves pages

_LENGTH = struct.Struct("<Q")
_PR_SET_PDEATHSIG = 1
_PIPE_BYTES = 1 << 20


class LongFrameError(Exception):
    """A frame says it is longer than whoever reads it allows."""


def start(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own, with a pipe to its stdin and one from its stdout."""
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(environment),
        start_new_session=True,
    )


def widen_pipes(process: subprocess.Popen[bytes]) -> None:
    """Let more bytes wait in the pipes of a child, so that a table wakes each end a few times and not a hundred."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError, AttributeError):  # the system's limit is lower, or it knows no such thing
            fcntl.fcntl(cast(BinaryIO, pipe).fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def end(process: subprocess.Popen[bytes]) -> int:
    """End a child and whatever is in its process group, and return its exit status."""
    with suppress(ProcessLookupError, PermissionError):  # it has ended before
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Close the pipes to a child that has ended."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what was on its way to it when it ended
            cast(BinaryIO, pipe).close()


def own_stdout() -> BinaryIO:
    """Return the pipe to the parent, and send whatever else is printed from now on to stderr."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return replies


def die_with_parent() -> None:
    """Have the kernel end this process when the thread that started it ends; Linux only, elsewhere nothing happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def limit_memory(more_bytes: int) -> None:
    """Limit the address space of this process to what it holds now and so much more; Linux only, as above.

    Beyond the limit allocations fail, and the kernel writes no core file if that ends the process.
    """
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        for what, most in (
            (resource.RLIMIT_AS, pages * resource.getpagesize() + more_bytes),
            (resource.RLIMIT_CORE, 0),
        ):
            _, before = resource.getrlimit(what)
            least = most if before == resource.RLIM_INFINITY else min(most, before)
            resource.setrlimit(what, (least, least))


def write_frame(stream: BinaryIO, *parts: bytes | memoryview) -> None:
    """Write one frame, eight bytes of length and then the parts, and flush it."""
    stream.write(_LENGTH.pack(sum(len(part) for part in parts)))
    for part in parts:
        stream.write(part)
    stream.flush()


def read_frame(stream: BinaryIO, most: int) -> bytes | None:
    """Read one frame; None at the end of the stream, also if that comes in the middle of a frame.

    Raises
    ------
    LongFrameError
        If the frame is longer than `most` bytes; nothing of it is read.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    length = _LENGTH.unpack(head)[0]
    if length > most:
        raise LongFrameError(f"{length:,} bytes where {most:,} are allowed")
    body = stream.read(length)
    return body if len(body) == length else None
