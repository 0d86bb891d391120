"""Schema: the features together, found by name, redirected, written."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from ares_core.errors import SchemaError
from ares_core.people.feature import Change, Kind
from ares_core.people.levels import Interval
from ares_core.people.schema import Schema, feature_to_json
from tests.people.frames import category, house, number

SCHEMA = Schema(
    (number("income", 10, missing=(-9,)), category("job", "a", "b"), house(), category("flag", 0, 1)),
    (("id", "an identifier"),),
)


def test_a_feature_is_found_by_its_name_or_by_one_of_its_columns() -> None:
    """'Owns' is a column of the feature 'House'."""
    assert SCHEMA.names == ("income", "job", "House", "flag")
    assert SCHEMA["job"].name == "job"
    assert SCHEMA.index("Owns") == SCHEMA.index("Rents") == SCHEMA.index("House") == 2


def test_a_name_wins_over_a_column_of_the_same_name() -> None:
    """Where a feature and another's column share a name, the feature is meant."""
    twin = replace(house(), name="both")
    named = category("z", "a")
    schema = Schema((replace(twin, columns=("Owns", "Rents")), named))
    assert schema.index("both") == 0 and schema.index("z") == 1


@pytest.mark.parametrize(
    ("name", "problem", "hint"),
    [
        ("incom", "There is no feature 'incom'.", "Did you mean 'income'?"),
        ("zzz", "There is no feature 'zzz'.", "Known features: income, job, House, flag."),
        (
            "id",
            "Column 'id' is left out of the rules: an identifier.",
            "Choose another feature, or describe this column in the schema file.",
        ),
    ],
)
def test_an_unknown_feature_is_named(name: str, problem: str, hint: str) -> None:
    """The message guesses what was meant, or says why the column is left out."""
    with pytest.raises(SchemaError) as caught:
        SCHEMA.index(name)
    assert (caught.value.problem, caught.value.hint) == (problem, hint)


@pytest.mark.parametrize(
    ("features", "ignored", "words"),
    [
        ((category("x", "a"), number("x")), (), "Feature 'x' stands twice"),
        ((house(), category("Owns", 0, 1)), (), "Column 'Owns' stands twice"),
        ((category("x", "a"),), (("x", "why"),), "Column 'x' stands twice"),
        ((category("x", "a"),), (("y", "why"), ("y", "why")), "Column 'y' stands twice"),
        (
            (replace(number("x", 1), levels=(Interval("a", None, 1), Interval("b", 2, None))),),
            (),
            "cover every number once",
        ),
        ((replace(category("x", "a"), kind=Kind.NUMBER),), (), "cover every number once"),
    ],
)
def test_a_schema_that_contradicts_itself_cannot_exist(
    features: tuple[object, ...], ignored: tuple[tuple[str, str], ...], words: str
) -> None:
    """Names and columns stand once, and numbers are covered."""
    with pytest.raises(SchemaError, match=words):
        Schema(features, ignored)  # type: ignore[arg-type]


def test_with_change_redirects_the_named_features_only() -> None:
    """The others stay as they are, and the schema itself never changes."""
    changed = SCHEMA.with_change(["job", "Owns"], Change.FROZEN)
    assert [feature.change for feature in changed.features] == [
        Change.FREE,
        Change.FROZEN,
        Change.FROZEN,
        Change.FREE,
    ]
    assert all(feature.change is Change.FREE for feature in SCHEMA.features)
    assert changed.with_change([], Change.FROZEN) == changed


def test_numbers_listed_as_a_category_become_ordered_when_given_a_direction() -> None:
    """0 and 1 have an order; 'a' and 'b' and the options of a choice have none to guess."""
    assert SCHEMA.with_change(["flag"], Change.INCREASE)["flag"].kind is Kind.ORDERED
    assert SCHEMA.with_change(["flag"], Change.FROZEN)["flag"].kind is Kind.CATEGORY
    assert SCHEMA.with_change(["income"], Change.DECREASE)["income"].change is Change.DECREASE
    for name in ("job", "House"):
        with pytest.raises(SchemaError, match="is a category but its change is 'increase only'"):
            SCHEMA.with_change([name], Change.INCREASE)


def test_with_change_on_an_unknown_feature_says_so() -> None:
    """A misspelt name is never passed over."""
    with pytest.raises(SchemaError, match="no feature 'jb'"):
        SCHEMA.with_change(["jb"], Change.FROZEN)


def test_notes_say_what_was_guessed_left_out_and_frozen() -> None:
    """Each in a sentence; nothing to say, nothing said."""
    schema = Schema(
        (replace(house(), proposed=True), category("sex", "f", "m", label="Sex", change=Change.FROZEN)),
        (("id", "an identifier"),),
    )
    assert schema.notes() == (
        "Column 'id' is left out of the rules: an identifier. The model still sees it.",
        "Columns 'Owns', 'Rents' look like one choice: they move together as 'House'.",
        "Frozen, so it describes people and no rule changes it: 'Sex'.",
    )
    both = schema.with_change(["House"], Change.FROZEN).notes()
    assert both[-1] == "Frozen, so they describe people and no rule changes them: 'House', 'Sex'."
    assert Schema((category("x", "a"),)).notes() == ()


def test_the_file_of_a_schema_by_hand() -> None:
    """Each kind writes what is needed to read it back, and JSON can hold it."""
    income = feature_to_json(replace(SCHEMA["income"], unit="EUR", forbidden=frozenset({"[10, None)"})))
    assert income == {
        "name": "income",
        "label": "",
        "unit": "EUR",
        "kind": "number",
        "change": "free",
        "cuts": [10],
        "level_names": ["[None, 10)", "[10, None)"],
        "missing": [-9],
        "forbidden": ["[10, None)"],
    }
    assert feature_to_json(replace(house(), proposed=True)) == {
        "name": "House",
        "label": "",
        "unit": "",
        "kind": "category",
        "change": "free",
        "columns": ["Owns", "Rents"],
        "levels": [
            {"name": "owns", "columns": {"Owns": 1, "Rents": 0}},
            {"name": "rents", "columns": {"Owns": 0, "Rents": 1}},
            {"name": "neither", "columns": {"Owns": 0, "Rents": 0}},
        ],
        "missing": None,
        "forbidden": [],
        "proposed": True,
    }
    assert json.loads(json.dumps(SCHEMA.to_json()))["ignored"] == {"id": "an identifier"}


def test_infer_describes_every_column_once() -> None:
    """Each column is in a feature or left out."""
    schema = Schema.infer(pd.DataFrame({"a": [1, 2], "b": [1, 1]}))
    assert schema.names == ("a",)
    assert dict(schema.ignored) == {"b": "every row holds the same value"}
