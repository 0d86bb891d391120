"""Recheck: ask an external model again about rows of its evaluation, in other batches, and compare.

The evaluation asks in large batches that hold nobody of the table. A model can notice that and answer otherwise than
it does in use. So a sample of the changed rows is asked again in small and large batches, in another order, and mixed
with people of the table whose answers are known.

Two things cannot be found. A model that treats changed rows specially, row by row and always the same way, has no
other answer to give: that is its function. A model that remembers every row can repeat what it said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import Cancelled, ModelError
from ares_core.models import Answers, ForeignModel
from ares_core.models.behaviour import Finding
from ares_core.models.repeats import MOST_ROUNDING, ask_rows, flipped_rows, rounding_words, within_rounding
from ares_core.people.table import Indices, Substitution, targets_of
from ares_core.recourse.evaluation import Mask, largest_batch
from ares_core.recourse.workbench import Workbench
from ares_core.wording import counted

MOST_ROWS = 1_000  # changed rows asked again
MOST_PEOPLE = 300  # people of the table they are mixed with
SMALL_BATCHES = (1,) * 12 + (7,) * 4 + (50,) * 3  # the other rows of this round go in batches of MEDIUM
MEDIUM = 199
# Batches of people of the table with a few changed rows among them: (changed rows, rows in all).
AMONG_PEOPLE = ((1, MEDIUM),) * 3 + ((5, 50),) * 5
LARGE = 5_000  # rows of the large batch, unless a tenth of the evaluation is more
DISTRUST = "The figures of this audit are not to be trusted."
DECIDED_BY_ROUNDING = "So many answers depend on rounding that the figures of this audit depend on it too."
TITLE = "Same answers in other batches"

Progress = Callable[[float], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """What came of asking a model again about rows of its evaluation.

    Parameters
    ----------
    rows, people
        Changed rows and people of the table that were asked about again.
    rows_differ, people_differ
        How many of each got another answer at least once, flips by rounding left out.
    rounding
        Changed rows and people whose answer flips only because the score is within rounding of the cut-off.
    smallest_batch, largest_batch
        Rows of the smallest and the largest batch.
    evaluation_batch
        Rows of the largest batch of the evaluation.
    calls, model_rows
        Batches, and rows of all of them together.
    not_checked
        Why the model was not asked again, as a sentence; empty if it was.
    failure
        What the model raised when it was asked again; empty if it answered.
    """

    rows: int = 0
    people: int = 0
    rows_differ: int = 0
    people_differ: int = 0
    rounding: int = 0
    smallest_batch: int = 0
    largest_batch: int = 0
    evaluation_batch: int = 0
    calls: int = 0
    model_rows: int = 0
    not_checked: str = ""
    failure: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the answers can be relied on; None if the model was not asked again."""
        if self.not_checked:
            return None
        return not (self.failure or self.rows_differ or self.people_differ or self._is_decided_by_rounding)

    @property
    def warning(self) -> str:
        """What stands on top of everything if the check failed; empty otherwise."""
        return self.words if self.passed is False else ""

    @property
    def words(self) -> str:
        """Say what was tried and what came of it."""
        if self.not_checked:
            return self.not_checked
        tried = (
            f"Asked again about {counted(self.rows, 'changed row')}, in batches of {self.smallest_batch:,} to "
            f"{self.largest_batch:,}, shuffled and mixed with {self.people:,} people of the table"
        )
        if self.failure:
            return f"{tried}, the model failed: {self.failure} {DISTRUST}"
        parts = [f"{tried}: {self._differing()}.", rounding_words(self.rounding, self.rows + self.people)]
        if self._is_decided_by_rounding:
            parts.append(DECIDED_BY_ROUNDING)
        if self.rows_differ or self.people_differ:
            parts.append(DISTRUST)
        return " ".join(part for part in parts if part)

    def finding(self) -> Finding:
        """Return the verdict as a line beside the other findings on the model's behaviour."""
        return Finding(TITLE, self.passed, self.words)

    def to_json(self) -> dict[str, Any]:
        """Return the counts and the sentence for machines."""
        return {**asdict(self), "passed": self.passed, "words": self.words}

    def _differing(self) -> str:
        if not self.rows_differ and not self.people_differ:
            return "0 answers differed"
        people = f" and {self.people_differ:,} of {self.people:,} about people" if self.people_differ else ""
        return f"{self.rows_differ:,} of {self.rows:,} answers about changed rows{people} differed"

    @property
    def _is_decided_by_rounding(self) -> bool:
        return self.rounding > MOST_ROUNDING * (self.rows + self.people)


