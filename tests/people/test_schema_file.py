"""The schema file: what it says holds, and what it leaves out is inferred."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from ares_core.errors import SchemaError
from ares_core.people.feature import Change, Feature, Kind
from ares_core.people.levels import Interval, Missing, Value
from ares_core.people.schema import Schema
from ares_core.people.schema_document import read_numbers
from ares_core.people.schema_file import KEYS, schema_for
from tests.people.documents import FRAME, HOUSE, document


def described(entry: dict[str, Any]) -> Feature:
    """Read a schema of one feature, through JSON as from a file."""
    return schema_for(FRAME, json.loads(json.dumps(document(entry))))[entry["name"]]


def names(feature: Feature) -> list[str]:
    return [level.name for level in feature.levels]


def test_a_file_that_names_nothing_infers_everything() -> None:
    """An empty list of features is the inferred schema."""
    assert schema_for(FRAME, document()) == Schema.infer(FRAME)
    assert schema_for(FRAME, {"format": "ares-schema", "version": 1}) == Schema.infer(FRAME)


@pytest.mark.parametrize("name", ["income", "job", "rate", "sex"])
def test_only_the_name_is_needed(name: str) -> None:
    """A feature that is only named is the inferred one, and comes first; the columns nobody names follow."""
    schema = schema_for(FRAME, document({"name": name}))
    inferred = Schema.infer(FRAME)
    assert schema[name] == inferred[name]
    assert schema.names == (name, *(other for other in inferred.names if other != name))
    assert schema.ignored == inferred.ignored


def test_null_says_nothing() -> None:
    """Every key but the name may be null, which is as if it were not there."""
    entry = {"name": "income", **dict.fromkeys(KEYS - {"name"})}
    assert described(entry) == Schema.infer(FRAME)["income"]


def test_what_the_file_says_holds() -> None:
    """Cuts, names, unit, label, change, missing and forbidden are taken as written."""
    feature = described(
        {
            "name": "income",
            "label": "Income",
            "unit": "EUR",
            "change": "increase only",
            "cuts": [0, 500.5],
            "missing": [-9],
            "forbidden": ["500.5 EUR or more"],
        }
    )
    assert feature.kind is Kind.NUMBER and feature.change is Change.INCREASE
    assert (feature.title, feature.unit) == ("Income", "EUR")
    assert names(feature) == ["below 0 EUR", "0 to below 500.5 EUR", "500.5 EUR or more", "not known"]
    assert feature.levels[0] == Interval("below 0 EUR", None, 0, (-9,))
    assert feature.forbidden == {"500.5 EUR or more"}
    assert not feature.proposed


def test_levels_may_be_named_and_ordered_by_the_user() -> None:
    """The order of the file is the order of the levels; a level may be given as its bare value."""
    feature = described(
        {
            "name": "job",
            "kind": "ordered",
            "levels": ["nurse", {"value": "clerk", "name": "at a desk"}],
            "missing": [],
            "change": "decrease only",
        }
    )
    assert feature.levels == (Value("nurse", "nurse"), Value("at a desk", "clerk"), Missing())
    assert feature.kind is Kind.ORDERED
    rates = described({"name": "rate", "levels": [{"value": 3, "name": "high"}, 2, 1.0]})
    assert rates.levels == (Value("high", 3), Value("2", 2), Value("1", 1))


def test_level_names_may_be_given_for_cuts() -> None:
    """One name more than cuts; no cuts at all make one level."""
    assert names(described({"name": "income", "cuts": [500], "level_names": ["low", "high"]})) == [
        "low",
        "high",
    ]
    assert names(described({"name": "income", "cuts": []})) == ["any number"]
    assert names(described({"name": "rate", "kind": "number"})) == ["1", "2", "3 or more"]


def test_numbers_may_be_declared_a_category() -> None:
    """The user knows better whether 1, 2, 3 are codes."""
    assert described({"name": "rate", "kind": "category"}).kind is Kind.CATEGORY


def test_several_columns_are_one_choice_when_the_file_says_so() -> None:
    """A confirmed choice is no longer proposed, and its columns are in no other feature."""
    schema = schema_for(FRAME, document({**HOUSE, "kind": "ordered", "change": "decrease only"}))
    assert schema["House"].kind is Kind.ORDERED
    assert not schema["House"].proposed
    assert names(schema["House"]) == ["owns", "rents", "neither"]
    assert {"Owns", "Rents"}.isdisjoint(schema.names)


def test_a_found_choice_never_takes_a_name_of_the_file() -> None:
    """Where the file calls something 'job', a choice found among the other columns is called otherwise."""
    frame = FRAME.assign(job_a=[1, 0] * 15, job_b=[0, 1] * 15).drop(columns="job")
    schema = schema_for(frame, document({**HOUSE, "name": "job"}))
    assert schema["job"].columns == ("Owns", "Rents")
    assert schema["job_a"].name == "job_a / job_b"


def test_protected_features_stay_frozen_until_the_file_frees_them() -> None:
    """A label does not thaw a feature; saying so does."""
    assert described({"name": "sex", "label": "Sex"}).change is Change.FROZEN
    assert described({"name": "sex", "change": "free"}).change is Change.FREE


def test_ignored_columns_keep_their_reason() -> None:
    """The user's reasons come first, then those inferred."""
    schema = schema_for(FRAME, document(ignored={"income": "a secret"}))
    assert schema.ignored == (("income", "a secret"), ("same", "every row holds the same value"))
    assert "income" not in schema.names


