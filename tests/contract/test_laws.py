"""Laws of a run: what no rule may do, and what may not change the result."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contract.brute import World
from tests.contract.rows import Row, all_hold, features_of, read_rows
from tests.contract.tables import (
    FAVOURABLE,
    SCHEMA,
    TARGET,
    Accept,
    Case,
    answers,
    black_box,
    make_rows,
    narrow,
    scored,
    write_table,
)
from tests.patience import PATIENCE

TOP = Path(__file__).resolve().parents[2]
LAWFUL: dict[str, tuple[Accept, Case]] = {
    "inferred": (scored, Case()),
    "directed": (
        scored,
        Case(changes={"income": "increase only", "debts": "decrease only", "home": "frozen"}),
    ),
    "falling": (
        narrow,
        Case({"condition_width": 3}, changes={"income": "decrease only", "savings": "increase only"}),
    ),
    "limited": (
        narrow,
        Case({"max_rules": 3, "max_subgroups": 2, "max_width": 3, "max_changes": 1}, ("sex", "town")),
    ),
    "crowded": (scored, Case({"min_people": 9, "support": 0.1, "selection": "paper"}, ("town",))),
    "anyone": (
        narrow,
        Case({"support": 0.15, "max_changes": 3, "condition_width": 3, "subgroup_width": 1}, ()),
    ),
}


@pytest.fixture(scope="module", params=list(LAWFUL))
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The people of a run and the run itself."""
    accept, case = LAWFUL[request.param]
    path = write_table(tmp_path_factory.mktemp("laws") / "people.csv", make_rows(11, 200))
    run = case.run(path, black_box(accept))
    rows = dict(enumerate(read_rows(path, run["schema"], TARGET)))
    assert run["rules"]
    return World(run, features_of(run["schema"]), rows, answers(accept))


def every_rule(world: World) -> list[dict[str, Any]]:
    """Return the rules of the summary and of every size."""
    return [*world.run["rules"], *world.run["frontier_rules"]]


def test_only_what_may_change_changes(world: World) -> None:
    """Frozen features never move, directions and forbidden targets hold, nobody moves from or to missing."""
    for rule in every_rule(world):
        for now, then in zip(rule["before"], rule["after"], strict=True):
            feature = world.features[now["feature"]]
            start, target = feature.index(now), feature.index(then)
            assert -1 not in (start, target)
            assert start == target or feature.allows(start, target), (now, then)


def test_a_move_touches_only_what_it_names(world: World) -> None:
    """After a move `after` holds, other columns stay, and choices made of columns are at a named level."""
    several = [feature for feature in world.features.values() if "columns" in feature.levels[0]]
    assert len(several) == 2
    for rule in every_rule(world):
        changes = [then for now, then in zip(rule["before"], rule["after"], strict=True) if now != then]
        touched = {column for change in changes for column in change.get("columns", [change["feature"]])}
        for number in world.affected:
            row = world.people[number]
            if all_hold(rule["subgroup"] + rule["before"], row):
                after = world.mover.moved(row, changes)
                assert all_hold(rule["after"], after)
                assert {column for column in row if row[column] != after[column]} <= touched
                assert all(feature.level_of(after) >= 0 for feature in several)


def test_rules_keep_to_their_limits(world: World) -> None:
    """Widths, changes, numbers of rules and subgroups keep to what was asked; subgroup and condition part."""
    settings, interest = world.run["settings"], set(world.run["settings"]["subgroup_features"])
    for rule in every_rule(world):
        groups, before, after = ([p["feature"] for p in rule[part]] for part in ("subgroup", "before", "after"))
        changed = sum(now != then for now, then in zip(rule["before"], rule["after"], strict=True))
        assert before == after == sorted(set(before))
        assert not set(groups) & set(before)
        assert set(groups) <= (interest or set(world.features))
        assert len(groups) <= settings["subgroup_width"]
        assert len(before) <= settings["condition_width"]
        assert len(groups) + len(before) <= settings["max_width"]
        assert 1 <= changed <= settings["max_changes"]
    assert len(world.run["rules"]) <= settings["max_rules"]
    assert len({json.dumps(rule["subgroup"]) for rule in world.run["rules"]}) <= settings["max_subgroups"]


def test_rules_speak_of_enough_people(world: World) -> None:
    """Subgroup, start and end of a rule describe enough of everybody, and the rule enough of the affected."""
    everyone = list(world.people.values())
    learners = [world.people[number] for number in world.learn]
    for rule in every_rule(world):
        for part in ("subgroup", "before", "after"):
            assert sum(all_hold(rule[part], row) for row in everyone) >= world.least
        assert sum(all_hold(rule["subgroup"] + rule["before"], row) for row in learners) >= world.fewest


# ---------------------------------------------------------------- what may not change the result
RESULT = ("rules", "totals", "frontier", "frontier_rules", "subgroups", "certificate", "model_rows")
NAMES = {
    "Alba": "Zuse",
    "Brill": "Aar",
    "Corve": "Mond",
    "F": "woman",
    "M": "man",
    "none": "3rd",
    "casual": "0th",
    "steady": "2nd",
    "senior": "1st",
}


