"""Models of XGBoost and LightGBM inside a scikit-learn estimator: what they want of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ares_core.models.loaders.base import Held, Refusal
from ares_core.models.loaders.lightgbm_categories import assign_categories
from ares_core.models.raw import NO_CATEGORIES, Kind, Label

_CATEGORY, _TRUTH = "c", "i"
Described = tuple[list[tuple[str, Kind]], dict[str, tuple[Label, ...]]]  # columns with kinds, and their categories


def is_booster(part: Any) -> bool:
    """Say whether a part is a model of XGBoost or LightGBM."""
    return type(part).__module__.partition(".")[0] in ("xgboost", "lightgbm") and hasattr(part, "predict")


def coded_inputs(part: Any, names: Sequence[str | None]) -> Iterator[tuple[str, Held]]:
    """Yield what a model of XGBoost or LightGBM wants of each input column it sees.

    Raises
    ------
    Refusal
        If it wants categories in a column that is not an input column, or does not say which it knows.
    """
    of_xgboost = type(part).__module__.startswith("xgboost")
    columns, known = _of_xgboost(part.get_booster()) if of_xgboost else _of_lightgbm(part.booster_)
    for place, (own, kind) in enumerate(columns):
        name = names[place] if place < len(names) else None
        if own in known and name is None:
            raise Refusal("failed", f"its trees want categories in the column {own!r}, which a step before them makes")
        if name is not None:
            coded = own in known
            yield name, Held(kind, known.get(own, ()), coded=coded, closed=coded and of_xgboost)


def categories_in(booster: Any) -> dict[str, tuple[Label, ...]]:
    """Return the categories an XGBoost booster holds, by column; those made before XGBoost 3.1 hold none.

    XGBoost cuts text at the wrong places once a letter is not ASCII, so such a list counts as not held.
    """
    known = booster.get_categories(export_to_arrow=True).to_arrow()
    lists = {name: tuple(array.to_pylist()) for name, array in known if array is not None}
    return {name: values for name, values in lists.items() if all(str(value).isascii() for value in values)}


def _of_xgboost(booster: Any) -> Described:
    types = booster.feature_types or []
    names = booster.feature_names or [str(place) for place in range(booster.num_features())]
    wanted = [name for name, kind in zip(names, types, strict=False) if kind == _CATEGORY]
    known: dict[str, tuple[Label, ...]] = {}
    if wanted and booster.feature_names:
        known = categories_in(booster)
        lacking = [name for name in wanted if name not in known]
        if lacking:
            raise Refusal("booster", f"the categories of its column {lacking[0]!r}")
    kinds: list[Kind] = ["true/false" if kind == _TRUTH else "number" for kind in types] or ["number"] * len(names)
    return [(name, "any" if name in known else kind) for name, kind in zip(names, kinds, strict=False)], known


def _of_lightgbm(booster: Any) -> Described:
    names = booster.feature_name()
    lists = booster.pandas_categorical or []
    assigned = assign_categories(booster.model_to_string(), names, lists, NO_CATEGORIES)
    if assigned.lacking:
        raise Refusal("booster", "which columns its categories belong to")
    return [(name, "any" if name in assigned.known else "number") for name in names], assigned.known
