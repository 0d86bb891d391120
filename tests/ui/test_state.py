"""The state: what a change clears, and which steps are done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ares_core.costs import Comparison
from ares_core.settings import Settings
from ares_core.worker import Source, TrainHere
from ui.shelf import Setup
from ui.state import AuditState, Step, View

SOURCE = Source("0" * 64, "people.csv", "outcome", "good")
SETUP = Setup(SOURCE)
VIEW = View(("age",), Settings(max_rules=5), ("age",), 3, 2)
FULL = AuditState(SETUP, TrainHere("rf"), VIEW)


def test_nothing_is_done_at_first() -> None:
    """A new audit has no step behind it, no subject and nothing to evaluate."""
    empty = AuditState()
    assert not any(empty.done(step) for step in Step)
    assert empty.subject is None
    assert empty.evaluated is None


def test_steps_are_done_one_by_one() -> None:
    """Data, then the model, then rules once the model was asked; costs as soon as anybody said something."""
    assert [step for step in Step if AuditState(SETUP).done(step)] == [Step.DATA]
    assert [step for step in Step if replace(FULL, view=View()).done(step)] == [Step.DATA, Step.MODEL]
    priced = replace(SETUP, comparisons=(Comparison("a", "b"),))
    assert [step for step in Step if replace(FULL, setup=priced).done(step)] == list(Step)
    assert AuditState(replace(SETUP, direct=(("a", 2.0),))).done(Step.COSTS)


@pytest.mark.parametrize("name", ["sha256", "target", "favourable"])
def test_other_data_clear_everything(name: str) -> None:
    """Another file, target or favourable value leaves neither model nor rules, and says so."""
    other = replace(SETUP, source=replace(SOURCE, **{name: "other"}))
    state, told = FULL.with_setup(other)
    assert state == AuditState(other)
    assert told == "The data changed, so the model and the rules were cleared."


def test_another_schema_keeps_the_model() -> None:
    """A schema that changed keeps model and settings, and forgets which groups were looked at."""
    other = replace(SETUP, source=replace(SOURCE, schema="{}"))
    state, told = FULL.with_setup(other)
    assert state == AuditState(other, FULL.model, View(settings=VIEW.settings))
    assert "asked again" in told


def test_other_costs_clear_nothing() -> None:
    """Costs are read anew by everything below, so nothing is cleared and nothing is said."""
    other = replace(SETUP, direct=(("a", 2.0),))
    assert FULL.with_setup(other) == (replace(FULL, setup=other), "")


def test_nothing_is_said_when_nothing_was_there() -> None:
    """The first data clear nothing, and neither does taking them away before a model was chosen."""
    assert AuditState().with_setup(SETUP) == (AuditState(SETUP), "")
    assert AuditState(SETUP).with_setup(None) == (AuditState(), "")


def test_another_model_is_asked_again() -> None:
    """Another model keeps what is looked at, but not the answers, the chosen size or the slide."""
    state, told = FULL.with_model(TrainHere("lr"))
    assert state.view == replace(VIEW, strata=None, size=None, slide=None)
    assert state.setup == SETUP
    assert told == "The model changed, so it will be asked again."
    assert FULL.with_model(TrainHere("rf")) == (FULL, "")


def test_limits_and_weights_do_not_ask_again() -> None:
    """What the model is asked stays the same when only limits, weights or groups change."""
    other = FULL.with_view(replace(VIEW, interest=("sex",), settings=Settings(max_rules=9, max_width=3)))
    assert other.evaluated == FULL.evaluated
    finer = FULL.with_view(replace(VIEW, settings=Settings(max_rules=5, support=0.05)))
    assert finer.evaluated != FULL.evaluated
