"""What a schema file must not say, and that no file fails but with a sentence and a hint."""

from __future__ import annotations

import json
import math
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.errors import AresError, DataError, SchemaError
from ares_core.people.feature import Change, Kind
from ares_core.people.schema_document import read_numbers
from ares_core.people.schema_file import schema_for
from ares_core.people.table import Table
from tests.people.documents import FRAME, HOUSE, OPTIONS, document

BAD_DOCUMENTS: dict[str, tuple[Any, str]] = {
    "nothing": (None, 'does not say "format"'),
    "a list": ([], 'does not say "format"'),
    "a number": (3, 'does not say "format"'),
    "an empty object": ({}, 'does not say "format"'),
    "another format": ({"format": "ares-run", "version": 1}, 'does not say "format"'),
    "another version": ({"format": "ares-schema", "version": 2}, "of version 2"),
    "no version": ({"format": "ares-schema"}, "of version None"),
    "features not a list": (document() | {"features": {}}, '"features" is not a list'),
    "features null": (document() | {"features": None}, '"features" is not a list'),
    "a feature that is a word": (document("income"), '"features" is not a list of objects'),
    "half a character": (document({"name": "job", "levels": ["clerk", "\ud800"]}), "half a character"),
    "an unknown key": (document() | {"ignores": {}}, "unknown key 'ignores'"),
    "a reason that is no text": (document(ignored={"income": 3}), '"ignored" is not an object of reasons'),
    "half a key": (document(ignored={"\ud800": ""}), "half a character"),
    "ignored not an object": (document(ignored=["income"]), '"ignored" is not an object'),
    "unknown ignored column": (document(ignored={"incom": ""}), "names the column 'incom'"),
    "ignored and described": (document({"name": "job"}, ignored={"job": ""}), "'job' stands twice"),
    "feature twice": (document({"name": "job"}, {"name": "job"}), "'job' stands twice"),
    "column in two features": (document(HOUSE, {"name": "Owns"}), "Column 'Owns' stands twice"),
    "choice called as a column": (document({**HOUSE, "name": "job"}), "Feature 'job' stands twice"),
}
BAD_FEATURES: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({}, "Feature 1 of the schema has no name"),
    "empty name": ({"name": ""}, "has no name"),
    "name not a word": ({"name": 3}, "has no name"),
    "unknown column": ({"name": "incom"}, "names the column 'incom', which the table does not have"),
    "unknown key": ({"name": "job", "colour": 1}, "unknown key 'colour'"),
    "unknown kind": ({"name": "job", "kind": "ordinal"}, "has the kind 'ordinal'"),
    "kind not a word": ({"name": "job", "kind": ["number"]}, "has the kind ['number']"),
    "unknown change": ({"name": "job", "change": "up"}, "has the change 'up'"),
    "change not a word": ({"name": "job", "change": {}}, "has the change {}"),
    "increase only on a category": (
        {"name": "job", "change": "increase only"},
        "is a category but its change is",
    ),
    "decrease only on a choice": ({**HOUSE, "change": "decrease only"}, "is a category but its change is"),
    "number declared on text": (
        {"name": "job", "kind": "number"},
        "declared a number but row 2 (the header is row 1) holds 'clerk'",
    ),
    "number on text after words": (
        {"name": "job", "kind": "number", "missing": ["clerk"]},
        "row 3 (the header is row 1) holds 'nurse'",
    ),
    "cuts on text": ({"name": "job", "cuts": [1]}, "declared a number but row 2 (the header is row 1) holds 'clerk'"),
    "cuts not increasing": ({"name": "income", "cuts": [5, 3]}, "not numbers in increasing order"),
    "cuts repeated": ({"name": "income", "cuts": [3, 3.0]}, "not numbers in increasing order"),
    "cuts not numbers": ({"name": "income", "cuts": ["3"]}, "not numbers in increasing order"),
    "cuts true": ({"name": "income", "cuts": [True]}, "not numbers in increasing order"),
    "cuts not a list": ({"name": "income", "cuts": 3}, "not numbers in increasing order"),
    "cuts NaN": ({"name": "income", "cuts": [math.nan]}, "not numbers in increasing order"),
    "cuts infinite": ({"name": "income", "cuts": [0, math.inf]}, "not numbers in increasing order"),
    "cuts beyond numbers": ({"name": "income", "cuts": [10**400]}, "not numbers in increasing order"),
    "cuts on a category": ({"name": "rate", "kind": "category", "cuts": [2]}, "is a category but has 'cuts'"),
    "levels on a number": ({"name": "income", "levels": [1, 2]}, "is a number but has 'levels'"),
    "too few level names": ({"name": "income", "cuts": [1], "level_names": ["a"]}, "does not have 2 names"),
    "level names not a list": ({"name": "income", "cuts": [1], "level_names": "ab"}, "does not have 2 names"),
    "level names without cuts": ({"name": "income", "level_names": ["a"]}, "but has 'level_names'"),
    "two level names alike": (
        {"name": "income", "cuts": [1], "level_names": ["a", "a"]},
        "two levels named 'a'",
    ),
    "forbidden unknown level": ({"name": "job", "forbidden": ["pilot"]}, "forbids 'pilot'"),
    "forbidden a word": ({"name": "job", "forbidden": "clerk"}, "\"forbidden\" is 'clerk', not a list"),
    "forbidden a number": ({"name": "job", "forbidden": 3}, '"forbidden" is 3, not a list'),
    "forbidden a list of lists": ({"name": "job", "forbidden": [["clerk"]]}, "\"forbidden\" is [['clerk']]"),
    "missing a word": ({"name": "job", "missing": "NA"}, "\"missing\" is 'NA', not a list"),
    "missing true": ({"name": "job", "missing": True}, '"missing" is True, not a list'),
    "missing holds null": ({"name": "job", "missing": [None]}, '"missing" is [None], not a list of cells'),
    "missing holds NaN": ({"name": "income", "missing": [math.nan]}, "not a list of cells"),
    "missing beyond numbers": ({"name": "income", "missing": [10**400]}, "not a list of cells"),
    "levels not a list": ({"name": "job", "levels": "clerk"}, '"levels" is not a list of levels'),
    "levels empty": ({"name": "rate", "levels": []}, '"levels" is not a list of levels'),
    "label an object": ({"name": "job", "label": {"a": 1}}, '"label" is {'),
    "unit a list": ({"name": "rate", "unit": [1]}, '"unit" is [1], not text'),
    "proposed a word": ({"name": "job", "proposed": "false"}, "\"proposed\" is 'false', not true or false"),
    "level with an unknown key": (
        {"name": "job", "levels": [{"value": "clerk", "named": "x"}]},
        "not a value with a name",
    ),
    "level named by a list": ({"name": "job", "levels": [{"value": "clerk", "name": [1]}]}, "not a value with a name"),
    "level names that are none": ({"name": "rate", "cuts": [3], "level_names": [None, {}]}, "does not have 2 names"),
    "level names without letters": ({"name": "rate", "cuts": [3], "level_names": ["", "x"]}, "does not have 2 names"),
    "level without value": ({"name": "job", "levels": [{"name": "clerk"}]}, "not a value with a name"),
    "level of a list": ({"name": "job", "levels": [["clerk"]]}, "not a value with a name"),
    "level NaN": ({"name": "rate", "levels": [math.nan]}, "not a value with a name"),
    "level twice": (
        {"name": "rate", "levels": [1, 2, {"value": 1.0, "name": "x"}]},
        "has 1 at two levels, '1' and 'x'",
    ),
    "two levels of one name": (
        {"name": "rate", "levels": [{"value": 1, "name": "2"}, 2]},
        "two levels named '2'",
    ),
    "level also missing": ({"name": "rate", "levels": [1, 2, 3], "missing": [3]}, "has 3 at two levels"),
    "columns a word": ({"name": "x", "columns": "job"}, '"columns" is not a list of names'),
    "columns empty": ({"name": "x", "columns": []}, '"columns" is not a list of names'),
    "columns of lists": ({"name": "x", "columns": [["job"], "rate"]}, '"columns" is not a list of names'),
    "columns unknown": ({**HOUSE, "columns": ["Owns", "Rent"]}, "names the column 'Rent'"),
    "columns repeated": ({**HOUSE, "columns": ["Owns", "Rents", "Owns"]}, "Column 'Owns' stands twice"),
    "one column of another name": ({"name": "x", "columns": ["job"]}, "has the one column 'job'"),
    "choice without levels": ({"name": "x", "columns": ["Owns", "Rents"]}, "lists no levels"),
    "choice level misses a column": (
        {**HOUSE, "levels": [{"name": "owns", "columns": {"Owns": 1}}]},
        "does not give a value to each of its columns",
    ),
    "choice level has another column": (
        {**HOUSE, "levels": [{"name": "a", "columns": {"Owns": 1, "Rents": 0, "x": 1}}]},
        "does not give a value to each of its columns",
    ),
    "choice level of a list": (
        {**HOUSE, "levels": [{"name": "a", "columns": {"Owns": [1], "Rents": 0}}]},
        "does not give a value to each of its columns",
    ),
    "choice level a word": ({**HOUSE, "levels": ["owns"]}, "does not give a value to each of its columns"),
    "choice level without name": (
        {**HOUSE, "levels": [{"columns": {"Owns": 1, "Rents": 0}}]},
        "not a name with columns",
    ),
    "choice level twice": (
        {**HOUSE, "levels": [*OPTIONS, {**OPTIONS[0], "name": "x"}]},
        "the same values at two levels",
    ),
    "choice a number": ({**HOUSE, "kind": "number"}, "is a number but is made of 2 columns"),
    "choice with cuts": ({**HOUSE, "cuts": [1]}, "is made of 2 columns but has 'cuts'"),
    "choice with missing": ({**HOUSE, "missing": [-9]}, "is made of 2 columns but has 'missing'"),
}
BAD = {**BAD_DOCUMENTS, **{name: (document(entry), words) for name, (entry, words) in BAD_FEATURES.items()}}


