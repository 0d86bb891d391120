"""Limits: what a model from elsewhere may take, in one place."""

from __future__ import annotations

from dataclasses import dataclass

MOST_ROWS = 100_000  # rows in one call; more are asked in several
MOST_COLUMNS = 10_000  # a model may say it wants
MOST_TEXT = 200  # characters of anything a model says that is shown
MOST_NOTE = 400  # characters of a sentence about the file
MOST_NOTES = 20  # such sentences


@dataclass(frozen=True, slots=True)
class Limits:
    """What a model file and its process may take.

    Parameters
    ----------
    file_bytes
        The size of the file.
    memory_bytes
        Memory of the process on top of what it holds before it sees the model.
    start_seconds
        To start the process, before it sees the model.
    load_seconds
        To read the model.
    answer_seconds
        To answer about one batch of rows.
    cpu_seconds
        Of processor time over the life of the process, from when it sees the model.
    answer_bytes
        The size of one answer.
    """

    file_bytes: int = 200_000_000
    memory_bytes: int = 2_000_000_000
    start_seconds: float = 120.0
    load_seconds: float = 60.0
    answer_seconds: float = 300.0
    cpu_seconds: int = 6 * 3_600
    answer_bytes: int = 64_000_000


LIMITS = Limits()
