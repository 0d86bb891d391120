"""Comparisons: which of two features an expert finds harder to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from enum import StrEnum

from ares_core.errors import CostError


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


def beyond(found: Iterable[Comparison], known: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """Return what is found more often than it is known, in its order: bringing the same file twice adds it once."""
    left = Counter(known)
    more = []
    for one in found:
        if left[one] > 0:
            left[one] -= 1
        else:
            more.append(one)
    return tuple(more)
