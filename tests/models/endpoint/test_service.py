"""Services: honest ones of both protocols are asked rightly, and dishonest ones end in a sentence."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import ModelError
from ares_core.models import FunctionModel, ask
from ares_core.models.blackbox import rows_at_once
from ares_core.models.endpoint import Address, Patience, service
from ares_core.models.endpoint.dialects import check_path
from ares_core.models.foreign import ForeignModel
from ares_core.models.reading import Reading
from tests.models.endpoint.loans import COLUMNS, PEOPLE, black_box, labels, scores
from tests.patience import PATIENCE
from tests.services import Asked, Reply, kserve, mlflow, served


def test_both_protocols_answer_what_the_model_answers_here() -> None:
    """Numbers, text and empty cells arrive as they are, so answers over HTTP are those of the same function here."""
    here = ask(FunctionModel(labels), PEOPLE)
    with served(mlflow(labels)) as one, served(kserve(labels, COLUMNS)) as other:
        for raw in (one.opened(), other.opened(other.kserve)):
            assert ask(black_box(raw, Reading("1")), PEOPLE).tolist() == here.tolist()
    assert one.asked[0].document["dataframe_split"]["data"][0] == [0.0, 0, None]
    assert {part["name"]: part["datatype"] for part in other.asked[-1].document["inputs"]} == COLUMNS


def test_scores_are_read_against_a_threshold() -> None:
    """A service may give a score for each class; which is read, and from where on, is for the reading to say."""
    with served(mlflow(scores)) as server:
        found = ask(black_box(server.opened(), Reading("score 2", 0.5)), PEOPLE)
        below = ask(black_box(server.opened(), Reading("score 1", 0.5, above=False)), PEOPLE)
    assert found.tolist() == (PEOPLE["income"] / 90 >= 0.5).astype(int).tolist()
    assert below.tolist() == (1 - PEOPLE["income"] / 90 < 0.5).astype(int).tolist()


def test_a_server_of_tensors_is_asked_in_its_own_order() -> None:
    """The columns come from the server's description; one it wants and the table lacks is named."""
    with served(kserve(labels, dict(reversed(COLUMNS.items())))) as server:
        raw = server.opened(server.kserve)
        assert [column.name for column in raw.signature.columns] == ["job", "debts", "income"]
        assert ask(black_box(raw, Reading("1")), PEOPLE).tolist() == labels(PEOPLE)
        with pytest.raises(ModelError, match="wants the column 'job', which the table does not have"):
            ForeignModel.fitted(raw, PEOPLE.drop(columns="job"), Reading("1"))


def test_one_tensor_for_all_columns_takes_numbers_in_the_table_s_order() -> None:
    """A server that wants a matrix gets one; text in it, or another number of columns, is told."""
    metadata = {
        "name": "loans",
        "inputs": [{"name": "x", "datatype": "FP32", "shape": [-1, 2]}],
        "outputs": [{"name": "y", "datatype": "FP32", "shape": [-1, 1]}],
    }

    def reply(asked: Asked) -> Reply:
        if asked.document is None:
            return Reply(metadata)
        (tensor,) = asked.document["inputs"]
        assert tensor["shape"] == [60, 2]
        data = tensor["data"][::2]
        return Reply({"outputs": [{"name": "y", "datatype": "FP32", "shape": [60, 1], "data": data}]})

    with served(reply) as server:
        raw = server.opened(server.kserve)
        numbers = PEOPLE[["income", "debts"]]
        assert raw.answer(numbers, "score").tolist() == PEOPLE["income"].tolist()
        with pytest.raises(ModelError, match="wants 2 columns without saying which; the table has 3"):
            raw.answer(PEOPLE, "score")
        with pytest.raises(ModelError, match="wants numbers in 'x', but a cell holds 'casual'"):
            raw.answer(PEOPLE[["debts", "job"]].iloc[1:], "score")


