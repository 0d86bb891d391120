"""Protected attributes by their names: frozen, worth a look, or neither."""

from __future__ import annotations

import pandas as pd
import pytest

from ares_core.people import Change, Schema, free_notes
from ares_core.people.protected import hints_at_protected, says_protected, words_of

SAYS = (
    *("sex", "Gender", "ApplicantSex", "sexo", "sexe", "género", "Geschlecht"),
    *("age", "age_at_loan", "birth_year", "DateOfBirth", "dob", "Alter", "edad", "âge", "senior_citizen"),
    *("RACE", "ethn", "Eth", "Ethnicity", "nwhite", "non_white", "hispanic", "black", "is_black", "White", "asian"),
    *("foreign", "foreign_worker", "ForeignWorker", "foreign_born", "native_country", "CountryOfOrigin", "citizenship"),
    *("Staatsangehörigkeit", "Nationalität", "Herkunft", "nationalité", "étranger"),
    *("religion", "disability"),
)
HINTS = (
    *("single", "spouse_income", "native_tongue", "skin", "black_owned", "white_goods", "foreign_currency"),
    *("marital_status", "MaritalStatus", "MARRIED", "marriage", "personal_status", "civil_status"),
    *("Familienstand", "estado_civil", "état_civil"),
)
NEITHER = (
    *("blacklist", "whitelist", "wage", "savings", "message", "Essex", "stage", "brace", "mileage", "housing"),
    *("foreigners_act_no", "package", "alternative", "marginal", "originated", "mandate", "history"),
)


@pytest.mark.parametrize("name", SAYS)
def test_names_that_say_it_are_proposed_as_frozen(name: str) -> None:
    """As whole words, in any style of writing, in the languages tables come in."""
    assert says_protected(name)
    frame = pd.DataFrame({name: [0, 1] * 20, "income": range(0, 80, 2)})
    assert [feature.change for feature in Schema.infer(frame).features] == [Change.FROZEN, Change.FREE]


@pytest.mark.parametrize("name", HINTS)
def test_names_that_only_hint_stay_free_and_are_worth_a_look(name: str) -> None:
    """'white' is a person's, 'white_goods' hardly; what hints is named to the reader first."""
    assert hints_at_protected(name) and not says_protected(name)


@pytest.mark.parametrize("name", NEITHER)
def test_other_names_are_neither(name: str) -> None:
    """A word inside another word says nothing."""
    assert not hints_at_protected(name)


def test_words_of_a_name() -> None:
    """Words end where the style of writing says so; accents and digits do not matter."""
    assert (
        words_of("ForeignWorker")
        == words_of("foreign_worker2")
        == words_of("FOREIGN worker")
        == [
            "foreign",
            "worker",
        ]
    )
    assert words_of("Nationalität") == ["nationalitat"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("car", "Rules may change 'car': freeze what people can hardly change."),
        ("car single sex", "Rules may change 'single' and 'car': freeze what people can hardly change."),
        (
            "a b c d e f g single",
            "Rules may change 'single', 'a', 'b', 'c', 'd', 'e' and 2 more: freeze what people can hardly change.",
        ),
        ("sex", None),
    ],
)
def test_what_is_free_by_default_is_named(columns: str, words: str | None) -> None:
    """Features that hint come first, then others of two values; frozen ones and those of many values are not named."""
    rows = range(64)
    frame = pd.DataFrame({name: [n >> place & 1 for n in rows] for place, name in enumerate(columns.split()[:6])})
    for name in columns.split()[6:]:
        frame[name] = [(n * 7 % 5 + n) % 2 for n in rows]
    frame["income"] = [2 * n for n in rows]
    features = Schema.infer(frame).features
    assert len(features) == len(frame.columns)
    assert free_notes(features) == (() if words is None else (words,))


def test_what_somebody_decided_is_not_named() -> None:
    """A direction is a decision too."""
    frame = pd.DataFrame({"car": [0, 1] * 20, "income": range(0, 80, 2)})
    assert free_notes(Schema.infer(frame).with_change(["car"], Change.INCREASE).features) == ()
