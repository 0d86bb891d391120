"""A scikit-learn estimator, or anything with its methods, as a loaded model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from ares_core.models.loaders.base import Refusal
from ares_core.models.raw import Label, Output, Signature, Wanted

Held = tuple[Literal["number", "text"], tuple[str, ...]]  # what a column holds, and the categories that are known
_SCORES = ("predict_proba", "decision_function")  # the first a model has
_OF_NUMBERS = ("mean_", "scale_", "center_", "bin_edges_", "quantiles_", "lambdas_")  # learnt from numbers alone


class EstimatorModel:
    """An estimator that can be asked for labels, scores or both.

    Raises
    ------
    Refusal
        If it cannot predict.
    """

    def __init__(self, estimator: Any) -> None:
        if not hasattr(estimator, "predict"):
            raise Refusal("damaged", f"it holds a {type(estimator).__name__}, which cannot predict")
        self._estimator = estimator
        self._score = next((name for name in _SCORES if hasattr(estimator, name)), None)
        if self._score is None and isinstance(estimator, BaseEstimator) and is_regressor(estimator):
            self._score = "predict"
        self.signature = Signature(_columns(estimator), _classes(estimator), self._outputs())

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output not in self.signature.outputs:
            raise Refusal("output", "scores" if output == "score" else "labels")
        return getattr(self._estimator, str(self._score) if output == "score" else "predict")(frame)

    def _outputs(self) -> tuple[Output, ...]:
        if self._score is None:
            return ("label",)
        return ("score",) if self._score == "predict" else ("label", "score")


def _classes(estimator: Any) -> tuple[Label, ...]:
    classes = np.asarray(getattr(estimator, "classes_", ()))
    return tuple(classes.tolist()) if classes.ndim == 1 else ()


def _columns(estimator: Any) -> tuple[Wanted, ...]:
    known = dict(_known(estimator))
    names = getattr(estimator, "feature_names_in_", ())
    return tuple(Wanted(str(name), *known.get(str(name), ("any", ()))) for name in names)


def _known(estimator: Any) -> Iterator[tuple[str, Held]]:
    """Yield for columns whose encoder says so what they hold, and the categories it knows."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[0][1]
    if not isinstance(estimator, ColumnTransformer):
        return
    for _, transformer, columns in getattr(estimator, "transformers_", ()):
        names = [columns] if isinstance(columns, str) else list(columns) if not isinstance(columns, slice) else []
        steps = [step for _, step in transformer.steps] if isinstance(transformer, Pipeline) else [transformer]
        for step in steps:
            found = list(_said(step, len(names)))
            if found:
                yield from ((str(name), what) for name, what in zip(names, found, strict=True))
                break


def _said(step: Any, count: int) -> Iterator[Held]:
    categories = getattr(step, "categories_", None)
    if categories is not None and len(categories) == count:
        for values in categories:
            texts = tuple(str(value) for value in values if isinstance(value, str))
            yield ("text", texts) if texts else ("number", ())
    elif any(hasattr(step, name) for name in _OF_NUMBERS):
        for _ in range(count):
            yield "number", ()
