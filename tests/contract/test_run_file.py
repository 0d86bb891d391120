"""The run file and the commands around it keep the shape that people script against."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ares_core.cli import main
from tests.contract.tables import FAVOURABLE, TARGET, strictly

TOTAL = {
    "affected": int,
    "recourse_accuracy": float,
    "coverage": float,
    "mean_fcost": float,
    "conflicts": int,
    "incorrect": int,
    "size": int,
    "max_width": int,
    "subgroups": int,
    "no_recourse": int,
}
POINT = {
    "rules": int,
    "accuracy_learn": float,
    "accuracy_check": float,
    "coverage_check": float,
    "mean_fcost_check": float,
    "gain": float,
    "upper_bound": float,
}
GROUP = {
    "subgroup": list,
    "affected": int,
    "accuracy": float,
    "interval": list,
    "coverage": float,
    "mean_fcost": float,
    "without_recourse": float,
    "gap": float,
    "gap_interval": list,
    "p_holm": float,
}
RULE = {
    "subgroup": list,
    "before": list,
    "after": list,
    "feature_cost": float,
    "feature_change": int,
    "learn": {"covers": int, "flips": int, "accuracy": float},
    "check": {"covers": int, "flips": int, "accuracy": float, "interval": list},
}
SHAPE = {
    "format": str,
    "version": int,
    "data": {"rows": int, "affected": int, "sha256": str},
    "model": {"kind": str, "sha256": str},
    "settings": {
        "max_rules": int,
        "max_width": int,
        "max_subgroups": int,
        "support": float,
        "subgroup_width": int,
        "condition_width": int,
        "max_changes": int,
        "min_people": int,
        "holdout": float,
        "selection": str,
        "search": str,
        "seed": int,
        "time_limit": float,
        "weights": {"correctness": float, "coverage": float, "feature_cost": float, "feature_change": float},
    },
    "rules": [RULE],
    "totals": {"learn": TOTAL, "check": TOTAL, "all": TOTAL},
    "frontier": [POINT],
    "subgroups": [GROUP],
    "certificate": {"gain": float, "upper_bound": float, "gap": float, "proven": bool, "candidates": int},
    "costs": {},
    "split": {"learn": list, "check": list},
    "timings": {
        "read": float,
        "mine": float,
        "evaluate": float,
        "search": float,
        "frontier": float,
        "total": float,
    },
    "model_rows": int,
    "versions": {"python": str},
}
COST = {"cost": float, "low": float, "high": float, "source": str}
NOBODY = {
    "recourse_accuracy",
    "mean_fcost",
    "mean_fcost_check",
    "accuracy",
    "interval",
    "gap",
    "gap_interval",
    "p_holm",
    "coverage",
    "accuracy_check",
    "coverage_check",
    "without_recourse",
}


def misshapen(part: Any, shape: Any, where: str = "") -> Iterator[str]:
    """Yield where a document lacks a key or holds another type; a figure of nobody may be null."""
    if isinstance(shape, dict):
        for key, inner in shape.items():
            if key not in part:
                yield f"{where}.{key} is missing"
            elif not (part[key] is None and key in NOBODY):
                yield from misshapen(part[key], inner, f"{where}.{key}")
    elif isinstance(shape, list):
        for place, entry in enumerate(part):
            yield from misshapen(entry, shape[0], f"{where}[{place}]")
    elif isinstance(part, bool) != (shape is bool) or not isinstance(part, (int, float) if shape is float else shape):
        yield f"{where} is {part!r}, not {shape.__name__}"


def floats(part: Any) -> Iterator[float]:
    """Yield every number of a document that is not whole."""
    if isinstance(part, float):
        yield part
    for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from floats(value)


def predicates(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every predicate of a document."""
    if isinstance(part, dict) and "feature" in part:
        yield part
    else:
        for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from predicates(value)


