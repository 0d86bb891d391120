"""Rules and two level sets: what they refuse to be, and what they say of themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ares_core.people import Conjunction, Interval, Predicate, Value, predicate_from_json
from ares_core.recourse import RecourseRule, TwoLevelRecourseSet


def said(**levels: str) -> Conjunction:
    return Conjunction.of(Predicate(name, Value(level, level)) for name, level in levels.items())


def rule(sex: str = "f", **job: str) -> RecourseRule:
    after = said(**{"job": "clerk", "savings": "low", **job})
    return RecourseRule(said(sex=sex), said(job="none", savings="low"), after)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: RecourseRule(said(sex="f"), said(job="a"), said(house="b")), "same features"),
        (lambda: RecourseRule(said(sex="f"), said(job="a", house="b"), said(job="b")), "same features"),
        (lambda: RecourseRule(said(sex="f"), said(job="a"), said(job="a")), "differ"),
        (lambda: RecourseRule(said(sex="f"), said(), said()), "differ"),
        (lambda: RecourseRule(said(job="a"), said(job="a"), said(job="b")), "different features"),
        (
            lambda: RecourseRule(said(sex="f", job="c"), said(house="a", job="a"), said(house="b", job="a")),
            "different features",
        ),
    ],
)
def test_a_rule_that_makes_no_sense_cannot_be_made(make: Callable[[], RecourseRule], reason: str) -> None:
    """Other features after than before, no change, or a subgroup that speaks of the condition's features."""
    with pytest.raises(ValueError, match=reason):
        make()


def test_the_move_is_what_differs() -> None:
    """Unchanged parts of a condition are no part of the move."""
    assert rule().changes == (Predicate("job", Value("clerk", "clerk")),)
    assert len(rule(savings="high").changes) == 2


def test_a_changed_interval_is_a_change() -> None:
    """Two ranges of a number differ although the feature is the same."""
    low = Predicate("age", Interval("below 10", None, 10))
    high = Predicate("age", Interval("10 or more", 10, None))
    assert RecourseRule(said(sex="f"), Conjunction.of([low]), Conjunction.of([high])).changes == (high,)


def test_the_width_counts_subgroup_and_condition() -> None:
    """|q| + |c|, whatever changes."""
    assert rule().width == 3
    assert RecourseRule(said(), said(job="a"), said(job="b")).width == 1


def test_a_set_knows_its_subgroups_and_its_widest_rule() -> None:
    """Subgroups come once each, in order of their first rule; no rules have width 0."""
    found = TwoLevelRecourseSet((rule("m"), rule("m", savings="high"), rule("f")))
    assert found.subgroups == (said(sex="m"), said(sex="f"))
    assert (len(found), found.max_width) == (3, 3)
    assert list(found) == list(found.rules)
    empty = TwoLevelRecourseSet(())
    assert (len(empty), empty.max_width, empty.subgroups) == (0, 0, ())


def test_a_rule_survives_being_written_and_read() -> None:
    """Every predicate a rule writes can be read back as the same predicate."""
    written = rule().to_json()
    assert list(written) == ["subgroup", "before", "after"]
    parts = [Conjunction.of(map(predicate_from_json, written[part])) for part in written]
    assert RecourseRule(*parts) == rule()
