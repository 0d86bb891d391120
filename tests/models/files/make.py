"""Make the model files of older libraries that the tests open, with the answers those libraries give themselves.

Run in an environment of its own:

    python -m venv old && old/bin/pip install scikit-learn==1.6.1 skops==0.11.0 'xgboost-cpu==2.1.*' lightgbm==4.5.0 \
        'pandas<3' pyarrow
    old/bin/python tests/models/files/make.py

Each model file has the table beside it that it is asked about, and `answers.json` holds what it answered.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED

import lightgbm
import numpy as np
import pandas as pd
import skops.io
import xgboost
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

HERE = Path(__file__).parent
TREES: dict[str, Any] = {"n_estimators": 8, "max_depth": 3, "n_jobs": 1}


def table(rows: int = 200) -> pd.DataFrame:
    """Return applicants with numbers, whole numbers, truths, text and number codes."""
    random = np.random.default_rng(11)
    return pd.DataFrame(
        {
            "income": random.normal(3_000, 800, rows).round(2),
            "children": random.integers(0, 3, rows),
            "job": random.choice(["none", "clerk", "nurse"], rows),
            "region": random.integers(3, 7, rows),
            "card": random.random(rows) < 0.5,
            "branch": "only",
        }
    )


def approved(frame: pd.DataFrame) -> np.ndarray:
    """Return who was approved."""
    worth = frame["income"] + 900 * (frame["job"] == "nurse") - 300 * frame["children"] + 500 * frame["card"]
    return (worth + 400 * (frame["region"] == 5) > 3_100).astype(int).to_numpy()


def main() -> None:
    """Write every file."""
    frame = table()
    outcomes = approved(frame)
    frame.to_csv(HERE / "applicants.csv", index=False)
    answers: dict[str, list[float]] = {}

    def xgboost_file(name: str, table: pd.DataFrame, form: str) -> None:
        model = xgboost.XGBClassifier(**TREES, enable_categorical=True).fit(table, outcomes)
        (HERE / name).write_bytes(model.get_booster().save_raw(form))
        answers[name] = model.predict_proba(table)[:, 1].astype(float).tolist()

    chosen = frame[["income", "children", "job", "region", "card"]]
    coded = chosen.assign(job=chosen["job"].astype("category"), region=chosen["region"].astype("category"))
    xgboost_file("xgboost-2.1-categories.json", coded, "json")
    xgboost_file("xgboost-2.1-categories.ubj", coded, "ubj")
    xgboost_file("xgboost-2.1-numbers.json", chosen.drop(columns="job"), "json")

    def lightgbm_file(name: str, table: pd.DataFrame, **options: Any) -> None:
        model = lightgbm.LGBMClassifier(**TREES, min_child_samples=5, verbose=-1).fit(table, outcomes, **options)
        (HERE / name).write_text(model.booster_.model_to_string())
        answers[name] = model.predict_proba(table)[:, 1].tolist()

    one = frame.assign(job=frame["job"].astype("category"), branch=frame["branch"].astype("category"))
    lightgbm_file("lightgbm-4.5-one-level.txt", one)
    lightgbm_file("lightgbm-4.5-named.txt", one.drop(columns="branch"), categorical_feature=["region", "job"])

    def skops_file(name: str, model: Any, table: pd.DataFrame) -> None:
        model.fit(table, outcomes)
        skops.io.dump(model, HERE / name, compression=ZIP_DEFLATED, compresslevel=9)
        answers[name] = model.predict_proba(table)[:, 1].tolist()

    encoders = [("n", StandardScaler(), ["income", "children"]), ("c", OneHotEncoder(), ["job", "region", "card"])]
    pipeline = make_pipeline(ColumnTransformer(encoders), LogisticRegression())
    skops_file("sklearn-1.6-search.skops", GridSearchCV(pipeline, {"logisticregression__C": [0.1, 1]}, cv=2), chosen)
    hist = HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=5)
    skops_file("sklearn-1.6-hist.skops", hist, coded)
    for library, trees in (("xgboost-2.1", xgboost.XGBClassifier), ("lightgbm-4.5", lightgbm.LGBMClassifier)):
        skops_file(
            f"{library}-inside.skops", make_pipeline(StandardScaler(), trees(**TREES)), frame[["income", "children"]]
        )
    inside = xgboost.XGBClassifier(**TREES, enable_categorical=True)
    skops_file("xgboost-2.1-inside-categories.skops", inside, coded[["income", "job"]])
    (HERE / "answers.json").write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