def test_the_run_file_has_its_promised_shape(files: dict[str, Path], demo_run: Path) -> None:
    """Every key of the contract is there with its type, in strict JSON, and every number is finite."""
    for path in (files["run.json"], demo_run):
        run = strictly(path)
        assert list(misshapen(run, SHAPE)) == []
        assert (run["format"], run["version"]) == ("ares-run", 1)
        assert run["rules"]
        assert all(list(misshapen(cost, COST)) == [] for cost in run["costs"].values())
        assert {feature["name"] for feature in run["schema"]["features"]} == set(run["costs"])
        assert all(math.isfinite(number) for number in floats(run))
        assert all(len(run[part]["sha256"]) == 64 for part in ("data", "model"))
        assert run["timings"]["total"] >= sum(run["timings"].values()) / 2 - 1e-3


def test_the_shape_can_be_broken() -> None:
    """A missing key, a wrong type and a true in place of a number are told apart from what was promised."""
    good = {
        "affected": 3,
        "recourse_accuracy": None,
        "coverage": 0,
        "mean_fcost": 1.5,
        "conflicts": 0,
        "incorrect": 0,
        "size": 1,
        "max_width": 2,
        "subgroups": 1,
        "no_recourse": 0,
    }
    assert list(misshapen(good, TOTAL)) == []
    for key, value in (("affected", 3.0), ("size", True), ("conflicts", None), ("coverage", "1")):
        assert len(list(misshapen({**good, key: value}, TOTAL))) == 1
    del good["size"]
    assert list(misshapen(good, TOTAL)) == [".size is missing"]


def test_predicates_have_one_of_the_promised_forms(files: dict[str, Path], demo_run: Path) -> None:
    """A predicate says what a feature equals, its range, that it is missing, or what its columns hold."""
    forms = [
        {"feature", "equals"},
        {"feature", "equals", "columns"},
        {"feature", "missing"},
        {"feature", "missing", "values"},
        {"feature", "at_least", "below"},
        {"feature", "at_least", "below", "except"},
    ]
    for path in (files["run.json"], demo_run):
        run = strictly(path)
        found = list(predicates({key: run[key] for key in ("rules", "frontier_rules", "subgroups")}))
        assert found
        assert all(set(predicate) in forms for predicate in found)
        assert all(predicate.get("missing", True) is True for predicate in found)


def test_costs_are_learned_and_written(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The costs command prints costs and writes them with their intervals, hardest feature dearest."""
    out = tmp_path / "costs.json"
    assert main(["costs", str(files["pairs.csv"]), "--json", str(out)]) == 0
    assert "income" in capsys.readouterr().out
    costs = strictly(out)["costs"]
    assert all(list(misshapen(cost, COST)) == [] for cost in costs.values())
    assert costs["income"]["cost"] > costs["home"]["cost"] > costs["debts"]["cost"] == 1
    run = strictly(files["run.json"])
    assert {name: run["costs"][name] for name in costs} == costs


def test_a_schema_can_be_passed_back(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The schema command writes what an audit infers: passing it back changes nothing."""
    out, table = tmp_path / "schema.json", str(files["people.csv"])
    assert main(["schema", table, "--json", str(out)]) == 0
    document = strictly(out)
    assert (document["format"], document["version"]) == ("ares-schema", 1)
    document["features"] = [feature for feature in document["features"] if feature["name"] != TARGET]
    out.write_text(json.dumps(document), "utf-8")
    runs = []
    for extra in ([], ["--schema", str(out)]):
        common = [
            "audit",
            table,
            "--target",
            TARGET,
            "--favourable",
            FAVOURABLE,
            "--train",
            "dt",
            "--support",
            "0.1",
        ]
        assert main([*common, "--subgroup", "sex", "--json", str(tmp_path / "run.json"), *extra]) == 0
        runs.append(strictly(tmp_path / "run.json"))
    assert all(runs[0][key] == runs[1][key] for key in ("rules", "totals", "schema", "split", "certificate"))
    assert "error" not in capsys.readouterr().err


def test_the_demo_says_what_its_file_says(demo_run: Path) -> None:
    """The demo's text gives the counts of its run file."""
    words, run = " ".join(demo_run.with_suffix(".txt").read_text("utf-8").split()), strictly(demo_run)
    assert re.search(rf"refuses {run['data']['affected']} of (the )?{run['data']['audited']} people", words)
    for rule in run["rules"]:
        assert re.search(rf"\b{rule['check']['flips']} of {rule['check']['covers']}\b", words)
