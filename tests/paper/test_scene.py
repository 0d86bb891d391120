"""Scenes: both protocols describe the same people, and every system is given the same costs and people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ares_core.people import Change, Kind
from benchmarks.paper.advice import PEOPLE
from benchmarks.paper.scene import BUNDLED, OURS, PAPER, Protocol, described, read_people, simulated_costs
from benchmarks.paper.summaries import SHARES, summarise, weights_of
from tests.paper.scenes import small_scene


@pytest.mark.parametrize("protocol", [PAPER, OURS])
def test_a_protocol_changes_the_description_and_nobody_described(protocol: Protocol, tmp_path: Path) -> None:
    """Levels and what is frozen are the protocol's; rows, values and outcomes are those of the table."""
    people = read_people(BUNDLED, tmp_path)
    anew = described(people, BUNDLED, protocol)
    frozen = {feature.name for feature in anew.table.schema.features if feature.change is Change.FROZEN}
    assert frozen >= set(BUNDLED.protected) if protocol.frozen else not frozen
    numbers = [feature for feature in anew.table.schema.features if feature.kind is Kind.NUMBER]
    assert numbers
    assert all(len(feature.levels) <= (protocol.levels or 99) for feature in numbers)
    before, after = (np.argsort(each.table.rows) for each in (people, anew))
    assert (people.outcomes[before] == anew.outcomes[after]).all()
    ordered = (each.table.frame.iloc[rows].reset_index(drop=True) for each, rows in ((people, before), (anew, after)))
    assert next(ordered).equals(next(ordered))


def test_costs_depend_on_the_seed_and_on_nothing_else() -> None:
    """Two scenes of one seed pay the same, whatever the protocol; another seed pays otherwise; the easiest costs 1."""
    frozen, free = small_scene(), small_scene(frozen=False)
    assert frozen.costs == free.costs
    assert simulated_costs(frozen.table.schema, 1) != frozen.costs
    assert frozen.prices.min() == 1.0


def test_a_sample_is_of_measured_people_and_repeats() -> None:
    """Sampled people are refused, distinct, kept aside from choosing, and the same at every call."""
    scene = small_scene()
    sample = scene.sample(5)
    assert len(set(sample.tolist())) == 5
    assert set(sample.tolist()) <= set(scene.affected[scene.split.check].tolist())
    assert (scene.sample(5) == sample).all()
    assert len(scene.sample(PEOPLE)) == min(PEOPLE, len(scene.split.check))


def test_the_most_accurate_rules_are_taken_and_the_cheapest_of_those() -> None:
    """No setting tried is more accurate by a tenth of a point, and none as accurate is cheaper."""
    found = summarise(small_scene("lr", frozen=False))
    assert len(found["tried"]) == 3 * len(SHARES)
    for each in found["tried"]:
        assert each["accuracy"] <= found["accuracy"] + 0.001
        if each["accuracy"] >= found["accuracy"]:
            assert each["mean_fcost"] >= found["mean_fcost"] - 1e-9


def test_cost_weighs_a_share_of_the_people() -> None:
    """With ten times the people the price of cost is ten times as high, so that rules need not change with it."""
    few, many = ([weights.feature_cost for weights in weights_of(count)] for count in (50, 500))
    assert many == pytest.approx([10 * price for price in few])
