"""Find what an estimator's input columns hold, from the encoders, imputers and models anywhere inside it.

Each part is visited together with the input columns it sees. A column that a step has changed is no longer followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ares_core.models.loaders.base import Held
from ares_core.models.loaders.boosters import coded_inputs, is_booster
from ares_core.models.raw import Kind, Wanted

Names = Sequence[str | None]  # the input column that each column of a part is, None for one that was made
Found = dict[str, list[Held]]

# Estimators that hand their own inputs to others, and where they keep those.
_WRAPPERS = {
    "BaggingClassifier": "estimators_",
    "BaggingRegressor": "estimators_",
    "CalibratedClassifierCV": "calibrated_classifiers_",
    "FixedThresholdClassifier": "estimator_",
    "FrozenEstimator": "estimator",
    "GridSearchCV": "best_estimator_",
    "HalvingGridSearchCV": "best_estimator_",
    "HalvingRandomSearchCV": "best_estimator_",
    "OneVsOneClassifier": "estimators_",
    "OneVsRestClassifier": "estimators_",
    "RandomizedSearchCV": "best_estimator_",
    "SelfTrainingClassifier": "estimator_",
    "StackingClassifier": "estimators_",
    "StackingRegressor": "estimators_",
    "TransformedTargetRegressor": "regressor_",
    "TunedThresholdClassifierCV": "estimator_",
    "VotingClassifier": "estimators_",
    "VotingRegressor": "estimators_",
    "_CalibratedClassifier": "estimator",
}
_OF_NUMBERS = ("mean_", "scale_", "center_", "bin_edges_", "quantiles_", "lambdas_", "components_", "n_samples_fit_")
_OF_ANYTHING = ("DummyClassifier", "DummyRegressor", "FunctionTransformer")
_LEARNT_NUMBERS = ("mean", "median")  # strategies of an imputer that need numbers


def find_inputs(estimator: Any, names: Names) -> Found:
    """Return what the parts of an estimator know of its input columns.

    Raises
    ------
    Refusal
        If a part wants categories in a column that is made by another part.
    """
    found: Found = {}
    for name, held in _visit(estimator, names):
        found.setdefault(name, []).append(held)
    return found


def wrapped(estimator: Any) -> list[Any]:
    """Return the fitted estimators that a wrapper hands its inputs to; none if it is no wrapper."""
    kept = getattr(estimator, _WRAPPERS.get(type(estimator).__name__, ""), None)
    if kept is None:
        return []
    return [each for each in (kept if isinstance(kept, list | tuple) else [kept]) if not isinstance(each, str)]


def combined(name: str, found: Iterable[Held]) -> Wanted:
    """Return the one description of a column that all parts agree with; where they do not, it says nothing."""
    all_found = list(found)
    kinds = {held.kind for held in all_found}
    if len(kinds) != 1:
        return Wanted(name)
    values = {(type(value), value): value for held in all_found for value in held.values}
    return Wanted(name, kinds.pop(), tuple(values.values()), _blanks(all_found), any(held.closed for held in all_found))


def _blanks(found: Iterable[Held]) -> bool | None:
    """Say whether one part knows blank cells: folds of a search may have seen none by chance."""
    said = {held.blanks for held in found} - {None}
    return any(said) if said else None


def _visit(part: Any, names: Names) -> Iterator[tuple[str, Held]]:
    kind = type(part).__name__
    if is_booster(part):
        yield from coded_inputs(part, names)
    elif inner := wrapped(part):
        features = getattr(part, "estimators_features_", None)
        for place, each in enumerate(inner):
            yield from _visit(each, names if features is None else [names[index] for index in features[place]])
    elif kind == "Pipeline":
        yield from _visit_steps([step for _, step in part.steps], names)
    elif kind == "ColumnTransformer":
        for _, step, columns in _branches(part, names):
            yield from _visit(step, columns)
    elif kind == "FeatureUnion":
        for _, step in part.transformer_list:
            yield from _visit(step, names)
    elif getattr(part, "_preprocessor", None) is not None:  # of HistGradientBoosting
        # Its trees take blank cells and unknown categories for missing values.
        yield from (
            (name, replace(held, blanks=None, closed=False)) for name, held in _visit(part._preprocessor, names)
        )
        counted = (name for name, coded in zip(names, part.is_categorical_, strict=True) if not coded)
        yield from ((name, Held("number")) for name in counted if name)
    else:
        yield from ((name, held) for name, held in zip(names, _said(part, len(names)), strict=False) if name and held)


def _visit_steps(steps: Sequence[Any], names: Names) -> Iterator[tuple[str, Held]]:
    filled: dict[str, Any] = {}
    for step in steps:
        for name, held in _visit(step, names):
            yield name, _after_filling(held, filled[name]) if name in filled else held
        filled |= _filled(step, names)
        passed = _passed(step, names)
        if passed is None:
            passed = [None] * _width(step)
        names = passed


def _branches(part: Any, names: Names) -> Iterator[tuple[str, Any, Names]]:
    """Yield the name, the transformer and the input columns of each branch of a ColumnTransformer."""
    places = part._transformer_to_input_indices
    for name, step, _ in part.transformers_:
        yield name, step, [names[place] for place in places.get(name, ())]


def _passed(step: Any, names: Names) -> Names | None:
    """Return which input columns come out of a step unchanged and where; None if that is not known."""
    kind = type(step).__name__
    if step is None or step == "passthrough":
        return names
    if hasattr(step, "get_support"):
        return [name for name, kept in zip(names, step.get_support(), strict=False) if kept]
    if kind == "SimpleImputer" and len(step.statistics_) == len(names) and not step.add_indicator:
        dropped = [] if step.keep_empty_features else [pd.isna(value) for value in step.statistics_]
        return names if not any(dropped) else None
    if kind == "FunctionTransformer" and step.func is None:
        return names
    if kind == "Pipeline":
        passed: Names | None = names
        for _, inner in step.steps:
            passed = None if passed is None else _passed(inner, passed)
        return passed
    return _passed_by_branches(step, names) if kind == "ColumnTransformer" else None


def _filled(step: Any, names: Names) -> dict[str, Any]:
    """Return the input columns in which a step replaces a value, with that value: NaN, None, or one such as '?'."""
    kind, found = type(step).__name__, {}
    if kind == "SimpleImputer":
        found = {name: step.missing_values for name in names if name}
    elif kind == "ColumnTransformer":
        for _, inner, columns in _branches(step, names):
            found |= _filled(inner, columns)
    elif kind == "Pipeline":
        for _, inner in step.steps:
            found |= _filled(inner, names)
            names = _passed(inner, names) or ()
    return found


def _after_filling(held: Held, replaced: Any) -> Held:
    """Return what a part wants of an input column in which a step before it replaces a value."""
    if pd.isna(replaced):
        return replace(held, blanks=True)
    return replace(held, values=(*held.values, replaced)) if held.values else held


def _passed_by_branches(step: Any, names: Names) -> Names:
    outputs: list[str | None] = [None] * _width(step)
    for name, inner, columns in _branches(step, names):
        passed = None if isinstance(inner, str) and inner == "drop" else _passed(inner, columns)
        span = step.output_indices_.get(name, slice(0, 0))
        if passed is not None and len(outputs[span]) == len(passed):
            outputs[span] = list(passed)
    return outputs


def _width(step: Any) -> int:
    spans = getattr(step, "output_indices_", None)
    return max((span.stop for span in spans.values()), default=0) if spans else 0


def _said(part: Any, count: int) -> Iterator[Held | None]:
    """Yield what a single part knows of each column it sees."""
    categories = getattr(part, "categories_", None)
    if isinstance(part, str) or part is None or type(part).__name__ in _OF_ANYTHING:
        return
    if isinstance(categories, list) and len(categories) == count:
        closed = getattr(part, "handle_unknown", None) == "error"
        yield from (_of_categories(each, closed=closed) for each in categories)
    elif type(part).__name__ == "SimpleImputer":
        yield from _of_imputer(part)
    elif hasattr(part, "predict") or any(hasattr(part, name) for name in _OF_NUMBERS):
        yield from (Held("number") for _ in range(count))


def _of_categories(categories: Any, *, closed: bool) -> Held:
    listed = np.asarray(categories).tolist()
    values = tuple(value for value in listed if isinstance(value, str | bool | int | float) and value == value)
    kind: Kind = "any"
    if values and all(isinstance(value, bool) for value in values):
        kind = "true/false"
    elif values and all(isinstance(value, str) for value in values):
        kind = "text"
    elif values and not any(isinstance(value, bool | str) for value in values):
        kind = "number"
    blanks = any(value is None or value != value for value in listed)
    return Held(kind, values, missing=any(value is None for value in listed), closed=closed, blanks=blanks)


def _of_imputer(imputer: Any) -> Iterator[Held | None]:
    dtype = getattr(imputer, "_fit_dtype", None)
    of_numbers = imputer.strategy in _LEARNT_NUMBERS or (isinstance(dtype, np.dtype) and dtype.kind in "fiu")
    for value in imputer.statistics_:
        if of_numbers:
            yield Held("number")
        elif imputer.strategy == "most_frequent" and isinstance(value, str | bool | np.bool_):
            yield Held("text" if isinstance(value, str) else "true/false")
        else:  # a constant says nothing of what the column holds
            yield None
