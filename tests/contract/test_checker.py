"""Every count of a run file is confirmed by a program that shares no code with the engine."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ares_core.audit import People, Request, run_audit, run_to_json, subject
from ares_core.costs import Costs
from ares_core.datasets import load_german, planted_bias
from ares_core.models import BlackBox, read_rule_model
from ares_core.settings import Settings, Weights
from tests import ruleless
from tests.contract.brute import Predict
from tests.contract.checker import check_run
from tests.contract.rows import Row
from tests.contract.tables import (
    RULES,
    Accept,
    Case,
    answers,
    black_box,
    make_rows,
    narrow,
    refusing,
    scored,
    stubborn,
    truthful,
    with_truths,
    write_table,
)

CASES: dict[str, tuple[Accept, Case]] = {
    "points": (scored, Case()),
    "paper": (scored, Case({"selection": "paper"}, interest=("sex", "town"))),
    "same people": (scored, Case({"holdout": 0.0, "selection": "paper"})),
    "narrow numbers": (narrow, Case({"selection": "paper", "weights": Weights(1, 1, 0.3, 0.1)})),
    "directions": (
        scored,
        Case({"selection": "paper"}, changes={"income": "increase only", "debts": "decrease only"}),
    ),
    "frozen": (narrow, Case(changes={"income": "frozen", "job": "frozen"}, interest=("home",))),
    "no recourse": (stubborn, Case({"min_people": 3})),
    "comparisons": (
        scored,
        Case({"selection": "paper"}, harder=(("income", "debts"), ("income", "job"), ("job", "town"))),
    ),
    "one rule": (scored, Case({"max_rules": 1, "selection": "paper"})),
    "tight limits": (
        scored,
        Case({"max_width": 3, "max_subgroups": 1, "max_changes": 1}, interest=("sex", "age")),
    ),
    "all features": (narrow, Case({"support": 0.2, "subgroup_width": 1}, interest=())),
    "more groups than listed": (narrow, Case({"support": 0.03}, interest=("age", "town", "debts", "sex"))),
    "wide": (narrow, Case({"condition_width": 3, "max_changes": 3, "support": 0.12, "selection": "paper"})),
    "greedy": (scored, Case({"search": "greedy", "selection": "paper"})),
    "local": (scored, Case({"search": "local", "selection": "paper"})),
    "few checked": (scored, Case({"holdout": 0.1, "seed": 5})),
}


@pytest.mark.parametrize(("name", "seed"), [*((name, 1) for name in CASES), ("points", 2), ("paper", 3)])
def test_every_count_is_confirmed(name: str, seed: int, tmp_path: Path) -> None:
    """Plain loops over the rows of the file give every figure of the run, whatever the settings."""
    accept, case = CASES[name]
    path = write_table(tmp_path / "people.csv", make_rows(seed))
    run = case.run(path, black_box(accept))
    assert run["rules"]
    assert check_run(run, path, answers(accept)) == []


@pytest.mark.parametrize("interest", [("sex",), ("has_card",), ()])
def test_true_and_false_are_confirmed(interest: tuple[str, ...], tmp_path: Path) -> None:
    """Rules over columns of true and false hold booleans of JSON, and every count of them is right."""
    path = write_table(tmp_path / "people.csv", with_truths(make_rows(4, 240), 4))
    run = Case({"support": 0.1, "subgroup_width": 1}, interest=interest).run(path, black_box(truthful))
    assert run["rules"]
    assert check_run(run, path, answers(truthful)) == []
    named = [part for rule in run["rules"] for part in (*rule["before"], *rule["after"])]
    values = [part["equals"] for part in named if part["feature"] in ("has_card", "employed")]
    assert {type(value) for value in values} == {bool}


def test_a_rule_model_is_confirmed(tmp_path: Path) -> None:
    """A black box read from a file of rules answers as its rules say, row by row."""
    path = write_table(tmp_path / "people.csv", make_rows(6, 200))
    model = tmp_path / "rules.json"
    model.write_text(json.dumps({"format": "ares-rules", "rules": RULES}), "utf-8")
    run = Case({"selection": "paper"}).run(path, read_rule_model(model))
    assert run["rules"]
    assert check_run(run, path, answers(refusing(RULES))) == []


def through(model: BlackBox, like: pd.DataFrame) -> Predict:
    """Let a black box answer about plain rows, each column of the type it was trained on."""

    def predict(rows: list[Row]) -> list[int]:
        frame = pd.DataFrame(
            {name: pd.Series([row[name] for row in rows], dtype=like[name].dtype) for name in like.columns}
        )
        return [int(answer) for answer in model.predict(frame)]

    return predict


@pytest.mark.parametrize("family", ["dt", "lr"])
def test_a_trained_model_is_confirmed(family: str, tmp_path: Path) -> None:
    """A model trained on half of the rows is audited on the other half, and recounted there."""
    rows = make_rows(8, 400)
    for row in rows:
        row["outcome"] = "bad" if row["debts"] in "34" or row["home_rent"] == "1" else row["outcome"]
    path = write_table(tmp_path / "people.csv", rows)
    case = Case()
    run = case.run(path, family)
    request = case.request(path, family)
    model, table, trained = subject(request.people, family, 0)
    assert run["split"]["trained"] == trained.tolist()
    assert check_run(run, path, through(model, table.frame)) == []


def test_the_planted_bias_is_confirmed(tmp_path: Path) -> None:
    """The planted rules come back, all of them right, and the recount agrees."""
    data, model = planted_bias()
    path = tmp_path / "planted.csv"
    path.write_bytes(data.csv_bytes)
    request = Request(
        people=People.of(data.frame, data.target, data.favourable, lambda _: data.schema, data.sha256),
        model=model,
        settings=Settings(max_rules=5),
        costs=Costs.unit(data.schema.names),
        interest=("race",),
    )
    run = run_to_json(run_audit(request))
    rules = files("ares_core.datasets").joinpath("planted_bias.rules.json").read_text("utf-8")
    planted = json.loads(rules)["rules"]
    assert check_run(run, path, answers(refusing(planted)), candidates=False) == []
    assert {spoken(rule) for rule in run["rules"]} == {spoken(rule) for rule in planted}
    assert run["totals"]["check"]["recourse_accuracy"] == 1.0


def spoken(rule: dict[str, Any]) -> str:
    """Return a rule with its predicates in one order."""
    parts = (rule[part] for part in ("subgroup", "before", "after"))
    return json.dumps([sorted(part, key=lambda predicate: str(predicate["feature"])) for part in parts])


def test_the_demo_is_confirmed(tmp_path: Path, demo_run: Path) -> None:
    """The audit that ships, German Credit with a random forest, is recounted from the file that ships."""
    data, path = load_german(), tmp_path / "german.csv"
    path.write_bytes(data.csv_bytes)
    people = People.of(data.frame, data.target, data.favourable, lambda _: data.schema, data.sha256)
    model, table, _ = subject(people, "rf", 0)
    run = json.loads(demo_run.read_text("utf-8"))
    assert check_run(run, path, through(model, table.frame), candidates=False) == []


# What no recount can tell: choices of the user, and what was learned elsewhere.
NOT_COUNTS = (
    "settings",
    "schema",
    "costs",
    "timings",
    "versions",
    "version",
    "notes",
    "split",
    "model",
    "candidate_set",
    "frontier_rules",
    "chosen",
    "subgroup",
    "before",
    "after",
    "upper_bound",
    "proven",
    "small",
    "rare_cases",
    "rows",
)


def numbers(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every number that is a count."""
    if isinstance(part, int | float):
        yield path
    entries = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in entries:
        if key not in NOT_COUNTS:
            yield from numbers(value, (*path, key))


