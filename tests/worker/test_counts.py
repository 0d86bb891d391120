"""Counts by level: what is told of groups adds up."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.audit import People
from ares_core.audit.intervals import Share
from ares_core.datasets import load_german
from ares_core.models import ModelQuality
from ares_core.people import Table
from ares_core.worker import ModelView
from ares_core.worker.counts import level_counts, level_shares


@pytest.fixture(scope="module")
def table() -> Table:
    """Return the people of German Credit."""
    data = load_german()
    return People.of(data.frame, data.target, data.favourable, lambda _: data.schema, data.sha256).table


def test_each_feature_counts_everybody_once(table: Table) -> None:
    """The levels of a feature add up to all people, in the schema's order."""
    counts = level_counts(table)
    assert [len(levels) for levels in counts] == [len(feature.levels) for feature in table.schema.features]
    assert {sum(levels) for levels in counts} == {len(table)}


def test_a_mask_counts_its_people_at_each_level(table: Table) -> None:
    """Shares say how many of the people at a level are in the mask, counted one by one."""
    mask = np.arange(len(table)) % 3 == 0
    shares = dict(dict(level_shares(table, mask))["savings"])
    codes = table.codes[:, table.position("savings")]
    for place, level in enumerate(table.schema["savings"].levels):
        there = [bool(mask[person]) for person in range(len(table)) if codes[person] == place]
        assert shares[level.name] == Share(sum(there), len(there))


@pytest.mark.parametrize(("had", "always"), [(70, 70), (30, 70), (50, 50)])
def test_always_the_same_answer_is_right_about_the_more_frequent_outcome(had: int, always: int) -> None:
    """Whichever outcome that is; and whom a model is right about is a whole number of people."""
    quality = ModelQuality(100, 0.29, None, always / 100)
    view = ModelView("rules", "0" * 64, quality, Share(5, 100), (), 0, Share(had, 100))
    assert view.always == Share(always, 100)
    assert view.right == Share(29, 100)
