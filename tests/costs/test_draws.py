"""Draws of costs: they spread as the intervals say, and nothing that was entered or never asked for moves."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ares_core.costs import Answer, Comparison, Costs, cost_draws, pool
from ares_core.errors import CostError

FEATURES = ("job", "home", "savings", "phone", "age")
ANSWERS = {
    "ann": [Comparison("job", "home"), Comparison("home", "savings"), Comparison("job", "savings")],
    "bo": [Comparison("savings", "home", Answer.TIE), Comparison("job", "home"), Comparison("home", "phone")],
}
WEIGHTS = [None, {"ann": 1.0, "bo": 0.4}, {"ann": 0.0}]
MANY = 20_000


@pytest.mark.parametrize("weights", WEIGHTS)
def test_draws_spread_as_the_intervals_say(weights: dict[str, float] | None) -> None:
    """The 5 % and 95 % points of the draws are the ends of the intervals, also of a feature nobody compared."""
    costs = pool(ANSWERS, weights, FEATURES)
    low, high = np.quantile(cost_draws(ANSWERS, weights, FEATURES, {}, MANY, seed=1), [0.05, 0.95], axis=0)
    # An interval is widened where it would leave out the cost.
    at = costs.vector(FEATURES)
    assert np.minimum(low, at) == pytest.approx([costs[name].low for name in FEATURES], abs=0.25)
    assert np.maximum(high, at) == pytest.approx([costs[name].high for name in FEATURES], abs=0.25)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_some_compared_feature_costs_one_in_every_draw(weights: dict[str, float] | None) -> None:
    """The easiest compared feature is found anew, nothing costs less, and it is not always the same feature."""
    drawn = cost_draws(ANSWERS, weights, FEATURES, {}, 500)
    compared = drawn[:, :4]
    assert compared.min(axis=1) == pytest.approx(np.ones(500))
    assert drawn.min() == 1.0
    assert len(set(compared.argmin(axis=1).tolist())) > 1


def test_a_chain_keeps_its_order_more_often_than_independent_draws_would() -> None:
    """Features are drawn together: a difference spreads less than two independent costs would."""
    chain = {"ann": [Comparison(one, other) for one, other in combinations("abcd", 2)] * 3}
    drawn = cost_draws(chain, None, "abcd", {}, 4_000)
    difference = (drawn[:, 0] - drawn[:, 1]).var()
    assert difference < 0.8 * (drawn[:, 0].var() + drawn[:, 1].var())


@pytest.mark.parametrize("weights", WEIGHTS)
def test_entered_costs_stay(weights: dict[str, float] | None) -> None:
    """A cost typed in is the same in every draw, and leaves the draws of the others as they are."""
    free = cost_draws(ANSWERS, weights, FEATURES, {}, 50)
    drawn = cost_draws(ANSWERS, weights, FEATURES, {"home": 2.5}, 50)
    assert (drawn[:, 1] == 2.5).all()
    assert (np.delete(drawn, 1, axis=1) == np.delete(free, 1, axis=1)).all()


@pytest.mark.parametrize("answers", [{}, {"ann": []}, {"ann": [Comparison("job", "home", Answer.CANNOT_SAY)]}])
def test_without_comparisons_nothing_is_uncertain(answers: dict[str, list[Comparison]]) -> None:
    """Where costs are units, every draw is them."""
    assert (cost_draws(answers, None, FEATURES, {"age": 3.0}, 20) == [1, 1, 1, 1, 3]).all()
    assert pool(answers, None, FEATURES) == Costs.unit(FEATURES)


def test_draws_are_repeatable_and_another_seed_is_another_draw() -> None:
    """The same seed gives the same numbers to the last bit."""
    one, same, other = (cost_draws(ANSWERS, None, FEATURES, {}, 10, seed=seed) for seed in (3, 3, 4))
    assert (one == same).all()
    assert not (one == other).all()


@pytest.mark.parametrize(
    ("answers", "direct", "problem"),
    [
        ({"ann": [Comparison("job", "hone")]}, {}, "Comparison 1 names 'hone', which is not a feature."),
        (ANSWERS, {"hone": 2.0}, "A cost is given for 'hone', which is not a feature."),
        (ANSWERS, {"home": 0.0}, "The cost of 'home' is 0.0, which is not a number from a billionth to a billion."),
    ],
)
def test_unknown_names_and_costs_are_refused(
    answers: dict[str, list[Comparison]], direct: dict[str, float], problem: str
) -> None:
    """What `pool` and `with_direct` refuse is refused in the same words."""
    with pytest.raises(CostError) as raised:
        cost_draws(answers, None, FEATURES, direct, 5)
    assert raised.value.problem == problem
