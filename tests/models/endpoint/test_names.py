"""Names of answers: classes that a service names are known by these names, in labels and scores."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ares_core.errors import ModelError
from ares_core.models import ask
from ares_core.models.endpoint import parse_description
from ares_core.models.inspection import inspect_model
from ares_core.models.reading import Reading
from tests.models.endpoint.loans import COLUMNS, PEOPLE, black_box, labels, scores
from tests.services import Asked, Reply, kserve, mlflow, served

APPROVED = (PEOPLE["income"] / 90 >= 0.5).astype(int).tolist()


def records(*names: str, label: str = "") -> Any:
    """Return what answers with a record for each row: scores by these names, and a label if it has a name."""

    def predict(frame: Any) -> list[dict[str, Any]]:
        found = [dict(zip(names, row, strict=True)) for row in scores(frame)]
        return [{label: "yes" if row[names[1]] >= 0.5 else "no", **row} if label else row for row in found]

    return predict


def test_records_of_scores_keep_their_names() -> None:
    """A table with a column for each class gives scores by the names of its columns."""
    with served(mlflow(records("refused", "approved"))) as server:
        raw = server.opened()
        digest = raw.sha256
        found = inspect_model(raw, PEOPLE)
        assert [spread.name for spread in found.spreads] == ["refused", "approved"]
        assert (found.labels, found.signature.classes) == ((), ("refused", "approved"))
        assert raw.sha256 == found.sha256 == digest, "what answers show does not change the digest"
        assert ask(black_box(raw, Reading("approved", 0.5)), PEOPLE).tolist() == APPROVED
        fresh = black_box(server.opened(), Reading("approved", 0.5)).without_memory()
        assert ask(fresh, PEOPLE).tolist() == APPROVED


@pytest.mark.parametrize(
    ("names", "classes"),
    [
        (("no", "yes"), ("no", "yes")),
        (("p_no", "p_yes"), ("no", "yes")),
        (("no_share", "yes_share"), ("no", "yes")),
        (("first", "second"), ()),
    ],
)
def test_records_of_labels_and_scores_give_both(names: tuple[str, str], classes: tuple[str, ...]) -> None:
    """Scores are named after the labels where their names tell which is which; labels stay two."""
    with served(mlflow(records(*names, label="decision"))) as server:
        raw = server.opened()
        found = inspect_model(raw, PEOPLE)
        assert dict(found.labels) == {"yes": sum(APPROVED), "no": 60 - sum(APPROVED)}
        assert [spread.name for spread in found.spreads] == list(classes or ("score 1", "score 2"))
        assert len(server.asked) == 1, "one answer holds both"
        for reading in (Reading("yes"), Reading(classes[1] if classes else "score 2", 0.5)):
            assert ask(black_box(raw, reading), PEOPLE).tolist() == APPROVED


def test_a_record_of_one_name_is_what_it_holds() -> None:
    """A table with one column is a list of labels."""
    with served(mlflow(lambda frame: [{"prediction": value} for value in labels(frame)])) as server:
        assert ask(black_box(server.opened(), Reading("1")), PEOPLE).tolist() == labels(PEOPLE)


def test_labels_beside_a_list_of_scores_give_both() -> None:
    """A column may hold a list of scores for each row."""
    whole = records("no", "yes", label="decision")

    def predict(frame: Any) -> list[dict[str, Any]]:
        return [{"label": row["decision"], "probability": [row["no"], row["yes"]]} for row in whole(frame)]

    with served(mlflow(predict)) as server:
        found = inspect_model(server.opened(), PEOPLE)
    assert [spread.name for spread in found.spreads] == ["score 1", "score 2"]
    assert dict(found.labels)["yes"] == sum(APPROVED)


def test_one_score_of_one_class_is_read_and_one_of_each_label_is_not() -> None:
    """A score beside a label may be that of the label, 0.9 for a sure yes and for a sure no: no threshold fits it."""
    whole = records("no", "yes", label="decision")

    def of_class(frame: Any) -> list[dict[str, Any]]:
        return [{"label": row["decision"], "score": row["yes"]} for row in whole(frame)]

    def of_label(frame: Any) -> list[dict[str, Any]]:
        return [{"label": row["decision"], "score": max(row["yes"], row["no"])} for row in whole(frame)]

    with served(mlflow(of_class)) as server:
        assert ask(black_box(server.opened(), Reading("", 0.5)), PEOPLE).tolist() == APPROVED
    with served(mlflow(of_label)) as server:
        raw = server.opened()
        found = inspect_model(raw, PEOPLE)
        assert (found.spreads, dict(found.labels)["yes"]) == ((), sum(APPROVED))
        with pytest.raises(ModelError, match="answered with text"):
            ask(black_box(raw, Reading("", 0.5)), PEOPLE)


def test_names_that_change_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores are found by name, so another order is the same answer, and another name is none."""
    monkeypatch.setattr("ares_core.models.endpoint.service.BATCH", 20)
    batches = iter(["refused approved", "approved refused", "refused granted"])

    def predict(frame: Any) -> list[dict[str, Any]]:
        order = next(batches).split()
        return [{name: share if name != "refused" else 1 - share for name in order} for _, share in scores(frame)]

    with served(mlflow(predict)) as server:
        raw = server.opened()
        assert np.allclose(raw.answer(PEOPLE.head(40), "score"), scores(PEOPLE.head(40)))
        with pytest.raises(ModelError, match="named its answers 'refused', 'granted', and differently before"):
            raw.answer(PEOPLE, "score")


