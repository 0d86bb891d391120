"""Files of XGBoost, LightGBM and ONNX are asked exactly: with the file's own categories, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import pytest
import xgboost
from skl2onnx import to_onnx
from skl2onnx.common.data_types import BooleanTensorType, FloatTensorType, Int64TensorType, StringTensorType
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ares_core.errors import ModelError
from ares_core.models.categories import categories_of
from ares_core.models.foreign import ForeignModel
from ares_core.models.reading import Reading
from ares_core.models.sandbox import level_in_force, open_model
from tests.models.hostile.cells import Cell
from tests.models.loaders.exactness import OUTCOMES, TABLE, emptied, kinds, through_the_sandbox, trained_on

FILES = Path(__file__).parents[1] / "files"
OLD = json.loads((FILES / "answers.json").read_text())
OLD_TABLE = pd.read_csv(FILES / "applicants.csv")
Table = pd.DataFrame


def coded(table: Table, *columns: str) -> Table:
    """Return a table as production would have it, with some columns of pandas' category type."""
    made = trained_on(table)
    return made.assign(**{name: made[name].astype("category") for name in columns})


# ---------------------------------------------------------------- older libraries


@pytest.mark.parametrize("name", [name for name in OLD if "categories" not in name])
def test_files_of_older_libraries_answer_as_they_did(name: str, warm_cell: Cell) -> None:
    """A file of an older version gives the very answers its own library gave when it was made."""
    answers = through_the_sandbox(warm_cell, (FILES / name).read_bytes(), OLD_TABLE, "score")
    assert np.array_equal(answers[:, 1] if answers.ndim == 2 else answers, OLD[name])


def test_models_inside_skops_that_lack_categories_are_refused(warm_cell: Cell) -> None:
    """The sentence names the line that saves the model in a form whose categories can be given."""
    with pytest.raises(ModelError, match="does not say the categories of its column 'job'") as caught:
        warm_cell.load((FILES / "xgboost-2.1-inside-categories.skops").read_bytes())
    assert "model.get_booster().save_model('model.json')" in caught.value.hint


@pytest.mark.parametrize("form", ["json", "ubj"])
def test_categories_that_a_file_lacks_are_asked_for(form: str, warm_cell: Cell) -> None:
    """XGBoost 2.1 keeps no categories: without them nothing is asked, neither by matching nor by the process."""
    content = (FILES / f"xgboost-2.1-categories.{form}").read_bytes()
    signature = warm_cell.load(content)
    assert signature.lacking == ("job", "region")
    with pytest.raises(ModelError, match="does not hold the categories of column 'job' and 1 more"):
        through_the_sandbox(warm_cell, content, OLD_TABLE, "score")
    with pytest.raises(ModelError, match="lacks the categories of its column 'job'"):
        warm_cell.answer(content, OLD_TABLE[[column.name for column in signature.columns]], "score")


@pytest.mark.skipif(level_in_force() is None, reason="this machine has no sandbox")
def test_categories_that_are_given_complete_a_file() -> None:
    """With the categories of the training table the file answers as its own library did, whatever the batch holds."""
    name = "xgboost-2.1-categories.json"
    content, given = (FILES / name).read_bytes(), categories_of(OLD_TABLE, ["job", "region"])
    with open_model(content, name, categories=given) as model:
        answers = ForeignModel.fitted(model, OLD_TABLE, Reading(threshold=0.5))
        assert np.array_equal(answers.predict(OLD_TABLE), np.array(OLD[name]) >= 0.5)
        shown = OLD_TABLE[[column.name for column in model.signature.columns]]
        nurses = OLD_TABLE["job"] == "nurse"  # a batch with one category only, and with none
        assert np.array_equal(model.answer(shown[nurses], "score"), np.array(OLD[name])[nurses])
        assert np.isfinite(model.answer(shown.assign(job=pd.Series([None] * 200, dtype="str")), "score")).all()
        with pytest.raises(ModelError, match="holds 'pilot', a category it was not trained with"):
            model.answer(shown.assign(job="pilot"), "score")
    with open_model(content, name, categories={**given, "job": ("nurse", "none", "clerk")}) as other:
        assert other.sha256 != model.sha256


# ---------------------------------------------------------------- XGBoost


def xgboost_model(table: Table, **options: Any) -> Any:
    """Return trees of XGBoost."""
    return xgboost.XGBClassifier(n_estimators=8, n_jobs=1, enable_categorical=True, **options).fit(table, OUTCOMES)


