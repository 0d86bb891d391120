"""One person's recourse, against brute force over whole tables of changed people."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.audit import person_recourse, person_text
from ares_core.costs import Costs
from ares_core.errors import DataError
from ares_core.models import FunctionModel
from ares_core.people import Change, Conjunction, Predicate, Schema, Table, Value
from ares_core.recourse import RecourseRule

COLUMNS = {"job": ["none", "some", "top"], "home": ["rents", "owns"], "rooms": [1, 2, 3], "sex": ["f", "m"]}
PRICES = {"job": 2.5, "home": 4.0, "rooms": 1.0, "sex": 1.0}


def a_table(seed: int, people: int = 25) -> Table:
    """Return random people; sex is frozen and rooms only rise."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.choice(values, people) for name, values in COLUMNS.items()})
    frame["job"], frame["home"], frame["sex"] = (frame[name].astype("str") for name in ("job", "home", "sex"))
    schema = Schema.infer(frame).with_change(["sex"], Change.FROZEN).with_change(["rooms"], Change.INCREASE)
    return Table.build(frame, schema)


def a_model(seed: int) -> FunctionModel:
    """Return a model that accepts a random third of all kinds of people."""
    random = np.random.default_rng(seed)
    accepted = {kind for kind in product(*COLUMNS.values()) if random.random() < 0.3}
    return FunctionModel(lambda frame: [tuple(row) in accepted for row in frame[list(COLUMNS)].itertuples(index=False)])


def cheapest_by_brute_force(model: FunctionModel, table: Table, person: int, most: int) -> tuple[float, int] | None:
    """Return the least (cost, levels crossed) over every kind of person that may be reached."""
    me = table.frame.iloc[person]
    seen = {name: set(table.frame[name]) for name in COLUMNS}
    found = []
    for kind in product(*COLUMNS.values()):
        there = dict(zip(COLUMNS, kind, strict=True))
        moved = [name for name in COLUMNS if there[name] != me[name]]
        allowed = (
            "sex" not in moved and there["rooms"] >= me["rooms"] and all(there[name] in seen[name] for name in moved)
        )
        if 0 < len(moved) <= most and allowed and model.predict(pd.DataFrame([there]))[0]:
            crossed = sum(there[name] - me[name] if name == "rooms" else 1 for name in moved)
            found.append((sum(PRICES[name] for name in moved), int(crossed)))
    return min(found, default=None)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("most", [1, 3])
def test_the_cheapest_move_is_the_cheapest(seed: int, most: int) -> None:
    """For every person, no reachable kind of person that the model accepts costs less."""
    table, model = a_table(seed), a_model(seed)
    costs = Costs.unit(COLUMNS).with_direct(PRICES)
    for person in range(len(table)):
        answer = person_recourse(model, table, person, [], costs, most)
        assert answer.row == table.rows[person]
        if model.predict(table.frame.iloc[[person]])[0]:
            assert answer.accepted and answer.cheapest is None
            continue
        best = answer.cheapest and (answer.cheapest.cost, answer.cheapest.magnitude)
        assert best == cheapest_by_brute_force(model, table, person, most)


def rule(before: str, after: str, subgroup: str = "f") -> RecourseRule:
    """Return a rule on the job of one sex."""
    at = [
        Conjunction.of([Predicate(name, Value(level, level))])
        for name, level in (("sex", subgroup), ("job", before), ("job", after))
    ]
    return RecourseRule(*at)


def person_at(table: Table, **cells: Any) -> int:
    """Return the first person with these cells."""
    return int(np.flatnonzero(np.logical_and.reduce([table.frame[name] == cell for name, cell in cells.items()]))[0])


def test_the_most_accurate_rule_that_applies_decides() -> None:
    """Of rules that apply the most accurate decides, of equals the first; it may fail for this person."""
    table = a_table(1, 60)
    model = FunctionModel(lambda frame: (frame["job"] == "top") & (frame["rooms"] > 1))
    costs = Costs.unit(COLUMNS)
    ranked = [
        (rule("none", "some"), 0.4),
        (rule("none", "top"), 0.9),
        (rule("none", "some", "m"), 1.0),
        (rule("none", "some"), 0.9),
    ]
    lucky = person_recourse(model, table, person_at(table, sex="f", job="none", rooms=2), ranked, costs, 2)
    unlucky = person_recourse(model, table, person_at(table, sex="f", job="none", rooms=1), ranked, costs, 2)
    other = person_recourse(model, table, person_at(table, sex="f", job="some"), ranked, costs, 2)
    assert (lucky.rule, lucky.rule_works) == (ranked[1][0], True)
    assert (unlucky.rule, unlucky.rule_works) == (ranked[1][0], False)
    assert (other.rule, other.rule_works) == (None, False)
    assert "It works for this person." in person_text(table.schema, lucky)
    assert "It does not work for this person." in person_text(table.schema, unlucky)
    assert "No rule of the summary applies to this person." in person_text(table.schema, other)
    assert "at cost 2: **job = top** and **rooms = 2**." in person_text(table.schema, unlucky)


def test_somebody_nothing_helps_hears_so() -> None:
    """When no allowed move works the answer says how many were tried."""
    table = a_table(2)
    answer = person_recourse(
        FunctionModel(lambda frame: frame["sex"] == "f"),
        table,
        person_at(table, sex="m", rooms=3),
        [],
        Costs.unit(COLUMNS),
        1,
    )
    assert (answer.cheapest, answer.tried) == (None, 3)
    assert "Of 3 moves allowed to this person none makes the model accept them." in person_text(table.schema, answer)


def test_a_rule_of_an_unknown_level_is_refused() -> None:
    """A summary that speaks of levels the table does not know belongs to another table."""
    with pytest.raises(DataError, match="names a level of 'job'"):
        person_recourse(a_model(3), a_table(3), 0, [(rule("none", "king"), 1.0)], Costs.unit(COLUMNS), 1)
