"""Edits of a schema document: each changes what it says and nothing else, and the engine accepts the result."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import SchemaError
from ares_core.people import Change, Kind, Missing, Schema, Table, Value, read_numbers, schema_for
from ares_core.people.protected import hinting
from ui import schema_edits as edits
from ui.intake import guess_favourable, guess_target
from ui.schema_tables import levels
from ui.schema_text import cuts_text, read_cell, read_cuts, read_lines, write_lines

ROWS = 40
HOUSES = np.arange(ROWS) % 3
FRAME = pd.DataFrame(
    {
        "income": [-9, *range(1000, 1000 + 100 * (ROWS - 1), 100)],
        "job": pd.array([("A171", "A172", "A173 = cook")[row % 3] for row in range(ROWS)], dtype="str"),
        "grade": np.arange(ROWS) % 4 + 1,
        "sex": pd.array(["f" if row % 2 else "m" for row in range(ROWS)], dtype="str"),
        "years": pd.array(["n/a", *(str(row % 20) for row in range(ROWS - 1))], dtype="str"),
        "OwnsHouse": (HOUSES == 0).astype(int),
        "RentsHouse": (HOUSES == 1).astype(int),
        "SharesHouse": (HOUSES == 2).astype(int),
    }
)
DOCUMENT = Schema.infer(FRAME).to_json()
CHOICE = next(entry["name"] for entry in DOCUMENT["features"] if entry.get("columns"))


def read(document: edits.Document) -> Schema:
    """Describe the table by a document, as the worker does, with everybody at a level."""
    frame = read_numbers(FRAME, document)
    schema = schema_for(frame, document)
    Table.build(frame, schema)
    return schema


def names(schema: Schema, feature: str) -> list[str]:
    """Return the names of a feature's levels."""
    return [level.name for level in schema[feature].levels]


EDITS: list[tuple[str, Callable[[edits.Document], edits.Document]]] = [
    ("income", lambda document: edits.with_words(document, "income", "Monthly income", "EUR")),
    ("grade", lambda document: edits.with_kind(document, "grade", Kind.NUMBER)),
    ("job", lambda document: edits.with_change(document, ["job"], Change.FROZEN)),
    ("job", lambda document: edits.with_levels(document, "job", "A172\nA171 = none\nA173 = cook")),
    ("income", lambda document: edits.with_cuts(document, "income", [2000])),
    ("income", lambda document: edits.with_missing(document, "income", [-9])),
    ("job", lambda document: edits.with_forbidden(document, "job", ["A171"])),
    ("job", lambda document: edits.left_out(document, "job")),
    (CHOICE, lambda document: edits.confirmed(document, CHOICE)),
    (CHOICE, lambda document: edits.separated(document, CHOICE)),
]


@pytest.mark.parametrize(("feature", "change"), EDITS)
def test_an_edit_touches_one_feature_and_never_its_input(
    feature: str, change: Callable[[edits.Document], edits.Document]
) -> None:
    """The engine accepts the new document, every other feature is as before, and the old document is untouched."""
    before = copy.deepcopy(DOCUMENT)
    after = read(change(DOCUMENT))
    assert before == DOCUMENT
    old = read(DOCUMENT)
    for other in old.names:
        if other != feature:
            assert after[other] == old[other]
    assert feature not in after.names or after[feature] != old[feature]


def test_levels_of_numbers_follow_the_unit_unless_named_by_hand() -> None:
    """Ranges called automatically take the new unit; names somebody typed stay."""
    assert names(read(edits.with_words(DOCUMENT, "income", "", "EUR")), "income")[-1].endswith("EUR or more")
    named = edits.with_cuts(DOCUMENT, "income", [2000])
    named = edits.with_level_names(named, "income", "little\nmuch")
    assert names(read(edits.with_words(named, "income", "", "EUR")), "income") == ["little", "much"]
    assert names(read(edits.with_level_names(named, "income", "  \n")), "income") == ["below 2000", "2000 or more"]


def test_a_new_unit_keeps_forbidden_ranges_forbidden() -> None:
    """A range that nobody may be told to move to stays so under its new name."""
    lowest = names(read(DOCUMENT), "income")[0]
    document = edits.with_forbidden(DOCUMENT, "income", [lowest])
    schema = read(edits.with_words(document, "income", "", "EUR"))
    assert schema["income"].forbidden == {names(schema, "income")[0]}
    assert lowest not in schema["income"].forbidden


