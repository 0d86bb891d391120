"""Surrogates: linear stand-ins for any black box, local to a person or to a cluster of people, for AR to work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ares_core.models import BlackBox, ask
from ares_core.models.encoding import encoder
from ares_core.models.training import TrainedModel
from ares_core.people.table import Crowd, Table
from benchmarks.paper.linear import Steps
from benchmarks.paper.scene import Scene

Floats = NDArray[np.float64]
SAMPLES = 1_000  # people made up around each one
KEPT = 0.5  # chance that a made-up person keeps a value
WIDTH = 0.75  # of the kernel, times the root of the number of columns, as in LIME
CLUSTERS = (1, 2, 4, 8)
FOLDS = 3


Coding = Callable[[pd.DataFrame], Floats]


def coding(table: Table) -> Coding:
    """Return how to write people as numbers, columns of mean 0 and spread 1; the black box is not looked into."""
    names = sorted(table.frame.columns)
    fitted = make_pipeline(encoder(table.frame[names], table.schema), StandardScaler()).fit(table.frame[names])
    return lambda frame: np.asarray(fitted.transform(frame[names]), dtype=np.float64)


def chances(model: BlackBox, frame: pd.DataFrame) -> Floats:
    """Return how likely the model thinks a favourable answer, or the answer itself where it says no more."""
    if isinstance(model, TrainedModel) and hasattr(model.pipeline, "predict_proba"):
        return np.asarray(model.pipeline.predict_proba(frame[list(model.columns)])[:, 1], dtype=np.float64)
    return ask(model, frame).astype(np.float64)


def local_lines(scene: Scene, steps: Steps) -> tuple[Floats, Floats]:
    """Approximate the model around each person as LIME does, and return need and gains.

    Made-up people keep each feature with a chance of one half or take it from somebody in the table; those nearer to
    the person count more; a ridge regression of the model's chances on the encoded columns is the local line.
    """
    code, random = coding(scene.table), np.random.default_rng(scene.seed)
    around = (_around(scene.table, person, random) for person in steps.people)
    lines = [_local_line(scene.model, code, frame) for frame in around]
    slopes = np.array([slope for slope, _ in lines])
    here, there = code(steps.before), code(steps.after)
    scores = (here * slopes).sum(axis=1) + np.array([height for _, height in lines])
    gains = ((there - here[steps.person]) * slopes[steps.person]).sum(axis=1)
    return 0.5 - scores, gains


def _local_line(model: BlackBox, code: Coding, frame: pd.DataFrame) -> tuple[Floats, float]:
    rows = code(frame)
    distance = np.linalg.norm(rows - rows[0], axis=1)
    weights = np.exp(-((distance / (WIDTH * np.sqrt(rows.shape[1]))) ** 2) / 2)
    line = Ridge(alpha=1.0).fit(rows, chances(model, frame), sample_weight=weights)
    return np.asarray(line.coef_), float(line.intercept_)


def _around(table: Table, person: int, random: np.random.Generator) -> pd.DataFrame:
    """Make people up around one; the first is the person."""
    mixed = {str(name): np.full(SAMPLES, person) for name in table.frame.columns}
    for feature in table.features:
        donors = random.integers(len(table), size=SAMPLES)
        taken = np.flatnonzero(random.random(SAMPLES) >= KEPT)
        taken = taken[taken > 0]
        for name in feature.columns:
            mixed[name][taken] = donors[taken]
    return Crowd(np.zeros((SAMPLES, 0), dtype=np.int16), mixed).frame(table)


def cluster_lines(scene: Scene, steps: Steps) -> tuple[Floats, Floats]:
    """Approximate the model by one logistic regression for each cluster of people, and return need and gains.

    The number of clusters is the one whose regressions agree best with the model on people left out.
    """
    code = coding(scene.table)
    rows, answers = code(scene.table.frame), ask(scene.model, scene.table.frame)
    most = max(CLUSTERS, key=lambda count: (_agreement(rows, answers, count, scene.seed), -count))
    pieces = Pieces.fit(rows, answers, most, scene.seed)
    here, there = code(steps.before), code(steps.after)
    mine = pieces.clusters.predict(here)
    slopes, heights = pieces.slopes[mine], pieces.heights[mine]
    scores = (here * slopes).sum(axis=1) + heights
    return -scores, ((there - here[steps.person]) * slopes[steps.person]).sum(axis=1)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Clusters of people, each with a logistic regression of the model's answers."""

    clusters: KMeans
    slopes: Floats
    heights: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: NDArray[np.int8], count: int, seed: int) -> Pieces:
        """Fit the clusters, and in each a line; where the model always answers the same, the line is flat."""
        clusters = KMeans(count, n_init=1, random_state=seed).fit(rows)
        slopes, heights = np.zeros((count, rows.shape[1])), np.zeros(count)
        for number in range(count):
            mine = clusters.labels_ == number
            if len(np.unique(answers[mine])) < 2:
                heights[number] = 1.0 if answers[mine].any() else -1.0
                continue
            line = LogisticRegression(max_iter=1000).fit(rows[mine], answers[mine])
            slopes[number], heights[number] = line.coef_[0], line.intercept_[0]
        return cls(clusters, slopes, heights)

    def predict(self, rows: Floats) -> NDArray[np.bool_]:
        """Say for each row whether its cluster's line is favourable."""
        mine = self.clusters.predict(rows)
        return np.asarray((rows * self.slopes[mine]).sum(axis=1) + self.heights[mine] > 0)


def _agreement(rows: Floats, answers: NDArray[np.int8], count: int, seed: int) -> float:
    agreed: list[float] = []
    for kept, left in KFold(FOLDS, shuffle=True, random_state=seed).split(rows):
        if len(kept) < count:
            return 0.0
        pieces = Pieces.fit(rows[kept], answers[kept], count, seed)
        agreed.append(float(np.mean(pieces.predict(rows[left]) == answers[left])))
    return float(np.mean(agreed))


def whole_line(scene: Scene, steps: Steps) -> tuple[Floats, Floats]:
    """Return need and gains of a model that is linear itself; its score adds up over features."""
    model = scene.model
    if not isinstance(model, TrainedModel):
        raise TypeError("only models trained here have a score")
    here, there = model.score(steps.before), model.score(steps.after)
    return -here, there - here[steps.person]
