"""Numbers that may mean "not known" are noted, and only those."""

from __future__ import annotations

import pandas as pd
import pytest

from ares_core.people import Schema, schema_for
from ares_core.people.suspects import Suspect, suspect_notes, suspect_words

ADVICE = 'if it means that no value is known, list it under "missing" in the schema.'


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([-9, 0, 1, 2, 3, 4, 5, 6, -9], "-9 in 2 cells and no other number below 0"),
        ([-1, 3.5, 7.25, 12.0, 30.5, 8.0, 9.0], "-1 in 1 cell and no other number below 0"),
        ([999, 0, 3, 6, 12, 27, 5, 8], "999 in 1 cell, far above every other number"),
        ([-9, 0, 1, 2], "-9 in 1 cell and no other number below 0"),
    ],
)
def test_a_number_that_stands_apart_is_noted(values: list[float], told: str) -> None:
    """A usual code for "missing" beside numbers of another kind is named, counted, and left as it is."""
    frame = pd.DataFrame({"priors": values})
    assert suspect_notes(frame, Schema.infer(frame)) == (f"Column 'priors' holds {told}; {ADVICE}",)


@pytest.mark.parametrize(
    "values",
    [
        [-9, -5, 0, 1, 2, 3, 4, 5],
        [-4, 0, 1, 2, 3, 4, 5],
        [-1, 0, 1, 0, 1],
        [99, 98, 97, 50, 20, 10, 5],
        [998, 1, 2, 3, 4, 5, 6],
        ["-9", "a", "b", "c", "d"],
    ],
)
def test_ordinary_numbers_are_not_suspected(values: list[object]) -> None:
    """Other numbers below 0, flags of three values, numbers near the next, and text are nothing to note."""
    frame = pd.DataFrame({"priors": values})
    assert suspect_notes(frame, Schema.infer(frame)) == ()


def test_what_the_schema_lists_is_no_suspect() -> None:
    """Once -9 is declared missing, nothing is left to say."""
    frame = pd.DataFrame({"priors": [-9, 0, 1, 2, 3, 4, 5, 6]})
    entry = {"name": "priors", "missing": [-9]}
    schema = schema_for(frame, {"format": "ares-schema", "version": 1, "features": [entry]})
    assert suspect_notes(frame, schema) == ()


def test_words_that_may_mean_missing_are_found_where_they_stand() -> None:
    """A word is counted as written; what is declared, and what no rule speaks of anyway, is not suspected."""
    frame = pd.DataFrame({"job": ["clerk", "n/a", "cook", "n/a"], "town": ["?", "a", "b", "c"]})
    assert suspect_words(frame, Schema.infer(frame)) == (
        Suspect("job", "n/a", 2, ""),
        Suspect("town", "?", 1, ""),
    )
    entry = {"name": "job", "missing": ["n/a"]}
    document = {"format": "ares-schema", "version": 1, "features": [entry], "ignored": {"town": "not asked"}}
    assert suspect_words(frame, schema_for(frame, document)) == ()


def test_a_word_that_keeps_a_column_from_being_a_number_is_found_even_if_left_out() -> None:
    """A column of many numbers and one "n/a" is left out as text; the word is why."""
    frame = pd.DataFrame({"income": [*map(str, range(150)), "n/a"]})
    schema = Schema.infer(frame)
    assert [column for column, _ in schema.ignored] == ["income"]
    (suspect,) = suspect_words(frame, schema)
    assert suspect.told == "'n/a' in 1 cell, where every other cell is a number"