@pytest.mark.parametrize("form", ["json", "ubj"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_damaged_xgboost_file_is_refused_without_a_stack_trace(form: str, share: float, warm_cell: Cell) -> None:
    """The sentence says that the file is damaged, and nothing of where the server keeps its libraries."""
    content = bytes(xgboost_model(TABLE[["income", "children"]]).get_booster().save_raw(form))
    with pytest.raises(ModelError, match="cannot be read as an XGBoost file") as caught:
        warm_cell.load(content[: int(len(content) * share)])
    for word in ("Stack trace", "/workspace", "site-packages", "libxgboost"):
        assert word not in caught.value.problem


@pytest.mark.parametrize("missing", [False, True])
def test_xgboost_uses_the_categories_in_its_file(missing: bool, warm_cell: Cell) -> None:
    """Text, codes and truths are sent as they were in training, also from a batch that lacks most categories."""
    used = ["income", "children", "job", "region", "card"]
    table = emptied(TABLE[used], "income", "children", "job", "card") if missing else TABLE[used]
    known = coded(table, "job", "region")
    known["card"] = table["card"]  # XGBoost takes no objects
    model = xgboost_model(known)
    content = bytes(model.get_booster().save_raw("json"))
    expected = model.predict_proba(known)[:, 1]
    assert kinds(warm_cell.load(content))["card"] == "true/false"
    assert np.array_equal(through_the_sandbox(warm_cell, content, table, "score"), expected.astype(float))
    few = table[table["job"] != "none"]
    assert np.array_equal(through_the_sandbox(warm_cell, content, few, "score"), expected[few.index])


def test_xgboost_takes_a_batch_of_missing_categories(warm_cell: Cell) -> None:
    """A batch with nothing in a column of categories is answered, and one with a strange category is not."""
    known = coded(TABLE[["income", "job"]], "job")
    model = xgboost_model(known)
    content = bytes(model.get_booster().save_raw("ubj"))
    empty = TABLE[["income", "job"]].assign(job=pd.Series([None] * len(TABLE), dtype="str"))
    expected = model.predict_proba(empty.assign(job=empty["job"].astype(known["job"].dtype)))[:, 1]
    assert np.array_equal(through_the_sandbox(warm_cell, content, empty, "score"), expected.astype(float))
    strange = TABLE[["income", "job"]].assign(job=TABLE["job"].replace("none", "pilot"))
    with pytest.raises(ModelError, match="holds 'pilot', a category the model was not trained with"):
        through_the_sandbox(warm_cell, content, strange, "score")


@pytest.mark.parametrize(
    ("objective", "output"),
    [
        ("binary:logitraw", "score"),
        ("binary:hinge", "label"),
        ("reg:squarederror", "score"),
        ("rank:pairwise", "score"),
    ],
)
def test_xgboost_objectives(objective: str, output: Any, warm_cell: Cell) -> None:
    """Each objective is read as what it predicts."""
    rows = xgboost.DMatrix(TABLE[["income", "children"]], label=OUTCOMES)
    booster = xgboost.train({"objective": objective, "nthread": 1}, rows, 4)
    content = bytes(booster.save_raw("json"))
    assert warm_cell.load(content).outputs == (output,)
    answers = through_the_sandbox(warm_cell, content, TABLE[["income", "children"]], output)
    assert np.array_equal(answers, booster.predict(rows).astype(float))


# ---------------------------------------------------------------- LightGBM


def lightgbm_model(table: Table, **options: Any) -> Any:
    """Return trees of LightGBM."""
    model = lightgbm.LGBMClassifier(n_estimators=8, n_jobs=1, verbose=-1, min_child_samples=5)
    return model.fit(table, OUTCOMES, **options)


LIGHTGBM: dict[str, Callable[[], tuple[Table, dict[str, Any]]]] = {
    "category": lambda: (coded(TABLE, "job", "post").drop(columns="branch"), {}),
    "one level": lambda: (coded(TABLE, "branch", "job", "post"), {}),
    "int column named": lambda: (
        coded(TABLE, "job", "post").drop(columns="branch"),
        {"categorical_feature": ["region"]},
    ),
    "int column named too": lambda: (
        coded(TABLE, "job", "post").drop(columns="branch"),
        {"categorical_feature": ["region", "job", "post"]},
    ),
    "int column that fits named too": lambda: (
        coded(TABLE, "job", "post").drop(columns="branch"),
        {"categorical_feature": ["children", "region", "job", "post"]},
    ),
    "int columns alone": lambda: (TABLE[["income", "region", "children"]], {"categorical_feature": ["region"]}),
    "truths": lambda: (coded(TABLE, "card", "job")[["income", "card", "job"]], {}),
    "number codes": lambda: (coded(TABLE, "region")[["income", "region"]], {}),
    "unused levels": lambda: (
        TABLE[["income", "job"]].assign(job=pd.Categorical(TABLE["job"], categories=["a", "clerk", "none", "nurse"])),
        {},
    ),
    "missing": lambda: (coded(emptied(TABLE[["income", "job"]], "income", "job"), "job"), {}),
}
NOT_SURE = {"int column named", "int column that fits named too"}  # the lists fit several columns


@pytest.mark.parametrize("case", LIGHTGBM)
def test_lightgbm_lists_go_to_their_columns(case: str, warm_cell: Cell) -> None:
    """Category lists are used for the columns that had them, or the user is asked; they are never mixed up."""
    known, options = LIGHTGBM[case]()
    model = lightgbm_model(known, **options)
    content = model.booster_.model_to_string().encode()
    table = (emptied(TABLE, "income", "job") if case == "missing" else TABLE)[list(known.columns)]
    if case in NOT_SURE:
        with pytest.raises(ModelError, match="does not hold the categories of"):
            through_the_sandbox(warm_cell, content, table, "score")
        return
    answers = through_the_sandbox(warm_cell, content, table, "score")
    assert np.array_equal(answers, model.predict_proba(known)[:, 1])


@pytest.mark.skipif(level_in_force() is None, reason="this machine has no sandbox")
def test_lightgbm_lists_are_placed_by_what_is_given() -> None:
    """Where a list fits several columns, the categories of the training table say which it belongs to."""
    known, options = LIGHTGBM["int column named"]()
    model = lightgbm_model(known, **options)
    content = model.booster_.model_to_string().encode()
    given = categories_of(TABLE, ["children", "job", "post", "card"])
    with open_model(content, "lightgbm", categories=given) as opened:
        shown = TABLE[list(known.columns)]
        assert np.array_equal(opened.answer(shown, "score"), model.predict_proba(known)[:, 1])
    with pytest.raises(ModelError, match="the categories given are not those in its file"):
        open_model(content, "lightgbm", categories={"job": ("a", "b")})


# ---------------------------------------------------------------- ONNX

TYPES = [
    ("income", FloatTensorType([None, 1])),
    ("children", Int64TensorType([None, 1])),
    ("job", StringTensorType([None, 1])),
    ("card", BooleanTensorType([None, 1])),
]


@pytest.mark.parametrize("classes", [("refused", "approved"), (7, 2)])
def test_onnx_keeps_types_and_class_names(classes: tuple[Any, Any], warm_cell: Cell) -> None:
    """Inputs are sent in their own types, and a ZipMap's classes are told in the order of its scores."""
    used = ["income", "children", "job", "card"]
    parts = [
        ("n", StandardScaler(), ["income", "children"]),
        ("c", OneHotEncoder(), ["job"]),
        ("b", "passthrough", ["card"]),
    ]
    model = make_pipeline(ColumnTransformer(parts), LogisticRegression()).fit(TABLE[used], np.array(classes)[OUTCOMES])
    content = to_onnx(model, initial_types=TYPES, options={"zipmap": True}).SerializeToString()
    signature = warm_cell.load(content)
    assert signature.classes == tuple(sorted(classes))
    assert kinds(signature) == {"income": "number", "children": "whole number", "job": "text", "card": "true/false"}
    feed = {name: TABLE[[name]].to_numpy(dtype) for name, dtype in zip(used, ("f4", "i8", "O", "?"), strict=True)}
    labels, scores = onnxruntime.InferenceSession(content).run(None, feed)
    assert np.array_equal(through_the_sandbox(warm_cell, content, TABLE[used], "label"), labels)
    expected = np.array([[row[name] for name in signature.classes] for row in scores], dtype=float)
    assert np.array_equal(through_the_sandbox(warm_cell, content, TABLE[used], "score"), expected)
    with pytest.raises(ModelError, match="wants whole numbers in column 'children', which holds"):
        through_the_sandbox(warm_cell, content, TABLE[used].assign(children=TABLE["children"] + 0.5), "label")
    with pytest.raises(ModelError, match="holds other numbers, and the model wants whole numbers"):
        warm_cell.answer(content, TABLE[used].assign(children=2.5), "label")
    with pytest.raises(ModelError, match="lacks values, and the model wants true or false"):
        warm_cell.answer(content, emptied(TABLE[used], "card"), "label")


def test_onnx_matrices_say_how_wide_they_are(warm_cell: Cell) -> None:
    """A matrix has no names of columns, but a width."""
    matrix = TABLE[["income", "children"]].to_numpy(np.float32)
    content = to_onnx(LogisticRegression().fit(matrix, OUTCOMES), matrix[:1]).SerializeToString()
    assert warm_cell.load(content).width == 2
    with pytest.raises(ModelError, match="it wants 2 columns and was shown 3"):
        warm_cell.answer(content, TABLE[["income", "children", "region"]], "label")


def test_categories_with_other_letters_are_asked_for(warm_cell: Cell) -> None:
    """XGBoost damages its list of categories that are not ASCII; with the right list its answers are exact."""
    table = TABLE[["income", "job"]].replace({"job": {"clerk": "São Paulo", "nurse": 'say "hi"'}})
    rows = xgboost.DMatrix(coded(table, "job"), OUTCOMES, enable_categorical=True)
    booster = xgboost.train({"objective": "binary:logistic", "nthread": 1}, rows, 8)
    content = bytes(booster.save_raw("json"))
    assert warm_cell.load(content).lacking == ("job",)
    level = level_in_force()
    assert level is not None
    with open_model(content, "m", level=level, categories=categories_of(table, ["job"])) as raw:
        box = ForeignModel.fitted(raw, table, Reading("", 0.5))
        assert box.predict(table).tolist() == (booster.predict(rows) >= 0.5).astype(int).tolist()
