"""The person command: the rule that decides, whether it works, and the cheapest move, against brute force."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from ares_core.cli import main
from tests.contract.brute import World
from tests.contract.recount import Checker
from tests.contract.rows import all_hold, features_of, read_rows
from tests.contract.tables import RULES, TARGET, answers, make_rows, refusing, strictly, write_table


def cheapest(world: World, number: int) -> tuple[float, int] | None:
    """Return cost and levels crossed of the cheapest allowed move that works, over all of them."""
    run, codes = world.run, world.codes[number]
    held = {name: {other[name] for other in world.codes.values()} for name in world.features}
    best: tuple[float, int] | None = None
    for size in range(1, run["settings"]["max_changes"] + 1):
        for names in combinations(world.features, size):
            features = [world.features[name] for name in names]
            ways = [[t for t in held[f.name] if f.allows(codes[f.name], t)] for f in features]
            for move in product(*ways):
                price = (
                    sum(run["costs"][name]["cost"] for name in names),
                    sum(f.crossed(codes[f.name], target) for f, target in zip(features, move, strict=True)),
                )
                if (best is None or price < best) and world.flips([(number, tuple(zip(names, move, strict=True)))])[0]:
                    best = price
    return best


def test_a_person_gets_the_cheapest_move(files: dict[str, Path], tmp_path: Path) -> None:
    """For each person: the rule that decides, whether it works, the cheapest move, as by brute force."""
    run = strictly(files["run.json"])
    people = dict(enumerate(read_rows(files["people.csv"], run["schema"], TARGET)))
    world = World(run, features_of(run["schema"]), people, answers(refusing(RULES)))
    checker = Checker(run, files["people.csv"], answers(refusing(RULES)))
    counted = [checker.counted(rule) for rule in run["rules"]]
    accepted = next(number for number in people if number not in world.affected)
    covered = {number for rule in counted for number in rule.covers}
    asked = [*sorted(covered)[:6], *sorted(set(world.affected) - covered)[:4], accepted]
    assert len(asked) >= 8
    for number in asked:
        answer = person(files, number, tmp_path)
        assert answer["accepted"] == (number == accepted)
        applying = [(rule.accuracy, -place) for place, rule in enumerate(counted) if number in rule.covers]
        decides = run["rules"][-max(applying)[1]] if applying else None
        assert (answer["rule"] is None) == (decides is None)
        if decides is not None:
            assert all(answer["rule"][part] == decides[part] for part in ("subgroup", "before", "after"))
            assert answer["rule"]["works"] == (number in counted[-max(applying)[1]].flips)
        check_cheapest(world, number, answer)


def person(files: dict[str, Path], number: int, folder: Path) -> dict[str, Any]:
    """Ask the person command about one row."""
    out = folder / f"{number}.json"
    code = main(
        [
            "person",
            str(files["run.json"]),
            str(files["people.csv"]),
            "--model",
            str(files["model.json"]),
            "--row",
            str(number),
            "--json",
            str(out),
        ]
    )
    assert code == 0
    answer = strictly(out)
    assert set(answer) >= {"format", "version", "row", "accepted", "rule", "cheapest", "tried"}
    assert answer["row"] == number
    return answer


def check_cheapest(world: World, number: int, answer: dict[str, Any]) -> None:
    """Compare the cheapest move with brute force, and see that it works."""
    found = cheapest(world, number) if number in world.affected else None
    if found is None:
        assert answer["cheapest"] is None
        return
    said = answer["cheapest"]
    assert said["cost"] == pytest.approx(found[0])
    assert said["feature_change"] == found[1]
    after = world.mover.moved(world.people[number], said["changes"])
    assert all_hold(said["changes"], after)
    assert world.predict([after]) == [1]


def test_a_stranger_is_refused(files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that is not there, another table or another model: one sentence, a hint, nothing written."""
    other = write_table(tmp_path / "other.csv", make_rows(62, 50))
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"format": "ares-rules", "rules": RULES[:2]}), "utf-8")
    good = {"run": files["run.json"], "data": files["people.csv"], "model": files["model.json"], "row": 3}
    for wrong in (
        {"row": 200},
        {"row": -1},
        {"data": other},
        {"model": rules},
        {"run": files["schema.json"]},
    ):
        asked, out = {**good, **wrong}, tmp_path / "out.json"
        assert (
            main(
                [
                    "person",
                    str(asked["run"]),
                    str(asked["data"]),
                    "--model",
                    str(asked["model"]),
                    f"--row={asked['row']}",
                    "--json",
                    str(out),
                ]
            )
            == 2
        )
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert "\nhint: " in error
        assert not out.exists()