def test_rows_go_in_batches_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows alike are asked once, within a call and between calls, unless the memory is left out."""
    monkeypatch.setattr(service, "BATCH", 25)
    twice = pd.concat([PEOPLE, PEOPLE], ignore_index=True)
    with served(mlflow(labels)) as server:
        raw = server.opened()
        assert raw.answer(twice, "label").tolist() == labels(twice)
        sizes = [len(asked.document["dataframe_split"]["data"]) for asked in server.asked]
        assert sizes == [25, 25, 10]
        raw.answer(PEOPLE.iloc[::-1], "label")
        assert (raw.calls, raw.budget.rows) == (3, 60)
        raw.without_memory().answer(PEOPLE, "label")
        assert (raw.calls, raw.budget.rows) == (6, 120)


def test_a_service_is_asked_in_steps_somebody_can_watch() -> None:
    """Whoever waits for a service sees how far it is after every few calls; other models are asked in large batches."""
    with served(mlflow(labels)) as server:
        assert rows_at_once(black_box(server.opened(), Reading("1"))) == 5_000
    assert rows_at_once(FunctionModel(labels)) == 100_000


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond its size the oldest answers are forgotten and asked again."""
    monkeypatch.setattr("ares_core.models.endpoint.service.MOST_REMEMBERED", 10)
    with served(mlflow(labels)) as server:
        raw = server.opened()
        raw.answer(PEOPLE, "label")
        raw.answer(PEOPLE.tail(10), "label")
        assert raw.budget.rows == 60
        raw.answer(PEOPLE.head(10), "label")
        assert raw.budget.rows == 70


def test_the_budget_ends_the_asking_before_it_is_overspent() -> None:
    """A question that would be over the budget is not sent at all."""
    with served(mlflow(labels)) as server:
        raw = server.opened(budget=100)
        raw.without_memory().answer(PEOPLE, "label")
        with pytest.raises(ModelError, match=r"asked about 60 rows, and 60 more would be over the budget of 100"):
            raw.without_memory().answer(PEOPLE, "label")
        assert len(server.asked) == 1
        with pytest.raises(ModelError, match="budget is 0 rows"):
            server.opened(budget=0)


def test_a_service_that_is_busy_is_tried_again() -> None:
    """Too many requests, errors of the server and a cut connection pass; the answer then is the right one."""
    troubles = iter([Reply(b"", 429, {"Retry-After": "0"}), Reply(b"x", 503)])
    honest = mlflow(labels)
    with served(lambda asked: next(troubles, None) or honest(asked)) as server:
        raw = server.opened()
        assert raw.answer(PEOPLE, "label").tolist() == labels(PEOPLE)
        assert raw.calls == 3


def test_waits_double_and_are_bounded() -> None:
    """The pause before each further try is twice the last, at least what the service asks for, and never long."""
    patience = Patience(pause=0.5, longest_pause=3.0)
    assert [patience.before(attempt, None) for attempt in (1, 2, 3, 4)] == [0.5, 1.0, 2.0, 3.0]
    assert patience.before(1, 2.0) == 2.0
    assert patience.before(1, 3600.0) == 3.0


def test_a_service_that_never_recovers_is_given_up() -> None:
    """After the last try the sentence says how often it was tried and what came back."""
    with served(lambda asked: Reply(b"", 500)) as server, pytest.raises(ModelError) as caught:
        server.opened().answer(PEOPLE, "label")
    assert (
        str(caught.value)
        == f"The service at {server.origin} gave no answer after 3 tries: it answered with status 500."
    )
    with pytest.raises(ModelError, match="gave no answer after 3 tries: the connection failed"):
        server.opened().answer(PEOPLE, "label")  # nobody listens there any more


@pytest.mark.parametrize(
    ("sent", "seconds", "words"),
    [
        (Reply(b"x" * 1000, drip=0.05), 0.4, "it took longer than 0.4 seconds"),
        (Reply(b"{}", headers={"Content-Length": "5"}), 60.0, "ended in the middle of a sentence"),
    ],
)
def test_a_slow_or_broken_service_is_cut_off(sent: Reply, seconds: float, words: str) -> None:
    """However slowly bytes trickle in, the call ends when its time is over; half an answer is none."""
    hasty = Patience(seconds=seconds, tries=1)
    with served(lambda asked: sent) as server, pytest.raises(ModelError, match=words) as caught:
        server.opened(patience=hasty).answer(PEOPLE, "label")
    assert "no answer at the first try" in str(caught.value)


