"""Inspection: what a model from elsewhere says of the people of a table, before anybody has said what it means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.agreement import Agreement, Outcomes
from ares_core.models.labels import find_label, is_same_label, label_key, plain_label
from ares_core.models.matching import Matching, match_columns
from ares_core.models.raw import Label, RawModel, Signature
from ares_core.models.reading import (
    Reading,
    Ties,
    are_higher,
    are_scores,
    are_shares,
    distinct_labels,
    label_text,
    score_columns,
)
from ares_core.people.levels import plain

CURVE_POINTS = 101
MOST_READINGS = 4  # shown side by side


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSpread:
    """The scores of one class, or the only ones there are, over all people.

    Parameters
    ----------
    name
        The class, empty where there is one score only.
    scores
        In increasing order, shape (people,).
    outcomes
        The outcome of each of them, 1 favourable, in the order of the scores; None where no outcome is known.
    ties
        Whether a score exactly at a threshold counts as a higher or as a lower one.
    """

    name: str
    scores: NDArray[np.float64]
    outcomes: NDArray[np.int8] | None = None
    ties: Ties = "higher"

    def refused(self, threshold: float, *, above: bool = True) -> int:
        """Return how many people are refused if a score on the higher side of the threshold is favourable, or not."""
        lower = int(np.searchsorted(self.scores, threshold, side="left" if self.ties == "higher" else "right"))
        return lower if above else len(self.scores) - lower

    def tied(self, threshold: float) -> int:
        """Return how many people score exactly the threshold."""
        return int((self.scores == threshold).sum())

    def agreement(self, threshold: float, *, above: bool = True) -> Agreement | None:
        """Return how far answers read at this threshold agree with the outcomes; None where none is known."""
        if self.outcomes is None:
            return None
        return Agreement.of(are_higher(self.scores, threshold, self.ties) == above, self.outcomes)

    def curve(self, *, above: bool = True) -> tuple[list[float], list[int]]:
        """Return thresholds from the lowest score to the highest, and how many people are refused at each."""
        thresholds = np.linspace(self.scores[0], self.scores[-1], CURVE_POINTS).tolist()
        return thresholds, [self.refused(threshold, above=above) for threshold in thresholds]


@dataclass(frozen=True, slots=True)
class ReadingFigures:
    """What a reading comes to.

    Parameters
    ----------
    people, refused
        How many people there are, and how many of them it refuses.
    agreement
        How far it agrees with their outcomes; None where no outcome is known.
    tied
        How many people score exactly the threshold.
    """

    reading: Reading
    people: int
    refused: int
    agreement: Agreement | None
    tied: int = 0

    @property
    def is_contradicted(self) -> bool:
        """Whether the answers, read so, agree with the outcomes less than chance would."""
        return self.agreement is not None and self.agreement.is_below_chance

    def words(self) -> str:
        """Say whom it refuses and how far it agrees with the outcomes."""
        agrees = "" if self.agreement is None else f"; {self.agreement.words()}"
        tied = self.tied_words()
        return f"refuses {self.refused:,} of {self.people:,} people{agrees}" + (f"; {tied}" if tied else "")

    def tied_words(self) -> str:
        """Say how many people score exactly the threshold, and what that counts as; empty if nobody does."""
        if not self.tied or self.reading.threshold is None:
            return ""
        score = "person scores" if self.tied == 1 else "people score"
        return f"{self.tied:,} {score} exactly {plain(self.reading.threshold)}, which counts as {self.reading.ties}"


@dataclass(frozen=True, slots=True, eq=False)
class Inspection:
    """What a model says of itself and of the people of a table.

    Parameters
    ----------
    labels
        Each label it may answer with how many people get it, most frequent first; empty if it gives scores only.
    good
        For each label, how many of those who get it had a favourable outcome; None where no outcome is known.
    spreads
        Its scores, class by class; empty if it gives labels only.
    named
        The reading that names make plain; None where they do not tell.
    """

    kind: str
    sha256: str
    signature: Signature
    matching: Matching
    people: int
    labels: tuple[tuple[str, int], ...]
    good: Mapping[str, int] | None
    spreads: tuple[ScoreSpread, ...]
    named: Reading | None

    @property
    def suggested(self) -> Reading | None:
        """The reading to take unasked: the one that names make plain, unless the outcomes speak against it."""
        return self.named if self.named is not None and self.is_borne_out(self.named) else None

    def is_borne_out(self, reading: Reading) -> bool:
        """Say whether the outcomes allow to take a named reading unasked.

        They must not contradict it. Where the name is a number or a truth they must agree with it more than chance
        would: a model's 1 is not always the table's 1.
        """
        figures = self.figures(reading)
        if isinstance(label_key(reading.favourable), float) and figures.agreement is not None:
            return figures.agreement.is_above_chance
        return not figures.is_contradicted

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings to choose from: each of two labels, each class's score, or both sides of the only score."""
        if self.labels and (len(self.labels) <= 2 or not self.spreads):
            return tuple(Reading(label) for label, _ in self.labels[:MOST_READINGS])
        line = usual_threshold(self.spreads)
        if len(self.spreads) == 1:
            ties = self.spreads[0].ties
            return Reading("", line, ties=ties), Reading("", line, above=False, ties=ties)
        return tuple(Reading(spread.name, line, ties=spread.ties) for spread in self.spreads[:MOST_READINGS])

    def figures(self, reading: Reading) -> ReadingFigures:
        """Return what a reading comes to.

        Raises
        ------
        ModelError
            If the model gives no such score.
        """
        if reading.threshold is None:
            return self._label_figures(reading)
        spread = self.spread_of(reading.favourable)
        if spread is None:
            raise ModelError(f"The model gives no score for {reading.favourable!r:.60}.", "Read another score.")
        spread = replace(spread, ties=reading.ties)
        refused = spread.refused(reading.threshold, above=reading.above)
        agreement = spread.agreement(reading.threshold, above=reading.above)
        return ReadingFigures(reading, self.people, refused, agreement, spread.tied(reading.threshold))

    def tied_words(self, reading: Reading) -> str:
        """Say how many people score exactly the threshold; empty if nobody does, or no such score is read."""
        return "" if self.spread_of(reading.favourable) is None else self.figures(reading).tied_words()

    def spread_of(self, name: str) -> ScoreSpread | None:
        """Return the scores of a class, however its name is written; None if there are none."""
        spreads = {spread.name: spread for spread in self.spreads}
        return spreads.get(find_label(list(spreads), name) or name)

    def _label_figures(self, reading: Reading) -> ReadingFigures:
        got = [label for label, _ in self.labels if is_same_label(label, reading.favourable)]
        accepted = sum(count for label, count in self.labels if label in got)
        agreement = None
        if self.good is not None:
            good, kept = sum(self.good.values()), sum(self.good[label] for label in got)
            bad = self.people - good
            agreement = Agreement(good, kept, bad, bad - (accepted - kept))
        return ReadingFigures(reading, self.people, self.people - accepted, agreement)


