"""What blocks people, on people built so that the reason is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from ares_core.audit import People, Request, run_audit, summary_text
from ares_core.audit.blockers import MOST_PEOPLE, find_blockers
from ares_core.costs import Costs
from ares_core.models import FunctionModel
from ares_core.people import Change, Schema, Table
from ares_core.settings import Settings

NAMES = ["a", "b", "c", "d"]


def everybody(times: int = 10) -> pd.DataFrame:
    """Return all combinations of four yes-or-no columns, so many people of each."""
    rows = [[format(kind, "04b")[place] for place in range(4)] for kind in range(16) for _ in range(times)]
    return pd.DataFrame(rows, columns=NAMES).replace({"0": "no", "1": "yes"}).astype("str")


def blocked(function: Callable[[pd.DataFrame], Any], frame: pd.DataFrame, frozen: str = "", changes: int = 2) -> Any:
    """Return what blocks the people a model refuses."""
    table = Table.build(frame, Schema.infer(frame).with_change(frozen, Change.FROZEN))
    model = FunctionModel(function)
    return find_blockers(model, table, np.flatnonzero(model.predict(table.frame) == 0), changes)


def yes(frame: pd.DataFrame, names: str) -> pd.Series:
    """Say who has yes in all of these columns."""
    return (frame[list(names)] == "yes").all(axis=1)


def test_a_frozen_feature_that_alone_helps_is_named() -> None:
    """Where only 'a' decides and may not change, 'a' would open a move for all 80."""
    found = blocked(lambda frame: yes(frame, "a"), everybody(), frozen="a")
    assert (found.people, found.rare, found.locked, found.further) == (80, 0, (("a", 80),), 0)


def test_the_fewest_locked_features_are_named() -> None:
    """Who lacks 'a' alone needs 'a' alone, who lacks both locked features needs both."""
    found = blocked(lambda frame: yes(frame, "ab"), everybody(5), frozen="ab")
    assert (found.people, dict(found.locked)) == (60, {"a": 40, "b": 40})


def test_people_who_need_more_changes_are_counted() -> None:
    """Ten people of each kind that lacks three of the four features need three changes."""
    found = blocked(lambda frame: yes(frame, "abcd"), everybody())
    assert (found.people, found.looked_at) == (150, MOST_PEOPLE)
    three = everybody().query("a == 'no' and b == 'no' and c == 'no'")
    table = Table.build(everybody(), Schema.infer(everybody()))
    model = FunctionModel(lambda frame: yes(frame, "abc"))
    stuck = np.flatnonzero((table.frame[["a", "b", "c"]] == "no").all(axis=1))
    assert len(stuck) == len(three) == 20
    assert find_blockers(model, table, stuck, 2).further == 20
    assert find_blockers(model, table, stuck, 3).further == 0


def test_a_move_that_works_but_leads_where_nobody_is_is_rare() -> None:
    """When an allowed move works, what blocks people is that it is no candidate: too few live there."""
    found = blocked(lambda frame: yes(frame, "ab"), everybody())
    assert (found.people, found.rare, found.locked, found.further) == (120, MOST_PEOPLE, (), 0)


def audited(function: Callable[[pd.DataFrame], Any], frame: pd.DataFrame, frozen: str = "", **settings: Any) -> Any:
    """Return an audit of a model on a table."""
    labelled = frame.assign(good=["1", "0"] * (len(frame) // 2))
    people = People.of(labelled, "good", "1", lambda seen: Schema.infer(seen).with_change(frozen, Change.FROZEN))
    return run_audit(
        Request(people=people, model=FunctionModel(function), costs=Costs.unit(NAMES), settings=Settings(**settings))
    )


def test_an_audit_says_what_blocks_people() -> None:
    """The words name the locked feature and the number of people."""
    text = summary_text(audited(lambda frame: yes(frame, "ab"), everybody(), frozen="a"))
    assert "Of all 120 refused, 80 people have no candidate move that works." in text
    assert "80 people would have one if 'a' could change." in text


def test_an_audit_says_that_more_changes_are_needed() -> None:
    """People three changes away are told apart from people nothing helps."""
    text = " ".join(summary_text(audited(lambda frame: yes(frame, "abc"), everybody(), max_changes=2)).split())
    assert "Of all 140 refused, 20 people have no candidate move that works." in text
    assert "20 people would need more changes than were tried, if any help at all." in text


def test_an_audit_says_that_an_end_state_is_rare() -> None:
    """Only three people of 160 own 'd': below the support nobody may be sent there."""
    frame = everybody()
    frame["d"] = ["yes" if place in (15, 16, 17) else "no" for place in range(len(frame))]
    audit = audited(lambda seen: yes(seen, "d"), frame, support=0.1)
    assert not len(audit.learned.rules)
    text = " ".join(summary_text(audit).split())
    assert "if more people were where it starts or where it leads." in text
