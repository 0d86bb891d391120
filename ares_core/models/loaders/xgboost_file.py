"""Load XGBoost's own file, as JSON or UBJSON."""

from __future__ import annotations

import json
import re
from typing import Any

import pandas as pd
import xgboost

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.boosters import categories_in
from ares_core.models.loaders.columns import matrix, refuse_other_categories, refuse_unknown
from ares_core.models.raw import Categories, Kind, Output, Signature, Wanted

_OF_LABELS = ("binary:hinge", "multi:softmax")  # objectives whose predictions are classes already
_OF_CHANCES = "binary:logistic"  # whose classifier answers 1 above 0.5, and 0 at it
_CATEGORY, _TRUTH = "c", "i"
_SOURCE = re.compile(r"^\[[\d:]*\] \S+:\d+: ")  # the time, and where in its source XGBoost failed


def load(content: bytes, categories: Categories) -> Loaded:
    """Read a booster."""
    booster = xgboost.Booster(params={"nthread": 1})
    try:
        booster.load_model(bytearray(content))
    except xgboost.core.XGBoostError as error:
        raise Refusal("damaged", _reason(str(error))) from error
    return XgboostModel(booster, categories)


class XgboostModel:
    """A booster that can be asked about rows, with as many of its trees as XGBoost's own classifier would use.

    Parameters
    ----------
    booster
        The trees.
    categories
        Those of columns whose categories the file does not hold, as files before XGBoost 3.1 do not.

    Raises
    ------
    Refusal
        If categories are given for a column that has none, or has others.
    """

    def __init__(self, booster: Any, categories: Categories) -> None:
        self._booster = booster
        self._names = booster.feature_names or []
        self._types = booster.feature_types
        objective = json.loads(booster.save_config())["learner"]["objective"]["name"]
        self._output: Output = "label" if objective in _OF_LABELS else "score"
        best = booster.attr("best_iteration")
        self._trees = (0, int(best) + 1) if best is not None else (0, 0)
        types = dict(zip(self._names, self._types or [], strict=False))
        wanted = [name for name in self._names if types.get(name) == _CATEGORY]
        own = categories_in(booster) if wanted else {}
        lacking = tuple(name for name in wanted if name not in own and name not in categories)
        self._known = {**{name: categories[name] for name in wanted if name in categories}, **own}
        refuse_other_categories(categories, self._known)
        columns = tuple(
            Wanted(name, _kind(types.get(name)), self._known.get(name, ()), closed=name in self._known)
            for name in self._names
        )
        self.signature = Signature(
            columns, (), (self._output,), booster.num_features(), lacking, first_wins=objective == _OF_CHANCES
        )

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output != self._output:
            raise Refusal("output", "scores" if output == "score" else "labels")
        if self.signature.lacking:
            raise Refusal("categories", f"its file lacks the categories of its column {self.signature.lacking[0]!r}")
        wanted = self._booster.num_features()
        if frame.shape[1] != wanted:  # without names it would take what lacks for missing values, and say nothing
            raise Refusal("failed", f"it wants {wanted:,} columns and was shown {frame.shape[1]:,}")
        for name, known in self._known.items():
            # XGBoost takes some categories it has never seen for others, and fails on the rest.
            refuse_unknown(frame[name], known)
        rows = xgboost.DMatrix(
            matrix(frame, self._known),
            feature_names=list(map(str, frame.columns)) if self._names else None,
            feature_types=self._types,
            nthread=1,
            enable_categorical=True,
        )
        return self._booster.predict(rows, iteration_range=self._trees, validate_features=bool(self._names))


def _reason(message: str) -> str:
    """Return why XGBoost could not read a file, without its source files, its times and where it is installed."""
    said = _SOURCE.sub("", message.partition("Stack trace")[0].strip().partition("\n")[0])
    if not said or "EOF" in said or "Check failed" in said or "::" in said:
        return "it is cut off or damaged"
    return said


def _kind(feature_type: str | None) -> Kind:
    if feature_type == _CATEGORY:
        return "any"
    return "true/false" if feature_type == _TRUTH else "number"
