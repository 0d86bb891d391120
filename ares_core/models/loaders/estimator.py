"""A scikit-learn estimator, or anything with its methods, as a loaded model."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, is_regressor

from ares_core.models.loaders.base import Refusal
from ares_core.models.loaders.columns import refuse_unknown
from ares_core.models.loaders.inputs import combined, find_inputs, wrapped
from ares_core.models.raw import Label, Output, Signature

_SCORES = ("predict_proba", "decision_function")  # the first a model has
_WITH_THRESHOLD = ("FixedThresholdClassifier", "TunedThresholdClassifierCV")  # they answer the second class at it
_UNNAMED = re.compile(r"Column_\d+")  # what LightGBM calls columns without names


class EstimatorModel:
    """An estimator that can be asked for labels, scores or both.

    Parameters
    ----------
    estimator
        The estimator.
    notes
        Sentences about its file.

    Raises
    ------
    Refusal
        If it cannot predict.
    """

    def __init__(self, estimator: Any, notes: tuple[str, ...] = ()) -> None:
        if not hasattr(estimator, "predict"):
            raise Refusal("damaged", f"it holds a {type(estimator).__name__}, which cannot predict")
        self._estimator = estimator
        self._score = next((name for name in _SCORES if hasattr(estimator, name)), None)
        if self._score is None and isinstance(estimator, BaseEstimator) and is_regressor(estimator):
            self._score = "predict"
        names = _names(estimator)
        self._inputs = find_inputs(estimator, names)
        columns = tuple(combined(name, self._inputs.get(name, ())) for name in names)
        width = len(names) or _first(estimator, "n_features_in_")
        outputs = self._outputs()
        self.signature = Signature(
            columns,
            _classes(estimator),
            outputs,
            int(width) if width else None,
            notes=notes,
            first_wins="label" in outputs and _first_wins(estimator),
        )

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output not in self.signature.outputs:
            raise Refusal("output", "scores" if output == "score" else "labels")
        width = self.signature.width
        if not self.signature.columns and width is not None and frame.shape[1] != width:
            raise Refusal("failed", f"it wants {width:,} columns and was shown {frame.shape[1]:,}")
        return getattr(self._estimator, str(self._score) if output == "score" else "predict")(self._prepared(frame))

    def _prepared(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the table with missing values and categories as the estimator was trained with them."""
        prepared = frame.copy(deep=False)
        for name, found in self._inputs.items():
            for held in found:
                if held.closed:
                    refuse_unknown(frame[name], held.values)
                if held.coded:
                    prepared[name] = frame[name].astype(pd.CategoricalDtype(list(held.values)))
            if any(held.missing for held in found) and frame[name].isna().any():
                prepared[name] = frame[name].astype(object).where(frame[name].notna(), None)
        return prepared

    def _outputs(self) -> tuple[Output, ...]:
        if self._score is None:
            return ("label",)
        return ("score",) if self._score == "predict" else ("label", "score")


def _first_wins(estimator: Any) -> bool:
    """Say whether an estimator answers the first of two classes where they tie: all do but those with a threshold."""
    return len(_classes(estimator)) == 2 and type(estimator).__name__ not in _WITH_THRESHOLD


def _classes(estimator: Any) -> tuple[Label, ...]:
    classes = np.asarray(getattr(estimator, "classes_", ()))
    return tuple(classes.tolist()) if classes.ndim == 1 else ()


def _names(estimator: Any) -> tuple[str, ...]:
    found = _first(estimator, "feature_names_in_")
    names = tuple(map(str, () if found is None else found))
    return () if all(_UNNAMED.fullmatch(name) for name in names) else names


def _first(estimator: Any, attribute: str) -> Any:
    """Return an attribute of an estimator, or of the first it hands its inputs to that has it."""
    waiting = [estimator]
    while waiting:
        each = waiting.pop(0)
        try:
            found = getattr(each, attribute, None)
        except Exception:  # properties of other libraries fail in their own ways where there is nothing
            found = None
        if found is not None:
            return found
        waiting.extend(wrapped(each))
    return None
