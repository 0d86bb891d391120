"""Types on the wire: what a table holds is what the model behind a service is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

from ares_core.errors import ModelError
from ares_core.models import ask
from ares_core.models.endpoint import parse_description
from ares_core.models.foreign import ForeignModel
from ares_core.models.reading import Reading
from tests.services import kserve, mlflow, served

DATATYPES = {"has_card": "BOOL", "debts": "INT64", "income": "FP64", "job": "BYTES", "code": "BYTES"}
SIGNATURE = {"has_card": "boolean", "debts": "long", "income": "double", "job": "string", "code": "string"}


def people() -> pd.DataFrame:
    """Return people with a column of each type; codes are text that looks like numbers."""
    random = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "has_card": random.random(300) < 0.5,
            "debts": random.integers(0, 5, 300),
            "income": random.random(300) * 90,
            "job": random.choice(["none", "casual", "steady"], 300),
            "code": random.choice(["007", "042", "7"], 300),
        }
    )


def trained(frame: pd.DataFrame) -> Pipeline:
    """Return a model that turns on whether somebody has a card, and on every other column."""
    points = frame["income"] + 40 * frame["has_card"] - 10 * frame["debts"] + 15 * (frame["code"] == "007")
    encoded = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["has_card", "job", "code"]), remainder="passthrough"
    )
    return make_pipeline(encoded, LogisticRegression(max_iter=5_000)).fit(
        frame, np.where(points > 50, "approved", "refused")
    )


def answers(model: Pipeline) -> Any:
    """Return what a server of the model answers."""
    return lambda frame: model.predict(frame[list(DATATYPES)]).tolist()


def test_true_and_false_reach_mlflow_as_they_are() -> None:
    """MLflow with a signature refuses exactly whom the model itself refuses: 'False' as text would be true there."""
    frame = people()
    frame["code"] = "code " + frame["code"]  # text that spells numbers needs a description
    model = trained(frame)
    own = model.predict(frame) == "approved"
    with served(mlflow(answers(model), SIGNATURE)) as server:
        box = ForeignModel.fitted(server.opened(), frame, Reading("approved"))
        assert ask(box, frame).astype(bool).tolist() == own.tolist()
        as_text = frame.assign(has_card=frame["has_card"].map(str))
        wrong = ask(ForeignModel.fitted(server.opened(), as_text, Reading("approved")), as_text)
    assert wrong.astype(bool).tolist() != own.tolist(), "the server must turn 'False' into true, as MLflow does"
    sent = server.asked[0].document["dataframe_split"]["data"][0]
    assert [type(cell) for cell in sent] == [bool, int, float, str, str]


def test_tensors_of_every_type_reach_a_v2_server_as_they_are() -> None:
    """The server's metadata decide: true and false, whole numbers, numbers and text go each in their own tensor."""
    frame = people()
    model = trained(frame)
    own = (model.predict(frame) == "approved").tolist()
    with served(kserve(answers(model), DATATYPES, "BYTES")) as server:
        raw = server.opened(server.kserve)
        kinds = {column.name: column.kind for column in raw.signature.columns}
        for shown in (frame, frame.assign(has_card=frame["has_card"].astype(int), debts=frame["debts"].astype(float))):
            box = ForeignModel.fitted(raw, shown, Reading("approved"))
            assert ask(box, shown).astype(bool).tolist() == own
        with pytest.raises(ModelError, match=r"wants whole numbers in column 'debts', which holds 0\.5"):
            ForeignModel.fitted(raw, frame.assign(debts=0.5), Reading("approved"))
    assert kinds == dict(
        zip(DATATYPES, ["true/false", "whole number", "number", "text", "text"], strict=True),
    )


def test_a_description_tells_mlflow_columns_their_types() -> None:
    """MLflow does not tell its signature; the user can, and codes that a table holds as numbers go as text."""
    frame = people().assign(code="7")
    model = trained(frame)
    numbers = frame.assign(code=7, has_card=frame["has_card"].astype(int))
    inputs = ", ".join(f'{{"name": "{name}", "type": "{kind}"}}' for name, kind in SIGNATURE.items())
    description = parse_description(f'{{"inputs": [{inputs}]}}')
    with served(mlflow(answers(model), SIGNATURE)) as server:
        raw = server.opened(description=description)
        box = ForeignModel.fitted(raw, numbers, Reading("approved"))
        assert ask(box, numbers).astype(bool).tolist() == (model.predict(frame) == "approved").tolist()
        assert server.asked[0].document["dataframe_split"]["data"][0][4] == "7"
        missing = frame.assign(has_card=frame["has_card"].astype("boolean").mask(frame.index == 5))
        with pytest.raises(ModelError, match="wants true or false in 'has_card', which has empty cells"):
            ask(ForeignModel.fitted(raw, missing, Reading("approved")), missing)
        with pytest.raises(ModelError, match="one input of several columns, which MLflow does not take"):
            server.opened(
                description=parse_description('{"inputs": [{"name": "x", "type": "double", "shape": [-1, 2]}]}')
            )
