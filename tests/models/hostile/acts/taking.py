"""Taking time, memory and the process itself."""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import sys
import time

import numpy as np


def endless_loop(frame, where):
    while True:
        pass


def endless_without_letting_go(frame, where):
    return sum(itertools.repeat(0))  # in C, where no other thread of Python gets a turn


def sleep_for_ever(frame, where):
    time.sleep(10_000)


def ignore_signals(frame, where):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(10_000)


def take_six_gigabytes(frame, where):
    return len(bytearray(6_000_000_000))


def take_memory_bit_by_bit(frame, where):
    hoard = []
    while True:
        hoard.append(bytes(1_000_000))


def take_memory_as_an_array(frame, where):
    return np.ones(800_000_000)


def recurse(frame, where):
    return recurse(frame, where)


def recurse_without_a_limit(frame, where):
    """Each call goes through C, so that it is the stack of the machine that ends."""

    def deeper(value):
        return max([value], key=deeper)

    sys.setrecursionlimit(1_000_000_000)
    return deeper(0)


def leave_politely(frame, where):
    sys.exit(0)


def leave_at_once(frame, where):
    os._exit(0)


def crash(frame, where):
    ctypes.string_at(0)


def abort(frame, where):
    os.abort()


def call_in_the_old_way(frame, where):
    """Thirty-two-bit calls have other numbers: number 11 there starts a program."""
    code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20 (getpid); int 0x80; ret
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, 4096, 7, 0x22, -1, 0)
    ctypes.memmove(page, code, len(code))
    ctypes.CFUNCTYPE(ctypes.c_int)(page)()
    return ["got out"]


def raise_an_error(frame, where):
    raise ValueError("the column 'income' is odd")


def raise_an_interrupt(frame, where):
    raise KeyboardInterrupt


def raise_a_long_error(frame, where):
    raise ValueError("\x1b[31m\u202e" + "a very long story " * 1_000_000)


def raise_an_error_that_has_no_words(frame, where):
    class Speechless(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    raise Speechless
