"""Links: an address carries the whole view, and no address can do harm."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.models import FAMILIES, Reading
from ares_core.settings import Settings, Weights
from ares_core.worker import Brought, ModelFile, RuleFile, ServiceAt, Source, TrainHere
from tests.ui.shelves import fresh_shelf
from tests.ui.test_words import HOSTILE
from ui.demos import DEMOS, demo_model, demo_setup, demo_state
from ui.links import parameters, read
from ui.shelf import Setup
from ui.state import AuditState, View

SHELF = fresh_shelf()
AUDIT = SHELF.begin_audit("mine.csv")
MINE = Setup(Source(SHELF.put_file(b"y,z\n1,2\n"), "mine.csv", "y", "1"), audit=AUDIT)
RULES = RuleFile(SHELF.put_file(b"{}"), "mine.json")
FOREIGN = (
    Brought(ModelFile(SHELF.put_file(b"PK"), "mine.skops"), Reading("granted")),
    Brought(ModelFile(SHELF.put_file(b"PK"), "mine.skops"), Reading("", 0.25, above=False)),
    Brought(ServiceAt("https://models.example/invocations", 500), Reading("score 2", 0.5)),
)
NAMES = st.lists(st.text(min_size=1, max_size=8), max_size=3, unique=True).map(tuple)
WEIGHT = st.floats(0, 1e6)


def setting(item: Any) -> st.SearchStrategy[Any]:
    """Return any value a setting may have."""
    if item.name == "weights":
        return st.builds(Weights, WEIGHT, WEIGHT, WEIGHT, WEIGHT)
    rule = item.metadata
    if rule["options"]:
        return st.sampled_from(rule["options"])
    kind = st.integers if isinstance(item.default, int) else st.floats
    return kind(rule["low"], rule["high"])


SETTINGS = st.fixed_dictionaries({}, optional={item.name: setting(item) for item in fields(Settings)}).map(
    lambda chosen: Settings(**chosen)
)
PLACE = st.none() | st.integers(0, 999)
LINE = st.none() | st.integers(1, 999_999_999)
VIEWS = st.builds(View, NAMES, SETTINGS, st.none() | NAMES, PLACE, PLACE, LINE)
SETUPS = st.sampled_from(
    [
        demo_setup("german", SHELF),
        demo_setup("planted", SHELF),
        replace(demo_setup("german", SHELF), direct=(("age", 2.0),), audit=AUDIT),
        MINE,
    ]
)
MODELS = st.sampled_from(
    [
        None,
        *(TrainHere(name) for name in FAMILIES),
        demo_model("planted", SHELF),
    ]
)
STATES = (
    st.builds(AuditState, SETUPS, MODELS, VIEWS)
    | st.builds(AuditState, st.just(MINE), st.sampled_from([RULES, *FOREIGN]), VIEWS)
    | st.builds(AuditState, st.none(), st.none(), VIEWS)
)


@given(STATES)
def test_a_link_shows_the_same_thing(state: AuditState) -> None:
    """Any state, written to an address and read from it, is the same state."""
    assert read(parameters(state, SHELF), SHELF) == (state, "")


@pytest.mark.parametrize("name", DEMOS)
def test_a_demonstration_has_a_short_link(name: str) -> None:
    """A demonstration is named, not kept under a token, so its link survives a restart of the server."""
    state = demo_state(name, SHELF)
    link = parameters(state, SHELF)
    assert link["data"] == [name]
    assert read(link, fresh_shelf()) == (state, "")
    assert read({"data": [name]}, fresh_shelf()) == (replace(state, view=View()), "")


def test_what_is_usual_is_left_out() -> None:
    """An empty audit has no parameters."""
    assert parameters(AuditState(), SHELF) == {}


@pytest.mark.parametrize("text", [*HOSTILE, "", "x" * 100_000, "\0", "../../etc/passwd", "🦊"])
def test_hostile_parameters_do_no_harm(text: str) -> None:
    """Whatever stands in an address, it is read to some state and a sentence that does not repeat it."""
    names = [
        "data",
        "model",
        "groups",
        "even",
        "asked",
        "size",
        "present",
        "line",
        *(item.name for item in fields(Settings)),
    ]
    for name in names:
        for base in ({}, {"data": ["german"]}):
            state, told = read({**base, name: [text]}, SHELF)
            assert isinstance(state, AuditState)
            assert not text or text not in told


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("weights", "1,1,1"),
        ("weights", "nan,1,1,1"),
        ("weights", "-1,1,1,1"),
        ("max_rules", "0"),
        ("max_rules", "9" * 5000),
        ("support", "inf"),
        ("support", "nan"),
        ("seed", "1e3"),
        ("search", "quick"),
    ],
)
def test_impossible_settings_are_told(name: str, word: str) -> None:
    """Settings out of their range give way to the usual ones, and the visitor is told."""
    state, told = read({name: [word]}, SHELF)
    assert state.view.settings == Settings()
    assert told == "Some settings in this link cannot be used, so the usual ones are."


@pytest.mark.parametrize("word", ["-1", "1.5", "1000", "٣", "²", "0x1"])
def test_impossible_places_are_nowhere(word: str) -> None:
    """A size or slide that is no small number is none."""
    view = read({"size": [word], "present": [word]}, SHELF)[0].view
    assert (view.size, view.slide) == (None, None)


def test_lost_data_and_models_are_told() -> None:
    """A token of another server names nothing; the visitor learns what to do."""
    link = parameters(AuditState(MINE, RULES), SHELF)
    state, told = read(link, fresh_shelf())
    assert state == AuditState()
    assert "uploaded again" in told
    state, told = read({"data": ["german"], "model": link["model"]}, fresh_shelf())
    assert state == AuditState(demo_setup("german", SHELF))
    assert "Model page" in told


def test_a_token_of_one_kind_is_none_of_the_other() -> None:
    """A model's token is not taken for data, nor the reverse."""
    assert read({"data": [SHELF.token(RULES, AUDIT)]}, SHELF)[0] == AuditState()
    assert read({"data": ["german"], "model": [SHELF.token(MINE, AUDIT)]}, SHELF)[0].model is None
