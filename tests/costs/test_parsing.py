"""Comparisons and costs from bytes, as an upload brings them, mean what the same file means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ares_core.costs import (
    Answer,
    Comparison,
    Costs,
    FeatureCost,
    comparisons_json,
    parse_comparisons,
    parse_costs,
    read_comparisons,
    read_costs,
    write_comparisons,
    write_costs,
)
from ares_core.costs.sheet import MAX_BYTES
from ares_core.errors import CostError

Write = Callable[[str | bytes], Path]
FEATURES = ("car", "savings", "-rate")
ROWS = '{"format": "ares-comparisons", "version": 1, "comparisons": [%s]}'


def test_bytes_are_read_like_a_file(write: Write) -> None:
    """What is written comes back from bytes as from a path."""
    given = (Comparison("car", "savings", expert="=Ada"), Comparison("-rate", "car"))
    content = write_comparisons(given).encode()
    assert parse_comparisons(content, "pairs.csv") == read_comparisons(write(content)) == given


def test_costs_written_are_read_back_to_the_last_digit(write: Write) -> None:
    """The costs return, marked as entered directly, and a name that looks like a formula is kept."""
    costs = Costs({"car": FeatureCost(1 / 3, 0.1, 2.0, "learned"), "-rate": FeatureCost.exactly(2.0, "direct")})
    content = write_costs(costs).encode()
    read = parse_costs(content, "costs.csv", FEATURES)
    assert read == read_costs(write(content), FEATURES)
    assert {name: read.of(name) for name in FEATURES} == {"car": 1 / 3, "savings": 1.0, "-rate": 2.0}
    assert [read[name].source for name in FEATURES] == ["direct", "unit", "direct"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "'up.csv' is empty."),
        (b"a,b\n1,2\n", "The header of 'up.csv' has no column"),
        (b"\x00\x01", "'up.csv' is not a text file"),
        (b"x" * (MAX_BYTES + 1), "'up.csv' is larger than 10 MB."),
    ],
)
def test_a_bad_upload_is_called_by_its_name(content: bytes, problem: str) -> None:
    """Both readers say what is wrong with the file and call it what the visitor calls it."""
    with pytest.raises(CostError, match=problem):
        parse_comparisons(content, "up.csv")
    with pytest.raises(CostError, match=problem):
        parse_costs(content, "up.csv", FEATURES)


def test_a_bad_row_of_an_upload_is_named() -> None:
    """The row is counted as in a spreadsheet."""
    with pytest.raises(CostError, match=r"Row 3 of 'up.csv' has the unknown answer 'maybe'"):
        parse_comparisons(b"harder,easier,answer\ncar,savings,\ncar,savings,maybe\n", "up.csv")
    with pytest.raises(CostError, match=r"Row 2 of 'up.csv' names 'boat', which is not a feature"):
        parse_costs(b"feature,cost\nboat,2\n", "up.csv", FEATURES)


def test_json_says_the_same_as_the_table(write: Write) -> None:
    """Both come back as they were, whatever the file is called; the short form of the documentation is read too."""
    given = (Comparison("car", "savings", Answer.TIE, "=Ada", "it depends\n"), Comparison(" -rate", "car"))
    content = comparisons_json(given).encode()
    assert parse_comparisons(content, "pairs.csv") == read_comparisons(write(content)) == given
    short = b'{"format": "ares-comparisons", "version": 1, "comparisons": [{"harder": "income", "easier": "car"}]}'
    assert parse_comparisons(short, "pairs.json") == (Comparison("income", "car"),)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "holds no comparisons of a format"),
        ('{"format": "ares-run", "version": 1}', "holds no comparisons of a format"),
        ('{"format": "ares-comparisons", "version": 2, "comparisons": []}', "holds no comparisons of a format"),
        ('{"format": "ares-comparisons", "version": 1}', "has no list of comparisons"),
        (ROWS % '"car"', "Row 1 of 'up.json' does not name"),
        (ROWS % '{"harder": "car"}', "Row 1 of 'up.json' does not name"),
        (ROWS % '{"harder": "car", "easier": "job", "who": "me"}', "Row 1 of 'up.json' does not name"),
        (ROWS % '{"harder": "car", "easier": 7}', "Row 1 of 'up.json' has 7 for 'easier'"),
        (ROWS % '{"harder": "car", "easier": "car"}', "Row 1 of 'up.json': Feature 'car' is compared with itself"),
        (ROWS % '{"harder": "car", "easier": "job", "answer": "maybe"}', "unknown answer 'maybe'"),
    ],
)
def test_json_that_cannot_be_used_is_refused_in_a_sentence(content: str, problem: str) -> None:
    """The file and, where there is one, the row are named."""
    with pytest.raises(CostError, match=problem):
        parse_comparisons(content.encode(), "up.json")