def altered(run: dict[str, Any], path: tuple[Any, ...], by: float) -> dict[str, Any]:
    """Return the run with one number changed."""
    changed = copy.deepcopy(run)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] += by if isinstance(place[path[-1]], float) else 1
    return changed


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A run small enough to recount hundreds of times."""
    path = write_table(tmp_path_factory.mktemp("small") / "people.csv", make_rows(7, 80))
    case = Case({"selection": "paper", "support": 0.1, "max_rules": 2, "condition_width": 1, "min_people": 3})
    return case.run(path, black_box(stubborn)), path


def test_one_wrong_number_is_noticed(small_run: tuple[dict[str, Any], Path]) -> None:
    """Change any one count, share or interval of a run file, however little, and the checker complains."""
    run, path = small_run
    predict = answers(stubborn)
    assert check_run(run, path, predict) == []
    paths = list(numbers(run))
    assert len(paths) > 100
    for place in paths:
        changed = altered(run, place, 1e-6)
        quickly = check_run(changed, path, predict, candidates=False)
        assert quickly or check_run(changed, path, predict), place


@pytest.fixture(scope="module")
def ruleless_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A run in which one group of four learn people has no rule."""
    rows = [{str(key): str(cell) for key, cell in row.items()} for row in ruleless.table().to_dict("records")]
    path = write_table(tmp_path_factory.mktemp("ruleless") / "people.csv", rows)
    case = Case(
        {"selection": "paper", "support": 0.02}, ("race",), {"format": "ares-schema", "version": 1, "features": []}
    )
    case.changes = {"race": "frozen", "rent": "frozen"}
    return case.run(path, black_box(by_job)), path


