"""Lines: a sentence names a row where whoever opens the file finds it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.audit import People, subject
from ares_core.errors import AresError
from ares_core.people import RawTable, Schema, Table, read_csv, read_numbers, schema_for
from ares_core.people.lines import lines_of, row_text, with_lines
from tests.people.documents import document

FILES = {
    "ordinary": "age,job,good\n31,clerk,1\n42,nurse,0\n53,MARK,1\n24,clerk,0\n",
    "blank lines": "age,job,good\n31,clerk,1\n\n  \n42,nurse,0\n\n53,MARK,1\n24,clerk,0\n",
    "blank lines first": "\n\nage,job,good\n31,clerk,1\n42,nurse,0\n53,MARK,1\n24,clerk,0\n",
    "cells that span lines": 'age,job,good\n31,"cl\ne\nrk",1\n42,"nur\nse",0\n53,MARK,1\n24,clerk,0\n',
    "a header that spans lines": '"age","job","good\n"\n31,clerk,1\n42,nurse,0\n53,MARK,1\n24,clerk,0\n',
    "a blank line at the end": "age,job,good\n31,clerk,1\n42,nurse,0\n53,MARK,1\n24,clerk,0\n\n",
    "a blank line and a long cell": 'age,job,good\n31,"cl\n\nerk",1\n\n42,nurse,0\n53,MARK,1\n24,clerk,0\n',
}
ENDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


@pytest.fixture(params=[(name, end) for name in FILES for end in ENDS], ids=lambda case: f"{case[0]}, {ENDS[case[1]]}")
def text(request: pytest.FixtureRequest) -> str:
    """A file as text, with each kind of line end."""
    name, end = request.param
    return FILES[name].replace("\n", end)


def line_of(text: str, word: str) -> int:
    """Count the line a word stands in, as an editor does."""
    return next(number for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1) if word in line)


def told(raw: RawTable, content: dict[str, Any]) -> str:
    """Return what is wrong with a table and a schema file."""
    with pytest.raises(AresError) as caught:
        described(raw, content)
    return caught.value.problem


def described(raw: RawTable, content: dict[str, Any]) -> People:
    """Describe the people of a table by a schema file, as the command line and the dashboard do."""
    frame = read_numbers(raw.frame, content)
    return People.of(frame, "good", "1", lambda seen: schema_for(seen, content))


def test_every_person_knows_their_line(text: str) -> None:
    """The line goes with the person into the table, whatever order the table has."""
    table = described(read_csv(text.encode()), document()).table
    starts = {age: line_of(text, f"{age},") for age in (31, 42, 53, 24)}
    assert dict(zip(table.frame["age"].tolist(), table.lines.tolist(), strict=True)) == starts
    assert sorted(table.rows.tolist()) == [0, 1, 2, 3]


def test_an_empty_outcome_is_found_in_its_line(text: str) -> None:
    """The target's empty cell is named by its line."""
    raw = read_csv(text.replace("MARK,1", "MARK,").encode())
    assert f"is empty in row {line_of(text, 'MARK')} (the " in told(raw, document())


def test_a_word_among_numbers_is_found_in_its_line(text: str) -> None:
    """A cell that is no number is named by its line, although other cells are missing."""
    raw = read_csv(text.replace("53,", "young,").replace("31,", "?,").encode())
    problem = told(raw, document({"name": "age", "kind": "number", "missing": ["?"]}))
    assert f"but row {line_of(text, 'MARK')} (the " in problem and "holds 'young'" in problem


def test_a_cell_outside_all_levels_is_found_in_its_line(text: str) -> None:
    """A value that no level has is named by its line."""
    raw = read_csv(text.encode())
    known = sorted(set(raw.frame["job"]) - {"MARK"})
    problem = told(raw, document({"name": "job", "levels": known}))
    assert f"no level for row {line_of(text, 'MARK')} (the " in problem and "'MARK'" in problem


def test_the_sentence_says_how_rows_are_counted() -> None:
    """Where the rows follow the header it is row 1; where they do not, lines are said to count."""
    assert row_text(read_csv(FILES["ordinary"].encode()).frame.index, 2) == "row 4 (the header is row 1)"
    parted = read_csv(FILES["blank lines"].encode()).frame
    assert row_text(parted.index, 2) == "row 7 (the first line of the file is row 1)"


def test_lines_stay_with_rows_that_are_kept() -> None:
    """Leaving rows and columns out does not change what the others are called."""
    frame = read_csv(FILES["blank lines"].encode()).frame
    left = frame[frame["age"] > 40].drop(columns="good")
    assert [row_text(left.index, place).split()[1] for place in range(len(left))] == ["5", "7"]


def test_an_ordinary_file_keeps_no_lines() -> None:
    """Where lines are 2, 3, 4 …, no array is kept; blank lines at the end change nothing."""
    for name in ("ordinary", "a blank line at the end"):
        frame = read_csv(FILES[name].encode()).frame
        assert isinstance(frame.index, pd.RangeIndex) and frame.index.name is None


def test_lines_change_nothing_else() -> None:
    """Blank lines give the schema, the order, the people and the rows that the file without them gives."""
    rng = np.random.default_rng(0)
    rows = [f"{rng.integers(90)},{rng.choice(list('abc'))},{rng.integers(2)},{rng.normal():.2f}\n" for _ in range(80)]
    plain, parted = (
        read_csv((gap.join(["age,job,good,x\n", *rows])).encode()).frame.drop(columns="good") for gap in ("", "\n")
    )
    schema = Schema.infer(plain)
    assert Schema.infer(parted) == schema
    one, other = Table.build(plain, schema), Table.build(parted, schema)
    pd.testing.assert_frame_equal(one.frame, other.frame)
    assert one.rows.tolist() == other.rows.tolist()
    assert other.lines.tolist() == [2 * row + 3 for row in other.rows.tolist()]


@pytest.mark.parametrize("gap", ["", "\n"])
def test_people_kept_from_training_keep_their_lines(gap: str) -> None:
    """The half that is audited is called by the lines of the whole file."""
    rows = [f"{number},{'ab'[number % 3 == 0]},{number % 2}\n" for number in range(60)]
    people = described(read_csv(gap.join(["x,y,good\n", *rows]).encode()), document())
    _, audited, trained_on = subject(people, "dt", 0)
    apart = 1 + len(gap)
    assert audited.lines.tolist() == [apart * (row + 1) + 1 for row in audited.rows.tolist()]
    assert not set(audited.rows.tolist()) & set(trained_on.tolist())


def test_lines_of_a_frame_without_them_follow_the_header() -> None:
    """A frame made elsewhere, with whatever labels, is numbered by its rows."""
    frame = pd.DataFrame({"x": [1, 2]}, index=[7, 7])
    assert lines_of(frame.index, np.array([3, 5])).tolist() == [5, 7]
    assert with_lines(frame, np.array([2, 3])) is frame
    assert lines_of(with_lines(frame, np.array([2, 9])).index, np.array([0, 1])).tolist() == [2, 9]
