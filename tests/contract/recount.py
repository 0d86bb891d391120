"""Count a run again: whom each rule covers and helps, and what a set of rules does for each person."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.contract.brute import Predict, World
from tests.contract.rows import Predicate, all_hold, digest, features_of, read_rows
from tests.contract.shares import wilson


@dataclass
class Counted:
    """One rule, counted over all affected people."""

    subgroup: list[Predicate]
    covers: set[int]
    flips: set[int]
    cost: float
    change: int
    width: int
    changes: int
    accuracy: float


class Checker:
    """Compares a run file with a recount and collects complaints."""

    def __init__(self, run: dict[str, Any], path: Path, predict: Predict) -> None:
        self.run, self.path, self.complaints = run, path, list[str]()
        rows = read_rows(path, run["schema"], run["data"]["target"])
        trained = set(run["split"]["trained"])
        people = {number: row for number, row in enumerate(rows) if number not in trained}
        self.rows = len(rows)
        self.world = World(run, features_of(run["schema"]), people, predict)
        self.affected = set(self.world.affected)
        self.learn, self.check = set(run["split"]["learn"]), set(run["split"]["check"])
        self.hopeless = set(run["no_recourse"]["rows"])

    def same(self, where: str, said: Any, found: Any) -> None:
        """Complain unless the file says what was found; only the last digits of a fraction may differ."""
        if isinstance(said, list) and isinstance(found, list | tuple) and len(said) == len(found):
            for place, (one, other) in enumerate(zip(said, found, strict=True)):
                self.same(f"{where}[{place}]", one, other)
        elif isinstance(said, float) and isinstance(found, int | float):
            if not math.isclose(said, found, rel_tol=1e-9, abs_tol=1e-12):
                self.complaints.append(f"{where}: the file says {said!r}, the recount {found!r}")
        elif said != found:
            self.complaints.append(f"{where}: the file says {said!r}, the recount {found!r}")

    def must(self, where: str, truth: bool) -> None:
        """Complain unless something holds."""
        if not truth:
            self.complaints.append(f"{where} does not hold")

    def people(self) -> None:
        """Count the people, and see that the split is the affected."""
        data, split = self.run["data"], self.run["split"]
        self.same("data.rows", data["rows"], self.rows)
        self.same("data.audited", data["audited"], len(self.world.people))
        self.same("data.affected", data["affected"], len(self.affected))
        self.same("data.sha256", data["sha256"], digest(self.path))
        for part in ("learn", "check", "trained"):
            self.must(f"split.{part} in order, each row once", split[part] == sorted(set(split[part])))
        self.same("split: affected rows", sorted(self.learn | self.check), sorted(self.affected))
        if self.run["settings"]["holdout"] == 0:
            self.same("split: the same people twice", split["learn"], split["check"])
        else:
            self.same("split: people in both parts", sorted(self.learn & self.check), [])
        levels = [level for codes in self.world.codes.values() for level in codes.values()]
        self.must("every row is at one level of every feature", -1 not in levels)

    def counted(self, rule: dict[str, Any]) -> Counted:
        """Count whom a rule covers and whom it helps."""
        world = self.world
        changes = [then for now, then in zip(rule["before"], rule["after"], strict=True) if now != then]
        starts = [now for now, then in zip(rule["before"], rule["after"], strict=True) if now != then]
        covers = [n for n in world.affected if all_hold(rule["subgroup"] + rule["before"], world.people[n])]
        answers = world.predict([world.mover.moved(world.people[n], changes) for n in covers]) if covers else []
        flips = {number for number, answer in zip(covers, answers, strict=True) if answer == 1}
        change = 0
        for start, target in zip(starts, changes, strict=True):
            feature = world.features[start["feature"]]
            change += feature.crossed(feature.index(start), feature.index(target))
        learners = self.learn & set(covers)
        return Counted(
            rule["subgroup"],
            set(covers),
            flips,
            sum(self.run["costs"][c["feature"]]["cost"] for c in changes),
            change,
            len(rule["subgroup"] + rule["before"]),
            len(changes),
            len(learners & flips) / len(learners) if learners else 0.0,
        )

    def rule(self, where: str, rule: dict[str, Any], counted: Counted) -> None:
        """Compare the figures of one rule."""
        for part, people in (("learn", self.learn), ("check", self.check)):
            said, covers, flips = rule[part], len(counted.covers & people), len(counted.flips & people)
            self.same(f"{where}.{part}.covers", said["covers"], covers)
            self.same(f"{where}.{part}.flips", said["flips"], flips)
            self.same(f"{where}.{part}.accuracy", said["accuracy"], flips / covers if covers else None)
            if part == "check":
                self.same(f"{where}.check.interval", said["interval"], wilson(flips, covers))
        self.same(f"{where}.feature_cost", rule["feature_cost"], counted.cost)
        self.same(f"{where}.feature_change", rule["feature_change"], counted.change)
        enough = len(counted.covers & self.learn) >= self.run["settings"]["guard"]["min_people"]
        self.must(f"{where} describes enough affected people", enough)


@dataclass
class Summary:
    """What a set of rules does for each affected person."""

    rules: list[Counted]

    def deciding(self, number: int) -> Counted | None:
        """Return the rule most accurate on the learn people among those that cover a person."""
        best: Counted | None = None
        for rule in self.rules:
            if number in rule.covers and (best is None or rule.accuracy > best.accuracy):
                best = rule
        return best

    def helped(self, people: set[int]) -> list[Counted]:
        """Return, for each person whose deciding rule works, that rule."""
        found = []
        for number in sorted(people):
            rule = self.deciding(number)
            if rule is not None and number in rule.flips:
                found.append(rule)
        return found

    def covered(self, people: set[int]) -> int:
        """Count the people under some rule."""
        return sum(any(number in rule.covers for rule in self.rules) for number in people)

    def totals(self, people: set[int], hopeless: set[int]) -> dict[str, Any]:
        """Count everything a total promises."""
        helped = self.helped(people)
        times = [sum(number in rule.covers for rule in self.rules) for number in people]
        return {
            "affected": len(people),
            "recourse_accuracy": share(len(helped), len(people)),
            "coverage": share(self.covered(people), len(people)),
            "mean_fcost": mean([rule.cost for rule in helped]),
            "conflicts": sum(many > 1 for many in times),
            "incorrect": sum(len((rule.covers - rule.flips) & people) for rule in self.rules),
            "size": len(self.rules),
            "max_width": max([rule.width for rule in self.rules], default=0),
            "subgroups": len({repr(rule.subgroup) for rule in self.rules}),
            "no_recourse": len(people & hopeless),
            "helped": len(helped),
            "covered": self.covered(people),
            "interval": wilson(len(helped), len(people)),
        }


def share(count: int, total: int) -> float | None:
    """Divide, or return None of nobody."""
    return count / total if total else None


def mean(values: list[float]) -> float | None:
    """Return the mean, or None of nothing."""
    return math.fsum(values) / len(values) if values else None