def by_job(row: Row) -> bool:
    """Accept people with a job who pay rent, and everybody with a job who is not black."""
    return bool(row["job"] == "steady" and (row["rent"] == "yes" or row["race"] != "Black"))


def test_a_group_without_a_rule_is_confirmed(ruleless_run: tuple[dict[str, Any], Path]) -> None:
    """Brute force lists no candidate for it, so its nulls and its reason are right."""
    run, path = ruleless_run
    assert [each.get("why_none") for each in run["subgroups"]].count(ruleless.WHY) == 1
    assert check_run(run, path, answers(by_job)) == []


def test_a_false_claim_about_a_group_is_noticed(ruleless_run: tuple[dict[str, Any], Path]) -> None:
    """A figure where there was no rule, a reason where there was one, or a wrong reason, is noticed."""
    run, path = ruleless_run
    place = [each.get("why_none") for each in run["subgroups"]].index(ruleless.WHY)
    for key, value in (("gap", -0.82), ("p_holm", 0.0014), ("accuracy", 0.0), ("why_none", "Nobody asked.")):
        changed = copy.deepcopy(run)
        changed["subgroups"][place][key] = value
        assert check_run(changed, path, answers(by_job)), key
    changed = copy.deepcopy(run)
    changed["subgroups"][place - 1]["why_none"] = ruleless.WHY
    assert check_run(changed, path, answers(by_job))


@pytest.mark.parametrize("part", ["learn", "check"])
def test_a_wrong_split_is_noticed(part: str, small_run: tuple[dict[str, Any], Path]) -> None:
    """A person left out of the split, or put into both parts, is noticed."""
    run, path = small_run
    shorter, longer = copy.deepcopy(run), copy.deepcopy(run)
    del shorter["split"][part][0]
    other = {"learn": "check", "check": "learn"}[part]
    longer["split"][part] = sorted([*longer["split"][part], longer["split"][other][0]])
    for changed in (shorter, longer):
        assert any(complaint.startswith("split") for complaint in check_run(changed, path, answers(stubborn)))


def test_another_target_or_model_is_noticed(small_run: tuple[dict[str, Any], Path]) -> None:
    """A rule that says something else than was counted is noticed, and so is another model."""
    run, path = small_run
    changed = copy.deepcopy(run)
    changed["rules"][0]["subgroup"] = []
    assert check_run(changed, path, answers(stubborn))
    assert check_run(run, path, answers(scored))


def test_a_bound_below_the_gain_is_noticed(small_run: tuple[dict[str, Any], Path]) -> None:
    """A certificate whose bound lies below its gain, or that claims a proof over a gap, is noticed."""
    run, path = small_run
    for bound in (run["certificate"]["gain"] - 0.5, run["certificate"]["gain"] + 5):
        changed = copy.deepcopy(run)
        changed["certificate"]["upper_bound"] = bound
        assert any("certificate" in complaint for complaint in check_run(changed, path, answers(stubborn)))


def test_the_checker_shares_no_code_with_the_engine() -> None:
    """The checker's own modules import the standard library and one another, nothing else."""
    folder = Path(__file__).parent
    for name in ("checker", "recount", "blocked", "brute", "rows", "shares"):
        lines = folder.joinpath(f"{name}.py").read_text("utf-8").splitlines()
        imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
        assert imported <= {*sys.stdlib_module_names, "tests"}, name