def test_a_number_can_be_made_levels_and_back() -> None:
    """Kinds change both ways; a category that could only rise may change freely, since it has no up."""
    ordered = edits.with_change(DOCUMENT, ["grade"], Change.INCREASE)
    category = read(edits.with_kind(ordered, "grade", Kind.CATEGORY))
    assert category["grade"].change is Change.FREE
    number = edits.with_kind(ordered, "grade", Kind.NUMBER)
    assert read(number)["grade"].kind is Kind.NUMBER
    again = read(edits.with_kind(read(number).to_json(), "grade", Kind.ORDERED))
    assert names(again, "grade") == ["1", "2", "3", "4"]
    assert again["grade"].change is Change.INCREASE


def test_lines_order_and_rename_levels_together() -> None:
    """A line is known by the file's value, even one that holds ' = ' itself; forbidden levels keep their new name."""
    document = edits.with_forbidden(DOCUMENT, "job", ["A171"])
    schema = read(edits.with_levels(document, "job", "A173 = cook = head cook\n\nA171 = none\nA172"))
    assert [(level.value, level.name) for level in schema["job"].levels] == [  # type: ignore[union-attr]
        ("A173 = cook", "head cook"),
        ("A171", "none"),
        ("A172", "A172"),
    ]
    assert schema["job"].forbidden == {"none"}


def test_lines_written_are_lines_read() -> None:
    """What the box shows means what is there, for values, numbers and options of several columns."""
    for entry in DOCUMENT["features"]:
        if "levels" in entry:
            found = read_lines(write_lines(entry["levels"]), entry["levels"], entry["name"])
            assert found == [(place, level["name"]) for place, level in enumerate(entry["levels"])]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("A171\nA172", "'A173 = cook' of 'job' has no line"),
        ("A171\nA171 = x\nA172\nA173 = cook", "'A171' of 'job' stands in two lines"),
        ("A171\nA172\nA174", "The line 'A174' begins with no value of 'job'"),
    ],
)
def test_lines_that_lose_or_invent_a_level_are_refused(lines: str, words: str) -> None:
    """Nobody's level disappears by a slip of the hand."""
    with pytest.raises(SchemaError) as caught:
        edits.with_levels(DOCUMENT, "job", lines)
    assert words in caught.value.problem
    assert caught.value.hint.endswith(".")


def test_a_number_that_means_missing_is_cut_anew() -> None:
    """Once -9 is not known, no range reaches below the incomes people have."""
    schema = read(edits.as_missing(DOCUMENT, "income", -9))
    assert names(schema, "income")[-1] == "not known"
    assert schema["income"].codes(FRAME)[0] == schema["income"].missing


def test_a_word_that_means_missing_makes_a_column_of_numbers() -> None:
    """Text that is all numbers but for 'n/a' becomes a number, whether it was a category or left out."""
    assert read(DOCUMENT)["years"].kind is Kind.CATEGORY
    assert read(edits.as_missing(DOCUMENT, "years", "n/a"))["years"].kind is Kind.NUMBER
    out = edits.left_out(DOCUMENT, "years")
    assert read(edits.as_missing(out, "years", "n/a"))["years"].kind is Kind.NUMBER


def test_a_value_of_a_category_can_mean_missing_and_come_back() -> None:
    """Its level goes and returns, and nobody is left without one."""
    document = edits.with_forbidden(DOCUMENT, "job", ["A171"])
    missing = edits.with_missing(document, "job", ["A171"])
    assert names(read(missing), "job") == ["A172", "A173 = cook", "not known"]
    assert read(missing)["job"].forbidden == frozenset()
    assert set(names(read(edits.with_missing(missing, "job", [])), "job")) == {"A171", "A172", "A173 = cook"}


def test_freezing_many_thaws_the_others() -> None:
    """Exactly the ticked features are frozen; those that may only rise are not touched."""
    document = edits.with_change(DOCUMENT, ["grade"], Change.INCREASE)
    schema = read(edits.with_frozen(document, ["job", "income"]))
    assert {feature.name for feature in schema.features if feature.change is Change.FROZEN} == {"job", "income"}
    assert schema["grade"].change is Change.INCREASE


def test_a_choice_taken_apart_stays_apart() -> None:
    """Its columns are features of their own, are not proposed again, and are frozen if the choice was."""
    frozen = edits.with_change(DOCUMENT, [CHOICE], Change.FROZEN)
    schema = read(edits.separated(frozen, CHOICE))
    assert {"OwnsHouse", "RentsHouse", "SharesHouse"} <= set(schema.names)
    assert not any(feature.proposed for feature in schema.features)
    assert schema["OwnsHouse"].change is Change.FROZEN
    assert not read(edits.confirmed(DOCUMENT, CHOICE))[CHOICE].proposed