def inspect_model(
    raw: RawModel, frame: pd.DataFrame, outcomes: Outcomes | None = None, columns: Sequence[str] = ()
) -> Inspection:
    """Ask a model about everybody, for labels and for scores where it gives both.

    Parameters
    ----------
    frame
        The people, n rows.
    outcomes
        What became of each of them; None where that is not known.
    columns
        The columns of a model that does not name its own, in its order.

    Raises
    ------
    ModelError
        If the table is not what the model wants, or the answers can be read in no way.
    """
    matching = match_columns(raw.signature, frame, columns)
    shown, rows = matching.apply(frame), len(frame)
    answers = {output: raw.answer(shown, output) for output in raw.signature.outputs}
    classes = raw.signature.classes  # after the answers, because a service may name them only there
    labels, good = _labels(answers.get("label"), rows, classes, outcomes)
    spreads = _with_ties(_spreads(answers.get("score"), rows, classes, outcomes), raw.signature)
    if not labels and not spreads:
        raise ModelError("The model gives neither labels nor scores.", "Bring one that answers one or the other.")
    named = _named([label for label, _ in labels], spreads, outcomes)
    return Inspection(raw.kind, raw.sha256, raw.signature, matching, rows, labels, good, spreads, named)


def usual_threshold(spreads: Sequence[ScoreSpread]) -> float:
    """Return where to begin: 0.5 between shares, 0 between scores on both sides of it, else the median, rounded."""
    if all(are_shares(spread.scores) for spread in spreads):
        return 0.5
    scores = np.concatenate([spread.scores for spread in spreads])
    if scores.min() <= 0 <= scores.max():
        return 0.0
    step = usual_step(scores)
    return float(f"{round(float(np.median(scores)) / step) * step:.12g}")