def recheck(model: ForeignModel, bench: Workbench, progress: Progress = lambda _: True) -> Recheck:
    """Ask a model again about a seeded sample of the changed rows that its evaluation asked about.

    Parameters
    ----------
    model
        The model that was evaluated. Answers it keeps are not used.
    bench
        What the evaluation found. Rows of stand-ins are not sampled.
    progress
        Called with the share done before each batch; returning False cancels.

    Raises
    ------
    Cancelled
        If `progress` said so.
    """
    random = np.random.default_rng([bench.settings.seed, 4])
    frame, known, rows = _sample(bench, random)
    if not rows:
        return Recheck(not_checked="Not asked again: the evaluation asked about no changed row.")
    asked = bench.evaluation.asked[:, : len(bench.affected)]
    evaluated = min(largest_batch(asked, model.batch_rows), model.call_rows)
    large = min(evaluated, max(LARGE, int(asked.sum()) // 10))
    batches = list(_batches(rows, len(frame) - rows, large, model.call_rows, random))
    found: dict[str, Any] = {
        "rows": rows,
        "people": len(frame) - rows,
        "smallest_batch": min(map(len, batches)),
        "largest_batch": max(map(len, batches)),
        "evaluation_batch": evaluated,
        "calls": len(batches),
        "model_rows": sum(map(len, batches)),
    }
    needed, left = found["model_rows"] + len(frame), model.rows_left  # scores may be asked for once
    if left is not None and 2 * needed > left:
        return Recheck(not_checked=_over_budget(needed, left))
    try:
        changed, rounding = _compare(model.without_memory(), frame, known, batches, progress)
    except ModelError as error:
        return Recheck(**found, failure=error.problem)
    found |= {"rows_differ": int(changed[:rows].sum()), "people_differ": int(changed[rows:].sum())}
    return Recheck(**found, rounding=int(rounding.sum()))


def rows_of_recheck(asked: int, people: int) -> int:
    """Return how many rows a recheck asks a service about at most, from the rows of its evaluation and its people."""
    total = min(asked, MOST_ROWS) + min(people, MOST_PEOPLE)
    return 3 * total + sum(size for _, size in AMONG_PEOPLE)


def _over_budget(needed: int, left: int) -> str:
    return (
        f"Not asked again in other batches: that takes {needed:,} rows, and of the {left:,} rows that the budget "
        "has left at least half are kept for the rest of the audit. Allow more rows to have it checked."
    )


def _compare(
    model: ForeignModel, frame: pd.DataFrame, known: Answers, batches: list[Indices], progress: Progress
) -> tuple[Mask, Mask]:
    """Return which rows got another answer than is known, and which of them flip by rounding only."""
    replies = []
    for number, batch in enumerate(batches):
        if not progress(number / len(batches)):
            raise Cancelled
        replies.append(ask_rows(model, frame, batch))
    flipped = flipped_rows(known, replies)
    rounding = within_rounding(model, frame, replies, flipped)
    return flipped & ~rounding, rounding


def _sample(bench: Workbench, random: np.random.Generator) -> tuple[pd.DataFrame, Answers, int]:
    """Return changed rows and then people of the table, what was answered about each, and how many are changed."""
    changed, answers = _changed_rows(bench, random)
    accepted = np.setdiff1d(np.arange(len(bench.table)), bench.affected)
    sizes = _halves(len(bench.affected), len(accepted), MOST_PEOPLE)
    people = [
        random.choice(each, size, replace=False) for each, size in zip((bench.affected, accepted), sizes, strict=True)
    ]
    frame = pd.concat([changed, bench.table.frame.iloc[np.concatenate(people)]], ignore_index=True)
    return frame, np.concatenate([answers, np.repeat(np.array([0, 1], dtype=np.int8), sizes)]), len(changed)


def _changed_rows(bench: Workbench, random: np.random.Generator) -> tuple[pd.DataFrame, Answers]:
    """Return a sample of the changed rows of real people, half of them accepted, and what was answered about each."""
    real = slice(len(bench.affected))
    works = bench.evaluation.works[:, real]
    failed = bench.evaluation.asked[:, real] & ~works
    sizes = _halves(int(works.sum()), int(failed.sum()), MOST_ROWS)
    pairs = [_drawn(mask, size, random) for mask, size in zip((works, failed), sizes, strict=True)]
    moves, people = np.concatenate(pairs, axis=1)
    used, numbers = np.unique(moves, return_inverse=True)
    targets = targets_of([bench.candidates.moves[move] for move in used.tolist()])
    frame = Substitution(bench.table, bench.affected).rows(targets, numbers, people)
    return frame, np.repeat(np.array([1, 0], dtype=np.int8), sizes)


def _halves(one: int, other: int, most: int) -> tuple[int, int]:
    """Divide `most` between two groups: half each, and what one lacks goes to the other."""
    first = min(one, max(most // 2, most - other))
    return first, min(other, most - first)


def _drawn(mask: Mask, size: int, random: np.random.Generator) -> Indices:
    """Draw pairs of a (moves, people) mask, shape (2, size)."""
    counts = mask.sum(axis=1)
    ends = np.cumsum(counts)
    ranks = np.sort(random.choice(int(counts.sum()), size, replace=False)) if size else np.zeros(0, dtype=np.intp)
    moves = np.searchsorted(ends, ranks, side="right")
    within = ranks - (ends - counts)[moves]
    people = [int(np.flatnonzero(mask[move])[rank]) for move, rank in zip(moves, within, strict=True)]
    return np.array([moves, people], dtype=np.intp).reshape(2, size)


def _batches(rows: int, people: int, large: int, most: int, random: np.random.Generator) -> Iterator[Indices]:
    """Yield what is asked together: every row in small batches, a few rows among people, and all in a large batch.

    Numbers below `rows` are changed rows, those from there on people; no batch is larger than `most`.
    """
    total = rows + people
    order, begin = random.permutation(total), 0
    for size in SMALL_BATCHES:
        yield from _parts(order[begin : begin + size], size)
        begin += size
    yield from _parts(order[begin:], MEDIUM)
    changed, begin = random.permutation(rows), 0
    for few, size in AMONG_PEOPLE:
        among = rows + random.permutation(people)[: size - few]
        yield random.permutation(np.concatenate([changed[begin : begin + few], among]))
        begin += few
    yield from _parts(np.resize(random.permutation(total), max(total, large)), most)


def _parts(rows: Indices, size: int) -> Iterator[Indices]:
    """Cut rows into batches of a size; nothing is yielded for no rows."""
    for begin in range(0, len(rows), size):
        yield rows[begin : begin + size]
