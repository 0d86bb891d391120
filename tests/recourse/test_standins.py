"""Stand-ins: invented people the model refuses, who help to choose rules and are never measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.util import hash_pandas_object

from ares_core.models import FunctionModel
from ares_core.people import Change
from ares_core.people.table import Crowd, Indices
from ares_core.recourse import Workbench, learn, prepare
from ares_core.recourse.standins import ENOUGH_PEOPLE, ROUNDS, _mixed, invent
from ares_core.settings import Settings
from tests.recourse.worlds import World, random_world

SETTINGS = Settings(support=0.05, min_people=2)


def prepared(number: int, **changes: object) -> tuple[World, Workbench]:
    world = random_world(number)
    settings = Settings(**{"support": 0.05, "min_people": 2, **changes})  # type: ignore[arg-type]
    return world, prepare(world.model, world.table, settings, ("sex",))


@pytest.mark.parametrize("seed", range(3))
def test_there_are_enough_people_to_choose_on(seed: int) -> None:
    """Learn people and stand-ins together are as many as wanted, and weigh as much as the learn people."""
    world, bench = prepared(seed)
    choosers = bench.choosers("robust")
    assert len(choosers) == ENOUGH_PEOPLE == len(bench.split.learn) + bench.standins
    assert len(choosers) * bench.prices(SETTINGS, world.costs).person_weight == pytest.approx(len(bench.split.learn))


def test_counting_plainly_needs_and_uses_none() -> None:
    """The paper's way invents nobody, and leaves out those invented for the robust way."""
    _, bench = prepared(0, selection="paper")
    assert bench.standins == 0
    _, robust = prepared(0)
    assert robust.choosers("paper").tolist() == robust.split.learn.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_every_question_to_the_model_is_counted(seed: int) -> None:
    """All rows beyond the first look at the table are in model_rows, inventing included."""
    world, bench = prepared(seed)
    assert world.rows == len(bench.table) + bench.evaluation.model_rows


@pytest.mark.parametrize("seed", range(3))
def test_stand_ins_keep_what_is_frozen_and_take_the_rest_from_others(seed: int) -> None:
    """Some learn person has the same frozen features; every other level is that of a person outside check."""
    _, bench = prepared(seed)
    frozen = [place for place, feature in enumerate(bench.table.features) if feature.change is Change.FROZEN]
    invented = bench.levels[len(bench.affected) :]
    seeds = {tuple(row) for row in bench.levels[bench.split.learn][:, frozen].tolist()}
    assert {tuple(row) for row in invented[:, frozen].tolist()} <= seeds
    donors = np.setdiff1d(np.arange(len(bench.table)), bench.affected[bench.split.check])
    for position in range(len(bench.table.features)):
        assert set(invented[:, position].tolist()) <= set(bench.table.codes[donors, position].tolist())


def test_the_model_refuses_every_stand_in() -> None:
    """What the model was shown before the moves holds a refused row for each of them, at the same levels."""
    world, bench = prepared(0)
    refused = []
    for frame in world.asked[2:-1]:  # after the real people and their moves, before the stand-ins' moves
        said = np.asarray(world.model.function(frame))
        levels = np.stack([feature.codes(frame) for feature in bench.table.features], axis=1)
        refused += [tuple(row) for row in levels[~said].tolist()]
    shown = {tuple(row) for row in bench.levels[len(bench.affected) :].tolist()}
    assert shown
    assert shown <= set(refused)


def test_figures_speak_of_real_people_only() -> None:
    """The coverage of what was learned has a column for each of the affected and none for the invented."""
    world, bench = prepared(1)
    found = learn(bench, SETTINGS, world.costs, ("sex",))
    assert bench.standins > 0
    assert found.coverage.covers.shape == (len(found.rules), len(bench.affected))
    assert bench.recourse.shape == (len(bench.affected),)


def one_round_at_a_time(world: World, learners: Indices, donors: Indices) -> Crowd:
    """Invent as the room does, but ask after each round and stop as soon as enough are found."""
    table, random = world.table, np.random.default_rng(5)
    originals, givers = (Crowd.of(table, who) for who in (learners, donors))
    wanted = ENOUGH_PEOPLE - len(learners)
    found = originals.take(np.zeros(0, dtype=np.intp))
    for _ in range(ROUNDS):
        if len(found) < wanted:
            mixed = _mixed(table, originals.take(np.resize(np.arange(len(learners)), wanted)), givers, random)
            found = found.joined(mixed.take(np.flatnonzero(world.model.predict(mixed.frame(table)) == 0)))
    return found.take(np.arange(min(len(found), wanted)))


@pytest.mark.parametrize(
    ("refused", "rounds"), [(1000, [3]), (500, [3]), (250, [3, 1, 1]), (110, [3, 6]), (5, [3, 9]), (0, [3, 9])]
)
def test_rounds_asked_together_invent_the_same_people(refused: int, rounds: list[int]) -> None:
    """However many of a thousand the model refuses, few calls find the people that asking by the round would find."""
    world = random_world(0, people=200)
    says = FunctionModel(lambda frame: hash_pandas_object(frame, index=False).to_numpy() % 1000 >= refused)
    asked: list[int] = []

    def counting(frame: pd.DataFrame) -> Any:
        asked.append(len(frame))
        return says.predict(frame)

    learners, donors = np.arange(0, 80), np.arange(20, 200)
    slowly = one_round_at_a_time(replace(world, model=says), learners, donors)
    found, rows = invent(FunctionModel(counting), world.table, learners, donors, 5)
    assert found.levels.tolist() == slowly.levels.tolist()
    assert {name: places.tolist() for name, places in found.places.items()} == {
        name: places.tolist() for name, places in slowly.places.items()
    }
    assert asked == [number * (ENOUGH_PEOPLE - len(learners)) for number in rounds]
    assert rows == sum(asked)


@pytest.mark.parametrize(("learners", "donors"), [(0, 50), (50, 0), (ENOUGH_PEOPLE, 50), (ENOUGH_PEOPLE + 5, 50)])
def test_nobody_is_invented_from_nobody_or_for_enough(learners: int, donors: int) -> None:
    """Without learners or donors, or with as many learners as wanted, the model is not asked."""
    world = random_world(0, people=ENOUGH_PEOPLE + 10)
    found, rows = invent(world.model, world.table, np.arange(learners), np.arange(donors), 0)
    assert (len(found), rows, world.rows) == (0, 0, 0)


def test_the_seed_decides_who_is_invented() -> None:
    """The same seed invents the same people, another seed others."""
    levels = [prepared(0, seed=seed, holdout=0.0)[1].levels.tolist() for seed in (1, 1, 2)]
    assert levels[0] == levels[1]
    assert levels[0] != levels[2]
