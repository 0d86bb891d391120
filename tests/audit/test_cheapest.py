"""The cheapest moves first: every move once, in order, without listing them all."""

from __future__ import annotations

from itertools import combinations, islice, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.audit.blockers import MOST_MOVES, find_blockers
from ares_core.audit.cheapest import Steps, cheapest_first
from ares_core.audit.person import PersonRecourse, person_recourse
from ares_core.audit.person_text import person_text
from ares_core.costs import Costs
from ares_core.models import FunctionModel
from ares_core.people import Schema, Table

PRICES = st.sampled_from([0.1, 0.2, 0.30000000000000004, 1.0, 1.7])
TARGETS = st.sets(st.tuples(st.integers(1, 3), st.integers(0, 4)), max_size=4)


def every_move(steps: list[Steps], most: int) -> list[tuple[tuple[float, int], tuple[tuple[int, int], ...]]]:
    """List all moves by brute force as ((price, levels crossed), move), sorted."""
    found = []
    for size in range(1, most + 1):
        for chosen in combinations(steps, size):
            for targets in product(*(each.targets for each in chosen)):
                price = round(sum(each.price for each in chosen), 6), sum(crossed for crossed, _ in targets)
                features = (each.feature for each in chosen)
                found.append((price, tuple(zip(features, (target for _, target in targets), strict=True))))
    return sorted(found)


@given(described=st.lists(st.tuples(PRICES, TARGETS), max_size=5), most=st.integers(0, 4))
def test_every_move_comes_once_and_no_cheaper_one_later(
    described: list[tuple[float, set[tuple[int, int]]]], most: int
) -> None:
    """The order is by price, then by levels crossed, then by what changes, as if all were listed and sorted."""
    steps = [
        Steps(feature, price, tuple(sorted({target: (crossed, target) for crossed, target in targets}.values())))
        for feature, (price, targets) in enumerate(described)
    ]
    assert list(cheapest_first(steps, most)) == [move for _, move in every_move(steps, most)]


def test_the_first_of_very_many_moves_take_no_time() -> None:
    """Of 10 ** 18 moves the first thousand are made at once: all single changes, the cheapest features first."""
    steps = [Steps(feature, 1.0 + feature, tuple((1, target) for target in range(100))) for feature in range(200)]
    first = list(islice(cheapest_first(steps, 6), 1000))
    assert first[0] == ((0, 0),)
    assert len(set(first)) == 1000


@pytest.mark.parametrize(("price", "targets"), [(-1.0, ()), (float("nan"), ()), (1.0, ((2, 0), (1, 1)))])
def test_steps_are_sorted_and_cost_something(price: float, targets: tuple[tuple[int, int], ...]) -> None:
    """A price below 0, or a large step before a small one, would break the order."""
    with pytest.raises(ValueError, match="smallest step comes first"):
        Steps(0, price, targets)


def many_levels(columns: int, levels: int) -> Table:
    """Return a table in which every column has so many levels."""
    frame = pd.DataFrame({f"c{column}": [f"v{level}" for level in range(levels)] for column in range(columns)})
    document = Schema.infer(pd.concat([frame, frame], ignore_index=True).astype("str"))
    return Table.build(frame.astype("str"), document)


def test_somebody_with_too_many_moves_hears_where_the_search_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is asked about the cheapest moves only, and the answer says that dearer ones were not tried."""
    monkeypatch.setattr("ares_core.audit.person.MOST_MOVES", 50)
    table = many_levels(4, 20)
    refusing = FunctionModel(lambda frame: np.zeros(len(frame)))
    answer = person_recourse(refusing, table, 0, [], Costs.unit(table.schema.names), 2)
    assert (answer.tried, answer.gave_up, answer.cheapest) == (50, True, None)
    assert "None of the 50 moves tried" in person_text(table.schema, answer)
    assert answer.to_json()["gave_up"] is True


def test_trying_everything_is_not_giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """With exactly as many moves as may be tried, nothing was left out."""
    monkeypatch.setattr("ares_core.audit.person.MOST_MOVES", 4 * 19)
    table = many_levels(4, 20)
    refusing = FunctionModel(lambda frame: np.zeros(len(frame)))
    answer = person_recourse(refusing, table, 0, [], Costs.unit(table.schema.names), 1)
    assert isinstance(answer, PersonRecourse)
    assert (answer.tried, answer.gave_up) == (76, False)


def test_blockers_ask_about_no_more_moves_than_they_say() -> None:
    """Two features of a hundred levels have 10,000 moves; the model is asked about the first 4,000 of them."""
    table = many_levels(2, 100)
    asked: list[int] = []

    def refuse(frame: pd.DataFrame) -> np.ndarray:
        asked.append(len(frame))
        return np.zeros(len(frame))

    find_blockers(FunctionModel(refuse), table, np.array([0]), 2)
    assert asked == [MOST_MOVES]
