"""Libraries, wrappers, column types and table formats combined: the audit refuses whom the model refuses, or says why.

Each model is trained on the table as pandas reads it, which is what production does. The same file of people is then
read by this program, and the model is asked through the sandbox.
"""

from __future__ import annotations

import io
import itertools
import warnings
from collections.abc import Callable
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import skops.io
import xgboost
from numpy.typing import NDArray
from skl2onnx import to_onnx
from skl2onnx.common.data_types import BooleanTensorType, FloatTensorType, Int64TensorType, StringTensorType
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from ares_core.errors import AresError
from ares_core.people.parquet import read_table
from tests.models.hostile.cells import Cell
from tests.models.loaders.exactness import OUTCOMES, TABLE, through_the_sandbox

Frame = pd.DataFrame
Made = tuple[bytes, NDArray[np.bool_]]  # a model file, and whom its own library refuses
FEATURES = ["income", "children", "job", "region", "post", "card"]


def with_gaps(*columns: str) -> Frame:
    """Return the table with every seventh cell of some columns empty."""
    made = TABLE[FEATURES].copy()
    for place, name in enumerate(columns):
        made[name] = made[name].astype(object).mask((np.arange(len(made)) + place) % 7 == 0)
    return made


# What is in the file. Text that looks like numbers is read as numbers by pandas, and partly as text by this program.
TABLES: dict[str, Frame] = {
    "numbers and text": TABLE[["income", "children", "job"]],
    "true and false": TABLE[["income", "job", "card"]],
    "true, false and empty": with_gaps("card")[["income", "job", "card"]],
    "number codes": TABLE[["income", "region", "card"]],
    "codes with leading zeros": TABLE[["income", "post", "card"]],
    "empty numbers and text": with_gaps("income", "region", "job")[["income", "region", "job"]],
    "everything": TABLE[FEATURES],
}


def in_skops(make: Callable[[Frame], Any]) -> Callable[[Frame], Made]:
    """Return what trains a scikit-learn model for a table and saves it by skops."""

    def made(frame: Frame) -> Made:
        model = make(frame).fit(frame, OUTCOMES)
        return skops.io.dumps(model), model.predict(frame) == 0

    return made


def pipeline(frame: Frame, classifier: Any = None, encoder: Any = None) -> Any:
    """Return a pipeline that fills and scales floats, and encodes everything else, codes and truths too."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    floats = [name for name in frame.columns if frame[name].dtype == np.float64]
    others = [name for name in frame.columns if name not in floats]
    encoder = OneHotEncoder(handle_unknown="ignore") if encoder is None else encoder
    last = LogisticRegression(max_iter=500) if classifier is None else classifier
    return make_pipeline(ColumnTransformer([("n", numbers, floats), ("c", encoder, others)]), last)


def scaled(frame: Frame) -> Any:
    """Return a pipeline that takes whole numbers for numbers and encodes the rest."""
    numbers = frame.select_dtypes("number").columns.tolist()
    others = [name for name in frame.columns if name not in numbers]
    parts = [("n", make_pipeline(SimpleImputer(), StandardScaler()), numbers)]
    parts += [("c", OneHotEncoder(handle_unknown="ignore"), others)] * bool(others)
    return make_pipeline(ColumnTransformer(parts), LogisticRegression(max_iter=500))


def ordinal() -> OrdinalEncoder:
    """Return an encoder that gives categories numbers."""
    return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2)


def coded(frame: Frame) -> Frame:
    """Return a table whose text, codes and objects have pandas' category type, as tree libraries want it."""
    wanted = [name for name in frame.columns if frame[name].dtype not in (np.float64, np.int64, np.bool_)]
    return frame.assign(**{name: frame[name].astype("category") for name in wanted})


def as_xgboost(form: str) -> Callable[[Frame], Made]:
    """Return what trains XGBoost and saves it in its own form."""

    def made(frame: Frame) -> Made:
        rows = xgboost.DMatrix(coded(frame), OUTCOMES, enable_categorical=True)
        booster = xgboost.train({"objective": "binary:logistic", "nthread": 1}, rows, 8)
        return bytes(booster.save_raw(form)), booster.predict(rows) < 0.5

    return made


def as_lightgbm(frame: Frame) -> Made:
    """Train LightGBM and save it as text."""
    data, settings = coded(frame), {"objective": "binary", "num_threads": 1, "verbose": -1, "min_data_in_leaf": 5}
    booster = lightgbm.train(settings, lightgbm.Dataset(data, OUTCOMES), 8)
    return booster.model_to_string().encode(), booster.predict(data) < 0.5


def as_onnx(frame: Frame) -> Made:
    """Train a pipeline and convert it to ONNX, one input for each column."""
    types = {"f": FloatTensorType, "i": Int64TensorType, "b": BooleanTensorType}
    inputs = [(name, types.get(frame[name].dtype.kind, StringTensorType)([None, 1])) for name in frame.columns]
    texts = [name for name in frame.columns if frame[name].dtype.kind not in "fib"]
    numbers = [name for name in frame.columns if name not in texts]
    parts = [("c", OneHotEncoder(handle_unknown="ignore"), texts)] * bool(texts) + [("n", "passthrough", numbers)]
    plain = frame.assign(**{name: frame[name].astype(np.float32) for name in numbers})
    model = make_pipeline(ColumnTransformer(parts), RandomForestClassifier(10, random_state=0)).fit(plain, OUTCOMES)
    content = to_onnx(model, initial_types=inputs, options={"zipmap": False}).SerializeToString()
    return content, model.predict(plain) == 0