def test_what_is_left_out_can_be_brought_back() -> None:
    """A choice leaves with all its columns; a column comes back by itself."""
    out = edits.left_out(DOCUMENT, CHOICE)
    schema = read(out)
    assert {column for column, _ in schema.ignored} == {"OwnsHouse", "RentsHouse", "SharesHouse"}
    assert "OwnsHouse" in read(edits.brought_back(out, "OwnsHouse")).names


@pytest.mark.parametrize(
    ("text", "cuts"),
    [("1000, 2000", [1000, 2000]), ("2000 1000;1.5", [1.5, 1000, 2000]), ("10,20", [10, 20]), ("", []), ("-3", [-3])],
)
def test_cuts_are_read_in_any_order_and_with_any_separator(text: str, cuts: list[float]) -> None:
    """Commas, semicolons and spaces all separate; written and read again they are the same."""
    assert read_cuts(text, "Income") == cuts
    assert read_cuts(cuts_text(cuts), "Income") == cuts


@pytest.mark.parametrize("text", ["1,000", "1000, 2,500", "much", "01"])
def test_cuts_that_could_mean_two_things_are_refused(text: str) -> None:
    """1,000 may be one thousand, or 1 and 0: nobody guesses."""
    with pytest.raises(SchemaError, match="not a plain number"):
        read_cuts(text, "Income")


def test_a_typed_word_is_a_number_where_the_column_holds_numbers() -> None:
    """-9 among incomes is a number, '-9' among names is text, and 'n/a' is text anywhere."""
    by_name: dict[str, Any] = {entry["name"]: entry for entry in DOCUMENT["features"]}
    assert read_cell("-9", by_name["income"]) == -9
    assert read_cell("2", by_name["grade"]) == 2
    assert read_cell("-9", by_name["job"]) == "-9"
    assert read_cell("n/a", by_name["income"]) == "n/a"


def test_true_and_false_are_shown_ordered_and_typed_as_such() -> None:
    """The editor shows the words True and False, and what is typed or put in order is true and false again."""
    frame = pd.DataFrame({"card": [True, False] * 20, "n": [0, 0, 1, 1] * 10})
    document = Schema.infer(frame).to_json()
    entry = edits.entry_of(document, "card")
    assert write_lines(entry["levels"]) == "False\nTrue"
    ordered = edits.with_levels(edits.with_kind(document, "card", Kind.ORDERED), "card", "True = has one\nFalse")
    feature = schema_for(frame, ordered)["card"]
    assert feature.levels == (Value("has one", True), Value("False", False))
    assert levels(feature, (20, 20))["In the file"].tolist() == ["True", "False"]
    word = read_cell("False", entry)
    assert word is False
    assert read_cell("n/a", entry) == "n/a"
    missing = schema_for(frame, edits.with_missing(document, "card", [word]))["card"]
    assert missing.levels == (Value("True", True), Missing(values=(False,)))
    assert read_cell("True", edits.entry_of(document, "n")) == "True"


def test_protected_attributes_are_suggested_by_name_or_label() -> None:
    """Names in any spelling count, features frozen already do not, and words that merely contain one do not."""
    frame = pd.DataFrame(
        {name: np.arange(ROWS) % 2 for name in ("NativeTongue", "sex", "mileage", "spouse_income", "v7")}
    )
    schema = Schema.infer(frame)
    document = edits.with_words(schema.to_json(), "v7", "Country of birth", "")
    assert [feature.name for feature in hinting(schema_for(frame, document).features)] == [
        "NativeTongue",
        "spouse_income",
        "v7",
    ]


@pytest.mark.parametrize(
    ("columns", "target"),
    [(["sex", "outcome", "car"], "outcome"), (["sex", "credit_risk", "car"], "credit_risk"), (["a", "b"], "b")],
)
def test_the_outcome_is_guessed_by_its_name_or_taken_last(columns: list[str], target: str) -> None:
    """A column called outcome goes before one that merely stands last."""
    assert guess_target(columns) == target


@pytest.mark.parametrize(
    ("target", "values", "good"),
    [
        ("outcome", ("bad", "good"), "good"),
        ("approved", ("no", "yes"), "yes"),
        ("y", ("0", "1"), "1"),
        ("loan_default", ("0", "1"), "0"),
        ("credit_risk", ("bad", "good"), "good"),
        ("defaulted", ("no", "yes"), "no"),
        ("two_year_recid", ("0", "1"), "0"),
        ("colour", ("blue", "red"), "red"),
    ],
)
def test_the_good_outcome_is_guessed_sensibly(target: str, values: tuple[str, str], good: str) -> None:
    """Yes is good unless the question is whether something bad happened."""
    assert guess_favourable(target, values) == good
