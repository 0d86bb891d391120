"""scikit-learn pipelines in skops files are asked exactly: wherever the encoders are, and whatever the columns hold."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import scipy.stats
import skops.io
import xgboost
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.semi_supervised import SelfTrainingClassifier

from ares_core.errors import ModelError
from tests.models.hostile.cells import Cell
from tests.models.loaders.exactness import OUTCOMES, TABLE, emptied, kinds, through_the_sandbox, trained_on

NUMBERS, CODES, TEXTS, TRUTHS = ["income", "children"], ["region"], ["job", "post"], ["card"]
USED = [*NUMBERS, *CODES, *TEXTS, *TRUTHS]
KINDS = {
    "income": "number",
    "children": "number",
    "region": "number",
    "job": "text",
    "post": "text",
    "card": "true/false",
}


def encoded(encoder: Any = None, *, numbers: Any = None) -> ColumnTransformer:
    """Return scaled numbers beside encoded codes, text and truths."""
    encoder = encoder or OneHotEncoder(handle_unknown="ignore")
    return ColumnTransformer([("n", numbers or StandardScaler(), NUMBERS), ("c", encoder, [*CODES, *TEXTS, *TRUTHS])])


def pipeline(encoder: Any = None) -> Pipeline:
    """Return the usual pipeline."""
    return make_pipeline(encoded(encoder), LogisticRegression(max_iter=500))


def by_position() -> Pipeline:
    """Return a pipeline whose columns are chosen by place, mask, slice, function and remainder."""
    parts = [
        ("n", StandardScaler(), slice(0, 2)),
        ("r", OneHotEncoder(), np.array([False, False, True, False, False, False])),
        ("t", OneHotEncoder(), make_column_selector(dtype_include="str")),
    ]
    return make_pipeline(ColumnTransformer(parts, remainder=OneHotEncoder(drop="first")), LogisticRegression())


def nested() -> Pipeline:
    """Return a pipeline with columns chosen inside branches of columns."""
    inner = ColumnTransformer([("t", OneHotEncoder(), TEXTS), ("b", OrdinalEncoder(), TRUTHS)])
    outer = ColumnTransformer([("in", inner, [*TEXTS, *TRUTHS]), ("n", PowerTransformer(), [*NUMBERS, *CODES])])
    return make_pipeline(outer, LogisticRegression())


def imputed() -> Pipeline:
    """Return a pipeline that fills empty cells before it encodes."""
    filled = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    return make_pipeline(encoded(filled, numbers=numbers), LogisticRegression())


def imputed_first() -> Pipeline:
    """Return a pipeline whose imputers come in a step before the one with the encoders."""
    frequent = SimpleImputer(strategy="most_frequent")
    first = ColumnTransformer([("n", SimpleImputer(), NUMBERS), ("c", frequent, [*CODES, *TEXTS, *TRUTHS])])
    second = ColumnTransformer([("n", StandardScaler(), [0, 1]), ("c", OneHotEncoder(), [2, 3, 4, 5])])
    return make_pipeline(first, second, LogisticRegression())


def united() -> Pipeline:
    """Return a pipeline with a union of branches that see the same columns."""
    union = FeatureUnion([("a", encoded()), ("b", encoded(OrdinalEncoder(), numbers=KBinsDiscretizer(3)))])
    return make_pipeline(union, LogisticRegression(max_iter=500))


GRID = {"logisticregression__C": [0.1, 1.0]}
SEARCHES: dict[str, Callable[[], Any]] = {
    "grid": lambda: GridSearchCV(pipeline(), GRID, cv=2),
    "grid with a scorer and a splitter": lambda: GridSearchCV(
        pipeline(), GRID, scoring=make_scorer(f1_score), cv=RepeatedStratifiedKFold(n_splits=2, n_repeats=1)
    ),
    "randomised with a distribution": lambda: RandomizedSearchCV(
        pipeline(), {"logisticregression__C": scipy.stats.loguniform(0.1, 10)}, n_iter=2, cv=2, random_state=0
    ),
    "a search in a pipeline": lambda: make_pipeline(encoded(), GridSearchCV(LogisticRegression(), {"C": [1]}, cv=2)),
    "a search in a search": lambda: GridSearchCV(
        CalibratedClassifierCV(GridSearchCV(pipeline(), GRID, cv=2), cv=2), {"method": ["sigmoid"]}, cv=2
    ),
}
WRAPPED: dict[str, Callable[[], Any]] = {
    "bare": pipeline,
    "chosen by position": by_position,
    "nested": nested,
    "united": united,
    "ordinal": lambda: pipeline(OrdinalEncoder()),
    "target": lambda: pipeline(TargetEncoder(cv=2, random_state=0)),
    "calibrated": lambda: CalibratedClassifierCV(pipeline(), cv=2),
    "frozen and calibrated": lambda: CalibratedClassifierCV(FrozenEstimator(pipeline().fit(TABLE[USED], OUTCOMES))),
    "voting": lambda: VotingClassifier([("a", pipeline()), ("b", nested())], voting="soft"),
    "stacking": lambda: StackingClassifier([("a", pipeline()), ("b", nested())], cv=2),
    "one against the rest": lambda: OneVsRestClassifier(pipeline()),
    "fixed threshold": lambda: FixedThresholdClassifier(pipeline(), threshold=0.4),
    "tuned threshold": lambda: TunedThresholdClassifierCV(pipeline(), scoring=make_scorer(f1_score), cv=2),
    "self-training": lambda: make_pipeline(encoded(), SelfTrainingClassifier(LogisticRegression())),
    "forest": lambda: make_pipeline(encoded(OrdinalEncoder()), RandomForestClassifier(5, random_state=0, n_jobs=2)),
    "bagged": lambda: make_pipeline(encoded(), BaggingClassifier(LogisticRegression(), 3, random_state=0)),
    "xgboost": lambda: make_pipeline(encoded(), xgboost.XGBClassifier(n_estimators=5, n_jobs=4)),
    "lightgbm": lambda: make_pipeline(encoded(), lightgbm.LGBMClassifier(n_estimators=5, n_jobs=4, verbose=-1)),
    "xgboost in a grid": lambda: GridSearchCV(
        make_pipeline(encoded(), xgboost.XGBClassifier(n_estimators=5)), {"xgbclassifier__max_depth": [2, 3]}, cv=2
    ),
}


def fitted(model: Any, table: pd.DataFrame) -> Any:
    """Fit a model, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(trained_on(table), OUTCOMES)


