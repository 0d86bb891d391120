"""Text categories and blank cells reach a model as its training wrote them, or the audit refuses in words."""

from __future__ import annotations

import io
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import skops.io
import xgboost
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from ares_core.errors import ModelError
from ares_core.models.matching import match_columns
from ares_core.people import read_csv
from tests.models.hostile.cells import Cell
from tests.models.loaders.exactness import through_the_sandbox

ROWS = 240
RANDOM = np.random.default_rng(27)
INCOME = RANDOM.normal(3_000, 800, ROWS).round(2)


def csv_of(codes: list[str]) -> bytes:
    """Return a CSV file with a column of codes, drawn at random, that decides together with the income."""
    drawn = np.random.default_rng(3).integers(0, len(codes), ROWS)
    cells = [codes[place] for place in drawn]
    return pd.DataFrame({"code": cells, "income": INCOME}).to_csv(index=False).encode()


def outcomes(cells: pd.Series[Any]) -> Any:
    """Return outcomes in which the code counts a lot."""
    places = pd.factorize(cells.astype(str), sort=True)[0]
    worth = INCOME + np.array([1_500, -1_500, 900, -900, 0, 400])[places]
    return (worth > np.median(worth)).astype(int)


def encoded(frame: pd.DataFrame, encoder: Any = None) -> Any:
    """Return a fitted pipeline that encodes the code; categories it does not know are ignored."""
    encoder = OneHotEncoder(handle_unknown="ignore") if encoder is None else encoder
    parts = make_column_transformer((encoder, ["code"]), (StandardScaler(), ["income"]))
    return make_pipeline(parts, LogisticRegression()).fit(frame, outcomes(frame["code"]))


def prepared(content: bytes, way: str) -> pd.DataFrame:
    """Return a file as production prepares it."""
    if way == "text":
        return pd.read_csv(io.BytesIO(content), dtype={"code": str})
    if way == "kept":
        return pd.read_csv(io.BytesIO(content), dtype={"code": str}, keep_default_na=False)
    frame = pd.read_csv(io.BytesIO(content))
    # Before pandas 3 `astype(str)` does this, to blank cells too.
    texts = [str(value) for value in frame["code"]]
    return frame.assign(code=texts if way == "as text" else frame["code"].fillna(way))


def refused_here(cell: Cell, file: bytes, content: bytes) -> Any:
    """Return the labels of a file's people, asked as an audit does."""
    return through_the_sandbox(cell, file, read_csv(content).frame, "label")


TRAILING = ["2.50", "2.75", "3.10", "3.25"]
SPELLINGS = {
    "trailing zeros": (TRAILING, "text"),
    "trailing zeros and blanks": ([*TRAILING, ""], "text"),
    "whole numbers": (["1", "2", "10", "12"], "text"),
    "whole numbers with a point": (["1.0", "2.0", "10.0"], "text"),
    "whole numbers and blanks": (["1", "2", "10", ""], "text"),
    "numbers turned to text": (["2.50", "2.75", "3.10"], "as text"),
    "a point at the end": (["2.", "3.", "4.5"], "text"),
    "spaces around numbers": ([" 1", " 2", " 3"], "text"),
    "leading zeros": (["00123", "04510", "12345"], "text"),
    "blanks kept as empty text": (["a", "b", ""], "kept"),
    "truths": (["TRUE", "FALSE"], "text"),
}


