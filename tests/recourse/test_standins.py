"""Stand-ins: invented people the model refuses, who help to choose rules and are never measured."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.people import Change
from ares_core.recourse import Workbench, learn, prepare
from ares_core.recourse.standins import ENOUGH_PEOPLE
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
    assert len(choosers) * bench.prices(SETTINGS, world.costs).person == pytest.approx(len(bench.split.learn))


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
    for frame in world.asked[1:]:
        if len(frame) < ENOUGH_PEOPLE:
            said = np.asarray(world.model.function(frame))
            world.asked.pop()
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


def test_the_seed_decides_who_is_invented() -> None:
    """The same seed invents the same people, another seed others."""
    levels = [prepared(0, seed=seed, holdout=0.0)[1].levels.tolist() for seed in (1, 1, 2)]
    assert levels[0] == levels[1]
    assert levels[0] != levels[2]