def check_exact(cell: Cell, model: Any, table: pd.DataFrame, compression: int = 0) -> bytes:
    """Check that a model refuses the same rows, and scores them alike, as in its own library."""
    content = skops.io.dumps(fitted(model, table), compression=compression)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels, scores = model.predict(trained_on(table)), model.predict_proba(trained_on(table))
    assert np.array_equal(through_the_sandbox(cell, content, table, "label"), labels)
    assert np.array_equal(through_the_sandbox(cell, content, table, "score"), scores.astype(float))
    return content


@pytest.mark.parametrize("case", [*SEARCHES, *WRAPPED])
def test_encoders_are_found_inside_wrappers(case: str, warm_cell: Cell) -> None:
    """Codes, leading zeros and truths reach the encoders in their own types, wherever the encoders are."""
    content = check_exact(warm_cell, {**SEARCHES, **WRAPPED}[case](), TABLE[USED])
    signature = warm_cell.load(content)
    assert kinds(signature) == KINDS
    assert signature.width == len(USED)
    assert {type(value) for column in signature.columns for value in column.values} <= {bool, int, str}


def test_values_are_typed(warm_cell: Cell) -> None:
    """Categories are told in the types the encoder knows them by, without missing ones."""
    table = emptied(TABLE[USED], "region", "job", "card")
    content = check_exact(warm_cell, pipeline(), table)
    values = {column.name: column.values for column in warm_cell.load(content).columns}
    assert values["card"] == (False, True)
    assert all(type(value) is bool for value in values["card"])
    assert values["region"] == (3, 4, 5, 6)
    assert values["post"] == ("01", "02", "10")
    assert values["job"] == ("clerk", "none", "nurse")


@pytest.mark.parametrize("make", [imputed, imputed_first], ids=["in one branch", "in a step before"])
def test_missing_values_reach_imputers(make: Callable[[], Any], warm_cell: Cell) -> None:
    """Empty cells of numbers, codes, text and truths are filled as in training."""
    check_exact(warm_cell, make(), emptied(TABLE[USED], *USED))


def test_missing_truths_are_a_category(warm_cell: Cell) -> None:
    """An encoder that met true, false and NaN is shown NaN; a batch without empty cells works as well."""
    table = emptied(TABLE[USED], "card")
    content = check_exact(warm_cell, pipeline(OneHotEncoder()), table)
    whole = table[table["card"].notna()].astype({"card": bool})
    model = fitted(pipeline(OneHotEncoder()), table)
    assert np.array_equal(through_the_sandbox(warm_cell, content, whole, "label"), model.predict(whole))


def test_none_is_sent_where_none_was_met(warm_cell: Cell) -> None:
    """An encoder that met None, as a table from a database has it, is shown None and not NaN."""
    table = emptied(TABLE[["job", "income"]], "job")
    met = table.assign(job=table["job"].astype(object).where(table["job"].notna(), None))
    encoders = ColumnTransformer([("t", OneHotEncoder(handle_unknown="error"), ["job"])], remainder="passthrough")
    model = make_pipeline(encoders, LogisticRegression(max_iter=500)).fit(met, OUTCOMES)
    content = skops.io.dumps(model)
    assert np.array_equal(through_the_sandbox(warm_cell, content, table, "label"), model.predict(met))


