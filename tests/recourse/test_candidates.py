"""Candidates: everything the method allows and nothing else, against plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import DataError, SettingError
from ares_core.people import Change, Schema, Table
from ares_core.recourse import candidates as room
from ares_core.recourse.candidates import (
    Candidates,
    _widest,
    build_candidates,
    build_subgroups,
    masks_of,
    people_needed,
)
from ares_core.recourse.mining import frequent_items
from ares_core.settings import Settings
from tests.recourse.readings import conditions, conjunction, option_pairs
from tests.recourse.worlds import World, answers, common, levels_of, members, pairs, random_world

SHAPES = [
    {"support": 0.05, "width": 3, "changes": 2, "people": 2},
    {"support": 0.02, "width": 2, "changes": 2, "people": 1},
    {"support": 0.05, "width": 3, "changes": 3, "people": 3},
    {"support": 0.1, "width": 4, "changes": 1, "people": 2},
    {"support": 0.2, "width": 1, "changes": 6, "people": 5},
]


def asked(shape: dict[str, float]) -> Settings:
    return Settings(
        support=shape["support"],
        condition_width=int(shape["width"]),
        max_changes=int(shape["changes"]),
        min_people=int(shape["people"]),
    )


def learners(world: World) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return two of three affected people."""
    refused = [place for place, accepted in enumerate(answers(world.model, world.table)) if not accepted]
    return np.array([place for number, place in enumerate(refused) if number % 3], dtype=np.intp)


def found_in(world: World, settings: Settings) -> Candidates:
    return build_candidates(world.table, learners(world), settings)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_the_pairs_are_those_the_method_allows_and_no_other(seed: int, shape: dict[str, float]) -> None:
    """Same features, 1 to max_changes allowed changes, a frequent end, enough learn people; each once."""
    world = random_world(seed)
    listed = option_pairs(world.table, found_in(world, asked(shape)))
    assert len(dict(listed)) == len(listed)
    assert dict(listed) == pairs(world.table, set(learners(world).tolist()), shape)


@pytest.mark.parametrize("seed", range(4))
def test_the_conditions_are_the_frequent_conjunctions_with_enough_learn_people(seed: int) -> None:
    """Every conjunction of width up to 3 that is frequent and describes min_people learn people, once."""
    world = random_world(seed)
    who = set(learners(world).tolist())
    names = [feature.name for feature in world.table.features]
    listed = conditions(world.table, found_in(world, asked(SHAPES[0])))
    frequent = common(levels_of(world.table), names, 0.05, 3)
    assert len(set(listed)) == len(listed)
    assert set(listed) == {each for each, people in frequent.items() if len(people & who) >= 2}


def test_the_condition_leaves_room_for_a_subgroup() -> None:
    """With rules of width 3 a condition has at most 2 parts, because the subgroup needs one."""
    found = found_in(random_world(1), Settings(support=0.05, max_width=3, condition_width=6, min_people=1))
    assert max(map(len, conditions(random_world(1).table, found))) == 2
    assert found.narrowed == ()


def test_missing_stands_in_conditions_and_is_never_left_or_reached() -> None:
    """What is not known describes people, and no move begins or ends there."""
    met = 0
    for seed in range(6):
        table = random_world(seed).table
        unknown = ("income", len(table.schema["income"].levels) - 1)
        for (before, after), _ in option_pairs(table, found_in(random_world(seed), asked(SHAPES[1]))):
            assert (unknown in before) == (unknown in after)
            met += unknown in before
    assert met


def test_a_frozen_feature_describes_and_never_changes() -> None:
    """Sex stands in conditions, and every pair keeps it as it is."""
    world = random_world(2)
    listed = option_pairs(world.table, found_in(world, asked(SHAPES[0])))
    assert any(name == "sex" for (before, _), _ in listed for name, _ in before)
    assert all(name != "sex" for (before, after), _ in listed for name, _ in after - before)


@pytest.mark.parametrize("change", [Change.FROZEN, "forbidden"])
def test_a_table_where_nothing_may_change_is_refused_in_words(change: str) -> None:
    """All frozen, or every target forbidden: there is nothing to advise, and the error says so."""
    table = random_world(0).table
    features = [
        replace(feature, change=Change.FROZEN)
        if change == Change.FROZEN
        else replace(feature, forbidden=frozenset(level.name for level in feature.levels))
        for feature in table.schema.features
    ]
    fixed = Table.build(table.frame, Schema(tuple(features)))
    with pytest.raises(DataError, match="No feature can change") as caught:
        build_candidates(fixed, np.arange(20), Settings())
    assert caught.value.hint