def usual_step(scores: NDArray[np.float64]) -> float:
    """Return a round number of which about 20 to 50 lie between the lowest score and the highest."""
    width = float(scores.max() - scores.min()) or abs(float(scores.max())) or 1.0
    power = 10.0 ** math.floor(math.log10(width / 20))
    return float(f"{max(power * factor for factor in (1, 2, 5) if power * factor <= width / 20):.1g}")


def ties_of(spreads: Sequence[ScoreSpread], name: str) -> Ties:
    """Return what a score at the threshold counts as unless somebody says otherwise, for the score of one class."""
    return next((spread.ties for spread in spreads if spread.name == name), "higher")


def _named(labels: Sequence[str], spreads: Sequence[ScoreSpread], outcomes: Outcomes | None) -> Reading | None:
    """Return the reading that names make plain, of one or two labels or of two classes with a score each."""
    written = ("", "") if outcomes is None else (outcomes.favourable, outcomes.unfavourable)
    if labels:
        label = plain_label(labels, *written) if len(labels) <= 2 else None
        return None if label is None else Reading(label)
    name = plain_label([spread.name for spread in spreads], *written) if len(spreads) == 2 else None
    return None if name is None else Reading(name, usual_threshold(spreads), ties=ties_of(spreads, name))


def _labels(
    answers: Any, rows: int, classes: tuple[Label, ...], outcomes: Outcomes | None
) -> tuple[tuple[tuple[str, int], ...], Mapping[str, int] | None]:
    """Return each label with how many people get it, and how many of those had a favourable outcome."""
    if answers is None or are_scores(answers):
        return (), None
    values, place = distinct_labels(answers, rows)
    none = {label_text(label): 0 for label in classes}
    names = [next((known for known in none if is_same_label(known, value)), value) for value in values.tolist()]
    counts = np.bincount(place, minlength=len(values)).tolist()
    found = none | dict(zip(names, counts, strict=True))
    ordered = tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))
    if outcomes is None:
        return ordered, None
    goods = np.bincount(place[outcomes.values == 1], minlength=len(values)).tolist()
    return ordered, none | dict(zip(names, goods, strict=True))


def _spreads(answers: Any, rows: int, classes: tuple[Label, ...], outcomes: Outcomes | None) -> tuple[ScoreSpread, ...]:
    """Return the scores; labels that come in their place are none."""
    array = None if answers is None else np.asarray(answers)
    if array is None or array.dtype.kind not in "biuf" or (array.ndim == 1 and not are_scores(array)):
        return ()
    columns = score_columns(array, rows, [label_text(label) for label in classes])
    return tuple(_spread(name, scores, outcomes) for name, scores in columns.items())


def _with_ties(spreads: tuple[ScoreSpread, ...], signature: Signature) -> tuple[ScoreSpread, ...]:
    """Let a score at the threshold count as the model's own library counts it: for the first of its two classes.

    The score of a class that stands alone is that of the second one.
    """
    if not signature.first_wins or len(spreads) > 2:
        return spreads
    return (*spreads[:-1], replace(spreads[-1], ties="lower"))


def _spread(name: str, scores: NDArray[np.float64], outcomes: Outcomes | None) -> ScoreSpread:
    if outcomes is None:
        return ScoreSpread(name, np.sort(scores))
    order = np.argsort(scores, kind="stable")
    return ScoreSpread(name, scores[order], outcomes.values[order])
