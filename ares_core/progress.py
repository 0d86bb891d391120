"""Progress: how far a long command is. A terminal sees one line that is rewritten, a log file a few lines."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from types import TracebackType
from typing import TextIO

WORDS = {
    "model": "preparing the model",
    "behaviour": "seeing how the model behaves",
    "evaluate": "asking the model",
    "search": "searching for the best rules",
    "frontier": "measuring every size",
    "blockers": "asking what stands in the way",
}
LOG_STEP = 0.2  # a log gets a line for every fifth of a stage
SOME_SECONDS = 1.0  # before that, guessing the time left is idle


class Progress:
    """Tells a stream which stage a command is at; a context, so that a terminal's line is cleared at the end.

    Parameters
    ----------
    stream
        Where to tell it.
    quiet
        Tell nothing.
    clock
        Returns seconds.
    """

    def __init__(self, stream: TextIO, *, quiet: bool = False, clock: Callable[[], float] = perf_counter) -> None:
        self._stream, self._quiet, self._clock = stream, quiet, clock
        self._terminal = stream.isatty()
        self._stage, self._began, self._told = "", 0.0, 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal and self._stage and not self._quiet:
            self._write("\r\x1b[K")

    def __call__(self, stage: str, share: float) -> bool:
        """Tell the stage and the share of it that is done; never cancel."""
        first = stage != self._stage
        if first:
            self._stage, self._began, self._told = stage, self._clock(), 0.0
        due = first or self._terminal or (share - self._told >= LOG_STEP - 1e-9 and share < 1)
        if due and not self._quiet:
            self._told = share
            line = progress_text(stage, share, self._clock() - self._began)
            self._write(f"\r{line}\x1b[K" if self._terminal else f"{line}\n")
        return True

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def progress_text(stage: str, share: float, seconds: float) -> str:
    """Say how far a stage is after some seconds, and about how long it will still take.

    Only a stage that knows its share has one to tell: 'asking the model: 40 %, about 12 s left'.
    """
    if share <= 0:
        return f"{WORDS[stage]} …"
    left = seconds * (1 - share) / share
    tail = f", about {_duration(left)} left" if seconds >= SOME_SECONDS and left >= SOME_SECONDS else ""
    return f"{WORDS[stage]}: {100 * share:.0f} %{tail}"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
