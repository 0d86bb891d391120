"""Repeats: the same rows asked several times, and which of their answers differ by more than rounding.

A score is a sum of floats, and the order of the sum depends on the batch. So a score that is practically at the
cut-off may fall on either side of it. Such a flip is counted apart from answers that really differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.blackbox import Answers, BlackBox, ask, call_model, checked
from ares_core.models.reading import Margins
from ares_core.wording import counted

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]
# Relative to the size of the scores. One float32 operation errs by 6e-8, and a sum of a few hundred by up to 1e-5.
ROUNDING = 1e-5
# Above this share of the answers, rounding is a warning: a model could keep its scores at the cut-off on purpose.
MOST_ROUNDING = 0.05


@runtime_checkable
class HasMargins(Protocol):
    """A model that tells how far its scores are from the cut-off."""

    def predict_with_margins(self, frame: pd.DataFrame) -> tuple[Answers, Margins | None]:
        """Return the answers, and how far the scores are from the cut-off; None where labels are read."""
        ...

    def tie_margins(self, frame: pd.DataFrame) -> Margins | None:
        """Return how far the scores behind the labels are from a tie; None where there are no such scores."""
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """Answers about some rows.

    Parameters
    ----------
    rows
        Which rows were asked about, as positions in a table; a row may occur more than once.
    answers
        1 (favourable) or 0 for each of them.
    margins
        How far their scores are from the cut-off; None where the model answers with labels only.
    """

    rows: Indices
    answers: Answers
    margins: Margins | None


def ask_rows(model: BlackBox, frame: pd.DataFrame, rows: Indices) -> Reply:
    """Ask a model about some rows of a table in one call.

    Raises
    ------
    ModelError
        If the model fails, or does not answer each row with 0 or 1.
    """
    asked = frame.iloc[rows]
    if not isinstance(model, HasMargins):
        return Reply(rows, ask(model, asked), None)
    answers, margins = call_model(lambda: model.predict_with_margins(asked), len(rows))
    return Reply(rows, checked(answers, len(rows)), margins)


def flipped_rows(first: Answers, replies: Sequence[Reply]) -> Mask:
    """Return which rows got another answer than at first in at least one reply, shape (rows,)."""
    flipped = np.zeros(len(first), dtype=bool)
    for reply in replies:
        flipped[reply.rows[reply.answers != first[reply.rows]]] = True
    return flipped


def within_rounding(model: BlackBox, frame: pd.DataFrame, replies: Sequence[Reply], flipped: Mask) -> Mask:
    """Return which of the flipped rows have scores so close to the cut-off that rounding explains the flip.

    Every score of the row has to be that close. Where labels are read, the scores behind them are asked for, once.
    """
    if not flipped.any() or not isinstance(model, HasMargins):
        return np.zeros(len(flipped), dtype=bool)
    known = [(reply.rows, reply.margins) for reply in replies if reply.margins is not None]
    if not known:
        with suppress(ModelError):  # a model that fails on scores gives none
            margins = call_model(lambda: model.tie_margins(frame), len(frame))
            known = [] if margins is None else [(np.arange(len(frame)), margins)]
    if not known:
        return np.zeros(len(flipped), dtype=bool)
    distances = np.concatenate([margins.distance for _, margins in known])
    farthest = np.zeros(len(flipped))
    np.maximum.at(farthest, np.concatenate([rows for rows, _ in known]), distances)
    # The cut-off alone says nothing of the size of scores where it is 0.
    size = max(known[0][1].cut_off, float(np.median(distances)))
    return flipped & (farthest <= ROUNDING * size)


def rounding_words(rounding: int, total: int) -> str:
    """Say how many answers depend on rounding; empty if none does."""
    if not rounding:
        return ""
    flip, their = ("flips", "its") if rounding == 1 else ("flip", "their")
    return f"{rounding:,} of {counted(total, 'answer')} {flip} because {their} score is within rounding of the cut-off."
