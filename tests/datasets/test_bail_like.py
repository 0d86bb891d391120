"""The planted population: what makes the planted rules its one best summary, counted out plainly."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import pytest

from ares_core.datasets import Dataset, planted_bias
from ares_core.errors import SettingError
from ares_core.models import RuleModel, ask
from ares_core.people.feature import Change

Person = dict[str, Any]
Condition = dict[str, str]
FAMILY = {"married": "No", "property": "No", "has_job": "No"}
HABITS = {"drugs": "Yes", "in_school": "No", "pays_rent": "No"}
PLANTED = [
    ("Caucasian", FAMILY, {"has_job": "Yes"}),
    ("Caucasian", HABITS, {"drugs": "No"}),
    ("Not Caucasian", FAMILY, {"property": "Yes", "has_job": "Yes"}),
    ("Not Caucasian", HABITS, {"drugs": "No", "pays_rent": "Yes"}),
]
CHANGEABLE = ("property", "has_job", "drugs", "pays_rent", "has_phone")
NUMBERS = {"age": (25, 35, 45), "prior_arrests": (1, 3, 6)}


def holds(person: Person, condition: Condition) -> bool:
    return all(person[name] == value for name, value in condition.items())


def is_refused(person: Person) -> bool:
    """Decide by the paper's Figure 4, written out by hand."""
    out_of_school = person["in_school"] == "No"
    if person["race"] == "Caucasian":
        return holds(person, FAMILY) or holds(person, HABITS)
    both = person["property"] == "Yes" and person["has_job"] == "Yes"
    clean = person["drugs"] == "No" and person["pays_rent"] == "Yes"
    return (person["married"] == "No" and not both) or (out_of_school and not clean)


def levels(row: Person) -> Person:
    """Replace numbers by the number of cuts at or below them, so that every column is a category."""
    return {
        name: str(sum(value >= cut for cut in NUMBERS[name])) if name in NUMBERS else value
        for name, value in row.items()
    }


def people_of(data: Dataset) -> list[Person]:
    return [levels(row) for row in data.people.to_dict("records")]


def count(people: Iterable[Person], condition: Condition) -> int:
    return sum(holds(person, condition) for person in people)


@pytest.fixture(
    scope="module",
    params=[(4000, 0), (4000, 7), (700, 1)],
    ids=lambda size: f"{size[0]} people, seed {size[1]}",
)
def planted(request: pytest.FixtureRequest) -> tuple[Dataset, RuleModel]:
    return planted_bias(*request.param)


@pytest.fixture(scope="module")
def everybody(planted: tuple[Dataset, RuleModel]) -> list[Person]:
    return people_of(planted[0])


@pytest.fixture(scope="module")
def refused(everybody: list[Person]) -> list[Person]:
    return [person for person in everybody if is_refused(person)]


def test_the_black_box_is_the_one_of_the_paper(planted: tuple[Dataset, RuleModel], everybody: list[Person]) -> None:
    """The shipped rules decide as Figure 4 written out by hand, on every person."""
    data, model = planted
    assert ask(model, data.people).tolist() == [int(not is_refused(person)) for person in everybody]
    assert [(rule.subgroup.level("race").name, len(rule.changed)) for rule in model.rules] == [
        ("Caucasian", 1),
        ("Caucasian", 1),
        ("Not Caucasian", 2),
        ("Not Caucasian", 2),
    ]


def test_nobody_is_refused_twice(everybody: list[Person]) -> None:
    """Nobody is at the start of both rules."""
    assert not count(everybody, FAMILY | HABITS)


def test_nobody_stands_halfway(everybody: list[Person]) -> None:
    """No refused person who is not Caucasian has done one of two changes: each is at a full condition."""
    others = [person for person in everybody if person["race"] == "Not Caucasian"]
    assert all(holds(person, FAMILY) or holds(person, HABITS) for person in others if is_refused(person))
    assert {(p["property"], p["has_job"]) for p in others if p["married"] == "No"} == {
        ("No", "No"),
        ("Yes", "Yes"),
    }
    assert {(p["drugs"], p["pays_rent"]) for p in others if p["in_school"] == "No"} == {
        ("Yes", "No"),
        ("No", "Yes"),
    }


