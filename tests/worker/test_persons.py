"""People one by one, asked in this process: where they stand, where they can be tried, and drawing one of them."""

from __future__ import annotations

import pytest

from ares_core.datasets import load_german
from ares_core.errors import DataError
from ares_core.files import dump_json
from ares_core.worker import FindPeople, PickPerson, Source, Subject, TrainHere, WhatIf
from ares_core.worker.answers import answer
from ares_core.worker.desk import Desk
from ares_core.worker.persons import place_of

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
    table, row = desk.met(SUBJECT).table, int(desk.met(SUBJECT).table.rows[0])
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
