"""Train a black box here: scikit-learn pipelines from raw columns to an answer, seeded."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from ares_core.errors import ModelError
from ares_core.models.blackbox import Answers, BlackBox, ask
from ares_core.models.encoding import encode, encoder
from ares_core.people.schema import Schema

Labels = NDArray[np.int8]
Indices = NDArray[np.intp]
CHUNK_ROWS = 50_000  # encoded people held at once: memory stays small whatever the number of rows


@dataclass(frozen=True, slots=True)
class Family:
    """A family of models that can be trained.

    Parameters
    ----------
    description
        What it is, in plain words.
    build
        Makes an untrained classifier from a seed.
    """

    description: str
    build: Callable[[int], Any]


def _network(layers: int, width: int) -> Callable[[int], Any]:
    def build(seed: int) -> Any:
        # A fixed number of rounds with some weight decay. No early stopping on a validation part: of a few
        # hundred people that part is too small, and deep networks then answer the same for everybody.
        return MLPClassifier((width,) * layers, alpha=0.1, max_iter=30, random_state=seed)

    return build


FAMILIES: dict[str, Family] = {
    "lr": Family(
        "Logistic regression: adds up evidence for and against.",
        lambda seed: LogisticRegression(max_iter=1000, random_state=seed),
    ),
    "rf": Family(
        "Random forest: 100 decision trees vote.",
        lambda seed: RandomForestClassifier(n_estimators=100, random_state=seed),
    ),
    "gbt": Family(
        "Gradient boosted trees: 100 small trees, each mending the errors of those before.",
        lambda seed: GradientBoostingClassifier(random_state=seed),
    ),
    "dt": Family(
        "Decision tree: one tree of yes-or-no questions, at most 6 deep.",
        lambda seed: DecisionTreeClassifier(max_depth=6, min_samples_leaf=5, random_state=seed),
    ),
    "svm": Family(
        "Linear support vector machine: the widest margin between the two classes.",
        lambda seed: LinearSVC(random_state=seed, max_iter=5000),
    ),
    "dnn3": Family("Neural network with 3 hidden layers of 50 units.", _network(3, 50)),
    "dnn5": Family("Neural network with 5 hidden layers of 40 units.", _network(5, 40)),
    "dnn10": Family("Neural network with 10 hidden layers of 30 units.", _network(10, 30)),
}


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A black box trained here.

    Parameters
    ----------
    kind
        The family.
    sha256
        Digest of everything that decides the model: family, seed, scikit-learn's version, training columns in
        order of name, training rows in their order, and labels.
    pipeline
        Takes the raw columns, returns 1 (favourable) or 0.
    columns
        The columns it was trained on, sorted; others are not looked at.
    """

    kind: str
    sha256: str
    pipeline: Pipeline
    columns: tuple[str, ...]

    def predict(self, frame: pd.DataFrame) -> Answers:
        """Return 1 (favourable) or 0 for each row, shape (n,)."""
        answers = [self._classifier.predict(part).astype(np.int8) for part in self._encoded_parts(frame)]
        return np.concatenate([np.zeros(0, dtype=np.int8), *answers])

    def score(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """Return for each row a number that is higher the more favourably the model sees it, shape (n,)."""
        if hasattr(self._classifier, "decision_function"):
            return np.concatenate([self._classifier.decision_function(part) for part in self._encoded_parts(frame)])
        return np.concatenate([self._classifier.predict_proba(part)[:, 1] for part in self._encoded_parts(frame)])

    @property
    def _classifier(self) -> Any:
        return self.pipeline["classify"]

    def _encoded_parts(self, frame: pd.DataFrame) -> Iterator[NDArray[np.float64]]:
        lacking = [column for column in self.columns if column not in frame.columns]
        if lacking:
            raise ModelError(
                f"The model was trained on the column {lacking[0]!r}, which this table does not have.",
                "Ask it about tables with the columns it was trained on.",
            )
        seen = frame[list(self.columns)]
        for begin in range(0, len(frame), CHUNK_ROWS):
            yield encode(self.pipeline["encode"], seen.iloc[begin : begin + CHUNK_ROWS])


@dataclass(frozen=True, slots=True)
class ModelQuality:
    """How well a model predicts people it was not trained on.

    Parameters
    ----------
    n
        The number of people.
    accuracy
        The share predicted rightly.
    auc
        The chance that of two people with different outcomes the model ranks the favourable one higher; None
        if the model gives no scores or all outcomes are the same.
    majority
        The share of the more frequent outcome: the accuracy of always answering that.
    """

    n: int
    accuracy: float
    auc: float | None
    majority: float


def train(family: str, frame: pd.DataFrame, schema: Schema, labels: Labels, seed: int) -> TrainedModel:
    """Train a model of a family.

    Parameters
    ----------
    family
        One of `FAMILIES`.
    frame
        The raw columns, without the target, n rows in an order that does not depend on the file's.
    schema
        Says which values mean "missing".
    labels
        1 (favourable) or 0 for each row, shape (n,).
    seed
        Of every random choice.

    Raises
    ------
    ModelError
        If there is no such family, only one class, nothing to learn from, or a number no model can hold.
    """
    if family not in FAMILIES:
        raise ModelError(f"There is no family of models {family!r}.", f"Use one of: {', '.join(FAMILIES)}.")
    if len(np.unique(labels)) < 2:
        raise ModelError(
            f"All {len(labels):,} people to learn from have the same outcome.",
            "Give a table in which both outcomes occur several times.",
        )
    seen = frame[sorted(frame.columns)]
    encoding, classifier = encoder(seen, schema).fit(seen), FAMILIES[family].build(seed)
    with warnings.catch_warnings():
        # Training stops after a fixed number of rounds on purpose: that bounds the time.
        warnings.simplefilter("ignore", ConvergenceWarning)
        classifier.fit(encode(encoding, seen), labels)
    pipeline = Pipeline([("encode", encoding), ("classify", classifier)])
    return TrainedModel(family, _digest(family, seen, labels, seed), pipeline, tuple(seen.columns))


def _digest(family: str, frame: pd.DataFrame, labels: Labels, seed: int) -> str:
    digest = hashlib.sha256(f"{family}\n{seed}\n{sklearn.__version__}\n".encode())
    digest.update(frame.to_csv(index=False).encode())
    digest.update(np.asarray(labels, dtype=np.int8).tobytes())
    return digest.hexdigest()


def quality(model: BlackBox, frame: pd.DataFrame, labels: Labels) -> ModelQuality:
    """Measure a model on people it was not trained on."""
    share = float(np.mean(labels))
    accuracy = float(np.mean(ask(model, frame) == labels))
    auc = None
    if isinstance(model, TrainedModel) and 0 < share < 1:
        auc = float(roc_auc_score(labels, model.score(frame)))
    return ModelQuality(len(labels), accuracy, auc, max(share, 1 - share))


def split_half(labels: Labels, seed: int) -> tuple[Indices, Indices]:
    """Split people at random into two halves with the same mix of outcomes.

    Parameters
    ----------
    labels
        The outcome of each person, in an order that does not depend on the file's, shape (n,).
    seed
        Of the random choice.

    Returns
    -------
    Positions to train on and positions to audit, each increasing, together 0 to n - 1.
    """
    random = np.random.default_rng(seed)
    to_train = np.zeros(len(labels), dtype=bool)
    for outcome in (0, 1):
        shuffled = random.permutation(np.flatnonzero(labels == outcome))
        to_train[shuffled[: (len(shuffled) + 1) // 2]] = True
    return np.flatnonzero(to_train), np.flatnonzero(~to_train)
