"""Models from elsewhere on the command line: every format and both protocols, from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.models import parse_rule_model
from ares_core.people import read_csv
from tests.commands import Captured, refusal, run
from tests.saved_models import SAVED, needs_sandbox, table
from tests.services import Asked, Reply, kserve, mlflow, served

AUDIT = ["audit", "loans.csv", "--target", "loan", "--favourable", "granted", "--max-rules", "3", "--quiet"]
FEW = ["--max-changes", "1", "--condition-width", "2", "--selection", "paper"]
ONE = ["--favourable-answer", "1"]
PERSON = ["person", "run.json", "loans.csv"]


@pytest.fixture(autouse=True)
def loans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a table."""
    table().to_csv(tmp_path / "loans.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def recorded(name: str = "run.json") -> dict[str, Any]:
    """Return a run file."""
    document: dict[str, Any] = json.loads(Path(name).read_text("utf-8"))
    return document


def refused_rows(run_file: dict[str, Any]) -> list[int]:
    """Return the rows of everybody a run says is refused."""
    return sorted(run_file["split"]["learn"] + run_file["split"]["check"])


@needs_sandbox
@pytest.mark.parametrize("kind", SAVED)
def test_each_format_is_audited_as_it_answers_here(kind: str, capsys: Captured) -> None:
    """Whatever the file is called, the audit refuses exactly whom the model refuses in this process."""
    saved = SAVED[kind]()
    Path("model.txt").write_bytes(saved.content)
    asked = ["--threshold", "0.5"] if kind in ("xgboost", "lightgbm") else []  # they give a score without a name
    assert run(*AUDIT, *FEW, *asked, "--model", "model.txt", "--json", "run.json") == 0
    told, found = capsys.readouterr().out, recorded()
    assert refused_rows(found) == np.flatnonzero(~saved.answers(table())).tolist()
    assert found["model"]["kind"] == kind
    assert "seccomp" in found["model"]["sandbox"]
    assert "seccomp" in told
    assert "Deterministic: yes." in told
    assert found["behaviour"]["again"] == 0
    assert "Same answers in other batches: yes." in " ".join(told.split())
    assert found["behaviour"]["recheck"]["passed"] is True


@needs_sandbox
def test_a_model_trained_here_can_be_kept_and_brought_back(capsys: Captured) -> None:
    """What was trained on half of the rows answers the same from its file, and audits all of them."""
    assert run(*AUDIT, *FEW, "--train", "dt", "--save-model", "kept.skops", "--json", "trained.json") == 0
    assert run(*AUDIT, *FEW, "--model", "kept.skops", "--favourable-answer", "1", "--json", "run.json") == 0
    trained, brought = recorded("trained.json"), recorded()
    audited = set(range(240)) - set(trained["split"]["trained"])
    assert [row for row in refused_rows(brought) if row in audited] == refused_rows(trained)
    reading = {"output": "label", "favourable": "1", "threshold": None, "above": True, "ties": "higher"}
    assert brought["model"]["reading"] == reading
    capsys.readouterr()


@needs_sandbox
def test_a_threshold_reads_scores(capsys: Captured) -> None:
    """Class, threshold and side are what the options say, and `person` takes them from the run file."""
    saved = SAVED["skops"]()
    Path("model.skops").write_bytes(saved.content)
    options = ["--model", "model.skops", "--threshold", "0.1", "--score", "refused", "--below"]
    assert run(*AUDIT, *FEW, *options, "--json", "run.json") == 0
    found = recorded()
    reading = {"output": "score", "favourable": "refused", "threshold": 0.1, "above": False, "ties": "lower"}
    assert found["model"]["reading"] == reading
    strict = set(np.flatnonzero(~saved.answers(table())).tolist())
    assert strict < set(refused_rows(found))
    capsys.readouterr()
    assert run(*PERSON, "--model", "model.skops", "--row", str(refused_rows(found)[0])) == 0
    assert "the model refuses this person" in capsys.readouterr().out
    assert "not the one the run was made with" in refusal(
        run(*PERSON, "--model", "model.skops", "--threshold", "0.7", "--row", "0"), capsys
    )


def decide(frame: pd.DataFrame) -> list[int]:
    """Grant loans to people with income enough for their debts."""
    return [int(row.income > 20 * row.debts) for row in frame.itertuples()]


@pytest.mark.parametrize("protocol", ["mlflow", "kserve"])
def test_a_service_is_audited_as_it_answers_here(
    protocol: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both protocols, with headers from the environment that are written nowhere."""
    columns = {"income": "INT64", "debts": "INT64"}
    with served(mlflow(decide) if protocol == "mlflow" else kserve(decide, columns)) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        monkeypatch.setenv("ARES_HEADERS", json.dumps({server.origin: {"X-Key": "s3cret"}}))
        address = server.mlflow if protocol == "mlflow" else server.kserve
        assert run(*AUDIT, *FEW, *ONE, "--model", address, "--json", "run.json") == 0
        assert all(asked.headers["x-key"] == "s3cret" for asked in server.asked)
    told, found = capsys.readouterr().out, recorded()
    assert refused_rows(found) == np.flatnonzero(np.array(decide(table())) == 0).tolist()
    assert (found["model"]["kind"], found["model"]["address"]) == (protocol, address)
    assert found["model"]["sandbox"] is None
    assert "the budget is 1,000,000." in told
    assert "s3cret" not in told + json.dumps(found)


def test_a_service_without_metadata_can_be_described(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a description the hint names the option; with one, exactly the described columns are sent."""
    answer = kserve(decide, {"income": "INT64", "debts": "INT64"})

    def silent(asked: Asked) -> Reply:
        return answer(asked) if asked.document is not None else Reply({"error": "no metadata"}, 404)

    inputs = [{"name": name, "datatype": "INT64"} for name in ("income", "debts")]
    document = {"inputs": inputs, "outputs": [{"name": "predict", "datatype": "INT64"}]}
    Path("service.json").write_text(json.dumps(document), "utf-8")
    with served(silent) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        asked = [*AUDIT, *FEW, *ONE, "--model", server.kserve]
        assert "--service-description FILE" in refusal(run(*asked), capsys)
        assert run(*asked, "--service-description", "service.json", "--json", "run.json") == 0
        capsys.readouterr()
    assert refused_rows(recorded()) == np.flatnonzero(np.array(decide(table())) == 0).tolist()
    Path("service.json").write_text("{}", "utf-8")
    assert 'no "inputs"' in refusal(run(*asked, "--service-description", "service.json"), capsys)


def test_a_service_that_cheats_the_audit_is_found_out(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that accepts everybody in large batches passes the check of the 240 people, and then warns on top of all."""
    with served(mlflow(lambda frame: decide(frame) if len(frame) <= 240 else [1] * len(frame))) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        assert run(*AUDIT, *FEW, *ONE, "--model", server.mlflow, "--json", "run.json") == 0
    told, found = " ".join(capsys.readouterr().out.split()), recorded()["behaviour"]
    assert told.startswith("WARNING: Asked again about ")
    assert "The figures of this audit are not to be trusted." in told
    assert "Independent of who else is asked about: yes." in told
    assert found["recheck"]["rows_differ"] > 0
    assert found["warning"] == found["recheck"]["words"]


def test_a_budget_ends_an_audit_in_a_sentence(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written when the rows allowed do not suffice."""
    with served(mlflow(decide)) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        code = run(*AUDIT, *ONE, "--model", server.mlflow, "--budget", "300", "--json", "run.json")
    assert "over the budget of 300" in refusal(code, capsys)
    assert not Path("run.json").exists()


@pytest.mark.parametrize(
    ("predictions", "options", "words"),
    [
        (["a", "b"], [], "answers 'a' and 'b', and nothing says which is favourable"),
        (["a", "b"], ["--favourable-answer", "c"], "answers 'a' and 'b', never 'c'"),
        (["a", "b"], ["--threshold", "0.5"], "gives labels and no scores"),
        (["a", "b", "c"], [], "3 different labels"),
        ([[0.1, 0.2, 0.7]], ["--threshold", "0.5", "--score", "x"], "gives no score for 'x'"),
    ],
)
def test_answers_that_cannot_be_read_are_told(
    predictions: list[Any], options: list[str], words: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not say which answer is favourable, or is none, ends with exit 2, a sentence and a hint."""

    def reply(frame: pd.DataFrame) -> list[Any]:
        return [predictions[place % len(predictions)] for place in range(len(frame))]

    with served(mlflow(reply)) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        assert words in refusal(run(*AUDIT, *options, "--model", server.mlflow), capsys)


@needs_sandbox
def test_files_are_told_by_what_they_hold(capsys: Captured) -> None:
    """A pickle is refused whatever it is called, and columns the table lacks are named."""
    Path("model.skops").write_bytes(b"\x80\x04K\x01.")
    assert "is a pickle" in refusal(run(*AUDIT, "--model", "model.skops"), capsys)
    Path("model.skops").write_bytes(SAVED["skops"]().content)
    table().drop(columns="job").to_csv("loans.csv", index=False)
    assert "wants the column 'job'" in refusal(run(*AUDIT, "--model", "model.skops"), capsys)


def test_without_a_sandbox_no_model_file_is_opened(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator who turns the sandbox off turns model files off, and rules still work."""
    monkeypatch.setenv("ARES_SANDBOX", "none")
    Path("model.skops").write_bytes(SAVED["skops"]().content)
    assert "No model file can be opened" in refusal(run(*AUDIT, "--model", "model.skops"), capsys)
    rule = {"before": [{"feature": "job", "equals": "none"}], "after": [{"feature": "job", "equals": "steady"}]}
    content = json.dumps({"format": "ares-rules", "rules": [rule]}).encode()
    Path("rules.bin").write_bytes(content)
    assert run(*AUDIT, *FEW, "--model", "rules.bin", "--json", "run.json") == 0
    accepted = parse_rule_model(content, "rules").predict(read_csv(Path("loans.csv")).frame)
    assert refused_rows(recorded()) == np.flatnonzero(accepted == 0).tolist()
    capsys.readouterr()


def test_outputs_are_checked_before_any_work(capsys: Captured) -> None:
    """A model cannot be saved over an input, over the run file, or into a folder that is not there."""
    train = [*AUDIT, "--train", "dt"]
    for output, words in (("loans.csv", "is also an input"), ("gone/m.skops", "does not exist")):
        assert words in refusal(run(*train, "--save-model", output), capsys)
    assert "named twice" in refusal(run(*train, "--save-model", "out", "--json", "out"), capsys)
