"""Load XGBoost's own file, as JSON or UBJSON."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import xgboost

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.columns import categories, refuse_text
from ares_core.models.raw import Output, Signature, Wanted

_OF_LABELS = ("binary:hinge", "multi:softmax")  # objectives whose predictions are classes already
_CATEGORY = "c"


def load(content: bytes) -> Loaded:
    """Read a booster."""
    booster = xgboost.Booster(params={"nthread": 1})
    try:
        booster.load_model(bytearray(content))
    except xgboost.core.XGBoostError as error:
        # The first line is where in its source it failed; the reason follows.
        raise Refusal("damaged", str(error).partition("\n")[2] or str(error)) from error
    return XgboostModel(booster)


class XgboostModel:
    """A booster that can be asked about rows, with as many of its trees as XGBoost's own classifier would use."""

    def __init__(self, booster: Any) -> None:
        self._booster = booster
        self._names = booster.feature_names or []
        self._types = dict(zip(self._names, booster.feature_types or [], strict=False))
        objective = json.loads(booster.save_config())["learner"]["objective"]["name"]
        self._output: Output = "label" if objective in _OF_LABELS else "score"
        best = booster.attr("best_iteration")
        self._trees = (0, int(best) + 1) if best is not None else (0, 0)
        columns = tuple(self._wanted(name, values) for name, values in self._categories())
        self.signature = Signature(columns, (), (self._output,))

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output != self._output:
            raise Refusal("output", "scores" if output == "score" else "labels")
        coded = frame.copy(deep=False)
        for name in (name for name, kind in self._types.items() if kind == _CATEGORY and name in frame.columns):
            coded[name] = categories(frame[name], None)
        refuse_text(coded)
        wanted = self._booster.num_features()
        if frame.shape[1] != wanted:  # without names it would take what lacks for missing values, and say nothing
            raise Refusal("failed", f"it wants {wanted:,} columns and was shown {frame.shape[1]:,}")
        rows = xgboost.DMatrix(coded, nthread=1, enable_categorical=True)
        return self._booster.predict(rows, iteration_range=self._trees, validate_features=bool(self._names))

    def _categories(self) -> list[tuple[str, tuple[str, ...]]]:
        values: dict[str, tuple[str, ...]] = {}
        if _CATEGORY in self._types.values():
            known = self._booster.get_categories(export_to_arrow=True).to_arrow()
            values = {name: tuple(map(str, array.to_pylist())) for name, array in known if array is not None}
        return [(name, values.get(name, ())) for name in self._names]

    def _wanted(self, name: str, values: tuple[str, ...]) -> Wanted:
        if self._types.get(name) == _CATEGORY:
            return Wanted(name, "any", values)
        return Wanted(name, "number")
