"""True and false on the command line: the same audit whichever way a table was saved, and what models are asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from ares_core.audit import People, Request, described, person_recourse, run_audit, run_to_json
from ares_core.costs import Costs
from ares_core.models import read_rule_model
from ares_core.people import Schema, read_table
from ares_core.settings import Settings
from ares_core.worker.desk import Met
from ares_core.worker.persons import place_of, what_if
from tests.commands import Captured, run
from tests.saved_models import needs_sandbox

SETTINGS = ["--subgroup", "job", "--max-rules", "2", "--max-changes", "1", "--selection", "paper", "--quiet"]
RULES: dict[str, Any] = {
    "format": "ares-rules",
    "rules": [
        {"before": [{"feature": "card", "equals": False}], "after": [{"feature": "card", "equals": True}]},
        {
            "subgroup": [{"feature": "job", "equals": "b"}],
            "before": [{"feature": "debts", "equals": True}],
            "after": [{"feature": "debts", "equals": False}],
        },
    ],
}


def people(count: int = 160) -> pd.DataFrame:
    """Return people with true and false, with and without gaps, and a true or false outcome."""
    rng = np.random.default_rng(5)
    card, income = rng.random(count) < 0.6, rng.integers(10, 60, count)
    debts = pd.array(rng.choice([True, False, None], count, p=[0.4, 0.45, 0.15]), dtype="boolean")
    jobs = pd.Series(rng.choice(["a", "b", "c"], count), dtype="str")
    good = (income > 25) & card & (rng.random(count) < 0.9) & ~pd.Series(debts).fillna(False).to_numpy(bool)
    return pd.DataFrame({"card": card, "debts": debts, "income": income, "job": jobs, "good": good})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the table, saved both ways, and a rule model."""
    people().to_csv(tmp_path / "people.csv", index=False)
    people().to_parquet(tmp_path / "people.parquet")
    (tmp_path / "rules.json").write_text(json.dumps(RULES), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(table: str, *more: str, favourable: str = "True", name: str = "run.json") -> dict[str, Any]:
    """Audit a table and return the run file."""
    command = ["audit", table, "--target", "good", "--favourable", favourable, *SETTINGS, *more, "--json", name]
    assert run(*command) == 0
    document: dict[str, Any] = json.loads(Path(name).read_text("utf-8"))
    return document


def refused(document: dict[str, Any]) -> list[int]:
    """Return the rows a run says are refused."""
    return sorted(document["split"]["learn"] + document["split"]["check"])


@pytest.mark.parametrize("model", ["rules", "lr"])
def test_one_audit_whichever_way_the_table_was_saved(model: str) -> None:
    """CSV and Parquet of the same people give the same run, and the outcome may be written in any way."""
    runs = []
    for name, favourable in (("people.csv", "True"), ("people.parquet", "true"), ("people.csv", "TRUE")):
        subject, notes = described(read_table(Path(name).read_bytes()), "good", favourable)
        settings = Settings(support=0.05, max_rules=2, max_changes=1, selection="paper")
        costs = Costs.unit(subject.table.schema.names)
        box = read_rule_model("rules.json") if model == "rules" else model
        request = Request(people=subject, model=box, settings=settings, costs=costs, interest=("job",), notes=notes)
        runs.append({**run_to_json(run_audit(request)), "timings": None})
    assert runs[0] == runs[2]
    assert runs[0]["data"].pop("sha256") != runs[1]["data"].pop("sha256")
    assert runs[0] == runs[1]
    assert runs[0]["data"]["favourable"] == "True"
    levels = {entry["name"]: entry.get("levels") for entry in runs[0]["schema"]["features"]}
    assert levels["card"] == [{"value": False, "name": "False"}, {"value": True, "name": "True"}]
    assert runs[0]["rules"]


def test_the_rules_refuse_whom_they_say(capsys: Captured) -> None:
    """A rule model over true and false refuses the rows a plain reading of its rules refuses, also if they are text."""
    frame = people()
    mask = ~frame["card"] | ((frame["job"] == "b") & frame["debts"].fillna(False).astype(bool))
    found = audit("people.csv", "--model", "rules.json")
    assert refused(found) == np.flatnonzero(mask).tolist()
    texts = json.dumps(RULES).replace("true", '"True"').replace("false", '"False"')
    Path("rules.json").write_text(texts, "utf-8")
    assert refused(audit("people.csv", "--model", "rules.json")) == refused(found)
    Path("rules.json").write_text(json.dumps(RULES).replace("true", "2"), "utf-8")
    capsys.readouterr()
    assert run("audit", "people.csv", "--target", "good", "--favourable", "True", "--model", "rules.json") == 2
    assert "compares column 'card', which holds true and false, with 2" in capsys.readouterr().err


def test_a_person_of_an_older_run_is_answered(capsys: Captured) -> None:
    """A run file from when tables held the text "True" gives the same answer as one that holds true."""
    document = audit("people.csv", "--model", "rules.json")
    rows = [str(row) for row in refused(document)[:12]]
    older = json.loads(json.dumps(document))
    for rule in older["rules"]:
        for predicate in (*rule["subgroup"], *rule["before"], *rule["after"]):
            if isinstance(predicate.get("equals"), bool):
                predicate["equals"] = str(predicate["equals"])
    for feature in older["schema"]["features"]:
        for level in feature.get("levels", []):
            level["value"] = str(level["value"]) if isinstance(level["value"], bool) else level["value"]
    Path("older.json").write_text(json.dumps(older), "utf-8")
    assert json.dumps(older) != json.dumps(document)
    capsys.readouterr()
    ruled = 0
    for row in rows:
        told = []
        for name in ("run.json", "older.json"):
            assert run("person", name, "people.csv", "--model", "rules.json", "--row", row, "--json", "one.json") == 0
            told.append((capsys.readouterr().out, json.loads(Path("one.json").read_text("utf-8"))))
        assert told[0] == told[1]
        ruled += told[0][1]["rule"] is not None
    assert ruled


@needs_sandbox
@pytest.mark.parametrize("family", ["lr", "dt"])
def test_a_model_trained_here_and_brought_back_refuses_the_same_rows(family: str) -> None:
    """A saved model is asked about true, false and empty cells as it was when it was trained."""
    trained = audit("people.csv", "--train", family, "--save-model", "kept.skops")
    brought = audit("people.csv", "--model", "kept.skops", name="brought.json")
    audited = set(range(len(people()))) - set(trained["split"]["trained"])
    assert [row for row in refused(brought) if row in audited] == refused(trained)


class Watched:
    """A black box that checks the types of every frame it is asked about."""

    kind, sha256 = "watched", "0" * 64

    def __init__(self, frame: pd.DataFrame) -> None:
        self.types, self.asked = frame.dtypes.to_dict(), 0

    def predict(self, frame: pd.DataFrame) -> NDArray[np.int8]:
        """Accept people with a card and no known debts."""
        assert frame.dtypes.to_dict() == self.types
        self.asked += len(frame)
        return np.asarray(frame["card"] & ~frame["debts"].fillna(False).astype(bool), dtype=np.int8)


@pytest.mark.parametrize("selection", ["robust", "paper"])
def test_every_frame_a_model_is_asked_about_has_the_types_of_the_table(selection: str) -> None:
    """Evaluation, stand-ins, groups without a way out, one person, and changes by hand: the types stay."""
    frame = people(90)
    subject = People.of(frame, "good", "True", Schema.infer)
    table = subject.table
    model = Watched(frame.drop(columns="good"))
    settings = Settings(support=0.05, max_rules=2, selection=selection)
    audited = run_audit(
        Request(people=subject, model=model, settings=settings, costs=Costs.unit(table.schema.names), interest=("job",))
    )
    asked = model.asked
    assert asked > len(table)
    rules = [(rule, 1.0) for rule in audited.learned.rules]
    for person in np.flatnonzero(model.predict(table.frame) == 0)[:5].tolist():
        person_recourse(model, table, person, rules, Costs.unit(table.schema.names), 2)
    assert model.asked > asked
    met = Met(subject, model, table, np.zeros(0, dtype=np.intp), model.predict(table.frame), ())
    for name, levels in place_of(table, 0).held:
        for level in levels:
            what_if(met, 0, [(name, level)])