@pytest.mark.parametrize("name", BAD)
def test_every_contradiction_is_one_sentence_and_one_hint(name: str) -> None:
    """The sentence says what is wrong and where, the hint what to do; both end in a full stop."""
    content, words = BAD[name]
    with pytest.raises(SchemaError) as caught:
        schema_for(FRAME, content)
    problem, hint = caught.value.problem, caught.value.hint
    assert words in problem
    assert problem.endswith(".") and hint.endswith(".") and problem != hint
    assert "\n" not in problem + hint and "please" not in (problem + hint).lower()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            {"name": "job", "levels": ["clerk"]},
            "Feature 'job' has no level for row 3 (the header is row 1), which holds 'job' = 'nurse'",
        ),
        ({"name": "rate", "levels": [1, 2]}, "row 4 (the header is row 1), which holds 'rate' = 3"),
        ({"name": "rate", "levels": ["1", "2", "3"]}, "row 2 (the header is row 1), which holds 'rate' = 1"),
        ({**HOUSE, "levels": OPTIONS[:2]}, "row 4 (the header is row 1), which holds 'Owns' = 0, 'Rents' = 0"),
    ],
)
def test_levels_that_miss_a_value_of_the_data_name_the_row(entry: dict[str, Any], words: str) -> None:
    """The schema is no contradiction in itself, but no table can be built with it."""
    schema = schema_for(FRAME, document(entry))
    with pytest.raises(DataError) as caught:
        Table.build(FRAME, schema)
    assert words in caught.value.problem


