"""Tuning: the appendix's coordinate descent keeps its conditions, or returns where it began."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from ares_core.datasets import planted_bias
from ares_core.models import FunctionModel
from ares_core.people import Table
from ares_core.recourse import prepare
from ares_core.recourse import tuning as room
from ares_core.recourse.tuning import START, STEP, Tuned, Validation, _parts, tune_weights
from ares_core.settings import Settings, Weights
from tests.recourse.worlds import random_world

SETTINGS = Settings(support=0.05, min_people=2, max_rules=5, condition_width=2, selection="paper")


def tuned(seed: int, people: int = 80, settings: Settings = SETTINGS) -> Tuned:
    world = random_world(seed, people, 4)
    bench = prepare(world.model, world.table, settings, ("sex",))
    world.silence()
    return tune_weights(bench, settings, world.costs, ("sex",))


def test_where_the_conditions_can_hold_weights_fall_as_far_as_they_still_hold() -> None:
    """On the planted population all three hold at the start, and the weights found still keep them."""
    data, model = planted_bias(600, 0)
    table = Table.build(data.people, data.schema)
    settings = Settings(selection="paper", max_rules=6, condition_width=3)
    bench = prepare(model, table, settings, ("race",))
    costs = random_world(0).costs.unit(data.schema.names)
    found = tune_weights(bench, settings, costs, ("race",))
    assert found.validation.holds
    assert found.weights != Weights(START, START, START, START)
    assert found.tried > 1
    assert all(0 <= weight <= START and weight % STEP == 0 for weight in astuple(found.weights))
    # Without any reward for covering people nobody would be covered, so that weight cannot fall to 0.
    assert found.weights.coverage > 0


@pytest.mark.parametrize("seed", range(4))
def test_the_result_keeps_the_conditions_or_is_the_start(seed: int) -> None:
    """No model is asked, and nothing is returned that breaks a condition the start kept."""
    found = tuned(seed)
    if not found.validation.holds:
        assert found.weights == Weights(START, START, START, START)
        assert found.tried == 1


def test_loose_conditions_let_every_weight_fall_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing is demanded each weight is lowered in turn until 0, ten steps each."""
    for name, value in (("LEAST_COVERED", 0.0), ("MOST_SHARED", 1.0), ("MOST_INCORRECT", 1.0)):
        monkeypatch.setattr(room, name, value)
    found = tuned(0)
    assert astuple(found.weights) == (0.0, 0.0, 0.0, 0.0)
    assert found.tried == 1 + 4 * int(START / STEP)


def test_conditions_nobody_can_meet_return_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start comes back with what it achieves, and says that the conditions do not hold."""
    monkeypatch.setattr(room, "LEAST_COVERED", 1.1)
    found = tuned(1)
    assert found.weights == Weights(START, START, START, START)
    assert not found.validation.holds


@pytest.mark.parametrize("number", [*range(1, 45), 100, 1000])
def test_a_twentieth_of_the_learn_people_is_set_aside_and_never_nobody(number: int) -> None:
    """Both parts together are the learn people; at least one validates, and about 5 % do."""
    kept, held = _parts(np.arange(100, 100 + number), 3)
    assert sorted([*kept.tolist(), *held.tolist()]) == list(range(100, 100 + number))
    assert len(held) == max(1, -(-number // 20))


def test_the_validation_people_depend_on_the_seed() -> None:
    """Another seed sets others aside, the same seed the same."""
    learn = np.arange(200)
    assert _parts(learn, 1)[1].tolist() == _parts(learn, 1)[1].tolist()
    assert _parts(learn, 1)[1].tolist() != _parts(learn, 2)[1].tolist()


@pytest.mark.parametrize("refused", [1, 2, 7, 14])
def test_few_people_break_nothing(refused: int) -> None:
    """With hardly anybody to learn from or to validate on, shares are numbers and the start comes back."""
    world = random_world(0, 200, 4)
    first = np.flatnonzero(world.table.frame["job"] != "none")[:refused]
    frame = world.table.frame.assign(income=np.where(world.table.frame.index.isin(first), 29, 1))
    table = Table.build(frame, world.table.schema)
    model = FunctionModel(lambda people: (people["income"] != 29) | (people["job"] == "none"))
    settings = replace(SETTINGS, min_people=1)
    found = tune_weights(prepare(model, table, settings), settings, world.costs)
    assert all(np.isfinite(share) and 0 <= share <= 1 for share in astuple(found.validation)[1:])


@pytest.mark.parametrize(
    ("validation", "holds"),
    [
        (Validation(20, 0.95, 0.02, 0.15), True),
        (Validation(20, 0.94, 0.0, 0.0), False),
        (Validation(20, 1.0, 0.03, 0.0), False),
        (Validation(20, 1.0, 0.0, 0.16), False),
        (Validation(0, 0.0, 0.0, 0.0), False),
    ],
)
def test_the_papers_three_conditions(validation: Validation, holds: bool) -> None:
    """At least 95 % covered, at most 2 % under several rules, at most 15 % told what fails; borders too."""
    assert validation.holds == holds