def test_redirects_are_not_followed() -> None:
    """A service cannot send this server elsewhere, least of all inside."""
    with served(mlflow(labels)) as inside:
        away = Reply(b"", 307, {"Location": inside.mlflow})
        with served(lambda asked: away) as server, pytest.raises(ModelError, match="which is not followed"):
            server.opened().answer(PEOPLE, "label")
        assert inside.asked == []


@pytest.mark.parametrize(
    ("status", "words"), [(400, "with status 400"), (401, "with status 401"), (404, "with status 404")]
)
def test_refusals_are_told_without_what_the_service_wrote(
    status: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that repeats the headers it was sent does not get them onto a page."""
    with served(lambda asked: Reply(json.dumps(dict(asked.headers)).encode(), status)) as server:
        monkeypatch.setenv("ARES_HEADERS", json.dumps({server.origin: {"X-Key": "s3cret"}}))
        with pytest.raises(ModelError, match=words) as caught:
            server.opened().answer(PEOPLE, "label")
        assert server.asked[0].headers["x-key"] == "s3cret"
    assert "s3cret" not in f"{caught.value}{caught.value.hint}"


def test_nested_tensors_and_several_outputs_are_found() -> None:
    """Labels are taken from the tensor of whole numbers or text, scores from that of floats."""
    outputs = [
        {"name": "chance", "datatype": "FP64", "shape": [60, 2], "data": scores(PEOPLE)},
        {"name": "label", "datatype": "BYTES", "shape": [60, 1], "data": [["good"]] * 60},
    ]
    inputs = [{"name": name, "datatype": kind, "shape": [-1, 1]} for name, kind in COLUMNS.items()]
    metadata = {"name": "loans", "inputs": inputs, "outputs": [{**each, "data": None} for each in outputs]}
    with served(lambda asked: Reply(metadata if asked.document is None else {"outputs": outputs})) as server:
        raw = server.opened(server.kserve)
        assert raw.signature.outputs == ("label", "score")
        assert set(raw.answer(PEOPLE, "label").tolist()) == {"good"}
        assert np.allclose(raw.answer(PEOPLE, "score"), scores(PEOPLE))


def test_an_address_of_neither_protocol_is_refused() -> None:
    """Which protocol a service speaks stands in its address; nothing is tried out."""
    with served(mlflow(labels)) as server:
        with pytest.raises(ModelError, match="that of no model service known here"):
            server.opened(f"{server.origin}/predict")
        assert server.asked == []


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("/invocations", None),
        ("/serving/loans/invocations", None),
        ("/v2/models/loans", "/v2/models/loans"),
        ("/v2/models/loans/infer", "/v2/models/loans"),
        ("/gate/v2/models/loans/versions/3/infer", "/gate/v2/models/loans/versions/3"),
    ],
)
def test_the_path_tells_the_protocol(path: str, model: str | None) -> None:
    """Whatever stands before it, the end of a path says which protocol is spoken, and of which model."""
    assert check_path(Address("https", "host", 443, path)) == model


def test_the_digest_follows_address_and_description() -> None:
    """Another address or another description is another model."""
    with served(kserve(labels, COLUMNS)) as one, served(kserve(labels, {"income": "FP64"})) as other:
        first, second = one.opened(one.kserve), other.opened(other.kserve)
        again = one.opened(one.kserve)
    assert first.sha256 == again.sha256 != second.sha256


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for this machine that nobody vouches for, with its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl on this machine to make a certificate with")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    files = ["-keyout", str(path), "-out", str(path)]
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files]
    subprocess.run(made, check=True, capture_output=True, timeout=PATIENCE)
    return path


def test_a_certificate_must_be_known(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that cannot show who it is hears no question, and one that can is asked like any other."""
    with served(mlflow(labels), certificate) as server:
        url = server.mlflow.replace("http:", "https:")
        with pytest.raises(ModelError, match=r"certificate of 127\.0\.0\.1 cannot be trusted: self-signed"):
            server.opened(url).answer(PEOPLE, "label")
        assert server.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert server.opened(url).answer(PEOPLE, "label").tolist() == labels(PEOPLE)
        with pytest.raises(ModelError, match="gave no answer"):
            server.opened().answer(PEOPLE, "label")  # in the clear
