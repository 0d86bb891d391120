"""Flag columns for tests: one-hot, ladders and independent ones, and what every proposed choice must be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ares_core.people.feature import Feature

ROWS = 200


def one_hot(names: list[str], rows: int = ROWS, seed: int = 0, yes: Any = 1, no: Any = 0) -> dict[str, Any]:
    """Draw a one-hot encoding; the first names are the most frequent, every name occurs."""
    rng = np.random.default_rng(seed)
    shares = np.arange(len(names), 0, -1, dtype=float)
    picks = rng.choice(len(names), rows, p=shares / shares.sum())
    picks[: len(names)] = np.arange(len(names))
    return {name: np.where(picks == place, yes, no) for place, name in enumerate(names)}


def ladder(names: dict[str, tuple[str, float]], numbers: Any) -> dict[str, Any]:
    tests = {">=": np.greater_equal, "<": np.less, ">": np.greater, "<=": np.less_equal}
    return {name: tests[sign](numbers, edge).astype(int) for name, (sign, edge) in names.items()}


def flags(rows: int, columns: int, rate: float, name: str = "f{}", seed: int = 1) -> pd.DataFrame:
    table = np.random.default_rng(seed).random((rows, columns)) < rate
    return pd.DataFrame(table.astype(int), columns=[name.format(place) for place in range(columns)])


def shown(features: list[Feature]) -> dict[str, list[str]]:
    return {feature.name: [level.name for level in feature.levels] for feature in features}


def check(frame: pd.DataFrame, features: list[Feature]) -> None:
    """Check what proposals must be: disjoint, newly named, each level observed, each row at exactly one."""
    columns = [column for feature in features for column in feature.columns]
    names = [feature.name for feature in features]
    assert len(set(columns)) == len(columns) and len(set(names)) == len(names)
    assert not set(names) & set(frame.columns)
    for feature in features:
        masks = np.array([level.mask(frame, "") for level in feature.levels])
        assert feature.proposed and len(feature.columns) > 1
        assert masks.any(axis=1).all(), "a named level nobody is at"
        assert (masks.sum(axis=0) == 1).all(), "a row at no level, or at two"