@pytest.mark.parametrize("case", SPELLINGS)
def test_codes_are_sent_as_training_wrote_them(case: str, warm_cell: Cell) -> None:
    """The audit refuses exactly those whom the model refuses in production."""
    codes, way = SPELLINGS[case]
    content = csv_of(codes)
    frame = prepared(content, way)
    model = encoded(frame)
    assert np.array_equal(refused_here(warm_cell, skops.io.dumps(model), content), model.predict(frame))


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_trees_see_the_category_that_is_the_same_number(library: str, warm_cell: Cell) -> None:
    """Categories of XGBoost's and LightGBM's own files are found by the number they spell."""
    content = csv_of(TRAILING)
    frame = prepared(content, "text").astype({"code": "category"})
    if library == "xgboost":
        booster = xgboost.XGBClassifier(n_estimators=8, n_jobs=1, enable_categorical=True)
        booster.fit(frame, outcomes(frame["code"]))
        file = bytes(booster.get_booster().save_raw("json"))
    else:
        booster = lightgbm.LGBMClassifier(n_estimators=8, n_jobs=1, verbose=-1, min_child_samples=5)
        booster.fit(frame, outcomes(frame["code"]))
        file = booster.booster_.model_to_string().encode()
    scores = through_the_sandbox(warm_cell, file, read_csv(content).frame, "score")
    assert np.allclose(scores, booster.predict_proba(frame)[:, 1], atol=1e-6)


AMBIGUOUS = {
    "two categories are one number": (["2.5", "2.50", "3.10"], "text", ["2.5", "2.50", "3.10"], "'2.5' and '2.50'"),
    "leading zeros that training dropped": (
        ["00123", "04510", "12345"],
        "as text",
        ["00123", "04510", "12345"],
        "holds '00123', which the model does not know; it knows '123'",
    ),
    "leading zeros that the table dropped": (
        ["00123", "04510", "12345"],
        "text",
        ["123", "4510", "12345"],
        "holds 123, which the model does not know; it knows '00123'",
    ),
    "zeros that only some codes have": (
        ["2.50", "3.10", "C4"],
        "text",
        ["2.5", "3.1", "C4"],
        "holds '2.5', which the model does not know; it knows '2.50'",
    ),
}


@pytest.mark.parametrize("case", AMBIGUOUS)
def test_codes_that_could_be_meant_are_refused(case: str, warm_cell: Cell) -> None:
    """A code that is a known category only as a number is neither sent as unknown nor guessed."""
    trained, way, held, words = AMBIGUOUS[case]
    model = encoded(prepared(csv_of(trained), way))
    with pytest.raises(ModelError) as caught:
        refused_here(warm_cell, skops.io.dumps(model), csv_of(held))
    assert words in caught.value.problem
    assert "as in training" in caught.value.hint


@pytest.mark.parametrize("word", ["nan", "NaN", "None", "missing", "<NA>", "Unknown"])
def test_blanks_that_training_filled_with_a_word_are_refused(word: str, warm_cell: Cell) -> None:
    """A model that knows the word 'nan' but no blank cell was trained on filled ones."""
    content = csv_of(["clerk", "nurse", ""])
    model = encoded(prepared(content, word))
    with pytest.raises(ModelError) as caught:
        refused_here(warm_cell, skops.io.dumps(model), content)
    blanks = int(read_csv(content).frame["code"].isna().sum())
    assert f"Column 'code' has {blanks} blank cells" in caught.value.problem
    assert f"'{word}'" in caught.value.problem
    assert "Fill the blanks" in caught.value.hint
    filled = prepared(content, word)
    again = filled.to_csv(index=False).encode()
    assert np.array_equal(refused_here(warm_cell, skops.io.dumps(model), again), model.predict(filled))


def test_blanks_that_became_text_in_training_are_refused(warm_cell: Cell) -> None:
    """Before pandas 3 `astype(str)` writes blanks as 'nan', in a column of numbers too."""
    content = csv_of(["1", "2", ""])
    model = encoded(prepared(content, "as text"))
    with pytest.raises(ModelError, match="knows the category 'nan'"):
        refused_here(warm_cell, skops.io.dumps(model), content)


def test_blanks_that_trees_take_for_missing_are_refused_where_training_filled_them(warm_cell: Cell) -> None:
    """LightGBM would take a blank cell for a missing value and not for the category 'nan'."""
    content = csv_of(["clerk", "nurse", ""])
    frame = prepared(content, "nan").astype({"code": "category"})
    booster = lightgbm.LGBMClassifier(n_estimators=8, n_jobs=1, verbose=-1).fit(frame, outcomes(frame["code"]))
    with pytest.raises(ModelError, match="knows the category 'nan'"):
        through_the_sandbox(warm_cell, booster.booster_.model_to_string().encode(), read_csv(content).frame, "score")


