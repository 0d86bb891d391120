"""The planted bias: the rules behind the black box come back, exactly and proven."""

from __future__ import annotations

from functools import cache

import pytest

from ares_core.costs import Costs
from ares_core.datasets import planted_bias
from ares_core.people import Table
from ares_core.recourse import RecourseRule, Workbench, learn, prepare
from ares_core.settings import Settings

INTEREST = ("race",)
FAMILY = {"married": "No", "property": "No", "has_job": "No"}
HABITS = {"drugs": "Yes", "in_school": "No", "pays_rent": "No"}
PLANTED = {
    ("Caucasian", frozenset(FAMILY.items()), frozenset({"has_job": "Yes"}.items())),
    ("Caucasian", frozenset(HABITS.items()), frozenset({"drugs": "No"}.items())),
    ("Not Caucasian", frozenset(FAMILY.items()), frozenset({"property": "Yes", "has_job": "Yes"}.items())),
    ("Not Caucasian", frozenset(HABITS.items()), frozenset({"drugs": "No", "pays_rent": "Yes"}.items())),
}
RUNS = [
    (people, seed, selection)
    for people, seed in ((700, 1), (2000, 0), (4000, 0), (4000, 3), (4000, 7))
    for selection in ("paper", "robust")
]


@cache
def prepared(people: int, seed: int, selection: str) -> tuple[Workbench, Costs]:
    data, model = planted_bias(people, seed)
    table = Table.build(data.people, data.schema)
    bench = prepare(model, table, Settings(seed=seed, selection=selection), INTEREST)
    return bench, Costs.unit(data.schema.names)


def plain(rule: RecourseRule) -> tuple[str, frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    (race,) = [predicate.level.name for predicate in rule.subgroup]
    before = frozenset((predicate.feature, predicate.level.name) for predicate in rule.before)
    return race, before, frozenset((predicate.feature, predicate.level.name) for predicate in rule.changes)


@pytest.mark.parametrize(("people", "seed", "selection"), RUNS)
def test_the_planted_rules_come_back_exactly_and_always_work(people: int, seed: int, selection: str) -> None:
    """Exactly the four planted rules, proven best, and every affected person of either part is helped."""
    bench, costs = prepared(people, seed, selection)
    found = learn(bench, Settings(seed=seed, selection=selection), costs, INTEREST)
    assert {plain(rule) for rule in found.rules} == PLANTED
    assert len(found.rules) == len(PLANTED)
    assert found.certificate.proven
    assert found.coverage.accuracy.tolist() == [1.0] * 4
    for part in (bench.split.learn, bench.split.check):
        assert len(part) > 100
        assert found.coverage.helped()[part].all()


def test_one_group_must_change_twice_as_much() -> None:
    """The rules for Caucasians change one feature each, those for everybody else two."""
    bench, costs = prepared(4000, 0, "robust")
    found = learn(bench, Settings(), costs, INTEREST)
    changed = {(plain(rule)[0], len(rule.changes)) for rule in found.rules}
    assert changed == {("Caucasian", 1), ("Not Caucasian", 2)}


@pytest.mark.parametrize(("people", "seed"), [(700, 0), (1000, 1)])
def test_nobody_is_invented_where_plain_rules_hold(people: int, seed: int) -> None:
    """Few people teach enough when what they teach holds for the others."""
    bench, _ = prepared(people, seed, "robust")
    assert bench.standins == 0