def test_the_row_of_a_word_is_the_row_of_the_table() -> None:
    """Gaps before the word do not shift the row that is named."""
    frame = pd.DataFrame({"x": pd.array([None, "NA", "12", "n/a"], dtype="str")}, index=[9, 9, 9, 9])
    with pytest.raises(SchemaError, match=r"row 5 \(the header is row 1\) holds 'n/a'"):
        schema_for(frame, document({"name": "x", "kind": "number", "missing": ["NA"]}))


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 10),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from([10**400, -9, "clerk", "Owns", "number", "ordered", "category", "free", "frozen"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["name", "value", "columns", "Owns", "Rents", "x"]), inner, max_size=4),
    ),
    max_leaves=8,
)
ENTRIES = st.fixed_dictionaries(
    {"name": st.one_of(st.sampled_from([*FRAME.columns, "House", ""]), SCALARS)},
    optional={
        "kind": st.one_of(st.sampled_from([*map(str, Kind)]), JSON),
        "change": st.one_of(st.sampled_from([*map(str, Change)]), JSON),
        "columns": st.one_of(st.just(["Owns", "Rents"]), st.lists(st.sampled_from([*FRAME.columns]), max_size=3), JSON),
        "cuts": st.one_of(st.lists(st.integers(-3, 3000), max_size=4).map(sorted), st.lists(SCALARS, max_size=4), JSON),
        "level_names": st.one_of(st.lists(st.text(max_size=2), max_size=4), JSON),
        "levels": st.one_of(st.just(OPTIONS), st.lists(st.one_of(SCALARS, st.sampled_from(OPTIONS)), max_size=4), JSON),
        "missing": st.one_of(st.lists(SCALARS, max_size=3), JSON),
        "forbidden": st.one_of(st.lists(SCALARS, max_size=3), JSON),
        "label": JSON,
        "unit": JSON,
        "proposed": JSON,
    },
)
DOCUMENTS = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {"format": st.just("ares-schema"), "version": st.just(1)},
        optional={
            "features": st.one_of(st.lists(ENTRIES, max_size=3), JSON),
            "ignored": st.one_of(st.dictionaries(st.sampled_from([*FRAME.columns, "x"]), SCALARS, max_size=2), JSON),
        },
    ),
)


@settings(max_examples=200)
@given(DOCUMENTS)
def test_no_document_fails_but_with_a_sentence(content: Any) -> None:
    """Whatever JSON stands in the file, it gives a schema that reads back, or a problem and a hint."""
    try:
        schema = schema_for(FRAME, content)
        read_numbers(FRAME, content)
    except AresError as error:
        assert error.problem.endswith(".") and error.hint.endswith(".")
        return
    assert schema_for(FRAME, json.loads(json.dumps(schema.to_json(), allow_nan=False))) == schema
    try:
        table = Table.build(FRAME, schema)
    except DataError as error:
        assert "at no level" in error.problem
    else:
        assert (table.codes >= 0).all()