@pytest.mark.parametrize(
    "imputer",
    [SimpleImputer(strategy="constant", fill_value="missing"), SimpleImputer(strategy="most_frequent")],
    ids=["constant", "most frequent"],
)
def test_blanks_that_the_pipeline_fills_itself_are_sent(imputer: SimpleImputer, warm_cell: Cell) -> None:
    """An imputer in front of the encoder means that blanks belong to the question."""
    content = csv_of(["clerk", "nurse", ""])
    frame = pd.read_csv(io.BytesIO(content))
    model = encoded(frame, make_pipeline(imputer, OneHotEncoder()))
    file, ours = skops.io.dumps(model), read_csv(content).frame
    assert match_columns(warm_cell.load(file), ours).warnings == ()
    assert np.array_equal(through_the_sandbox(warm_cell, file, ours, "label"), model.predict(frame))


def test_a_word_that_the_pipeline_fills_itself_is_no_unknown_category(warm_cell: Cell) -> None:
    """An imputer that replaces '?' in front of the encoder means that '?' belongs to the question."""
    content = csv_of(["clerk", "nurse", "?"])
    frame = pd.read_csv(io.BytesIO(content))
    imputer = SimpleImputer(missing_values="?", strategy="most_frequent")
    model = encoded(frame, make_pipeline(imputer, OneHotEncoder()))
    file, ours = skops.io.dumps(model), read_csv(content).frame
    assert match_columns(warm_cell.load(file), ours).warnings == ()
    assert np.array_equal(through_the_sandbox(warm_cell, file, ours, "label"), model.predict(frame))


UNSEEN = {
    "a category": (["clerk", "nurse", "miner"], "holds a category the model has never seen ('miner')"),
    "blanks": (["clerk", "nurse", ""], "has blank cells"),
}


@pytest.mark.parametrize("case", UNSEEN)
def test_what_the_model_never_saw_is_an_open_warning(case: str, warm_cell: Cell) -> None:
    """The model is asked as production would ask it, and the warning says how many people it concerns."""
    held, words = UNSEEN[case]
    model = encoded(prepared(csv_of(["clerk", "nurse"]), "text"))
    content = csv_of(held)
    frame, ours, file = prepared(content, "text"), read_csv(content).frame, skops.io.dumps(model)
    matching = match_columns(warm_cell.load(file), ours)
    concerned = int((~frame["code"].isin(["clerk", "nurse"])).sum())
    assert [warning for warning in matching.warnings if words in warning] == list(matching.warnings)
    assert f"{concerned} people" in matching.warnings[0]
    assert matching.warnings[0] in matching.notes
    assert np.array_equal(through_the_sandbox(warm_cell, file, ours, "label"), model.predict(frame))


@pytest.mark.parametrize("encoder", [OneHotEncoder(), OrdinalEncoder()], ids=["one-hot", "ordinal"])
@pytest.mark.parametrize(
    ("held", "words"),
    [
        (["clerk", "nurse", "miner"], "Column 'code' holds 'miner'"),
        (["clerk", "nurse", ""], "Column 'code' has "),
    ],
)
def test_an_encoder_that_fails_on_other_categories_is_not_asked(
    encoder: Any, held: list[str], words: str, warm_cell: Cell
) -> None:
    """The sentence names the column and the value, and is not the library's own error."""
    model = encoded(prepared(csv_of(["clerk", "nurse"]), "text"), encoder)
    signature = warm_cell.load(skops.io.dumps(model))
    with pytest.raises(ModelError) as caught:
        match_columns(signature, read_csv(csv_of(held)).frame)
    assert caught.value.problem.startswith(words)
    assert "ValueError" not in caught.value.problem
