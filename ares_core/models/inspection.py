"""Inspection: what a model from elsewhere says of the people of a table, before anybody has said what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.matching import Matching, match_columns
from ares_core.models.raw import Label, RawModel, Signature
from ares_core.models.reading import Reading, are_scores, distinct_labels, label_text, score_columns, suggest

CURVE_POINTS = 101


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSpread:
    """The scores of one class, or the only ones there are, over all people.

    Parameters
    ----------
    name
        The class, empty where there is one score only.
    scores
        In increasing order, shape (people,).
    """

    name: str
    scores: NDArray[np.float64]

    def refused(self, threshold: float, *, above: bool = True) -> int:
        """Return how many people are refused if a score at the threshold or above it is favourable, or one below."""
        below = int(np.searchsorted(self.scores, threshold, side="left"))
        return below if above else len(self.scores) - below

    def curve(self, *, above: bool = True) -> tuple[list[float], list[int]]:
        """Return thresholds from the lowest score to the highest, and how many people are refused at each."""
        thresholds = np.linspace(self.scores[0], self.scores[-1], CURVE_POINTS).tolist()
        return thresholds, [self.refused(threshold, above=above) for threshold in thresholds]


@dataclass(frozen=True, slots=True, eq=False)
class Inspection:
    """What a model says of itself and of the people of a table.

    Parameters
    ----------
    labels
        Each label it may answer with how many people get it, most frequent first; empty if it gives scores only.
    spreads
        Its scores, class by class; empty if it gives labels only.
    suggested
        The reading most people would choose; None where the answers do not tell.
    """

    kind: str
    sha256: str
    signature: Signature
    matching: Matching
    people: int
    labels: tuple[tuple[str, int], ...]
    spreads: tuple[ScoreSpread, ...]
    suggested: Reading | None


def inspect_model(raw: RawModel, frame: pd.DataFrame, wanted: str) -> Inspection:
    """Ask a model about everybody, for labels and for scores where it gives both.

    Parameters
    ----------
    frame
        The people, n rows.
    wanted
        The favourable outcome of the table, to suggest a reading by.

    Raises
    ------
    ModelError
        If the table is not what the model wants, or the answers can be read in no way.
    """
    matching = match_columns(raw.signature, frame)
    shown, rows = matching.apply(frame), len(frame)
    answers = {output: raw.answer(shown, output) for output in raw.signature.outputs}
    classes = raw.signature.classes  # after the answers, because a service may name them only there
    first = answers.get("label", answers.get("score"))
    labels, spreads = _labels(answers.get("label"), rows, classes), _spreads(answers.get("score"), rows, classes)
    if not labels and not spreads:
        raise ModelError("The model gives neither labels nor scores.", "Bring one that answers one or the other.")
    return Inspection(
        raw.kind, raw.sha256, raw.signature, matching, rows, labels, spreads, suggest(first, rows, classes, wanted)
    )


def _labels(answers: Any, rows: int, classes: tuple[Label, ...]) -> tuple[tuple[str, int], ...]:
    if answers is None or are_scores(answers):
        return ()
    values, place = distinct_labels(answers, rows)
    counts = np.bincount(place, minlength=len(values))
    found = {label_text(label): 0 for label in classes} | dict(zip(values.tolist(), counts.tolist(), strict=True))
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _spreads(answers: Any, rows: int, classes: tuple[Label, ...]) -> tuple[ScoreSpread, ...]:
    """Return the scores; labels that come in their place are none."""
    array = None if answers is None else np.asarray(answers)
    if array is None or array.dtype.kind not in "biuf" or (array.ndim == 1 and not are_scores(array)):
        return ()
    columns = score_columns(array, rows, [label_text(label) for label in classes])
    return tuple(ScoreSpread(name, np.sort(scores)) for name, scores in columns.items())
