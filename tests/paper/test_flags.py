"""Flags: a planted bias is pointed at, and none where none is planted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ares_core.audit.intervals import Share
from ares_core.audit.subgroups import SubgroupFigures
from ares_core.people import Conjunction, Predicate, Value
from benchmarks.paper import bias
from benchmarks.paper.flags import changes_p, flags

PLAIN = SubgroupFigures(
    subgroup=Conjunction.of([Predicate("race", Value("A", "A"))]),
    accuracy=Share(90, 100),
    coverage=Share(100, 100),
    without_recourse=Share(0, 100),
    mean_fcost=1.5,
    fcost_interval=(1.4, 1.6),
    mean_changes=1.5,
    changes_interval=(1.4, 1.6),
    gap=0.0,
    gap_interval=(-0.1, 0.1),
    cost_ratio=1.0,
    cost_ratio_interval=(0.9, 1.1),
    changes_ratio=1.0,
    changes_ratio_interval=(0.9, 1 / 0.9),
    p_holm=1.0,
    others=300,
)


def test_only_who_is_worse_off_is_flagged() -> None:
    """A group helped less or made to change more is flagged; one helped more or with fewer changes is not."""
    less = replace(PLAIN, gap=-0.3, p_holm=0.001)
    more = replace(PLAIN, gap=0.3, p_holm=0.001)
    doubled = replace(PLAIN, changes_ratio=2.0, changes_ratio_interval=(1.9, 4 / 1.9))
    halved = replace(PLAIN, changes_ratio=0.5, changes_ratio_interval=(0.45, 0.25 / 0.45))
    assert [len(flags([each])) for each in (PLAIN, less, more, doubled, halved)] == [0, 1, 0, 1, 0]


def test_evidence_is_corrected_for_the_number_of_comparisons() -> None:
    """What is enough for one group alone is not enough among forty."""
    hint = replace(PLAIN, changes_ratio=1.2, changes_ratio_interval=(1.04, 1.44 / 1.04))
    assert len(flags([hint])) == 1
    assert flags([hint, *[PLAIN] * 39]) == ()


def test_a_p_value_agrees_with_its_interval() -> None:
    """An interval that just reaches 1 means p = 0.05; one of no width is certain; none says nothing."""
    assert changes_p(replace(PLAIN, changes_ratio=1.2, changes_ratio_interval=(1.0, 1.44))) == pytest.approx(0.05)
    assert changes_p(replace(PLAIN, changes_ratio=2.0, changes_ratio_interval=(2.0, 2.0))) == 0.0
    assert changes_p(replace(PLAIN, changes_ratio=2.0, changes_ratio_interval=None)) == 1.0


def test_planted_biases_are_found_and_none_is_made_up() -> None:
    """In two random black boxes each, the planted group comes first, and nobody is flagged without one."""
    for seed in range(2):
        found = bias.trial(seed, biased=True, people=1000)
        assert found["first"] == found["planted"] != ""
        assert bias.trial(seed, biased=False, people=1000)["flagged"] == []


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
