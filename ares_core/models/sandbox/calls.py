"""The system calls a model's process may make, on x86-64: to compute, read what landlock shows, answer, and end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

# There is no call here that makes a socket, a process, a thread or a file, that starts a program, sends a signal to
# another process, changes a limit, or looks into another process.
CALLS = {
    "read": 0,
    "write": 1,
    "close": 3,
    "stat": 4,
    "fstat": 5,
    "lstat": 6,
    "poll": 7,
    "lseek": 8,
    "mmap": 9,
    "mprotect": 10,
    "munmap": 11,
    "brk": 12,
    "rt_sigaction": 13,
    "rt_sigprocmask": 14,
    "rt_sigreturn": 15,
    "pread64": 17,
    "readv": 19,
    "writev": 20,
    "access": 21,
    "select": 23,
    "sched_yield": 24,
    "mremap": 25,
    "mincore": 27,
    "madvise": 28,
    "nanosleep": 35,
    "getpid": 39,
    "exit": 60,
    "uname": 63,
    "getcwd": 79,
    "readlink": 89,
    "gettimeofday": 96,
    "getrlimit": 97,
    "getrusage": 98,
    "sysinfo": 99,
    "times": 100,
    "getuid": 102,
    "getgid": 104,
    "geteuid": 107,
    "getegid": 108,
    "getppid": 110,
    "sigaltstack": 131,
    "gettid": 186,
    "time": 201,
    "futex": 202,
    "sched_getaffinity": 204,
    "getdents64": 217,
    "restart_syscall": 219,
    "clock_gettime": 228,
    "clock_getres": 229,
    "clock_nanosleep": 230,
    "exit_group": 231,
    "newfstatat": 262,
    "readlinkat": 267,
    "faccessat": 269,
    "pselect6": 270,
    "ppoll": 271,
    "getcpu": 309,
    "getrandom": 318,
    "membarrier": 324,
    "statx": 332,
    "rseq": 334,
    "faccessat2": 439,
}
_OPEN, _FCNTL, _TGKILL, _OPENAT, _PRLIMIT = 2, 72, 234, 257, 302
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_ASK_FLAGS = (1, 3)  # F_GETFD, F_GETFL


@dataclass(frozen=True, slots=True)
class Condition:
    """What an argument of a call must be for the call to be allowed.

    Parameters
    ----------
    argument
        Which one, from 0.
    values
        What its lower half may be, under the mask.
    mask
        The bits that are looked at.
    whole
        Whether the upper half must be 0 and all bits count, as for an address.
    """

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    whole: bool = False


def conditional(process: int) -> Iterator[tuple[int, Condition]]:
    """Yield the calls a process may make with some arguments only: open to read, ask for a limit, abort itself."""
    yield _OPEN, Condition(1, (0,), mask=_WRITING)
    yield _OPENAT, Condition(2, (0,), mask=_WRITING)
    yield _FCNTL, Condition(1, _ASK_FLAGS)
    yield _TGKILL, Condition(0, (process,))
    yield _PRLIMIT, Condition(2, (0,), whole=True)