def test_asking_for_more_people_than_there_are_leaves_no_candidate() -> None:
    """Finding none is a result: no conditions, no options, no moves."""
    found = found_in(random_world(0), Settings(support=0.05, min_people=1000))
    assert (len(found.conditions), len(found.options), found.moves) == (0, 0, ())


def test_the_widest_changes_are_left_out_when_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for few options rules change fewer features, exactly those remain, and a sentence says so."""
    world, shape = random_world(3), {"support": 0.02, "width": 3, "changes": 3, "people": 1}
    who = set(learners(world).tolist())
    sizes = {changes: len(pairs(world.table, who, {**shape, "changes": changes})) for changes in (1, 2, 3)}
    for changes in (2, 1):
        monkeypatch.setattr(room, "MOST_OPTIONS", sizes[changes])
        found = found_in(world, asked(shape))
        expected = pairs(world.table, who, {**shape, "changes": changes})
        assert dict(option_pairs(world.table, found)) == expected
        assert found.narrowed == (
            f"Rules that change 3 features are too many to list; the candidates change up to {changes}.",
        )


def test_the_widest_conditions_are_left_out_when_nothing_else_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for still fewer options conditions get narrower; the narrowest are always listed."""
    world, shape = random_world(3), {"support": 0.02, "width": 3, "changes": 1, "people": 1}
    who = set(learners(world).tolist())
    narrow = {width: pairs(world.table, who, {**shape, "width": width}) for width in (1, 2)}
    for width, room_for in ((2, len(narrow[2])), (1, len(narrow[1])), (1, 0)):
        monkeypatch.setattr(room, "MOST_OPTIONS", room_for)
        found = found_in(world, asked(shape))
        assert dict(option_pairs(world.table, found)) == narrow[width]
        assert found.conditions.shape[1] == width
        assert found.narrowed == (
            f"Conditions of width 3 are too many to try; the candidates have conditions up to width {width}.",
        )


def test_nothing_is_said_where_everything_asked_for_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for exactly as many options and itemsets as there are is enough, and no sentence appears."""
    world, shape = random_world(3), {"support": 0.02, "width": 3, "changes": 3, "people": 1}
    every = pairs(world.table, set(learners(world).tolist()), shape)
    names = [feature.name for feature in world.table.features]
    monkeypatch.setattr(room, "MOST_OPTIONS", len(every))
    monkeypatch.setattr(room, "MOST_ITEMSETS", len(common(levels_of(world.table), names, 0.02, 3)))
    found = found_in(world, asked(shape))
    assert len(found.options) == len(every)
    assert found.narrowed == ()


@pytest.mark.parametrize("width", [2, 1])
def test_too_many_itemsets_narrow_the_conditions(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """With room for the sets of a smaller width only, the candidates are those of that width."""
    world, shape = random_world(5), {"support": 0.02, "width": 3, "changes": 2, "people": 1}
    names = [feature.name for feature in world.table.features]
    monkeypatch.setattr(room, "MOST_ITEMSETS", len(common(levels_of(world.table), names, 0.02, width)))
    found = found_in(world, asked(shape))
    who = set(learners(world).tolist())
    assert dict(option_pairs(world.table, found)) == pairs(world.table, who, {**shape, "width": width})
    assert found.narrowed == (
        f"Conditions of width 3 are too many to try; the candidates have conditions up to width {width}.",
    )


def test_itemsets_have_numbers_that_fit_62_bits() -> None:
    """With very many items the width shrinks until an itemset is one machine number."""
    for items in (10, 1000, 2000, 40_000, 3_000_000):
        width = _widest(items, 6)
        assert (items + 1) ** width < 2**62
        assert width == 6 or (items + 1) ** (width + 1) >= 2**62


@pytest.mark.parametrize(
    ("asked_for", "affected", "expected"),
    [
        (0, 100, 5),
        (0, 500, 5),
        (0, 501, 6),
        (0, 600, 6),
        (0, 700, 7),
        (0, 0, 5),
        (3, 10_000, 3),
        (1, 5, 1),
    ],
)
def test_the_fewest_people_are_five_or_one_in_a_hundred(asked_for: int, affected: int, expected: int) -> None:
    """The default is the larger of 5 and 1 %, rounded up; a number that was set stands."""
    assert people_needed(Settings(min_people=asked_for), affected) == expected


@pytest.mark.parametrize("interest", [(), ("sex",), ("sex", "income"), ("Owns",)])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_subgroups_are_the_frequent_conjunctions_of_the_features_of_interest(
    interest: tuple[str, ...], width: int
) -> None:
    """Over the chosen features, or all when none is chosen; a column's name stands for its feature."""
    table = random_world(4).table
    settings = Settings(support=0.05, subgroup_width=width)
    items = frequent_items(table, 3)
    listed = [conjunction(table, items, row) for row in build_subgroups(table, items, settings, interest)[0]]
    names = [table.schema[name].name for name in interest] or [feature.name for feature in table.features]
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(common(levels_of(table), names, 0.05, width))


