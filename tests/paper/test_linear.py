"""AR: the integer program finds what trying everything finds, on linear scores and on linear stand-ins."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.audit.person import cheapest_move
from benchmarks.paper.advice import measure
from benchmarks.paper.linear import MARGIN, Steps, advise, cheapest, percentile_shift
from benchmarks.paper.surrogates import cluster_lines, local_lines, whole_line
from benchmarks.paper.systems import Line
from tests.paper.scenes import small_scene

numbers = st.floats(-2, 2, allow_nan=False).map(lambda number: round(number, 3))


def tried(need: float, gain: np.ndarray, price: np.ndarray, feature: np.ndarray) -> float | None:
    """Return the lowest price by trying every choice of at most one step of each feature."""
    steps = [[None, *np.flatnonzero(feature == each)] for each in np.unique(feature)]
    costs = []
    for choice in product(*steps):
        chosen = [step for step in choice if step is not None]
        if gain[chosen].sum() >= need + MARGIN:
            costs.append(price[chosen].sum())
    return min(costs, default=None)


@settings(max_examples=60)
@given(
    need=st.floats(0.01, 3).map(lambda number: round(number, 3)),
    steps=st.lists(st.tuples(st.integers(0, 3), numbers, st.integers(1, 30)), min_size=1, max_size=8),
)
def test_the_program_is_as_cheap_as_trying_everything(need: float, steps: list[tuple[int, float, int]]) -> None:
    """Whatever the scores and prices, the steps suffice, are of different features, and none are cheaper."""
    feature, gain, price = (np.array(column) for column in zip(*steps, strict=True))
    price = price / 10
    found, best = cheapest(need, gain, price, feature), tried(need, gain, price, feature)
    assert (found is None) == (best is None)
    if found is not None and best is not None:
        assert price[found].sum() == pytest.approx(best)
        assert gain[found].sum() >= need
        assert len(set(feature[found])) == len(found)


def test_nothing_needed_is_nothing_changed() -> None:
    """Whoever a stand-in accepts already is told to change nothing, which is no advice."""
    found = cheapest(-1.0, np.array([1.0]), np.array([1.0]), np.array([0]))
    assert found is not None
    assert found.tolist() == []
    scene = small_scene("lr")
    assert measure(scene, scene.sample(2), [None, ()]).advised == 0


def test_on_a_linear_model_every_advice_works_and_is_the_cheapest() -> None:
    """AR helps everybody a move helps, at the cost of the cheapest move found by asking the model."""
    scene = small_scene("lr")
    people = scene.sample(15)
    steps = Steps.of(scene.table, people)
    need, gain = whole_line(scene, steps)
    outcome = measure(scene, people, advise(steps, need, gain, scene.prices[steps.feature]))
    asked = [cheapest_move(scene.model, scene.table, int(person), scene.costs, 3)[0] for person in people]
    costs = [move.cost for move in asked if move is not None]
    assert outcome.helped == len(costs)
    assert outcome.mean_fcost == pytest.approx(np.mean(costs))


def test_steps_respect_what_may_change() -> None:
    """A frozen feature has no step, and every step leads to another level."""
    scene = small_scene("lr")
    steps = Steps.of(scene.table, scene.sample(10))
    assert scene.table.position("sex") not in set(steps.feature.tolist())
    assert (scene.table.codes[steps.people[steps.person], steps.feature] != steps.level).all()
    assert len(steps.after) == len(steps.person)


def test_a_longer_way_through_the_crowd_is_a_larger_shift() -> None:
    """AR's own price grows with the people overtaken, and no step is free."""
    scene = small_scene("lr")
    steps = Steps.of(scene.table, scene.sample(10))
    price = percentile_shift(steps)
    savings = scene.table.position("savings")
    for person in range(len(steps.people)):
        mine = (steps.person == person) & (steps.feature == savings)
        start = scene.table.codes[steps.people[person], savings]
        up = mine & (steps.level > start)
        assert (np.diff(price[up][np.argsort(steps.level[up])]) > 0).all()
    assert (price > 0).all()


@pytest.mark.parametrize("line", [local_lines, cluster_lines])
def test_stand_ins_of_a_linear_model_see_what_helps(line: Line) -> None:
    """Where the model is linear, its stand-ins find recourse for most people."""
    scene = small_scene("lr")
    people = scene.sample(20)
    steps = Steps.of(scene.table, people)
    need, gain = line(scene, steps)
    outcome = measure(scene, people, advise(steps, need, gain, scene.prices[steps.feature]))
    assert outcome.accuracy >= 0.6
