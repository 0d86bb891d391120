"""Predicates and conjunctions: on the raw table they say what codes say, and JSON gives them back."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.errors import AresError, ModelError
from ares_core.people.levels import Choice, Interval, Missing, Value
from ares_core.people.predicates import Conjunction, Predicate, predicate_from_json
from ares_core.people.schema import Schema
from ares_core.people.schema_file import schema_for
from tests.people.frames import category, frames, house, number

FRAME = pd.DataFrame(
    {
        "age": [20.0, 30.0, -9.0, math.nan],
        "job": pd.array(["a", "b", "b", None], dtype="str"),
        "Owns": [1, 0, 0, 0],
        "Rents": [0, 1, 0, 0],
    }
)
OLD = Predicate("age", Interval("30 or more", 30, None))
CLERK = Predicate("job", Value("clerk", "b"))


def through_json(predicate: Predicate) -> Predicate:
    return predicate_from_json(json.loads(json.dumps(predicate.to_json(), allow_nan=False)))


@pytest.mark.parametrize(
    ("predicate", "written"),
    [
        (CLERK, {"feature": "job", "equals": "b"}),
        (OLD, {"feature": "age", "at_least": 30, "below": None}),
        (
            Predicate("age", Interval("", None, 25, (-9,))),
            {"feature": "age", "at_least": None, "below": 25, "except": [-9]},
        ),
        (Predicate("age", Missing(values=(-9,))), {"feature": "age", "missing": True, "values": [-9]}),
        (Predicate("age", Missing()), {"feature": "age", "missing": True}),
        (
            Predicate("House", house().levels[0]),
            {"feature": "House", "equals": "owns", "columns": {"Owns": 1, "Rents": 0}},
        ),
    ],
)
def test_predicates_are_written_as_the_contract_says(predicate: Predicate, written: dict[str, Any]) -> None:
    """Each of the four forms, and back to the same form on the same people."""
    assert predicate.to_json() == written
    assert through_json(predicate).to_json() == written
    assert (through_json(predicate).mask(FRAME) == predicate.mask(FRAME)).all()


def check_every_level(frame: pd.DataFrame, schema: Schema) -> None:
    for feature in schema.features:
        codes = feature.codes(frame)
        for index, level in enumerate(feature.levels):
            predicate = Predicate(feature.name, level)
            assert (predicate.mask(frame) == (codes == index)).all()
            assert through_json(predicate).to_json() == predicate.to_json()
            assert (through_json(predicate).mask(frame) == (codes == index)).all()


@settings(max_examples=80)
@given(frames(most_columns=3))
def test_masks_on_the_raw_table_equal_the_codes_before_and_after_json(frame: pd.DataFrame) -> None:
    """A reader of a run file finds the same people at every level of every inferred feature."""
    check_every_level(frame, Schema.infer(frame))


@settings(max_examples=80)
@given(frames(most_columns=2), st.lists(st.integers(-3, 12), max_size=3), st.booleans())
def test_masks_equal_codes_when_cells_are_declared_missing(
    frame: pd.DataFrame, missing: list[int], words: bool
) -> None:
    """Declared missing numbers and words are in no other predicate, also for whoever only reads the JSON."""
    cells: list[Any] = [*missing, *(["NA", "A"] if words else [])]
    entries = [{"name": column, "missing": cells} for column in frame.columns]
    check_every_level(frame, schema_for(frame, {"format": "ares-schema", "version": 1, "features": entries}))


def test_number_predicates_by_a_reader_of_the_json_alone() -> None:
    """A plain loop over the JSON finds the people that the mask finds, the missing number left out."""
    feature = number("age", 25, missing=(-9,))
    for level in feature.levels:
        entry = Predicate("age", level).to_json()
        found = []
        for cell in FRAME["age"].tolist():
            absent = math.isnan(cell) or cell in entry.get("values", [])
            inside = not math.isnan(cell) and cell not in entry.get("except", [])
            inside = inside and (entry.get("at_least") is None or cell >= entry["at_least"])
            inside = inside and (entry.get("below") is None or cell < entry["below"])
            found.append(absent if entry.get("missing") else inside)
        assert found == level.mask(FRAME, "age").tolist()


BAD: dict[str, Any] = {
    "null": None,
    "a list": [],
    "a word": "age",
    "no feature": {"equals": 1},
    "feature not a word": {"feature": 3},
    "half a character": {"feature": "age", "equals": "\ud800"},
    "half a name": {"feature": "\udfff", "equals": 1},
    "half a column": {"feature": "House", "columns": {"\ud800": 1}},
    "no level": {"feature": "age"},
    "missing false": {"feature": "age", "missing": False},
    "equals null": {"feature": "age", "equals": None},
    "equals a list": {"feature": "age", "equals": [1]},
    "equals NaN": {"feature": "age", "equals": math.nan},
    "empty range": {"feature": "age", "at_least": 5, "below": 5},
    "backward range": {"feature": "age", "at_least": 6, "below": 5},
    "range of words": {"feature": "age", "at_least": "5"},
    "range of truth": {"feature": "age", "below": True},
    "range from NaN": {"feature": "age", "at_least": math.nan, "below": 5},
    "infinite range": {"feature": "age", "at_least": math.inf},
    "range beyond numbers": {"feature": "age", "below": 10**400},
    "except a number": {"feature": "age", "below": 3, "except": -9},
    "except a word": {"feature": "age", "below": 3, "except": ["NA"]},
    "except null": {"feature": "age", "below": 3, "except": [None]},
    "values a word": {"feature": "age", "missing": True, "values": "NA"},
    "values of lists": {"feature": "age", "missing": True, "values": [["NA"]]},
    "columns empty": {"feature": "House", "equals": "owns", "columns": {}},
    "columns a list": {"feature": "House", "equals": "owns", "columns": ["Owns"]},
    "missing and a range": {"feature": "age", "missing": True, "below": 3},
    "missing or not": {"feature": "age", "missing": False, "below": 3},
    "values of a range": {"feature": "age", "below": 3, "values": [-9]},
    "except of a value": {"feature": "age", "equals": 3, "except": [-9]},
    "columns and a range": {"feature": "House", "columns": {"Owns": 1}, "at_least": 3},
    "columns called a list": {"feature": "House", "equals": ["owns"], "columns": {"Owns": 1}},
    "columns called half a character": {"feature": "House", "equals": "\ud800", "columns": {"Owns": 1}},
    "columns without values": {"feature": "House", "equals": "owns", "columns": {"Owns": None}},
}


@pytest.mark.parametrize("name", BAD)
def test_a_predicate_that_says_nothing_is_refused(name: str) -> None:
    """One sentence that shows the entry, one hint that shows how to write it."""
    with pytest.raises(ModelError) as caught:
        predicate_from_json(BAD[name])
    assert caught.value.problem.endswith(".") and caught.value.hint.endswith(".")


@pytest.mark.parametrize(
    ("entry", "problem", "hint"),
    [
        (
            {"feature": "age", "atleast": 1200, "below": 1500},
            "The predicate on 'age' has the unknown key 'atleast'.",
            "Write 'at_least', or leave it out.",
        ),
        (
            {"feature": "age", "At_Least": 5},
            "The predicate on 'age' has the unknown key 'At_Least'.",
            "Write 'at_least', or leave it out.",
        ),
        (
            {"features": "age", "equals": 5},
            "A predicate has the unknown key 'features'.",
            "Write 'feature', or leave it out.",
        ),
        (
            {"feature": "age", "equals": 5, "weight": 2},
            "The predicate on 'age' has the unknown key 'weight'.",
            "The keys it may have: feature, missing, values, columns, equals, at_least, below, except.",
        ),
    ],
)
def test_a_misspelt_key_is_named_with_the_one_meant(entry: dict[str, Any], problem: str, hint: str) -> None:
    """A key that is passed over would make another predicate."""
    with pytest.raises(ModelError) as caught:
        predicate_from_json(entry)
    assert (caught.value.problem, caught.value.hint) == (problem, hint)


@pytest.mark.parametrize("keys", [("equals", "at_least"), ("at_least", "equals")])
def test_two_levels_at_once_are_refused_whatever_their_order(keys: tuple[str, str]) -> None:
    """No order of keys decides which of two levels is meant."""
    with pytest.raises(ModelError, match="'age' has both 'equals' and 'at_least', which do not go together"):
        predicate_from_json({"feature": "age", **dict.fromkeys(keys, 3)})


@pytest.mark.parametrize(
    "entry",
    [
        "x" * 100_000,
        {"feature": "x" * 100_000},
        {"feature": "age", "equals": ["x" * 100_000]},
        {"feature": "age", "x" * 100_000: 3},
        {"feature": "age", "at_least": "x" * 100_000},
        {"feature": "age", "missing": True, "values": "x" * 100_000},
        {"feature": "House", "columns": {"x" * 100_000: None}},
    ],
)
def test_no_sentence_repeats_a_long_entry(entry: Any) -> None:
    """However long an entry is, what is said of it can be read."""
    with pytest.raises(ModelError) as caught:
        predicate_from_json(entry)
    assert len(caught.value.problem) < 200


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(["Owns", "Rents"]), inner)),
    max_leaves=4,
)
KEYS = st.sampled_from(["equals", "at_least", "below", "missing", "values", "except", "columns"])


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sampled_from(["age", "job", "Owns"]))
def test_any_predicate_is_refused_with_a_sentence_or_can_be_asked(entry: dict[str, Any], feature: str) -> None:
    """No JSON makes a predicate that fails later, when it meets the table."""
    try:
        predicate = predicate_from_json({**entry, "feature": feature})
    except AresError:
        return
    assert predicate.mask(FRAME).shape == (len(FRAME),)
    assert through_json(predicate) == predicate


def test_a_conjunction_holds_where_every_predicate_holds() -> None:
    """Nobody is excluded by the empty conjunction."""
    both = Conjunction.of([CLERK, OLD])
    assert both.mask(FRAME).tolist() == [False, True, False, False]
    assert Conjunction(()).mask(FRAME).all()
    assert (both.mask(FRAME) == (CLERK.mask(FRAME) & OLD.mask(FRAME))).all()


def test_a_conjunction_is_the_same_in_any_order() -> None:
    """Predicates are sorted by feature, so equal conjunctions are equal."""
    both = Conjunction.of([CLERK, OLD])
    assert both == Conjunction.of([OLD, CLERK])
    assert hash(both) == hash(Conjunction.of([OLD, CLERK]))
    assert both.features == ("age", "job") and len(both) == 2 and list(both) == [OLD, CLERK]
    assert both.level("job") == CLERK.level
    assert both.to_json() == [OLD.to_json(), CLERK.to_json()]


@pytest.mark.parametrize("predicates", [(CLERK, OLD), (CLERK, CLERK)])
def test_a_conjunction_names_each_feature_once_in_order(predicates: tuple[Predicate, ...]) -> None:
    """Anything else cannot exist."""
    with pytest.raises(ValueError, match="once, in order"):
        Conjunction(predicates)
    with pytest.raises(ValueError, match="once, in order"):
        Conjunction.of([*predicates, CLERK])


def test_two_levels_of_one_feature_share_nobody() -> None:
    """Predicates on different levels never hold for the same person."""
    for feature in (category("job", "a", "b", missing=()), number("age", 25, missing=(-9,)), house()):
        masks = np.array([Predicate(feature.name, level).mask(FRAME) for level in feature.levels])
        assert (masks.sum(axis=0) == 1).all()


def test_a_choice_reads_its_own_columns_whatever_it_is_called() -> None:
    """The feature of a choice need not be a column."""
    level = Choice("owns", (("Owns", 1), ("Rents", 0)))
    assert Predicate("nowhere", level).mask(FRAME).tolist() == [True, False, False, False]
