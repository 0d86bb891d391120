"""Flags: a planted bias is pointed at, and none where none is planted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.paper import bias
from benchmarks.paper.flags import Compared, flags, ratio_p

PLAIN = Compared("race = A", 0.0, 1.0, 1.0, 1.0)


def test_only_who_is_worse_off_is_flagged() -> None:
    """A group helped less or made to change more is flagged; one helped more or with fewer changes is not."""
    less, more = (replace(PLAIN, gap=gap, p_gap=0.001) for gap in (-0.3, 0.3))
    doubled, halved = (replace(PLAIN, ratio=ratio, p_ratio=0.001) for ratio in (2.0, 0.5))
    assert [len(flags([each])) for each in (PLAIN, less, more, doubled, halved)] == [0, 1, 0, 1, 0]


def test_evidence_is_corrected_for_the_number_of_comparisons() -> None:
    """What is enough for one group alone is not enough among forty."""
    hint = replace(PLAIN, ratio=1.2, p_ratio=0.02)
    assert flags([hint]) == ["race = A"]
    assert flags([hint, *[PLAIN] * 39]) == []


def test_the_strongest_evidence_comes_first() -> None:
    """Groups are in the order of their p-values, and with equal ones the larger ratio first."""
    found = [
        Compared(name, 0.0, 1.0, ratio, p) for name, ratio, p in (("a", 1.2, 1e-4), ("b", 1.5, 0.0), ("c", 2.0, 0.0))
    ]
    assert flags(found) == ["c", "b", "a"]


def test_a_p_value_agrees_with_its_interval() -> None:
    """An interval that just reaches 1 means p = 0.05; one of no width is certain; none says nothing."""
    assert ratio_p(1.2, (1.0, 1.44)) == pytest.approx(0.05)
    assert ratio_p(2.0, (2.0, 2.0)) == 0.0
    assert ratio_p(2.0, None) == ratio_p(None, None) == 1.0


def test_planted_biases_are_found_and_none_is_made_up() -> None:
    """In two random black boxes each, the page puts the planted group first, and flags nobody without one."""
    for seed in range(2):
        found = bias.trial(seed, biased=True, people=1000)
        assert found["page"][0] == found["planted"] != ""
        assert found["planted"] in found["summary"]
        assert bias.trial(seed, biased=False, people=1000)["page"] == []


def test_a_planted_bias_doubles_the_changes() -> None:
    """Of people with neither habit, one change frees everybody but the planted group, whom two changes free."""
    model, planted = bias.black_box(np.random.default_rng(3), biased=True)
    feature, group = planted.split(" = ")
    frame = bias.population(400, np.random.default_rng(4))
    first, second = (rule.before.features for rule in (model.rules[0], model.rules[-1]))
    free = frame.assign(**dict.fromkeys(second, "yes"))
    changed = model.rules[0].changed if model.rules[0].subgroup.level(feature).name != group else model.rules[1].changed
    one = free.assign(**dict.fromkeys(first, "no")).assign(**{changed[0]: "yes"})
    assert (model.predict(one) == (frame[feature] != group)).all()
    assert model.predict(free.assign(**dict.fromkeys(first, "yes"))).all()