@pytest.mark.parametrize(
    ("entry", "forbidden"),
    [
        (
            {
                "name": "rate",
                "levels": [
                    {"value": 1, "name": "low"},
                    {"value": 2, "name": "mid"},
                    {"value": 3, "name": "high"},
                ],
                "forbidden": [3, 1.0, "mid"],
            },
            {"low", "mid", "high"},
        ),
        (
            {"name": "job", "levels": [{"value": "clerk", "name": "desk"}, "nurse"], "forbidden": ["clerk"]},
            {"desk"},
        ),
        ({**HOUSE, "forbidden": ["neither"]}, {"neither"}),
        ({"name": "job", "forbidden": []}, set()),
    ],
)
def test_a_forbidden_level_may_be_given_by_its_value(entry: dict[str, Any], forbidden: set[str]) -> None:
    """Names and values of the data both stand for a level."""
    assert described(entry).forbidden == forbidden


def test_missing_words_are_a_level_that_wins() -> None:
    """A number or a word declared missing is at no other level."""
    income = described({"name": "income", "missing": [-9, -9.0, "?"]})
    assert income.levels[-1] == Missing(values=(-9, "?"))
    assert income.codes(FRAME)[0] == len(income.levels) - 1
    sex = described({"name": "sex", "missing": ["m"]})
    assert names(sex) == ["f", "not known"]


def test_words_for_missing_let_a_column_be_a_number() -> None:
    """Once "n/a" is missing, read_numbers makes the column a number, and predicates still name the word."""
    frame = pd.DataFrame(
        {"x": pd.array(["12", "n/a", " 7.5", None], dtype="str"), "y": pd.array(["1", "2"] * 2, dtype="str")}
    )
    content = document({"name": "x", "kind": "number", "cuts": [10], "missing": ["n/a"]}, {"name": "y"})
    numbers = read_numbers(frame, content)
    assert numbers["x"].dtype == float and numbers["x"].tolist()[::2] == [12, 7.5]
    assert numbers["y"].dtype == frame["y"].dtype
    feature = schema_for(numbers, content)["x"]
    assert feature.codes(numbers).tolist() == [1, 2, 0, 2]
    assert feature.levels[-1].to_json() == {"missing": True, "values": ["n/a"]}
    with pytest.raises(SchemaError, match="was read as text"):
        schema_for(frame, content)


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "x"},
        {"name": "x", "missing": ["NA"]},
        {"name": "x", "missing": ["12", "n/a", "007"]},
        {"name": "x", "missing": "n/a"},
        {"name": ["x"], "missing": []},
        {"name": "z", "missing": ["n/a"]},
    ],
)
def test_read_numbers_touches_nothing_else(entry: dict[str, Any]) -> None:
    """A column stays text while a cell that is not missing spells no number; mistakes wait for schema_for."""
    frame = pd.DataFrame({"x": pd.array(["12", "n/a", "007"], dtype="str")})
    pd.testing.assert_frame_equal(read_numbers(frame, document(entry)), frame)