def test_planted_end_states_are_common_and_rivals_rare(everybody: list[Person]) -> None:
    """1 % of everybody is at each planted end state, fewer at the ends of the two rival single changes."""
    for _, before, move in PLANTED:
        assert count(everybody, before | move) >= 0.01 * len(everybody)
    for rival in (FAMILY | {"property": "Yes"}, HABITS | {"pays_rent": "Yes"}):
        assert 0.004 * len(everybody) <= count(everybody, rival) < 0.01 * len(everybody)


def test_every_planted_rule_matters_and_works(refused: list[Person]) -> None:
    """Each rule describes at least a tenth of the refused people and frees them; all four free everybody."""
    freed = 0
    for race, before, move in PLANTED:
        described = [person for person in refused if person["race"] == race and holds(person, before)]
        assert len(described) >= 0.1 * len(refused)
        assert not any(is_refused(person | move) for person in described)
        freed += len(described)
    assert freed == len(refused)


def test_what_stays_put_is_frozen(planted: tuple[Dataset, RuleModel]) -> None:
    """Who people are, marriage and school describe and never change."""
    features = planted[0].schema.features
    assert {feature.name for feature in features if feature.change is not Change.FROZEN} == set(CHANGEABLE)


def moves(most: int) -> list[Condition]:
    flips = [{name: value} for name in CHANGEABLE for value in ("No", "Yes")]
    pairs = [one | other for one, other in itertools.combinations(flips, 2) if one.keys() != other.keys()]
    return flips + pairs if most == 2 else flips


def starting_points(described: list[Person], move: Condition) -> Iterable[Condition]:
    """Yield every condition of width up to 3 that holds for somebody and that the move changes."""
    before = {name: "No" if value == "Yes" else "Yes" for name, value in move.items()}
    names = [name for name in described[0] if name != "race" and name not in move]
    for width in range(4 - len(move)):
        for more in itertools.combinations(names, width):
            kept = {tuple(person[name] for name in more) for person in described}
            for values in kept:
                yield before | dict(zip(more, values, strict=True))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("race", ["Caucasian", "Not Caucasian"])
def test_no_other_rule_does_as_well(race: str, seed: int) -> None:
    """Of all rules of width up to 3 with a common end state and no more changes than the planted ones, no
    other frees as many people of the group without failing anybody.
    """
    everybody = people_of(planted_bias(600, seed)[0])
    group = [person for person in everybody if person["race"] == race and is_refused(person)]
    planted = [(before, move) for whom, before, move in PLANTED if whom == race]
    enough = min(count(group, before) for before, _ in planted)
    winners = []
    for move in moves(most=len(planted[0][1])):
        freed = [not is_refused(person | move) for person in group]
        for before in starting_points(group, move):
            described = [free for person, free in zip(group, freed, strict=True) if holds(person, before)]
            if len(described) >= enough and all(described) and count(everybody, before | move) >= 0.01 * len(everybody):
                winners.append((before, move))
    assert len(winners) == 2
    assert all(rule in winners for rule in planted)


@pytest.mark.parametrize("seed", range(3))
def test_shorter_conditions_fail_several_people(seed: int) -> None:
    """Dropping any part of a planted condition that does not change fails at least 0.4 % of everybody."""
    everybody = people_of(planted_bias(4000, seed)[0])
    for race, before, move in PLANTED:
        for name in before.keys() - move.keys():
            shorter = {other: value for other, value in before.items() if other != name}
            described = [p for p in everybody if p["race"] == race and is_refused(p) and holds(p, shorter)]
            assert sum(is_refused(person | move) for person in described) >= 0.004 * len(everybody)


def test_the_outcome_follows_the_answer(planted: tuple[Dataset, RuleModel]) -> None:
    """People the black box accepts appear clearly more often than those it refuses."""
    data, model = planted
    answers = ask(model, data.people)
    assert (data.target, data.favourable) == ("failed_to_appear", "no")
    assert data.labels[answers == 1].mean() > data.labels[answers == 0].mean() + 0.2


def test_the_same_seed_gives_the_same_file() -> None:
    """The table is a function of its size and its seed."""
    assert planted_bias(600, 3)[0].csv_bytes == planted_bias(600, 3)[0].csv_bytes
    assert planted_bias(600, 3)[0].sha256 != planted_bias(600, 4)[0].sha256


def test_sizes() -> None:
    """As many people as asked for; too few for every kind of person to occur are refused."""
    assert len(planted_bias(501)[0].frame) == 501
    with pytest.raises(SettingError, match="499 people"):
        planted_bias(499)
