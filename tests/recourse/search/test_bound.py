"""Laws of the bound, of the ground and of its two ways to add up prices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.recourse.search import Limits
from ares_core.recourse.search import ground as ground_module
from ares_core.recourse.search.branch import Branch, bound
from ares_core.recourse.search.greedy import greedy
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.product import exactly_summable
from tests.recourse.search.brute import NEAR, best_gains, best_with, larger, problems


@settings(max_examples=150)
@given(seed=st.integers(0, 10**6), spread=st.floats(0.0, 2.0))
def test_any_prices_bound_the_optimum(seed: int, spread: float) -> None:
    """At random prices, even absurd ones, no set gains more than the bound; no set with a rule more than its cap."""
    rng = np.random.default_rng(seed)
    problem, limits = next(problems(1, seed))
    ground = Ground.of(problem)
    prices = spread * ground.value * rng.random(len(ground.value))
    now = bound(ground, limits, Branch.root(ground, np.inf), prices, rent=float(rng.random()))
    best = ground.scale * best_gains(problem, limits.max_groups, limits.max_rules)[-1]
    assert now.value >= best - NEAR
    for index in range(len(ground)):
        holding = best_gains(problem, limits.max_groups, limits.max_rules, ground.rule(index))[-1]
        assert now.caps[index] >= ground.scale * holding - NEAR


@settings(max_examples=100)
@given(seed=st.integers(0, 10**6))
def test_a_branch_and_its_rest_make_the_whole(seed: int) -> None:
    """Dividing by any rule, the better part's bound is at least the optimum, at any prices."""
    rng = np.random.default_rng(seed)
    problem, limits = next(problems(1, seed))
    ground = Ground.of(problem)
    if not len(ground) or not limits.max_rules or not limits.max_groups:
        return
    whole = Branch.root(ground, np.inf)
    parts = whole.split(ground, limits, int(rng.integers(len(ground))))
    best = ground.scale * best_gains(problem, limits.max_groups, limits.max_rules)[-1]
    values = [bound(ground, limits, part, ground.value * rng.random(len(ground.value))).value for part in parts]
    assert max(values) >= best - NEAR


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), spread=st.floats(0.0, 2.0))
def test_any_prices_bound_a_branch(seed: int, spread: float) -> None:
    """With a rule forced in or left out: no set of the branch gains more than the bound, none with a rule its cap."""
    rng = np.random.default_rng(seed)
    problem, limits = next(problems(1, seed))
    ground = Ground.of(problem)
    if not len(ground) or not limits.max_rules or not limits.max_groups:
        return
    prices = spread * ground.value * rng.random(len(ground.value))
    for branch in Branch.root(ground, np.inf).split(ground, limits, int(rng.integers(len(ground)))):
        now = bound(ground, limits, branch, prices)
        assert now.value >= ground.scale * best_with(problem, limits, ground, branch) - NEAR
        for index in np.flatnonzero(branch.alive):
            holding, _ = branch.split(ground, limits, int(index))
            assert now.caps[index] >= ground.scale * best_with(problem, limits, ground, holding) - NEAR


def test_prices_summed_by_product_and_by_list_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pairs are not listed, profits are exact at the prices used, which are never below those asked for."""
    problem = larger(0)
    listed = Ground.of(problem)
    monkeypatch.setattr(ground_module, "_LISTED", 0)
    product = Ground.of(problem)
    assert listed.pairs is not None
    assert product.pairs is None
    prices = listed.value * np.random.default_rng(0).random(len(listed.value))
    used, profits = product.price(prices)
    assert (used >= prices).all()
    assert used == pytest.approx(prices, abs=16384 / 2**23)
    assert profits == pytest.approx(listed.price(used)[1], rel=1e-12)


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=50))
def test_summable_prices_add_up_exactly(prices: list[float]) -> None:
    """In single precision, forth and back, the sum of rounded prices has no rounding error."""
    rounded = exactly_summable(np.array(prices))
    forth, back = np.float32(0), np.float32(0)
    for price in rounded:
        forth = forth + price
    for price in rounded[::-1]:
        back = back + price
    assert float(forth) == float(back) == float(rounded.astype(np.float64).sum())


def test_ground_keeps_what_can_help() -> None:
    """Only finite candidates whose gain alone is positive are in the ground, and each is found again."""
    for problem, _ in problems(200, 3):
        ground = Ground.of(problem)
        rules = ground.rules(np.arange(len(ground)))
        for group, condition in np.ndindex(problem.penalty.shape):
            alone = problem.gain([(group, condition)]) if np.isfinite(problem.penalty[group, condition]) else -1.0
            if abs(alone) > 1e-3:
                assert ((group, condition) in rules) == (alone > 0)
        assert ground.find(rules).tolist() == list(range(len(ground)))


def test_greedy_takes_the_best_first() -> None:
    """Each step adds the rule with the largest marginal gain, as a plain loop finds it."""
    problem, limits = larger(6), Limits(6, 2)
    ground = Ground.of(problem)
    chosen: list[int] = []
    for index in greedy(ground, limits, ground.alone()):
        before = problem.gain(ground.rules(np.array(chosen, dtype=int)))
        used = {ground.rule(i)[0] for i in chosen}
        allowed = [i for i in range(len(ground)) if len(used | {ground.rule(i)[0]}) <= limits.max_groups]
        gains = [problem.gain(ground.rules(np.array([*chosen, i]))) - before for i in allowed]
        assert problem.gain(ground.rules(np.array([*chosen, index]))) - before == pytest.approx(max(gains))
        chosen.append(int(index))
    assert 0 < len(chosen) <= limits.max_rules