def test_wider_subgroups_are_left_out_when_they_are_too_many() -> None:
    """With room for the single levels only these describe subgroups, and a sentence says so and what to do."""
    table, settings = random_world(4).table, Settings(support=0.05, subgroup_width=2)
    items = frequent_items(table, 3)
    every, said = build_subgroups(table, items, settings, ())
    assert said == ()
    assert build_subgroups(table, items, settings, (), len(every))[1] == ()
    for room_for in (len(every) - 1, len(items), 0):
        fewer, said = build_subgroups(table, items, settings, (), room_for)
        assert fewer[:, 0].tolist() == list(range(len(items)))
        assert said == (
            "Subgroups described by 2 features at once are too many to try with every condition; the candidates "
            "describe them by up to 1. Choose few features of interest to describe them by more.",
        )


def test_conditions_get_narrower_when_pairs_with_single_levels_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is always room to try every condition with every group that one level describes."""
    world, shape = random_world(3), {"support": 0.02, "width": 3, "changes": 2, "people": 1}
    every = found_in(world, asked(shape))
    sizes = (every.conditions >= 0).sum(axis=1)
    for width in (2, 1):
        monkeypatch.setattr(room, "MOST_PAIRS", len(every.items) * int((sizes <= width).sum()))
        found = found_in(world, asked(shape))
        assert found.conditions.tolist() == every.conditions[sizes <= width, :width].tolist()
        assert found.narrowed[0].endswith(f"the candidates have conditions up to width {width}.")


def test_an_interest_no_common_level_speaks_of_is_refused_in_words() -> None:
    """When no level of the chosen feature is common enough the error names the feature and the support."""
    frame = pd.DataFrame({"id": [f"p{n % 20}" for n in range(40)], "job": ["a", "b"] * 20})
    table = Table.build(frame, Schema.infer(frame))
    with pytest.raises(SettingError, match=r"'id' describes 20.00% of the people"):
        build_subgroups(table, frequent_items(table, 8), Settings(support=0.2), ["id"])


def test_masks_of_sets_are_who_is_at_every_item() -> None:
    """Padding describes everybody, and the masks given are left as they were."""
    table = random_world(0).table
    items = frequent_items(table, 1)
    before = items.masks.copy()
    sets = np.array([[0, -1, -1], [0, 4, -1], [1, 3, 7], [2, -1, -1]], dtype=np.int32)
    found = masks_of(sets, items.masks)
    people = levels_of(table)
    expected = [members(conjunction(table, items, row), people) for row in sets]
    assert [set(np.flatnonzero(row).tolist()) for row in found] == expected
    assert (items.masks == before).all()
    assert masks_of(sets[:0], items.masks).shape == (0, len(table))


def test_numbers_that_differ_for_everybody_describe_no_group_unasked() -> None:
    """Amounts and identifiers alike: such a column is a condition, and a group only if somebody asks for it."""
    frame = pd.DataFrame({"amount": [i * i for i in range(40)], "job": pd.array(["a", "b"] * 20, dtype="str")})
    table = Table.build(frame, Schema.infer(frame))
    items = frequent_items(table, 2)
    named = {
        asked: {table.features[items.features[item]].name for item in groups[groups >= 0]}
        for asked in ((), ("amount",))
        for groups in [build_subgroups(table, items, Settings(support=0.05), asked)[0]]
    }
    assert named == {(): {"job"}, ("amount",): {"amount"}}
    alone = Table.build(frame[["amount"]], Schema.infer(frame[["amount"]]))
    assert len(build_subgroups(alone, frequent_items(alone, 2), Settings(support=0.05), ())[0])
