"""Workbench: what is known after the model was asked, and how rules are read from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import CostError, DataError, SchemaError
from ares_core.models import FunctionModel
from ares_core.people import Schema, Table
from ares_core.recourse import Triple, Workbench, learn, prepare
from ares_core.recourse import workbench as room
from ares_core.settings import Settings
from tests.recourse.readings import conjunction, rule
from tests.recourse.worlds import World, answers, change, helped, holds, levels_of, random_world

SETTINGS = Settings(support=0.05, min_people=2, selection="paper")


def prepared(seed: int, interest: tuple[str, ...] = ("sex",)) -> tuple[World, Workbench]:
    world = random_world(seed)
    return world, prepare(world.model, world.table, SETTINGS, interest)


def some_triples(bench: Workbench, number: int = 12) -> list[Triple]:
    """Take rules across all subgroups and options, whether they help or not."""
    groups = bench.subgroups(("sex",))
    options = np.linspace(0, len(bench.candidates.options) - 1, number).astype(int)
    return [
        Triple(place % len(groups.itemsets), int(bench.candidates.options.condition[option]), int(option))
        for place, option in enumerate(options.tolist())
        if "sex"
        not in dict(
            conjunction(
                bench.table,
                bench.candidates.items,
                bench.candidates.conditions[bench.candidates.options.condition[option]],
            )
        )
    ]


@pytest.mark.parametrize("seed", range(3))
def test_the_affected_are_the_people_the_model_refuses(seed: int) -> None:
    """Places in the table, in order, and every one of them learns or checks."""
    world, bench = prepared(seed)
    refused = [place for place, accepted in enumerate(answers(world.model, world.table)) if not accepted]
    assert bench.affected.tolist() == refused
    assert sorted([*bench.split.learn, *bench.split.check]) == list(range(len(refused)))


def test_the_split_is_even_within_the_levels_of_interest() -> None:
    """Each sex gives half of its affected people to either part, give or take two."""
    world = random_world(0, 400)
    bench = prepare(world.model, world.table, SETTINGS, ("sex",))
    codes = bench.table.codes[bench.affected, bench.table.position("sex")]
    for level in (0, 1):
        learn, check = ((codes[part] == level).sum() for part in (bench.split.learn, bench.split.check))
        assert abs(int(learn) - int(check)) <= 4
        assert learn > 20


@pytest.mark.parametrize(("answer", "words"), [(1, "refuses nobody"), (0, "refuses all")])
def test_a_model_that_treats_all_alike_is_refused_in_words(answer: int, words: str) -> None:
    """There is no recourse to look for when everybody is accepted, and no example when nobody is."""
    model = FunctionModel(lambda frame: np.full(len(frame), answer))
    with pytest.raises(DataError, match=words) as caught:
        prepare(model, random_world(0).table, SETTINGS)
    assert "60 people" in caught.value.problem
    assert caught.value.hint


def test_an_unknown_feature_of_interest_is_refused_in_words() -> None:
    """The error names it, before and after the model was asked."""
    world, bench = prepared(0)
    with pytest.raises(SchemaError, match="'sect'"):
        prepare(world.model, world.table, SETTINGS, ("sect",))
    with pytest.raises(SchemaError, match="'sect'"):
        bench.subgroups(("sect",))


def test_a_feature_without_a_cost_is_refused_in_words() -> None:
    """Prices need a cost for every feature, and the error names the one without."""
    world, bench = prepared(0)
    some = type(world.costs)({name: cost for name, cost in world.costs.items() if name != "job"})
    with pytest.raises(CostError, match="'job'"):
        bench.prices(SETTINGS, some)


def test_the_price_of_a_move_is_the_sum_over_what_changes() -> None:
    """Each changed feature counts once, at its own cost."""
    world, bench = prepared(1)
    found = bench.prices(SETTINGS, world.costs).move_costs
    for move, cost in zip(bench.candidates.moves, found, strict=True):
        assert cost == sum(world.costs.of(bench.table.features[position].name) for position, _ in move)


def test_subgroups_do_not_depend_on_the_order_or_spelling_of_the_interest() -> None:
    """Features in any order, twice, or named by one of their columns are the same choice."""
    _, bench = prepared(0)
    expected = bench.subgroups(("house", "sex"))
    for interest in (("sex", "house"), ("sex", "Owns"), ("Rents", "sex", "house")):
        assert bench.subgroups(interest) is expected


def test_another_interest_gives_other_subgroups_and_the_first_come_back() -> None:
    """Changing the choice and changing it back gives the same subgroups again."""
    _, bench = prepared(0)
    first = bench.subgroups(("sex",)).itemsets.tolist()
    assert bench.subgroups(("job",)).itemsets.tolist() != first
    assert bench.subgroups(("sex",)).itemsets.tolist() == first


@pytest.mark.parametrize("seed", range(3))
def test_subgroup_masks_are_over_the_affected(seed: int) -> None:
    """(subgroups, affected): who is in which."""
    _, bench = prepared(seed)
    groups, people = bench.subgroups(("sex", "job")), levels_of(bench.table)
    for itemset, mask in zip(groups.itemsets, groups.masks, strict=True):
        said = conjunction(bench.table, bench.candidates.items, itemset)
        assert mask.tolist() == [holds(said, people[place]) for place in bench.affected]


@pytest.mark.parametrize("seed", range(3))
def test_coverage_is_who_the_rules_describe_and_help(seed: int) -> None:
    """Over all the affected, checked person by person with the model itself."""
    world, bench = prepared(seed)
    groups, triples = bench.subgroups(("sex",)), some_triples(bench)
    found, people = bench.coverage(groups, triples), levels_of(bench.table)
    for number, triple in enumerate(triples):
        subgroup, pair = rule(bench, groups.itemsets, triple)
        whole = subgroup | pair[0]
        covered = [holds(whole, people[place]) for place in bench.affected]
        assert found.covers[number].tolist() == covered
        who = [int(place) for place, inside in zip(bench.affected, covered, strict=True) if inside]
        said = helped(world, {(place, change(pair)) for place in who})
        worked = [said.get((int(place), change(pair)), False) for place in bench.affected]
        assert found.works[number].tolist() == worked


def test_rules_say_what_their_numbers_say() -> None:
    """Levels, features and raw masks of a readable rule agree with the itemsets behind it."""
    _, bench = prepared(0)
    groups, triples = bench.subgroups(("sex",)), some_triples(bench)
    coverage = bench.coverage(groups, triples)
    people = bench.table.frame.iloc[bench.affected]
    for number, readable in enumerate(bench.rules(groups, triples)):
        assert readable.subgroup.features == ("sex",)
        inside = readable.subgroup.mask(people) & readable.before.mask(people)
        assert (inside == coverage.covers[number]).all()
        _, (_, after) = rule(bench, groups.itemsets, triples[number])
        levels = {(p.feature, bench.table.schema[p.feature].levels.index(p.level)) for p in readable.after}
        assert levels == set(after)


def test_no_rules_cover_nobody() -> None:
    """An empty set of rules is a set of rules."""
    _, bench = prepared(0)
    found = bench.coverage(bench.subgroups(("sex",)), ())
    assert found.covers.shape == (0, len(bench.affected))
    assert found.deciding().tolist() == [-1] * len(bench.affected)
    assert not found.helped().any()


@pytest.mark.parametrize("holdout", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("selection", ["paper", "robust"])
@pytest.mark.parametrize("refused", [1, 2, 3, 7])
def test_few_affected_people_break_nothing(refused: int, selection: str, holdout: float) -> None:
    """With one to seven people refused there may be no rules, and nothing fails."""
    world = random_world(0, 200)
    frame = world.table.frame.assign(number=np.arange(200))
    table = Table.build(frame, Schema(world.table.schema.features, (("number", "an identifier"),)))

    def accepts(people: pd.DataFrame) -> object:
        before = frame["phone"].loc[people["number"]].to_numpy()
        return (people["number"] >= refused) | (people["phone"] != before)

    settings = Settings(holdout=holdout, selection=selection, min_people=1)
    bench = prepare(FunctionModel(accepts), table, settings)
    found = learn(bench, settings, world.costs)
    assert len(bench.affected) == refused
    assert found.certificate.proven


@pytest.mark.parametrize("selection", ["paper", "robust"])
def test_too_few_people_for_any_rule_is_a_result(selection: str) -> None:
    """When no condition has enough people the answer is no rules, proven."""
    world = random_world(0, 300)
    settings = Settings(min_people=1000, selection=selection)
    found = learn(prepare(world.model, world.table, settings), settings, world.costs)
    assert (len(found.rules), found.certificate.candidates, found.certificate.proven) == (0, 0, True)


@pytest.mark.parametrize("cells", [1, 200, 10**9])
def test_need_is_the_cheapest_move_that_works_for_real_people(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    """Move by move and person by person, whatever is looked at together; invented people are not asked about."""
    world = random_world(1, 50)
    bench = prepare(world.model, world.table, replace(SETTINGS, selection="robust"), ("sex",))
    assert bench.standins > 0
    monkeypatch.setattr(room, "CHUNK_CELLS", cells)
    costs = np.random.default_rng(0).integers(1, 9, len(bench.candidates.moves)) / 10
    expected = [
        min(costs[bench.evaluation.works[:, person]].tolist(), default=np.inf) for person in range(len(bench.affected))
    ]
    assert bench.need(costs).tolist() == expected
    assert (np.isfinite(expected) == bench.recourse).all()


def test_need_does_not_depend_on_the_order_costs_are_added_in() -> None:
    """0.1 + 0.2 is 0.3 here: a difference that only rounding makes is none."""
    _, bench = prepared(0)
    costs = np.full(len(bench.candidates.moves), 0.3)
    costs[::2] = 0.1 + 0.2
    assert set(bench.need(costs).tolist()) <= {0.3, np.inf}
