"""Real models of every form, trained here, saved, opened in the sandbox: they answer as they do in process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import joblib
import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import pytest
import skops.io
import xgboost
from numpy.typing import NDArray
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ares_core.errors import ModelError
from ares_core.models.formats import PICKLE_VARIABLE
from ares_core.models.raw import Output, Wanted
from ares_core.models.sandbox import level_in_force, open_model

pytestmark = pytest.mark.skipif(level_in_force() is None, reason="this machine has no sandbox")


def applicants(rows: int = 600) -> pd.DataFrame:
    """Return a table with numbers, whole numbers and text, some of them missing in other tests but not here."""
    random = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "income": random.normal(3_000, 800, rows).round(2),
            "children": random.integers(0, 5, rows),
            "job": random.choice(["none", "clerk", "nurse"], rows),
        }
    )


FRAME = applicants()
LABELS = np.where(FRAME["income"] + 900 * (FRAME["job"] == "nurse") - 200 * FRAME["children"] > 3_000, "good", "bad")
NUMBERS = (LABELS == "good").astype(int)
CODED = FRAME.assign(job=FRAME["job"].astype("category"))


def pipeline() -> Pipeline:
    """Return a logistic regression on encoded columns."""
    parts = [("numbers", StandardScaler(), ["income", "children"]), ("texts", OneHotEncoder(), ["job"])]
    return make_pipeline(ColumnTransformer(parts), LogisticRegression()).fit(FRAME, LABELS)


@dataclass(frozen=True)
class Saved:
    """A model file, what it wants, and what the model answers in process."""

    content: bytes
    columns: tuple[Wanted, ...]
    answers: dict[Output, NDArray[Any]]


def saved_skops() -> Saved:
    model = pipeline()
    return Saved(skops.io.dumps(model), COLUMNS, _answers(model))


def saved_joblib() -> Saved:
    model, file = pipeline(), io.BytesIO()
    joblib.dump(model, file, compress=3)
    return Saved(file.getvalue(), COLUMNS, _answers(model))


def _answers(model: Any) -> dict[Output, NDArray[Any]]:
    return {"label": model.predict(FRAME), "score": model.predict_proba(FRAME)}


def saved_xgboost(form: str) -> Callable[[], Saved]:
    def save() -> Saved:
        model = xgboost.XGBClassifier(n_estimators=20, n_jobs=1, enable_categorical=True).fit(CODED, NUMBERS)
        scores = {"score": model.predict_proba(CODED)[:, 1].astype(float)}
        return Saved(bytes(model.get_booster().save_raw(form)), CLOSED_CHOICES, scores)  # type: ignore[arg-type]

    return save


def saved_xgboost_stopped() -> Saved:
    """Early stopping: XGBoost's classifier answers with the best trees, not with all."""
    model = xgboost.XGBClassifier(n_estimators=60, n_jobs=1, early_stopping_rounds=2, learning_rate=1.0)
    numbers = FRAME[["income", "children"]]
    model.fit(numbers[:300], NUMBERS[:300], eval_set=[(numbers[300:], NUMBERS[300:])], verbose=False)
    assert model.best_iteration + 1 < model.get_booster().num_boosted_rounds()
    wanted = (Wanted("income", "number"), Wanted("children", "number"))
    scores = model.predict_proba(numbers)[:, 1].astype(float)
    return Saved(bytes(model.get_booster().save_raw("json")), wanted, {"score": scores})


def saved_lightgbm() -> Saved:
    model = lightgbm.LGBMClassifier(n_estimators=20, n_jobs=1, verbose=-1).fit(CODED, NUMBERS)
    return Saved(model.booster_.model_to_string().encode(), CHOICES, {"score": model.predict_proba(CODED)[:, 1]})