def results(run: dict[str, Any], order: list[int]) -> dict[str, Any]:
    """Return what must stay, with rows by their old numbers; `order` gives the old number of each row."""
    found = {key: run[key] for key in RESULT}
    split = {part: sorted(order[row] for row in rows) for part, rows in run["split"].items()}
    return {**found, "split": split, "no_recourse": sorted(order[row] for row in run["no_recourse"]["rows"])}


def shuffled(count: int, seed: int) -> list[int]:
    """Return the numbers below `count` in random order."""
    return random.Random(seed).sample(range(count), count)


@pytest.mark.parametrize(("model", "seed"), [("scored", 1), ("narrow", 2), ("dt", 1), ("lr", 2)])
def test_the_order_of_rows_does_not_matter(model: str, seed: int, tmp_path: Path) -> None:
    """The same people in another order get the same rules, counts, split and certificate."""
    rows = make_rows(20 + seed, 200)
    order = shuffled(len(rows), seed)
    first = write_table(tmp_path / "first.csv", rows)
    second = write_table(tmp_path / "second.csv", [rows[number] for number in order])
    box = {"scored": black_box(scored), "narrow": black_box(narrow)}.get(model, model)
    one, other = (Case().run(path, box) for path in (first, second))
    assert results(other, order) == results(one, list(range(len(rows))))


@pytest.mark.parametrize("model", ["scored", "dt"])
def test_the_order_of_columns_does_not_matter(model: str, tmp_path: Path) -> None:
    """The same columns in another order give the same rules, counts, split and certificate."""
    rows = make_rows(31, 200)
    names = list(rows[0])
    mixed = [{names[place]: row[names[place]] for place in shuffled(len(names), 3)} for row in rows]
    first, second = write_table(tmp_path / "first.csv", rows), write_table(tmp_path / "second.csv", mixed)
    box = {"scored": black_box(scored)}.get(model, model)
    same = list(range(len(rows)))
    one, other = (results(Case().run(path, box), same) for path in (first, second))
    assert other == one


def renamed(part: Any, names: dict[str, str]) -> Any:
    """Rename every text of a document."""
    if isinstance(part, dict):
        return {key: renamed(value, names) for key, value in part.items()}
    if isinstance(part, list):
        return [renamed(value, names) for value in part]
    return names.get(part, part) if isinstance(part, str) else part


@pytest.mark.parametrize(("accept", "seed", "family"), [(scored, 1, ""), (narrow, 2, ""), (scored, 3, "dt")])
def test_names_of_categories_do_not_matter(accept: Accept, seed: int, family: str, tmp_path: Path) -> None:
    """Categories under other names, sorted otherwise, give the same result, for trained models too."""
    rows = make_rows(40 + seed, 200)
    back = {new: old for old, new in NAMES.items()}

    def understands(row: Row) -> bool:
        return accept({column: back.get(cell, cell) if isinstance(cell, str) else cell for column, cell in row.items()})

    first, second = (
        write_table(tmp_path / "a.csv", rows),
        write_table(tmp_path / "b.csv", renamed(rows, NAMES)),
    )
    one = Case(interest=("sex", "town")).run(first, family or black_box(accept))
    other = Case(interest=("sex", "town"), schema=renamed(SCHEMA, NAMES)).run(second, family or black_box(understands))
    same = list(range(len(rows)))
    assert results(renamed(other, back), same) == results(one, same)


# ---------------------------------------------------------------- seeds and protocols
def audited(path: Path, out: Path, *options: str, hash_seed: str = "0") -> str:
    """Audit a table in a fresh process and return its run file without timings and versions."""
    command = [
        sys.executable,
        "-m",
        "ares_core",
        "audit",
        str(path),
        "--target",
        TARGET,
        "--favourable",
        FAVOURABLE,
        "--subgroup",
        "sex",
        "--support",
        "0.05",
        "--max-rules",
        "5",
        "--json",
        str(out),
        *options,
    ]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(TOP)}
    done = subprocess.run(
        command, cwd=out.parent, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(out.read_text("utf-8"))
    del document["timings"], document["versions"]
    return json.dumps(document)


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    """Two fresh processes write the same bytes, timings and versions aside."""
    path = write_table(tmp_path / "people.csv", make_rows(51, 240))
    first = audited(path, tmp_path / "a.json", "--train", "rf")
    second = audited(path, tmp_path / "b.json", "--train", "rf", hash_seed="77")
    assert first == second


def test_the_papers_protocol_measures_the_same_people(tmp_path: Path) -> None:
    """With nobody held out learn, check and all are the same people, and so are their figures."""
    path = write_table(tmp_path / "people.csv", make_rows(52, 200))
    run = Case({"holdout": 0.0}).run(path, black_box(scored))
    assert run["split"]["learn"] == run["split"]["check"]
    assert run["totals"]["learn"] == run["totals"]["check"] == run["totals"]["all"]
    for rule in run["rules"]:
        assert {key: rule["check"][key] for key in rule["learn"]} == rule["learn"]
    assert run["rules"]


def test_a_seed_changes_the_split_alone(tmp_path: Path) -> None:
    """Who is affected does not depend on the seed; who is learned from does."""
    path = write_table(tmp_path / "people.csv", make_rows(53, 200))
    one, other = (Case({"seed": seed}).run(path, black_box(scored))["split"] for seed in (0, 1))
    assert one["learn"] != other["learn"]
    assert sorted(one["learn"] + one["check"]) == sorted(other["learn"] + other["check"])
