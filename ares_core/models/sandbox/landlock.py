"""Landlock: this process may read beneath some folders, and touch no other file, by the kernel's own rule."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # numbers of the calls, the same on all machines
_ASK_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
# How many kinds of access to files each version of landlock can forbid; later versions know the same ones.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP_SINCE, _TCP_RIGHTS = 4, 0b11  # bind and connect
_SCOPE_SINCE, _SCOPES = 6, 0b11  # abstract unix sockets, and signals to processes outside

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the version of landlock in this kernel, 0 if there is none or it is turned off."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))))


def restrict(readable: Iterable[Path]) -> None:
    """Forbid this thread, for good, every access to files but reading beneath some paths; TCP too where that is known.

    Raises
    ------
    OSError
        If the kernel refuses.
    """
    ruleset = _checked(_create(version()))
    for path in readable:
        _allow_reading(ruleset, path)
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _checked(_libc.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)))
    os.close(ruleset)


def _create(known: int) -> int:
    rights = (1 << _FILE_RIGHTS[min(known, max(_FILE_RIGHTS))]) - 1
    fields = [rights]
    if known >= _TCP_SINCE:
        fields.append(_TCP_RIGHTS)
    if known >= _SCOPE_SINCE:
        fields.append(_SCOPES)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return int(
        _libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)),
    )


def _allow_reading(ruleset: int, path: Path) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
        rule = struct.pack("=Qi", rights, place)
        _checked(_libc.syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0)))
    finally:
        os.close(place)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"landlock: {os.strerror(number)}")
    return result
