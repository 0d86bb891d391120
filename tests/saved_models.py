"""Models trained on a small table and saved in every format that is read, beside what each answers here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ares_core.models.sandbox import level_in_force

NUMBERS = ["income", "debts"]
needs_sandbox = pytest.mark.skipif(
    level_in_force() is None, reason="this machine has no locks to open model files behind"
)


def table(count: int = 240) -> pd.DataFrame:
    """Return people whose income, debts and job decide, with the outcome in the last column."""
    number = np.arange(count)
    frame = pd.DataFrame(
        {
            "town": pd.Series(["abca"[each % 4] for each in number], dtype="str"),
            "income": number * 37 % 101,
            "debts": number * 11 % 5,
            "job": pd.Series([("none", "casual", "steady")[each % 3] for each in number], dtype="str"),
        }
    )
    points = frame["income"] - 15 * frame["debts"] + 25 * (frame["job"] == "steady") + number % 7
    return frame.assign(loan=np.where(points > 35, "granted", "refused"))


@dataclass(frozen=True)
class Saved:
    """A model as bytes, and what it answers in this process: 1 for favourable."""

    content: bytes
    answers: Callable[[pd.DataFrame], NDArray[Any]]


def _pipeline(frame: pd.DataFrame) -> Pipeline:
    parts = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["job"]), (StandardScaler(), NUMBERS))
    return make_pipeline(parts, LogisticRegression()).fit(frame[["debts", "job", "income"]], frame["loan"])


def skops_model() -> Saved:
    """Return a pipeline with an encoder, its labels text, its columns in an order of its own."""
    from skops.io import dumps

    fitted = _pipeline(table())
    return Saved(dumps(fitted), lambda frame: fitted.predict(frame[["debts", "job", "income"]]) == "granted")


def onnx_model() -> Saved:
    """Return the same as a graph with an input for each column."""
    from onnxruntime import InferenceSession
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType

    fitted = _pipeline(table())
    inputs = [("debts", FloatTensorType([None, 1])), ("job", StringTensorType([None, 1]))]
    graph = to_onnx(fitted, initial_types=[*inputs, ("income", FloatTensorType([None, 1]))], options={"zipmap": False})
    content = graph.SerializeToString()

    def answers(frame: pd.DataFrame) -> NDArray[Any]:
        numbers = {name: frame[[name]].to_numpy(np.float32) for name in NUMBERS}
        fed = {**numbers, "job": frame[["job"]].to_numpy(object)}
        return np.asarray(InferenceSession(content).run(None, fed)[0]) == "granted"

    return Saved(content, answers)


def xgboost_model() -> Saved:
    """Return boosted trees over the numbers, which give a score and no label."""
    import xgboost

    frame = table()
    matrix = xgboost.DMatrix(frame[NUMBERS], label=(frame["loan"] == "granted").astype(int))
    booster = xgboost.train({"objective": "binary:logistic", "max_depth": 3, "nthread": 1}, matrix, 20)
    content = bytes(booster.save_raw("json"))
    return Saved(content, lambda people: booster.predict(xgboost.DMatrix(people[NUMBERS])) >= 0.5)


def lightgbm_model() -> Saved:
    """Return other boosted trees over the numbers, as text."""
    import lightgbm

    frame = table()
    data = lightgbm.Dataset(frame[NUMBERS], label=(frame["loan"] == "granted").astype(int))
    settings = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5}
    booster = lightgbm.train(settings, data, 20)
    return Saved(booster.model_to_string().encode(), lambda people: np.asarray(booster.predict(people[NUMBERS])) >= 0.5)


SAVED = {"skops": skops_model, "onnx": onnx_model, "xgboost": xgboost_model, "lightgbm": lightgbm_model}