def saved_onnx(mapping: bool) -> Callable[[], Saved]:
    """An ONNX file is its own model: it is compared with onnxruntime, not with what it was converted from."""

    def save() -> Saved:
        types = [
            ("income", FloatTensorType([None, 1])),
            ("children", Int64TensorType([None, 1])),
            ("job", StringTensorType([None, 1])),
        ]
        content = to_onnx(pipeline(), initial_types=types, options={"zipmap": mapping}).SerializeToString()
        feed = {
            "income": FRAME[["income"]].to_numpy(np.float32),
            "children": FRAME[["children"]].to_numpy(np.int64),
            "job": FRAME[["job"]].to_numpy(object),
        }
        labels, scores = onnxruntime.InferenceSession(content).run(None, feed)
        table = np.array([[row["bad"], row["good"]] for row in scores]) if mapping else scores
        return Saved(content, TYPES, {"label": labels, "score": table.astype(float)})

    return save


def saved_onnx_matrix() -> Saved:
    numbers = FRAME[["income", "children"]].to_numpy(np.float32)
    model = LogisticRegression().fit(numbers, LABELS)
    content = to_onnx(model, numbers[:1], options={"zipmap": False}).SerializeToString()
    labels, scores = onnxruntime.InferenceSession(content).run(None, {"X": numbers})
    return Saved(content, (), {"label": labels, "score": scores.astype(float)})


JOBS = ("clerk", "none", "nurse")
COLUMNS = (
    Wanted("income", "number"),
    Wanted("children", "number"),
    Wanted("job", "text", JOBS, blanks=False, closed=True),
)
CHOICES = (Wanted("income", "number"), Wanted("children", "number"), Wanted("job", "any", JOBS))
CLOSED_CHOICES = (*CHOICES[:2], Wanted("job", "any", JOBS, closed=True))
TYPES = (Wanted("income", "number"), Wanted("children", "whole number"), Wanted("job", "text"))
MODELS: dict[str, Callable[[], Saved]] = {
    "skops": saved_skops,
    "joblib": saved_joblib,
    "xgboost JSON": saved_xgboost("json"),
    "xgboost UBJSON": saved_xgboost("ubj"),
    "xgboost stopped early": saved_xgboost_stopped,
    "lightgbm": saved_lightgbm,
    "onnx": saved_onnx(mapping=False),
    "onnx with a mapping": saved_onnx(mapping=True),
    "onnx of a matrix": saved_onnx_matrix,
}


@pytest.mark.parametrize("form", ["xgboost", "lightgbm"])
def test_models_without_names_are_shown_what_they_want(form: str) -> None:
    """Trees trained on a matrix know no names: as many columns are wanted as there were, and no text."""
    table = FRAME[["income", "children"]]
    trees = xgboost.XGBClassifier(n_estimators=3, n_jobs=1).fit(table.to_numpy(), NUMBERS)
    leaves = lightgbm.LGBMClassifier(n_estimators=3, n_jobs=1, verbose=-1).fit(table.to_numpy(), NUMBERS)
    kept = {
        "xgboost": bytes(trees.get_booster().save_raw("ubj")),
        "lightgbm": leaves.booster_.model_to_string().encode(),
    }
    model = {"xgboost": trees, "lightgbm": leaves}[form]
    with open_model(kept[form], form) as opened:
        assert opened.signature.columns == ()
        assert np.array_equal(opened.answer(table, "score"), model.predict_proba(table.to_numpy())[:, 1].astype(float))
        with pytest.raises(ModelError, match="the column 'income' holds text, and the model wants numbers"):
            opened.answer(table.assign(income="much"), "score")
        with pytest.raises(ModelError, match=r"it wants 2 columns and was shown 1|\(1\) is not the same"):
            opened.answer(table[["income"]], "score")


@pytest.mark.parametrize("form", MODELS)
def test_answers_are_those_given_in_process(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model opened in the sandbox says what it wants, and answers bit by bit as it does in process."""
    monkeypatch.setenv(PICKLE_VARIABLE, "1")
    saved = MODELS[form]()
    wanted = [column.name for column in saved.columns] or ["income", "children"]
    with open_model(saved.content, form) as model:
        assert model.signature.columns == saved.columns
        assert model.signature.outputs == tuple(saved.answers)
        for output, answers in saved.answers.items():
            heard = model.answer(FRAME[wanted], output)
            assert np.array_equal(heard, answers), f"{output}s differ"
