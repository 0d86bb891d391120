"""The filter of system calls, run step by step as the kernel would run it."""

from __future__ import annotations

import os
import platform
import sys

import pytest

if sys.platform != "linux" or platform.machine() != "x86_64":
    pytest.skip("the filter is for Linux on x86-64", allow_module_level=True)

from ares_core.models.sandbox.calls import CALLS, conditional
from ares_core.models.sandbox.seccomp import filter_steps

US = 4_321
X86_64, I386 = 0xC000003E, 0x40000003
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050001
STEPS = list(filter_steps(US))
CONDITIONAL = {number for number, _ in conditional(US)}


def verdict(number: int, *arguments: int, architecture: int = X86_64) -> int:
    """Run the filter on a call."""
    words = {0: number, 4: architecture}
    for place in range(6):
        argument = arguments[place] if place < len(arguments) else 0
        words[16 + 8 * place], words[20 + 8 * place] = argument & 0xFFFFFFFF, argument >> 32
    step, value = 0, 0
    while True:
        now = STEPS[step]
        step += 1
        match now.code:
            case 0x20:
                value = words[now.number]
            case 0x54:
                value &= now.number
            case 0x15:
                step += now.then if value == now.number else now.otherwise
            case 0x06:
                return now.number


def test_only_the_list_is_allowed() -> None:
    """Of all numbers a call can have, those of the list are allowed and every other is refused."""
    allowed = {number for number in range(1_000) if verdict(number) == ALLOW}
    with_any_arguments = {number for number in range(1_000) if verdict(number, *[(1 << 64) - 1] * 6) == ALLOW}
    assert with_any_arguments == set(CALLS.values())
    assert allowed - set(CALLS.values()) <= CONDITIONAL
    assert {verdict(number) for number in range(1_000)} == {ALLOW, REFUSE}


def test_other_ways_to_call_kill() -> None:
    """Calls in the thirty-two-bit way kill the process; those of the x32 kind are on no list."""
    assert {verdict(number, architecture=I386) for number in range(1_000)} == {KILL}
    assert {verdict(number | 0x40000000) for number in range(1_000)} == {REFUSE}


@pytest.mark.parametrize(
    ("flags", "allowed"),
    [
        (os.O_RDONLY, True),
        (os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY, True),
        (os.O_WRONLY, False),
        (os.O_RDWR, False),
        (os.O_RDONLY | os.O_CREAT, False),
        (os.O_RDONLY | os.O_TRUNC, False),
        (os.O_TMPFILE | os.O_RDWR, False),
        ((1 << 40) | os.O_WRONLY, False),
    ],
)
def test_files_are_opened_to_read_only(flags: int, allowed: bool) -> None:
    """Both calls that open a file look at how it is opened."""
    assert verdict(2, 0, flags) == (ALLOW if allowed else REFUSE)
    assert verdict(257, 0, 0, flags) == (ALLOW if allowed else REFUSE)


def test_limits_are_asked_for_and_not_set() -> None:
    """A limit may be read; an address of a new one, in either half of the argument, is refused."""
    assert verdict(302, 0, 9, 0) == ALLOW
    assert verdict(302, 0, 9, 0x1000) == REFUSE
    assert verdict(302, 0, 9, 1 << 32) == REFUSE


def test_a_process_aborts_nobody_but_itself() -> None:
    """A signal goes to the process's own threads only."""
    assert verdict(234, US, US, 6) == ALLOW
    assert verdict(234, US + 1, US + 1, 6) == REFUSE


def test_descriptors_are_looked_at_and_not_made() -> None:
    """Of the many things fcntl does, only asking for flags is allowed."""
    assert [command for command in range(2_000) if verdict(72, 0, command) == ALLOW] == [1, 3]
