"""Scores exactly at the threshold: they count as the model's own library counts them, and the audit says how many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import skops.io
import xgboost
from skl2onnx import to_onnx
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from ares_core.models.foreign import ForeignModel
from ares_core.models.inspection import inspect_model
from ares_core.models.reading import Reading
from ares_core.models.sandbox import level_in_force, open_model

pytestmark = pytest.mark.skipif(level_in_force() is None, reason="this machine has no sandbox")
ROWS = 300
RANDOM = np.random.default_rng(25)
TABLE = pd.DataFrame({"loans": RANDOM.integers(0, 5, ROWS), "income": RANDOM.lognormal(7.6, 0.5, ROWS).round(2)})
GOOD = (TABLE["income"] / 800 - TABLE["loans"] * 0.6 + RANDOM.normal(0, 0.7, ROWS) > 1.5).astype(int).to_numpy()
Made = tuple[str, bytes, Any]  # a file's name, the file, and what the model answers in its own library


def of_xgboost() -> Made:
    """Return trees that leave some people at exactly 0.5."""
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=2, reg_alpha=18, n_jobs=1, base_score=0.5).fit(TABLE, GOOD)
    return "model.json", bytes(model.get_booster().save_raw("json")), model.predict(TABLE)


def of_lightgbm() -> Made:
    """Return trees that leave some people at exactly 0.5."""
    model = lightgbm.LGBMClassifier(
        n_estimators=1, num_leaves=4, reg_alpha=12, n_jobs=1, verbose=-1, boost_from_average=False
    ).fit(TABLE, GOOD)
    return "model.txt", model.booster_.model_to_string().encode(), model.predict(TABLE)


def of_forest() -> Made:
    """Return a forest of few trees."""
    model = RandomForestClassifier(2, random_state=0).fit(TABLE, GOOD)
    return "model.skops", skops.io.dumps(model), model.predict(TABLE)


def of_neighbours() -> Made:
    """Return two neighbours who may disagree."""
    model = KNeighborsClassifier(2).fit(TABLE, GOOD)
    return "model.skops", skops.io.dumps(model), model.predict(TABLE)


def of_onnx() -> Made:
    """Return the forest as ONNX, whose own runtime answers."""
    values = TABLE.to_numpy(np.float32)
    model = RandomForestClassifier(2, random_state=0).fit(values, GOOD)
    return "model.onnx", to_onnx(model, values[:1]).SerializeToString(), model.predict(values)


MAKERS: dict[str, Callable[[], Made]] = {
    "xgboost": of_xgboost,
    "lightgbm": of_lightgbm,
    "forest": of_forest,
    "neighbours": of_neighbours,
    "onnx": of_onnx,
}


@pytest.mark.parametrize("library", MAKERS)
def test_a_score_at_the_threshold_counts_as_the_library_counts_it(library: str) -> None:
    """Each side of each score refuses exactly those to whom the library answers the other class."""
    name, content, answers = MAKERS[library]()
    columns = ("loans", "income") if library == "onnx" else ()
    with open_model(content, name) as raw:
        found = inspect_model(raw, TABLE, None, columns)
        for place, spread in enumerate(found.spreads, start=2 - len(found.spreads)):
            assert spread.tied(0.5) > 5
            for above in (True, False):
                reading = Reading(spread.name, 0.5, above, spread.ties)
                accepted = ForeignModel.fitted(raw, TABLE, reading, columns).predict(TABLE)
                assert np.array_equal(accepted == 1, answers == (place if above else 1 - place))
                figures = found.figures(reading)
                assert figures.refused == int((accepted == 0).sum())
                assert f"{spread.tied(0.5)} people score exactly 0.5, which counts as {spread.ties}" in figures.words()


def test_readings_to_choose_from_follow_the_library() -> None:
    """What is offered for a score without a name counts a score at 0.5 as lower, on both sides."""
    name, content, _ = of_xgboost()
    with open_model(content, name) as raw:
        readings = inspect_model(raw, TABLE).readings
    assert [each.words() for each in readings] == [
        "A score above 0.5 is favourable.",
        "A score of 0.5 or less is favourable.",
    ]
    assert [each.options() for each in readings] == [
        "--threshold 0.5 --ties lower",
        "--threshold 0.5 --below --ties lower",
    ]
