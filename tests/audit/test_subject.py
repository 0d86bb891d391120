"""The people of an audit: which outcome is the favourable one."""

from __future__ import annotations

import pytest

from ares_core.audit import People
from ares_core.errors import DataError
from ares_core.people import Schema, read_csv


def people(outcomes: str, favourable: str) -> People:
    """Return people of whom seven had the first of two outcomes, and fourteen the other."""
    first, other = outcomes.split()
    rows = [f"{number % 5},{other if number % 3 else first}" for number in range(21)]
    return People.of(read_csv("\n".join(["x,y", *rows]).encode()).frame, "y", favourable, Schema.infer)


@pytest.mark.parametrize(
    ("outcomes", "favourable", "kept"),
    [
        ("1.0 0.0", "1.0", "1"),
        ("1.0 0.0", "1", "1"),
        ("1 0", "1.0", "1"),
        ("1 0", "1", "1"),
        ("0.50 2", "0.5", "0.5"),
        ("0.5 2", "0.50", "0.5"),
        ("yes no", "yes", "yes"),
        ("01 02", "01", "01"),
    ],
)
def test_a_number_is_the_same_however_it_is_spelled(outcomes: str, favourable: str, kept: str) -> None:
    """1 and 1.0 are one favourable value, as the file spells it or not; text is only what it is."""
    found = people(outcomes, favourable)
    assert found.favourable == kept
    assert found.outcomes.sum() == 7


@pytest.mark.parametrize(("outcomes", "favourable"), [("01 02", "1"), ("yes no", "1"), ("1.0 0.0", "2.0")])
def test_a_value_nobody_has_is_refused(outcomes: str, favourable: str) -> None:
    """'1' is not the text '01'."""
    with pytest.raises(DataError, match="does not occur in the target 'y'"):
        people(outcomes, favourable)
