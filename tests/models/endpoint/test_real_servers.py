"""Real MLflow and MLServer servers: their models refuse exactly whom the models themselves refuse.

Recordings stand for the servers in every run; `make test-long` asks the servers themselves.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import ModelError
from ares_core.models import ask
from ares_core.models.endpoint import Service
from ares_core.models.foreign import ForeignModel
from ares_core.models.inspection import inspect_model
from ares_core.models.reading import Reading
from tests.models.endpoint.real_servers import KINDS, RECORDINGS, home_folder, people, running
from tests.services import Asked, Reply, served

TOP = Path(__file__).resolve().parents[3]
DATA_KEYS = {"mlflow-labels": "dataframe_split", "mlflow-records": "dataframe_split", "mlserver": "inputs"}


def replayed(recording: dict[str, Any]) -> Any:
    """Return the replies of a recorded server; a question that was not recorded is refused."""
    known = {(each["path"], json.dumps(each["asked"])): each for each in recording["exchanges"]}

    def reply(asked: Asked) -> Reply:
        found = known.get((asked.path, json.dumps(asked.document)))
        if found is None:
            return Reply({"error": "this was not asked when the server was recorded"}, 418)
        return Reply(found["answer"], found["status"])

    return reply


def check_answers(raw: Service, own: dict[str, Any], kind: str) -> None:
    """Check that labels and scores are the model's own, and that classes have names."""
    frame = people()
    approved = [label == "approved" for label in own["labels"]]
    found = inspect_model(raw, frame)
    if kind != "mlflow-records":
        assert ask(ForeignModel.fitted(raw, frame, Reading("approved")), frame).astype(bool).tolist() == approved
    if kind != "mlflow-labels":
        assert [spread.name for spread in found.spreads] == own["classes"] == ["approved", "refused"]
        assert np.allclose(raw.answer(frame, "score"), own["scores"], rtol=0, atol=1e-12)
        scored = ForeignModel.fitted(raw, frame, Reading("approved", 0.5))
        assert ask(scored, frame).astype(bool).tolist() == [row[0] >= 0.5 for row in own["scores"]]


@pytest.mark.parametrize("kind", KINDS)
def test_recorded_servers_are_asked_and_read_exactly(kind: str) -> None:
    """Questions are those the real server was asked, cell by cell, and its answers are the model's own."""
    recording = json.loads((RECORDINGS / f"{kind}.json").read_text("utf-8"))
    with served(replayed(recording)) as server:
        raw = server.opened(server.origin + recording["path"])
        check_answers(raw, recording["own"], kind)
        frame = people()
        with pytest.raises(ModelError) as caught:
            raw.answer(frame.head(2).drop(columns="debts"), "label")
    asked = next(each["asked"] for each in recording["exchanges"] if each["asked"] is not None)
    cells = asked[DATA_KEYS[kind]]
    shown = cells["data"] if kind != "mlserver" else list(zip(*(part["data"] for part in cells), strict=True))
    assert [type(cell) for cell in shown[0]] == [bool, int, float, str]
    if kind != "mlserver":  # which answers 500, without a word
        assert "with status 400: Failed to predict data" in str(caught.value)
        assert "Model is missing inputs ['debts']" in str(caught.value)


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Any:
    """Serve a model with the real server, in an environment that is made for it once."""
    try:
        with running(request.param, home_folder(TOP / ".pytest_cache" / "servers")) as found:
            yield request.param, found
    except subprocess.CalledProcessError as error:
        pytest.skip(f"the server cannot be installed or its model not built: {error.stderr}")


@pytest.mark.long
def test_real_servers_answer_as_their_models(server: Any) -> None:
    """The servers of today answer as the recorded ones did."""
    kind, found = server
    check_answers(found.opened(), found.own, kind)


@pytest.mark.long
def test_real_servers_misread_what_is_never_sent(server: Any) -> None:
    """Both servers take 'False' or a missing truth value without a word; this is why neither is sent."""
    kind, found = server
    frame = people()
    raw = found.opened()
    if kind == "mlflow-labels":
        as_text = raw.answer(frame.assign(has_card=frame["has_card"].map(str)), "label")
        all_true = raw.answer(frame.assign(has_card=True), "label")
        assert as_text.tolist() == all_true.tolist() != found.own["labels"]
    elif kind == "mlserver":
        missing = frame.assign(has_card=pd.array([None] * len(frame), dtype="boolean"))
        with pytest.raises(ModelError, match="wants true or false in 'has_card', which has empty cells"):
            raw.answer(missing, "label")