@pytest.mark.parametrize("missing", [False, True])
def test_boosting_with_categories_from_dtypes(missing: bool, warm_cell: Cell) -> None:
    """HistGradientBoosting keeps the categories of pandas' category type, and is asked with the plain values."""
    used = ["income", "job", "region", "card"]
    table = emptied(TABLE[used], "income", "job", "region") if missing else TABLE[used]
    coded = table.assign(job=table["job"].astype("category"), region=table["region"].astype("category"))
    model = HistGradientBoostingClassifier(max_iter=5).fit(coded, OUTCOMES)
    content = skops.io.dumps(model)
    assert kinds(warm_cell.load(content)) == {"income": "number", "job": "text", "region": "number", "card": "number"}
    assert np.array_equal(through_the_sandbox(warm_cell, content, table, "score"), model.predict_proba(coded))


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
@pytest.mark.parametrize("missing", [False, True])
def test_trees_of_other_libraries_with_categories(library: str, missing: bool, warm_cell: Cell) -> None:
    """XGBoost's and LightGBM's classifiers get pandas' category type with the categories they keep."""
    used = ["income", "job", "card"]
    table = emptied(TABLE[used], "income", "job") if missing else TABLE[used]
    coded = table.assign(job=table["job"].astype("category"))
    trees = xgboost.XGBClassifier(n_estimators=5, enable_categorical=True)
    model = trees if library == "xgboost" else lightgbm.LGBMClassifier(n_estimators=5, verbose=-1)
    content = skops.io.dumps(CalibratedClassifierCV(model, cv=2).fit(coded, OUTCOMES))
    expected = skops.io.loads(content, trusted=skops.io.get_untrusted_types(data=content)).predict_proba(coded)
    assert np.array_equal(through_the_sandbox(warm_cell, content, table, "score"), expected)
    if library == "xgboost":
        strange = table.assign(job=table["job"].where(table.index > 3, "pilot"))
        with pytest.raises(ModelError, match="holds 'pilot', a category the model was not trained with"):
            through_the_sandbox(warm_cell, content, strange, "score")


def test_categories_made_inside_a_pipeline_are_refused(warm_cell: Cell) -> None:
    """Trees that want categories which a step before them makes cannot be told about, so they are not asked."""
    coded = TABLE[["income", "job"]].assign(job=TABLE["job"].astype("category"))
    scaled = ColumnTransformer([("n", StandardScaler(), ["income"]), ("c", FunctionTransformer(), ["job"])])
    scaled.set_output(transform="pandas")
    scaled.set_params(verbose_feature_names_out=False)
    half = make_pipeline(scaled, xgboost.XGBClassifier(n_estimators=3, enable_categorical=True)).fit(coded, OUTCOMES)
    answered = through_the_sandbox(warm_cell, skops.io.dumps(half), TABLE[["income", "job"]], "score")
    assert np.array_equal(answered, half.predict_proba(coded))  # the column is passed on as it is
    half.steps[0][1].transformers_[1][1].func = np.abs
    with pytest.raises(ModelError, match="its trees want categories in the column 'job', which a step before"):
        warm_cell.load(skops.io.dumps(half))


def test_compressed_files_open_with_other_libraries_inside(warm_cell: Cell) -> None:
    """A compressed file hides which libraries it needs, and opens all the same."""
    check_exact(warm_cell, WRAPPED["lightgbm"](), TABLE[USED], compression=8)


def test_places_that_disagree_say_nothing(warm_cell: Cell) -> None:
    """Where one branch wants numbers and another truths, the column is sent as it is."""
    parts = [("n", StandardScaler(), ["income", "card"]), ("c", OneHotEncoder(), ["card"])]
    content = check_exact(
        warm_cell, make_pipeline(ColumnTransformer(parts), LogisticRegression()), TABLE[["income", "card"]]
    )
    assert kinds(warm_cell.load(content)) == {"income": "number", "card": "any"}


def test_models_of_a_matrix_say_how_wide_it_is(warm_cell: Cell) -> None:
    """An estimator trained without names tells how many columns it wants, and refuses other tables."""
    table = TABLE[NUMBERS]
    content = skops.io.dumps(LogisticRegression().fit(table.to_numpy(), OUTCOMES))
    signature = warm_cell.load(content)
    assert signature.columns == ()
    assert signature.width == 2
    with pytest.raises(ModelError, match="does not say which columns it wants, only that there are 2"):
        through_the_sandbox(warm_cell, content, TABLE[[*NUMBERS, "region"]], "label")
