"""Behaviour: whether a model can be audited at all: the same answer twice, whatever it was asked before or beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.blackbox import BlackBox
from ares_core.models.repeats import (
    MOST_ROUNDING,
    Indices,
    Reply,
    ask_rows,
    flipped_rows,
    rounding_words,
    within_rounding,
)
from ares_core.wording import counted

PEOPLE = 400  # asked about; each of them ROUNDS times
ROUNDS = 5
PARTS = 4
UNSURE = "This cannot be told of a model that answers differently when asked twice."


@dataclass(frozen=True, slots=True)
class Finding:
    """One line on a model's behaviour; `good` is None where it cannot be told, or there is nothing to judge."""

    title: str
    good: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What came of asking a model about the same people again and again.

    Parameters
    ----------
    people
        How many were asked about.
    again
        Who was answered differently when all were asked again at once.
    later
        Likewise after the model was asked other questions.
    parts
        Likewise when they were asked in four parts.
    shuffled
        Likewise when they were asked in another order.
    refused, right
        Whom the model refuses, and of whom it says what the outcome was; None where no outcome is known.
    seconds
        What all but the first round took.
    rounding
        People whose answer flipped only because their score is within rounding of the cut-off. They are counted
        nowhere else.
    """

    people: int
    again: int
    later: int
    parts: int
    shuffled: int
    refused: int
    right: int | None
    seconds: float
    rounding: int = 0

    @property
    def deterministic(self) -> bool:
        """Whether it gives the same answers when asked twice."""
        return not self.again

    @property
    def stateless(self) -> bool | None:
        """Whether what it was asked before changes nothing; None where it is not deterministic anyway."""
        return not self.later if self.deterministic else None

    @property
    def batch_free(self) -> bool | None:
        """Whether who else is asked about, and in which order, changes nothing; None where that cannot be told."""
        return not (self.parts or self.shuffled) if self.deterministic and self.stateless else None

    @property
    def constant(self) -> bool:
        """Whether it gives everybody the same answer."""
        return self.refused in (0, self.people)

    @property
    def rows_per_second(self) -> float:
        """How many rows it answers in a second."""
        return self.people * (ROUNDS - 1) / max(self.seconds, 1e-6)

    def findings(self, rows: int = 0) -> tuple[Finding, ...]:
        """Say what was found, line by line; `rows` is how many rows the audit will ask about, 0 if unknown."""
        return (
            self._deterministic(),
            self._stateless(),
            self._batch_free(),
            self._constant(),
            *self._rounding(),
            Finding("Agrees with the outcomes", None, self._right_words()),
            self._speed(rows),
        )

    def _deterministic(self) -> Finding:
        words = "Asked twice, it gave the same answers."
        if self.again:
            words = f"Asked twice, it answered differently about {_people(self.again)} of {self.people:,}."
        return Finding("Deterministic", self.deterministic, words)

    def _stateless(self) -> Finding:
        words = "What it was asked before changed nothing."
        if self.stateless is None:
            words = UNSURE
        elif self.later:
            words = f"After other questions it answered differently about {_people(self.later)} of {self.people:,}."
        return Finding("Stateless", self.stateless, words)

    def _batch_free(self) -> Finding:
        words = "Asked in parts and in another order, it gave the same answers."
        if self.batch_free is None:
            words = UNSURE if self.stateless is None else "This cannot be told of a model that remembers."
        elif not self.batch_free:
            most = max(self.parts, self.shuffled)
            words = f"Asked in parts or in another order, it answered differently about {_people(most)}."
        return Finding("Independent of who else is asked about", self.batch_free, words)

    def _constant(self) -> Finding:
        if self.constant:
            which = "refuses" if self.refused else "accepts"
            return Finding("Tells people apart", False, f"It {which} all {self.people:,} people asked about.")
        return Finding("Tells people apart", True, f"It refuses {self.refused:,} of {self.people:,} people.")

    def _rounding(self) -> tuple[Finding, ...]:
        """Say how many answers rounding decides; a few are information, many count against the model."""
        if not self.rounding:
            return ()
        good = False if self.rounding > MOST_ROUNDING * self.people else None
        return (Finding("Scores at the cut-off", good, rounding_words(self.rounding, self.people)),)

    def _right_words(self) -> str:
        if self.right is None:
            return "This cannot be measured: the table has no outcome."
        return f"For {self.right:,} of {self.people:,} people."

    def _speed(self, rows: int) -> Finding:
        words = f"About {_rounded(self.rows_per_second):,} rows a second."
        if rows:
            words += f" The audit asks about up to {rows:,} rows: {_duration(rows / self.rows_per_second)}."
        return Finding("Speed", None, words)

    def to_json(self) -> dict[str, Any]:
        """Return the counts for machines; how long it took is among the run's timings."""
        named = ("people", "again", "later", "parts", "shuffled", "rounding", "refused", "right")
        return {name: getattr(self, name) for name in named}


def check_behaviour(
    model: BlackBox,
    frame: pd.DataFrame,
    outcomes: NDArray[Any] | None,
    watch: Callable[[float], object] = lambda _: None,
) -> Behaviour:
    """Ask a model about the same people several times, and compare.

    Parameters
    ----------
    frame
        The people audited, n rows; at most PEOPLE of them, evenly spread, are asked about.
    outcomes
        What became of each of them, 1 favourable, shape (n,); None where that is not known.
    watch
        Called with the share done before each round.
    """
    chosen = np.unique(np.linspace(0, len(frame) - 1, min(PEOPLE, len(frame))).astype(np.intp))
    people = frame.iloc[chosen].reset_index(drop=True)
    replies: list[list[Reply]] = []
    seconds: list[float] = []
    for number, batches in enumerate(_rounds(len(people))):
        watch(number / ROUNDS)
        began = perf_counter()
        replies.append([ask_rows(model, people, rows) for rows in batches])
        seconds.append(perf_counter() - began)
    first = replies[0][0].answers
    flips = [flipped_rows(first, each) for each in replies]
    flipped = np.any(flips, axis=0)
    rounding = within_rounding(model, people, [reply for each in replies for reply in each], flipped)
    again, parts, shuffled, later = (int((each & ~rounding).sum()) for each in flips[1:])
    return Behaviour(
        people=len(people),
        again=again,
        later=later,
        parts=parts,
        shuffled=shuffled,
        refused=int((first == 0).sum()),
        right=None if outcomes is None else int((first == outcomes[chosen]).sum()),
        seconds=sum(seconds[1:]),
        rounding=int(rounding.sum()),
    )


def _rounds(people: int) -> Iterator[list[Indices]]:
    """Yield the batches of each round: all, all again, in parts, in another order, and all once more."""
    everybody = np.arange(people)
    cuts = np.linspace(0, people, PARTS + 1).astype(int)
    yield [everybody]
    yield [everybody]
    yield [everybody[low:high] for low, high in pairwise(cuts.tolist()) if low < high]
    yield [np.random.default_rng(0).permutation(people)]
    yield [everybody]


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count:,} people"


def _rounded(number: float) -> int:
    """Round to two digits, since a busy machine makes more of them idle."""
    digits = max(0, len(str(int(number))) - 2)
    return round(int(number), -digits) if number >= 1 else 1


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {counted(max(1, round(seconds)), 'second')}"
    if seconds < 5400:
        return f"about {counted(round(seconds / 60), 'minute')}"
    return f"about {counted(round(seconds / 3600), 'hour')}"