def test_a_v2_server_is_asked_for_predict_proba() -> None:
    """MLServer lists labels alone and gives scores when it is asked for them by name."""
    with served(kserve(labels, COLUMNS, scores=scores)) as server:
        raw = server.opened(server.kserve)
        assert raw.signature.outputs == ("label", "score")
        assert raw.answer(PEOPLE, "label").tolist() == labels(PEOPLE)
        assert "outputs" not in server.asked[-1].document
        assert np.allclose(raw.answer(PEOPLE, "score"), scores(PEOPLE))
        assert server.asked[-1].document["outputs"] == [{"name": "predict_proba"}]
        assert ask(black_box(raw, Reading("score 2", 0.5)), PEOPLE).tolist() == APPROVED


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_v2_server_that_refuses_predict_proba_gives_labels(status: int) -> None:
    """The refusal is met once, and the model is read by its labels."""
    honest = kserve(labels, COLUMNS)

    def reply(asked: Asked) -> Reply:
        named = asked.document is not None and "outputs" in asked.document
        return Reply({"error": "no such output"}, status) if named else honest(asked)

    with served(reply) as server:
        raw = server.opened(server.kserve)
        found = inspect_model(raw, PEOPLE)
        assert (found.spreads, dict(found.labels)["1"]) == ((), sum(labels(PEOPLE)))
        calls = len(server.asked)
        raw.without_memory().answer(PEOPLE, "score")
        assert len(server.asked) == calls + 1, "it is not asked for scores again"


def test_a_v2_server_that_ignores_the_wish_gives_labels() -> None:
    """Scores that were asked for and did not come are not made of labels."""
    honest = kserve(labels, COLUMNS)

    def reply(asked: Asked) -> Reply:
        document = {key: value for key, value in (asked.document or {}).items() if key != "outputs"}
        return honest(Asked(asked.path, asked.headers, document or None))

    with served(reply) as server:
        assert inspect_model(server.opened(server.kserve), PEOPLE).spreads == ()


def test_a_user_describes_a_v2_service_that_does_not() -> None:
    """With a description the server is not asked what its model wants, and classes have names."""
    honest = kserve(labels, COLUMNS, scores=scores)

    def reply(asked: Asked) -> Reply:
        return Reply({"error": "Model loans not found"}, 404) if asked.document is None else honest(asked)

    inputs = [{"name": name, "datatype": kind} for name, kind in COLUMNS.items()]
    outputs = [{"name": "predict", "datatype": "INT64", "classes": ["refused", "approved"]}]
    with served(reply) as server:
        with pytest.raises(
            ModelError, match=r"does not describe its model\. .* status 404: Model loans not found"
        ) as no:
            server.opened(server.kserve)
        assert "describe the model's inputs and outputs yourself" in no.value.hint
        description = parse_description(json.dumps({"inputs": inputs, "outputs": outputs}))
        raw = server.opened(server.kserve, description=description)
        found = ask(black_box(raw, Reading("approved", 0.5)), PEOPLE)
        assert found.tolist() == APPROVED
        assert (
            raw.sha256
            != server.opened(server.kserve, description=parse_description(json.dumps({"inputs": inputs}))).sha256
        )
    assert [asked.path for asked in server.asked[1:]] == ["/v2/models/loans/infer"]


def test_tensors_of_several_columns_are_read_by_name() -> None:
    """A table that a V2 server returns comes as a tensor for each column."""
    columns = {"decision": "BYTES", "p_no": "FP64", "p_yes": "FP64"}
    whole = records("p_no", "p_yes", label="decision")(PEOPLE)
    listed = [{"name": name, "datatype": kind, "shape": [-1, 1]} for name, kind in columns.items()]
    inputs = [{"name": name, "datatype": kind, "shape": [-1, 1]} for name, kind in COLUMNS.items()]

    def reply(asked: Asked) -> Reply:
        if asked.document is None:
            return Reply({"inputs": inputs, "outputs": listed})
        names = [each["name"] for each in asked.document["outputs"]]
        data = {name: [row[name] for row in whole] for name in names}
        return Reply(
            {"outputs": [{"name": n, "datatype": columns[n], "shape": [60, 1], "data": data[n]} for n in names]}
        )

    with served(reply) as server:
        raw = server.opened(server.kserve)
        for reading in (Reading("yes", 0.5), Reading("yes")):
            assert ask(black_box(raw, reading), PEOPLE).tolist() == APPROVED
        found = inspect_model(raw, PEOPLE)
        assert [spread.name for spread in found.spreads] == ["no", "yes"]
        assert set(dict(found.labels)) == {"no", "yes"}
