"""Comparisons: which of two features an expert finds harder to change.

PAIRS.csv, UTF-8 and comma separated, one row for each answer::

    harder,easier,answer,expert,reason
    income,bank accounts,,Ada,
    income,car,tie,Ada,depends on the car
    age,car,cannot say,Ben,

Only ``harder`` and ``easier`` are required. ``answer`` is ``harder`` (also when empty), ``tie`` or
``cannot say``; a row with ``tie`` or ``cannot say`` uses the same two columns, in either order. ``expert``
and ``reason`` are free text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from enum import StrEnum
from pathlib import Path

from ares_core.errors import CostError

from .sheet import Row, parse_sheet, read_sheet, sheet_text

REQUIRED = ("harder", "easier")
OPTIONAL = ("answer", "expert", "reason")


class Answer(StrEnum):
    """What an expert said about two features."""

    HARDER = "harder"
    """The first is harder to change than the second."""
    TIE = "tie"
    """The two are about as hard to change."""
    CANNOT_SAY = "cannot say"
    """The expert would not judge; recorded, never fitted."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One answer of one expert.

    Parameters
    ----------
    first, second
        Two different features.
    answer
        ``HARDER`` says that the first is harder to change.
    expert
        Who answered, if that is known.
    reason
        Why, in the expert's words.
    """

    first: str
    second: str
    answer: Answer = Answer.HARDER
    expert: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.first.strip() or not self.second.strip():
            raise CostError("A comparison lacks the name of a feature.", "Name two features in each comparison.")
        if self.first == self.second:
            raise CostError(f"Feature {self.first!r} is compared with itself.", "Name two different features.")
        if "\0" in "".join(astuple(self)):
            raise CostError(
                f"The comparison of {self.first!r} and {self.second!r} holds a NUL character.",
                "Leave the character out.",
            )

    @classmethod
    def from_words(cls, first: str, second: str, words: str, *, expert: str = "", reason: str = "") -> Comparison:
        """Build a comparison from the words offered to an expert.

        Parameters
        ----------
        first, second
            The two features, in the order in which they were shown.
        words
            "first is harder", "second is harder", "about the same" or "cannot say".
        expert, reason
            As in the class.
        """
        if words not in WORDS:
            raise CostError(
                f"{words!r} is not an answer to a comparison.",
                f"Answer with one of: {', '.join(repr(known) for known in WORDS)}.",
            )
        if words == "second is harder":
            first, second = second, first
        return cls(first, second, WORDS[words], expert, reason)


WORDS = {
    "first is harder": Answer.HARDER,
    "second is harder": Answer.HARDER,
    "about the same": Answer.TIE,
    "cannot say": Answer.CANNOT_SAY,
}


def read_comparisons(path: str | Path) -> tuple[Comparison, ...]:
    """Read PAIRS.csv (the format is at the top of this module).

    Raises
    ------
    CostError
        If the file or one of its rows breaks the format; the message names the row.
    """
    return tuple(_comparison(row, Path(path).name) for row in read_sheet(path, REQUIRED, OPTIONAL))


def parse_comparisons(content: bytes, name: str) -> tuple[Comparison, ...]:
    """Read the content of a PAIRS.csv as `read_comparisons` does; messages call it `name`."""
    return tuple(_comparison(row, name) for row in parse_sheet(content, name, REQUIRED, OPTIONAL))


def write_comparisons(comparisons: Iterable[Comparison]) -> str:
    """Return the text of a PAIRS.csv that `read_comparisons` reads back unchanged."""
    return sheet_text((*REQUIRED, *OPTIONAL), (astuple(comparison) for comparison in comparisons))


def _comparison(row: Row, name: str) -> Comparison:
    cells = row.cells
    said = cells.get("answer", "").casefold() or Answer.HARDER
    if said not in list(Answer):
        raise CostError(
            f"Row {row.number} of '{name}' has the unknown answer {cells['answer']!r}.",
            "Write 'harder' (or nothing), 'tie' or 'cannot say'.",
        )
    try:
        return Comparison(
            cells["harder"], cells["easier"], Answer(said), cells.get("expert", ""), cells.get("reason", "")
        )
    except CostError as error:
        raise CostError(f"Row {row.number} of '{name}': {error.problem}", error.hint) from error
