"""Progress: one line on a terminal, few lines in a log, nothing when quiet."""

from __future__ import annotations

import io
from typing import Any

import pytest

from ares_core.progress import Progress, progress_text


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def tell(stream: io.StringIO, **more: Any) -> str:
    """Tell an audit whose model is asked in 1,000 batches, a second for every look at the clock."""
    ticks = iter(range(100_000))
    with Progress(stream, clock=lambda: next(ticks), **more) as watch:
        watch("model", 0.0)
        for batch in range(1001):
            watch("evaluate", batch / 1000)
        watch("search", 0.0)
        watch("frontier", 0.0)
    return stream.getvalue()


def test_a_log_gets_few_lines() -> None:
    """Where lines stay, there are at most ten, with the time left while the model is asked."""
    lines = tell(io.StringIO()).splitlines()
    assert len(lines) <= 10
    assert lines[:2] == ["preparing the model …", "asking the model …"]
    assert lines[2:4] == ["asking the model: 20 %, about 8 s left", "asking the model: 40 %, about 4 s left"]
    assert lines[-2:] == ["searching for the best rules …", "measuring every size …"]


def test_a_terminal_keeps_one_line_and_clears_it() -> None:
    """On a terminal every message overwrites the one before, and the last is wiped."""
    told = tell(Terminal())
    assert "\n" not in told
    assert told.count("\r") > 1000
    assert told.endswith("\r\x1b[K")
    assert tell(Terminal(), quiet=True) == ""


@pytest.mark.parametrize(
    ("share", "seconds", "words"),
    [
        (0.0, 5.0, "asking the model …"),
        (0.5, 0.2, "asking the model: 50 %"),
        (0.25, 4.0, "asking the model: 25 %, about 12 s left"),
        (0.1, 60.0, "asking the model: 10 %, about 9 min left"),
        (1.0, 9.0, "asking the model: 100 %"),
    ],
)
def test_the_time_left_is_guessed_from_the_time_taken(share: float, seconds: float, words: str) -> None:
    """A quarter in four seconds leaves twelve."""
    assert progress_text("evaluate", share, seconds) == words
