"""People one by one, asked in this process: where they stand, where they can be tried, and drawing one of them."""

from __future__ import annotations

import hashlib
import time

import numpy as np
import pandas as pd
import pytest

from ares_core.audit import person_recourse, person_text
from ares_core.costs import Costs
from ares_core.datasets import load_german
from ares_core.errors import DataError
from ares_core.files import dump_json
from ares_core.people import Kind, Schema, Table
from ares_core.people.levels import number_text
from ares_core.people.table import Substitution
from ares_core.worker import FindPeople, ListPeople, PickPerson, Source, Subject, TrainHere, WhatIf
from ares_core.worker.answers import answer
from ares_core.worker.desk import Desk
from ares_core.worker.persons import place_of, readable

DATA = load_german()
SUBJECT = Subject(
    Source(DATA.sha256, "german.csv", DATA.target, DATA.favourable, dump_json(DATA.schema.to_json())), TrainHere("dt")
)


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A desk with the German data."""
    made = Desk(lambda _stage, _share: None)
    made.keep(DATA.sha256, DATA.csv_bytes)
    return made


def test_everybody_stands_where_they_can_be_tried(desk: Desk) -> None:
    """A person's own level is held by somebody; what the schema allows is never their own; every feature is told."""
    table = desk.met(SUBJECT).table
    for person in range(0, len(table), 25):
        here = place_of(table, person)
        held, allowed = dict(here.held), dict(here.allowed)
        assert [name for name, _ in here.levels] == list(table.schema.names) == list(held) == list(allowed)
        assert all(level in held[name] and level not in allowed[name] for name, level in here.levels)
        assert not allowed["age"], "age is frozen"


def test_every_held_level_can_be_tried_and_no_other(desk: Desk) -> None:
    """The model answers about each level somebody is at; a level nobody is at is refused in words."""
    table, row = desk.met(SUBJECT).table, int(desk.met(SUBJECT).table.lines[0])
    held = dict(place_of(table, 0).held)
    for feature in table.schema.features:
        for level in feature.levels:
            question = WhatIf(SUBJECT, row, ((feature.name, level.name),))
            if level.name in held[feature.name]:
                assert answer(question, desk).accepted in (True, False)
            else:
                with pytest.raises(DataError, match="cannot be tried"):
                    answer(question, desk)


def test_a_draw_is_somebody_who_matches(desk: Desk) -> None:
    """Each draw is among those found; the same draw is the same person, and several draws are several people."""
    levels = (("telephone", "no"),)
    found = set(answer(FindPeople(SUBJECT, levels, most=1000), desk).rows)
    drawn = [answer(PickPerson(SUBJECT, levels, draw=draw), desk) for draw in range(12)]
    assert set(drawn) <= found and len(set(drawn)) > 3
    assert answer(PickPerson(SUBJECT, levels, draw=3), desk) == drawn[3]


def test_nobody_is_drawn_from_nobody(desk: Desk) -> None:
    """Where nobody matches, there is nobody to draw."""
    levels = tuple((feature.name, feature.levels[0].name) for feature in DATA.schema.features)
    assert answer(PickPerson(SUBJECT, levels), desk) is None


def parted() -> tuple[Desk, Subject, list[str]]:
    """A desk with a file whose rows stand apart: a blank line, then a cell of two lines, again and again."""
    rows = [f'{2 * n},"{"ab"[n % 3 == 0]}{chr(10) * (n % 2)}",{n % 5 // 2 % 2}' for n in range(60)]
    text = "\n\n".join(["age,job,good", *rows]) + "\n"
    content = text.encode()
    sha256 = hashlib.sha256(content).hexdigest()
    desk = Desk(lambda _stage, _share: None)
    desk.keep(sha256, content)
    return desk, Subject(Source(sha256, "parted.csv", "good", "1", ""), TrainHere("dt")), text.split("\n")


def test_a_row_is_the_line_of_the_file() -> None:
    """Lists, draws and questions name people by the line that an editor shows, blank lines and long cells counted."""
    desk, subject, lines = parted()
    found = answer(FindPeople(subject, refused=False, most=100), desk)
    assert found.frame.index.tolist() == list(found.rows) and found.frame.index.name == "Row of the file"
    assert [lines[row - 1].split(",")[0] for row in found.rows] == found.frame["age"].tolist()
    backwards = found.rows[::-1]
    assert answer(ListPeople(subject, (1, *backwards, 999_999)), desk).rows == backwards
    assert answer(PickPerson(subject, refused=False), desk) in found.rows
    assert answer(WhatIf(subject, found.rows[0], ()), desk).accepted == found.accepted[0]
    with pytest.raises(DataError, match=r"Row 1 of the file \(its first line is row 1\) is not among the 30 people"):
        answer(WhatIf(subject, 1, ()), desk)


def test_a_persons_text_names_both_rows() -> None:
    """In words a person is the line of the file; the command line's number stands beside it, and files keep it."""
    desk, subject, lines = parted()
    met = desk.met(subject)
    found = person_recourse(met.model, met.table, 0, [], Costs.unit(met.table.schema.names), 1)
    assert (found.row, found.line) == (met.table.rows[0], met.table.lines[0])
    assert lines[found.line - 1].startswith(f"{2 * found.row},")
    expected = (
        f"Row {found.line} of the file (its first line is row 1; --row {found.row} on the command line): the model"
    )
    assert person_text(met.table.schema, found).startswith(expected)
    assert found.to_json()["row"] == found.row and "line" not in found.to_json()


def test_cells_read_as_they_would_one_by_one(desk: Desk) -> None:
    """Numbers stand with their unit, all else by the name of its level."""
    table = desk.met(SUBJECT).table
    places = np.array([5, 0, 77])
    shown = readable(table, places)
    for feature in table.schema.features:
        for place, cell in zip(places, shown[feature.title], strict=True):
            if feature.kind is Kind.NUMBER:
                assert cell == f"{number_text(table.frame[feature.name][place])} {feature.unit}".strip()
            else:
                assert cell == feature.levels[table.codes[place, table.position(feature.name)]].name


def test_an_unknown_number_reads_as_its_level() -> None:
    """An empty cell and a number that means missing are not shown as numbers."""
    frame = pd.DataFrame({"x": [1.5, None, 12000.0, 3.25] * 5, "y": range(0, 40, 2)})
    table = Table.build(frame, Schema.infer(frame))
    assert set(readable(table, np.arange(20))["x"]) == {"1.5", "not known", "12,000", "3.25"}


def test_one_person_of_many_is_moved_at_once() -> None:
    """What belongs to the table is worked out once, so the next move of one of 100,000 people takes no time."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{place}": rng.integers(0, 9, 100_000) for place in range(20)})
    table = Table.build(frame, Schema.infer(frame))
    move = ((0, table.held[0][1]),)

    def moved() -> float:
        start = time.process_time()
        Substitution(table, np.array([7])).frame([(move, np.array([0]))])
        return time.process_time() - start

    moved()
    assert min(moved() for _ in range(5)) < 0.01
