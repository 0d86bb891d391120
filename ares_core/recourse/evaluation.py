"""Evaluation: ask the model once what every move does for every person it can concern."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import Cancelled
from ares_core.models.blackbox import BlackBox, ask, rows_at_once
from ares_core.people.table import Crowd, Indices, Substitution, Table, targets_of
from ares_core.recourse.candidates import Candidates, masks_of

Mask = NDArray[np.bool_]
Progress = Callable[[float], bool]


def unwatched(_share: float) -> bool:
    """Watch nothing and never cancel."""
    return True


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the model said.

    Parameters
    ----------
    asked
        (moves, people): whether the move was tried on the person.
    works
        Whether the model then accepted them; never true where not asked.
    model_rows
        How many rows the model was asked: each person-move pair once.
    """

    asked: Mask
    works: Mask
    model_rows: int

    def __post_init__(self) -> None:
        if self.asked.shape != self.works.shape or (self.works & ~self.asked).any():
            raise ValueError("works must be a part of asked")

    def joined(self, earlier: Evaluation, further_rows: int = 0) -> Evaluation:
        """Return the answers about other people and then about these; `further_rows` were asked beside."""
        return Evaluation(
            np.hstack([earlier.asked, self.asked]),
            np.hstack([earlier.works, self.works]),
            earlier.model_rows + self.model_rows + further_rows,
        )


def evaluate(
    model: BlackBox, table: Table, people: Indices | Crowd, candidates: Candidates, progress: Progress = unwatched
) -> Evaluation:
    """Try every move on the people that some rule with it covers.

    Parameters
    ----------
    people
        Places in the table of the affected, or a crowd made of its values.
    progress
        Called with the share done before every batch; returning False cancels.

    Raises
    ------
    Cancelled
        If `progress` said so.
    """
    levels = people.levels if isinstance(people, Crowd) else table.codes[people]
    asked = whom_to_ask(candidates, candidates.items.masks_of(levels))
    works = np.zeros_like(asked)
    substitution, targets = Substitution(table, people), targets_of(candidates.moves)
    rows, total = 0, int(asked.sum())
    for low, high in _batches(asked, rows_at_once(model)):
        if not progress(rows / max(total, 1)):
            raise Cancelled
        # Person by person: rows alike follow one another, which makes models of trees up to twice as fast.
        person, move = np.nonzero(asked[:, low:high].T)
        answers = ask(model, substitution.rows(targets, move, low + person))
        works[move, low + person] = answers.astype(bool)
        rows += len(answers)
    progress(1.0)
    return Evaluation(asked, works, rows)


def whom_to_ask(candidates: Candidates, items: Mask) -> Mask:
    """Return (moves, people): the people of the widest rules of each move, from (items, people).

    Every other rule with the move adds predicates to one of these, so it covers some of the same people.
    """
    options = candidates.options
    widest = np.flatnonzero(options.whole)
    widest = widest[np.argsort(options.move[widest], kind="stable")]
    moves, begins = np.unique(options.move[widest], return_index=True)
    conditions, place = np.unique(options.condition[widest], return_inverse=True)
    people = np.packbits(masks_of(candidates.conditions[conditions], items), axis=1)
    asked = np.zeros((len(candidates.moves), items.shape[1]), dtype=bool)
    if len(moves):
        joined = np.bitwise_or.reduceat(people[place], begins, axis=0)
        asked[moves] = np.unpackbits(joined, axis=1, count=items.shape[1]).astype(bool)
    return asked


def largest_batch(asked: Mask, most: int) -> int:
    """Return how many rows the largest batch of an evaluation held, from whom was asked about."""
    return max((int(asked[:, low:high].sum()) for low, high in _batches(asked, most)), default=0)


def _batches(asked: Mask, most: int) -> Iterator[tuple[int, int]]:
    """Divide the people, from and to, so that at most so many questions, or those about one person, go together."""
    ends = np.cumsum(asked.sum(axis=0))
    low = done = 0
    while done < (ends[-1] if len(ends) else 0):
        high = max(low + 1, int(np.searchsorted(ends, done + most, side="right")))
        if ends[high - 1] > done:
            yield low, high
        low, done = high, int(ends[high - 1])
