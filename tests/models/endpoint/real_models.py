"""Builds models for real servers, and their own answers; run by the Python of a server's environment.

Usage: python real_models.py mlflow-labels|mlflow-records|mlserver FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROWS = 40
DATATYPES = {"has_card": "BOOL", "debts": "INT64", "income": "FP64", "job": "BYTES"}


def people() -> dict[str, list[Any]]:
    """Return the columns of a table: true and false, whole numbers, numbers of which some are missing, and text."""
    numbers = range(ROWS)
    return {
        "has_card": [number * 7 % 3 == 0 for number in numbers],
        "debts": [number * 5 % 4 for number in numbers],
        "income": [None if number % 11 == 3 else number * 37 % 90 + 0.5 for number in numbers],
        "job": [("none", "casual", "steady")[number * 2 % 3] for number in numbers],
    }


def build(kind: str, folder: Path) -> None:
    """Save a model for a server, and write its own answers to own.json."""
    import numpy as np
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame = pd.DataFrame(people()).astype({"income": float})
    many = pd.concat([frame] * 20, ignore_index=True)
    outcome = np.where(
        many["income"].fillna(30) + 40 * many["has_card"] - 10 * many["debts"] > 45, "approved", "refused"
    )
    encoder = OneHotEncoder(handle_unknown="ignore")
    encoded = make_column_transformer((encoder, ["has_card", "job"]), remainder="passthrough")
    model = make_pipeline(encoded, HistGradientBoostingClassifier(max_iter=20)).fit(many, outcome)
    own = {"labels": model.predict(frame).tolist(), "scores": model.predict_proba(frame).tolist()}
    own["classes"] = model.classes_.tolist()
    folder.mkdir(parents=True)
    (folder / "own.json").write_text(json.dumps(own), "utf-8")
    if kind == "mlserver":
        _save_for_mlserver(model, folder)
    else:
        _save_for_mlflow(model, frame, folder / "model", as_records=kind == "mlflow-records")


def _save_for_mlserver(model: Any, folder: Path) -> None:
    import joblib

    joblib.dump(model, folder / "model.joblib")
    settings = {
        "name": "loans",
        "implementation": "mlserver_sklearn.SKLearnModel",
        "parameters": {"uri": "./model.joblib"},
        "inputs": [{"name": name, "datatype": kind, "shape": [-1, 1]} for name, kind in DATATYPES.items()],
        "outputs": [
            {
                "name": "predict",
                "datatype": "BYTES",
                "shape": [-1, 1],
                "parameters": {"classes": ["approved", "refused"]},
            }
        ],
    }
    (folder / "model-settings.json").write_text(json.dumps(settings), "utf-8")


def _save_for_mlflow(model: Any, frame: Any, folder: Path, *, as_records: bool) -> None:
    import mlflow
    import pandas as pd
    from mlflow.models import ModelSignature
    from mlflow.types import ColSpec, Schema

    types = {"has_card": "boolean", "debts": "long", "income": "double", "job": "string"}
    signature = ModelSignature(inputs=Schema([ColSpec(kind, name) for name, kind in types.items()]))
    if not as_records:
        mlflow.sklearn.save_model(model, folder, signature=signature, serialization_format="cloudpickle")
        return

    class Records(mlflow.pyfunc.PythonModel):  # type: ignore[misc]
        def predict(self, context: Any, model_input: Any, params: Any = None) -> Any:
            return pd.DataFrame(model.predict_proba(model_input), columns=model.classes_)

    mlflow.pyfunc.save_model(folder, python_model=Records(), signature=signature)


if __name__ == "__main__":
    build(sys.argv[1], Path(sys.argv[2]))
