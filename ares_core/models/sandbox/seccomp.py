"""Seccomp: from now on this process may make the system calls of one short list; the kernel refuses all others."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from ares_core.models.sandbox.calls import CALLS, Condition, conditional

_PR_GET_SECCOMP = 21
_SECCOMP_CALL, _SET_FILTER, _ALL_THREADS = 317, 1, 1
_X86_64 = 0xC000003E
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050001  # the last answers "operation not permitted"
# Where the kernel puts the number of a call, the architecture, and the two halves of each argument.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_LOAD, _EQUAL, _AND, _RETURN = 0x20, 0x15, 0x54, 0x06

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction of the filter: what to do, how far to jump if it holds and if not, and a number."""

    code: int
    number: int
    then: int = 0
    otherwise: int = 0

    def packed(self) -> bytes:
        """Return it as the kernel reads it."""
        return struct.pack("=HBBI", self.code, self.then, self.otherwise, self.number)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def available() -> bool:
    """Whether this kernel knows seccomp."""
    return int(_libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def restrict() -> None:
    """Refuse every call that is not in the list, for good and in all threads.

    Raises
    ------
    OSError
        If the kernel refuses the filter.
    """
    steps = b"".join(step.packed() for step in filter_steps(os.getpid()))
    program = _Program(len(steps) // 8, steps)
    if _libc.syscall(_SECCOMP_CALL, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


def filter_steps(process: int) -> Iterator[Step]:
    """Yield the filter of a process: calls made in another machine's way kill, unknown ones are refused."""
    yield Step(_LOAD, _ARCHITECTURE)
    yield Step(_EQUAL, _X86_64, then=1)
    yield Step(_RETURN, _KILL)
    yield Step(_LOAD, _NUMBER)
    for number in sorted(CALLS.values()):
        yield Step(_EQUAL, number, otherwise=1)
        yield Step(_RETURN, _ALLOW)
    for number, condition in conditional(process):
        block = [*_test(condition), Step(_RETURN, _ALLOW), Step(_RETURN, _REFUSE)]
        yield Step(_EQUAL, number, otherwise=len(block))
        yield from block
    yield Step(_RETURN, _REFUSE)


def _test(condition: Condition) -> Iterator[Step]:
    """Yield steps that fall through if the argument is one of the values, and else skip one instruction."""
    low = _ARGUMENTS + 8 * condition.argument
    if condition.whole:
        yield Step(_LOAD, low + 4)
        yield Step(_EQUAL, 0, otherwise=2 + len(condition.values))
    yield Step(_LOAD, low)
    if not condition.whole:
        yield Step(_AND, condition.mask)
    last = len(condition.values) - 1
    for place, value in enumerate(condition.values):
        yield Step(_EQUAL, value, then=last - place, otherwise=int(place == last))