MODELS: dict[str, Callable[[Frame], Made]] = {
    "skops, scaled": in_skops(scaled),
    "skops, one-hot": in_skops(pipeline),
    "skops, ordinal forest": in_skops(
        lambda frame: pipeline(frame, RandomForestClassifier(10, random_state=0), ordinal())
    ),
    "skops, GridSearchCV": in_skops(
        lambda frame: GridSearchCV(pipeline(frame), {"logisticregression__C": [0.1, 1.0]}, scoring="f1", cv=2)
    ),
    "skops, CalibratedClassifierCV": in_skops(lambda frame: CalibratedClassifierCV(pipeline(frame), cv=2)),
    "skops, calibrated in a search": in_skops(
        lambda frame: GridSearchCV(CalibratedClassifierCV(scaled(frame), cv=2), {"method": ["sigmoid"]}, cv=2)
    ),
    "skops, HistGradientBoosting": in_skops(
        lambda frame: pipeline(frame, HistGradientBoostingClassifier(max_iter=10, random_state=0), ordinal())
    ),
    "skops, XGBClassifier": in_skops(lambda frame: pipeline(frame, xgboost.XGBClassifier(n_estimators=5, n_jobs=1))),
    "skops, LGBMClassifier": in_skops(
        lambda frame: pipeline(frame, lightgbm.LGBMClassifier(n_estimators=5, n_jobs=1, verbose=-1))
    ),
    "XGBoost, JSON": as_xgboost("json"),
    "XGBoost, UBJSON": as_xgboost("ubj"),
    "LightGBM, text": as_lightgbm,
    "ONNX": as_onnx,
}
FORMATS = ("csv", "parquet")


def files(table: Frame, form: str) -> tuple[bytes, Frame]:
    """Return a table as a file, and as pandas reads that file."""
    if form == "csv":
        content = table.to_csv(index=False).encode()
        return content, pd.read_csv(io.BytesIO(content))
    kept = table.convert_dtypes() if table.dtypes.eq(object).any() else table
    sink = io.BytesIO()
    kept.to_parquet(sink, index=False)
    read = pd.read_parquet(io.BytesIO(sink.getvalue()))
    plain = {name: _as_numpy(read[name]) for name in read.columns}
    return sink.getvalue(), pd.DataFrame(plain)


def _as_numpy(cells: pd.Series[Any]) -> Any:
    """Return a column without pandas' own missing value, which scikit-learn does not take."""
    if isinstance(cells.dtype, pd.BooleanDtype):
        return cells.astype(object).where(cells.notna(), np.nan) if cells.hasnans else cells.astype(bool)
    if isinstance(cells.dtype, pd.Int64Dtype | pd.Float64Dtype):
        return cells.astype(np.float64) if cells.hasnans else cells.astype(cells.dtype.numpy_dtype)
    return cells.astype("str") if isinstance(cells.dtype, pd.StringDtype) else cells


def outcome_of(model: str, table: str, form: str, cell: Cell) -> str:
    """Return 'exact', the sentence of a refusal, or what is wrong."""
    content, frame = files(TABLES[table], form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            file, refused = MODELS[model](frame)
        except Exception as error:  # the library itself cannot train on such a table, so nobody can bring it
            return f"not made: {type(error).__name__}"
    ours = read_table(content, name=f"people.{form}").frame
    label = model.startswith("skops") or model == "ONNX"
    try:
        answers = through_the_sandbox(cell, file, ours, "label" if label else "score")
    except AresError as error:
        assert error.hint.endswith(".")
        return f"refused: {error.problem}"
    found = answers == 0 if label else answers < 0.5
    return "exact" if np.array_equal(found, refused) else f"WRONG: {found.sum()} refused, not {refused.sum()}"


@pytest.mark.parametrize("form", ["csv", pytest.param("parquet", marks=pytest.mark.long)])
@pytest.mark.parametrize("model", MODELS)
def test_every_combination_is_exact_or_refused_in_words(model: str, form: str, warm_cell: Cell) -> None:
    """On every table and in every format the audit refuses whom the model's own library refuses, or says why not."""
    found = {table: outcome_of(model, table, form, warm_cell) for table in TABLES}
    assert [table for table, words in found.items() if words.startswith("WRONG")] == []
    assert sum(words == "exact" for words in found.values()) >= 2, found


if __name__ == "__main__":
    from ares_core.models.sandbox import level_in_force

    level = level_in_force()
    assert level is not None
    cell = Cell(level)
    for model, table, form in itertools.product(MODELS, TABLES, FORMATS):
        print(f"{model} | {table} | {form} | {outcome_of(model, table, form, cell)}", flush=True)
    cell.close()
