"""Scores at the threshold on the command line: the run says which side they are on, and a person is answered alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Captured, refusal, run
from tests.models.loaders.test_ties import GOOD, TABLE, of_xgboost
from tests.saved_models import needs_sandbox

OPTIONS = ["--target", "loan", "--favourable", "granted", "--model", "model.json"]
FEW = ["--max-rules", "3", "--max-changes", "1", "--condition-width", "2", "--selection", "paper", "--quiet"]

pytestmark = needs_sandbox


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a table and an XGBoost file that leaves people at exactly 0.5."""
    monkeypatch.chdir(tmp_path)
    TABLE.assign(loan=["granted" if good else "refused" for good in GOOD]).to_csv("loans.csv", index=False)
    Path("model.json").write_bytes(of_xgboost()[1])


def recorded() -> dict[str, Any]:
    """Return the run file."""
    document: dict[str, Any] = json.loads(Path("run.json").read_text("utf-8"))
    return document


@pytest.mark.parametrize("ties", [None, "lower", "higher"])
def test_the_run_says_which_side_a_tie_is_on(ties: str | None, capsys: Captured) -> None:
    """By default it is XGBoost's own: 1 only above 0.5. The text and the run say how many people are concerned."""
    answers = of_xgboost()[2]
    explicit = [] if ties is None else ["--ties", ties]
    assert run("audit", "loans.csv", *OPTIONS, *FEW, "--threshold", "0.5", *explicit, "--json", "run.json") == 0
    document, text = recorded(), capsys.readouterr().out
    assert document["model"]["reading"]["ties"] == (ties or "lower")
    tied = next(int(note.split()[0]) for note in document["notes"] if "score exactly 0.5" in note)
    assert tied > 5
    assert document["data"]["affected"] == int((answers == 0).sum()) - (tied if ties == "higher" else 0)
    assert ("A score of 0.5 or more" if ties == "higher" else "A score above 0.5") in text
    assert f"{tied} people score exactly 0.5" in text.replace("\n", " ")


def test_a_run_from_before_there_was_a_choice_is_still_answered_from(capsys: Captured) -> None:
    """Its reading says nothing of ties, which then counted as higher, and its digest is the same."""
    arguments = ["--threshold", "0.5", "--ties", "higher", "--json", "run.json"]
    assert run("audit", "loans.csv", *OPTIONS, *FEW, *arguments) == 0
    document = recorded()
    del document["model"]["reading"]["ties"]
    Path("run.json").write_text(json.dumps(document), "utf-8")
    row = str(document["split"]["learn"][0])
    capsys.readouterr()
    assert run("person", "run.json", "loans.csv", "--model", "model.json", "--row", row) == 0


def test_what_is_to_be_chosen_comes_with_its_side(capsys: Captured) -> None:
    """The hint lists both readings, each with the option that says where a tie belongs."""
    words = refusal(run("audit", "loans.csv", *OPTIONS, *FEW), capsys)
    assert "--threshold 0.5 --ties lower (refuses" in words
    assert "--threshold 0.5 --below --ties lower (refuses" in words
    assert "score exactly 0.5, which counts as lower" in words


def test_a_side_without_a_threshold_is_refused(capsys: Captured) -> None:
    """Labels have no ties."""
    words = refusal(run("audit", "loans.csv", *OPTIONS, *FEW, "--favourable-answer", "1", "--ties", "lower"), capsys)
    assert "'--ties' does not go with labels" in words
