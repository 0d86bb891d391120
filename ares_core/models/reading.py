"""Reading: which of a model's answers is the favourable one, by its label or by a score and a threshold."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.blackbox import Answers
from ares_core.models.labels import find_label, is_same_label, refuse_wide_labels, without_repeats
from ares_core.models.raw import Label, Output
from ares_core.people.levels import plain
from ares_core.people.names import quote

Scores = NDArray[np.float64]
Ties = Literal["higher", "lower"]
TWO_HINT = "Audit a model with two answers, or read the score of the favourable one against a threshold."


@dataclass(frozen=True, slots=True)
class Margins:
    """How far scores are from where the answer changes.

    Parameters
    ----------
    distance
        For each row the absolute distance from the cut-off, in the unit of the score, shape (rows,).
    cut_off
        The size of the cut-off itself, in the same unit.
    """

    distance: Scores
    cut_off: float


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model's answers are read.

    Parameters
    ----------
    favourable
        The favourable label; with a threshold, the class whose score is read, empty where there is one score only.
    threshold
        Of scores; None where labels are read.
    above
        Whether a higher score is favourable; else a lower one is.
    ties
        Whether a score exactly at the threshold counts as a higher or as a lower one.
    """

    favourable: str = ""
    threshold: float | None = None
    above: bool = True
    ties: Ties = "higher"

    def __post_init__(self) -> None:
        if self.threshold is None and not self.favourable:
            raise ModelError("Nobody said which answer of the model is favourable.", "Name the favourable answer.")
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise ModelError(f"The threshold is {self.threshold}, not a number.", "Give a number in digits.")
        if self.ties not in get_args(Ties):
            raise ModelError(f"A score at the threshold counts as {self.ties!r:.40}.", "Say 'higher' or 'lower'.")

    @property
    def output(self) -> Output:
        """What the model is asked for."""
        return "label" if self.threshold is None else "score"

    def read(self, answers: Any, rows: int, classes: Sequence[Label] = ()) -> Answers:
        """Return 1 (favourable) or 0 for each row, shape (rows,).

        Parameters
        ----------
        answers
            What the model said: labels, shape (rows,), or scores, shape (rows,) or (rows, classes).
        classes
            The labels it may answer, in the order of its scores, where they are known.

        Raises
        ------
        ModelError
            If there are three classes, no number where a score is due, or not one answer for each row.
        """
        known = [label_text(label) for label in classes]
        if self.threshold is None:
            return self._read_labels(*distinct_labels(answers, rows), known)
        higher = are_higher(self._read_score(answers, rows, known), self.threshold, self.ties)
        return (higher if self.above else ~higher).astype(np.int8)

    def margins(self, answers: Any, rows: int, classes: Sequence[Label] = ()) -> Margins | None:
        """Return how far each row's score is from the threshold; None where labels are read."""
        if self.threshold is None:
            return None
        scores = self._read_score(answers, rows, [label_text(label) for label in classes])
        return Margins(np.abs(scores - self.threshold), abs(self.threshold))

    def _read_score(self, answers: Any, rows: int, known: Sequence[str]) -> Scores:
        scores = score_columns(answers, rows, known)
        name = find_label(list(scores), self.favourable)
        if name is None and list(scores) == [""]:
            raise ModelError(
                f"The model gives one score, of no named class, so none for {self.favourable!r:.60}.",
                "Leave out whose score is read.",
            )
        if name is None:
            raise ModelError(
                f"The model gives no score for {self.favourable!r:.60}.", f"Read the score of {_listed(list(scores))}."
            )
        return scores[name]

    def _read_labels(self, labels: NDArray[np.str_], place: NDArray[np.intp], known: Sequence[str]) -> Answers:
        seen = without_repeats([*known, *sorted(labels.tolist())])
        refuse_many(seen)
        if len(seen) == 2 and not any(is_same_label(label, self.favourable) for label in seen):
            raise ModelError(
                f"The model answers {_listed(seen)}, never {self.favourable!r:.60}.",
                "Choose the favourable one of the two.",
            )
        favourable = [is_same_label(label, self.favourable) for label in labels.tolist()]
        return np.array(favourable, dtype=np.int8)[place]

    def to_json(self) -> dict[str, Any]:
        """Return the reading for machines."""
        return {"output": self.output, **asdict(self)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Reading:
        """Read back what `to_json` wrote."""
        threshold = None if body["threshold"] is None else float(body["threshold"])
        # What was kept before there was a choice counted a score at the threshold as higher.
        return cls(str(body["favourable"]), threshold, bool(body["above"]), body.get("ties", "higher"))

    def options(self) -> str:
        """Return the options of the command line that ask for this reading."""
        if self.threshold is None:
            return f"--favourable-answer {shlex.quote(self.favourable)}"
        whose = f" --score {shlex.quote(self.favourable)}" if self.favourable else ""
        side = ("" if self.above else " --below") + ("" if self.ties == "higher" else f" --ties {self.ties}")
        return f"--threshold {plain(self.threshold)}{whose}{side}"

    def words(self) -> str:
        """Say in a sentence how answers are read."""
        if self.threshold is None:
            return f"The answer {quote(self.favourable)} is favourable."
        whose = f" for {quote(self.favourable)}" if self.favourable else ""
        line = plain(self.threshold)
        ways = {
            (True, "higher"): f"of {line} or more",
            (True, "lower"): f"above {line}",
            (False, "higher"): f"below {line}",
            (False, "lower"): f"of {line} or less",
        }
        return f"A score{whose} {ways[self.above, self.ties]} is favourable."


def are_higher(scores: Scores, threshold: float, ties: Ties) -> NDArray[np.bool_]:
    """Say for each score whether it counts as higher than the threshold."""
    return scores >= threshold if ties == "higher" else scores > threshold


def label_text(label: object) -> str:
    """Write a label as the table's outcomes are written: 1 and 1.0 are '1', and true is 'True'."""
    return str(plain(label))


def refuse_many(labels: Sequence[str]) -> None:
    """Raise if there are more than two labels."""
    if len(labels) > 2:
        raise ModelError(f"The model answers {len(labels)} different labels ({_listed(labels)}), not two.", TWO_HINT)


def distinct_labels(answers: Any, rows: int) -> tuple[NDArray[np.str_], NDArray[np.intp]]:
    """Return the labels that occur, as text, and for each row which of them it got, shape (rows,).

    Raises
    ------
    ModelError
        If there is not one label for each row, or they take too much memory.
    """
    array = np.asarray(answers)
    if array.shape != (rows,):
        raise ModelError(
            f"The model answered with shape {array.shape} for {rows:,} rows, not with one label for each.",
            "If it gives scores, read them against a threshold; else make it return one answer for each row.",
        )
    missing = np.flatnonzero(pd.isna(array))
    if len(missing):
        raise ModelError(
            f"The model gave no answer (missing or NaN) for number {missing[0] + 1:,} of {rows:,} rows.",
            "Make it answer for every row, also where cells are empty.",
        )
    if array.dtype.kind == "O":  # values of several types have no order to be told apart by
        texts = [label_text(value) for value in array]
        refuse_wide_labels(rows, max(map(len, texts), default=0))
        array = np.array(texts, dtype=np.str_)
    if array.dtype.kind in "biuf":  # hashing beats sorting many numbers of which few differ
        place, values = pd.factorize(array)
    else:
        values, place = np.unique(array, return_inverse=True)
    return np.array([label_text(value) for value in values], dtype=np.str_), place


def score_columns(answers: Any, rows: int, classes: Sequence[str] = ()) -> dict[str, Scores]:
    """Return each score by the class it speaks for, shape (rows,) each; a score that is alone has no name.

    Raises
    ------
    ModelError
        If there is not a finite number for each row.
    """
    array = np.asarray(answers)
    if array.shape[:1] != (rows,) or array.ndim > 2 or not array.size:
        raise ModelError(
            f"The model answered with shape {array.shape} for {rows:,} rows, not with scores for each.",
            "Make it return one score for each row, or one for each row and class.",
        )
    if array.dtype.kind not in "biuf":
        raise ModelError(
            f"The model answered with text such as {str(array.flat[0])!r:.40}, not with scores.",
            "Read its labels instead, and say which is favourable.",
        )
    strange = np.flatnonzero(~np.isfinite(array.reshape(rows, -1)).all(axis=1))
    if len(strange):
        raise ModelError(
            f"The model's score is not a finite number for number {strange[0] + 1} of {rows:,} rows.",
            "Make it answer for every row, also where cells are empty.",
        )
    wide = array.reshape(rows, -1).astype(np.float64)
    return dict(zip(_score_names(wide.shape[1], classes), wide.T, strict=True))


def _score_names(count: int, classes: Sequence[str]) -> list[str]:
    if count == 1:
        return [""]
    return list(classes) if len(classes) == count else [f"score {number}" for number in range(1, count + 1)]


def tie_margins(answers: Any, rows: int) -> Margins | None:
    """Return how far each row's scores are from a tie of the two labels; None if the answers are not scores.

    Two scores tie when they are equal. One score ties at 0.5 if all scores are shares, else at 0.
    """
    if not are_scores(answers):
        return None
    columns = list(score_columns(answers, rows).values())
    if len(columns) == 1:
        tie = 0.5 if are_shares(columns[0]) else 0.0
        return Margins(np.abs(columns[0] - tie), tie)
    ordered = np.sort(np.stack(columns), axis=0)
    return Margins(ordered[-1] - ordered[-2], 0.0)


def are_scores(answers: Any) -> bool:
    """Say whether answers can only be scores: several for each row, or numbers that are not whole."""
    array = np.asarray(answers)
    return array.ndim == 2 or (array.dtype.kind == "f" and bool((array[np.isfinite(array)] % 1 != 0).any()))


def are_shares(scores: Scores) -> bool:
    """Say whether all scores are between 0 and 1, as probabilities are."""
    return bool(((scores >= 0) & (scores <= 1)).all())


def _listed(labels: Sequence[str]) -> str:
    shown = [quote(label) for label in labels[:4]]
    return ", ".join(shown) + (", …" if len(labels) > 4 else "") if len(labels) != 2 else " and ".join(shown)
