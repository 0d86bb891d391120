"""The list of types a skops file may hold covers scikit-learn's usual pipelines and those trained here, and no more."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectKBest
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, RidgeClassifier, SGDClassifier
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from ares_core.models.loaders.skops_types import ALLOWED
from ares_core.models.sandbox import level_in_force
from ares_core.models.training import FAMILIES, train
from ares_core.people.schema import Schema
from tests.models.hostile.cells import Cell

RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "income": np.where(RANDOM.random(240) < 0.1, np.nan, RANDOM.normal(3, 1, 240)),
        "children": RANDOM.integers(0, 5, 240),
        "job": RANDOM.choice(["none", "clerk", "nurse"], 240),
    }
)
LABELS = np.where(FRAME["income"].fillna(3) + (FRAME["job"] == "nurse") > 3.3, "good", "bad")
NUMBERS = ["income", "children"]
TREES = DecisionTreeClassifier(max_depth=3)
CLASSIFIERS = (
    LogisticRegressionCV(cv=2),
    RidgeClassifier(),
    SGDClassifier(loss="log_loss", random_state=0),
    RandomForestClassifier(5, n_jobs=-1, random_state=0),
    ExtraTreesClassifier(5, n_jobs=2, random_state=0),
    GradientBoostingClassifier(n_estimators=5),
    HistGradientBoostingClassifier(max_iter=5),
    AdaBoostClassifier(n_estimators=3),
    BaggingClassifier(n_estimators=3, n_jobs=2),
    VotingClassifier([("a", LogisticRegression()), ("b", TREES)], voting="soft", n_jobs=2),
    StackingClassifier([("a", LogisticRegression()), ("b", TREES)], cv=2),
    SVC(),
    LinearSVC(),
    MLPClassifier((5,), max_iter=20),
    GaussianNB(),
    KNeighborsClassifier(n_jobs=2),
    LinearDiscriminantAnalysis(),
    CalibratedClassifierCV(LinearSVC(), cv=2),
    CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=2),
    FixedThresholdClassifier(LogisticRegression(), threshold=0.4),
    GridSearchCV(RandomForestClassifier(3), {"max_depth": [1, 2]}, cv=2),
)
ENCODERS = (
    OneHotEncoder(handle_unknown="ignore"),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    TargetEncoder(cv=2),
    make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(max_categories=2)),
)
SCALERS = (
    make_pipeline(KNNImputer(), MinMaxScaler()),
    make_pipeline(SimpleImputer(add_indicator=True), RobustScaler(), PolynomialFeatures()),
    make_pipeline(SimpleImputer(), PowerTransformer()),
    make_pipeline(SimpleImputer(), QuantileTransformer(n_quantiles=10)),
    make_pipeline(SimpleImputer(), KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf")),
    make_pipeline(SimpleImputer(), FunctionTransformer(np.log1p), SelectKBest(k=1)),
    make_pipeline(SimpleImputer(), FeatureUnion([("a", StandardScaler()), ("b", MinMaxScaler())])),
)


def pipelines() -> Iterator[Any]:
    """Yield pipelines with every classifier, encoder and scaler."""
    scaler = make_pipeline(SimpleImputer(), StandardScaler())
    for classifier in CLASSIFIERS:
        encoders = [("n", scaler, NUMBERS), ("t", OneHotEncoder(sparse_output=False), ["job"])]
        yield make_pipeline(ColumnTransformer(encoders), classifier)
    for encoder in ENCODERS:
        yield make_pipeline(ColumnTransformer([("n", scaler, NUMBERS), ("t", encoder, ["job"])]), LogisticRegression())
    for numbers in SCALERS:
        yield make_pipeline(ColumnTransformer([("n", numbers, NUMBERS)]), LogisticRegression())
    chosen = make_column_transformer(
        (OrdinalEncoder(), make_column_selector(dtype_include="str")), remainder="passthrough"
    )
    yield make_pipeline(chosen, HistGradientBoostingClassifier(max_iter=3, categorical_features=[0]))


@pytest.fixture(scope="module")
def cell() -> Iterator[Cell]:
    """Return a cell behind the strongest locks there are."""
    level = level_in_force()
    if level is None:
        pytest.skip("this machine has no sandbox")
    made = Cell(level)
    yield made
    made.close()


def test_the_usual_pipelines_open(cell: Cell) -> None:
    """Every usual encoder, scaler and classifier opens, and answers as it does in process."""
    for pipeline in pipelines():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some stop before they converge, which is nothing to these tests
            pipeline.fit(FRAME, LABELS)
        heard = cell.answer(skops.io.dumps(pipeline), FRAME, "label")
        assert np.array_equal(heard, pipeline.predict(FRAME)), pipeline


def test_regressors_give_scores(cell: Cell) -> None:
    """A regressor has no labels, and is asked for scores."""
    frame = FRAME[["children"]]
    model = RandomForestRegressor(3, random_state=0).fit(frame, LABELS == "good")
    content = skops.io.dumps(model)
    assert cell.load(content).outputs == ("score",)
    assert np.array_equal(cell.answer(content, frame, "score"), model.predict(frame))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_trained_here_opens(family: str, cell: Cell) -> None:
    """Each family this program trains can be kept as a skops file and answers the same afterwards."""
    model = train(family, FRAME, Schema.infer(FRAME), (LABELS == "good").astype(np.int8), seed=1)
    frame = FRAME[list(model.columns)]
    assert np.array_equal(cell.answer(skops.io.dumps(model.pipeline), frame, "label"), model.predict(frame))


def test_names_on_the_list_exist() -> None:
    """A name that scikit-learn has changed would silently refuse honest files."""
    lost = []
    for name in sorted(ALLOWED):
        module, _, attribute = name.rpartition(".")
        if not hasattr(import_module(module), attribute):
            lost.append(name)
    assert lost == []


def test_nothing_on_the_list_runs_programs() -> None:
    """No name on the list belongs to a module that reaches files, processes or the network."""
    modules = {name.split(".")[0] for name in ALLOWED}
    assert modules == {"builtins", "collections", "functools", "lightgbm", "numpy", "scipy", "sklearn", "xgboost"}
    builtins = {name for name in ALLOWED if name.startswith("builtins.")}
    assert not builtins & {f"builtins.{name}" for name in ("eval", "exec", "open", "getattr", "__import__", "compile")}
