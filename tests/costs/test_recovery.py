"""Simulated experts, and the proof that known costs come back."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import spearmanr

from ares_core.costs import (
    DEFAULT_PRIOR_VARIANCE,
    Comparison,
    bradley_terry_expert,
    fit_costs,
    random_pairs,
    random_probability_expert,
    round_robin,
)
from ares_core.errors import CostError

TWELVE = [f"feature {number:02}" for number in range(12)]


def true_beta(features: list[str], rng: np.random.Generator, spread: float = 1.5) -> dict[str, float]:
    return dict(zip(features, rng.normal(0, spread, len(features)).tolist(), strict=True))


def test_round_robin_asks_every_pair_once() -> None:
    """Twelve features make 12 · 11 / 2 pairs."""
    pairs = round_robin(TWELVE)
    assert len(pairs) == 66
    assert len({frozenset(pair) for pair in pairs}) == 66


def test_random_pairs_are_uniform_and_seeded() -> None:
    """Each pair comes about equally often, never a feature with itself, and the seed decides."""
    drawn = random_pairs("abcd", 6000, np.random.default_rng(0))
    assert drawn == random_pairs("abcd", 6000, np.random.default_rng(0))
    counts = Counter(drawn)
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_a_bradley_terry_expert_answers_by_the_odds() -> None:
    """The share of "harder" is e^β_i / (e^β_i + e^β_j)."""
    rng = np.random.default_rng(0)
    answers = bradley_terry_expert({"a": 1.0, "b": 0.0}, [("b", "a")] * 4000, rng, expert="Ada")
    share = np.mean([one.first == "a" for one in answers])
    assert share == pytest.approx(expit(1.0), abs=0.02)
    assert {one.expert for one in answers} == {"Ada"}


def test_a_random_probability_expert_keeps_to_one_probability_for_each_pair() -> None:
    """Shares differ between pairs, stay the same in both directions of asking, and spread over 0 to 1."""
    rng = np.random.default_rng(0)
    pairs = round_robin(TWELVE)
    answers = random_probability_expert([pair for pair in pairs for _ in range(50)], rng)
    shares = np.array(
        [
            np.mean([one.first < one.second for one in answers[start : start + 50]])
            for start in range(0, len(answers), 50)
        ]
    )
    assert shares.min() < 0.1
    assert shares.max() > 0.9
    assert shares.mean() == pytest.approx(0.5, abs=0.1)
    both_ways = random_probability_expert([("a", "b"), ("b", "a")] * 1000, np.random.default_rng(4))
    one_way, other_way = (np.mean([one.first == "a" for one in both_ways[start::2]]) for start in (0, 1))
    assert one_way == pytest.approx(other_way, abs=0.06)


def test_experts_refuse_what_they_cannot_answer() -> None:
    """A feature without difficulty, and pairs out of one feature."""
    rng = np.random.default_rng(0)
    with pytest.raises(CostError, match="no difficulty for 'incme'") as caught:
        bradley_terry_expert({"income": 1.0, "car": 0.0}, [("car", "incme")], rng)
    assert "Did you mean 'income'?" in caught.value.hint
    with pytest.raises(CostError, match="from 1 features"):
        random_pairs(["a"], 3, rng)


def recovery(seed: int, answers: int) -> tuple[float, float]:
    """Rank correlation with, and mean error of costs against, the true costs."""
    rng = np.random.default_rng(seed)
    beta = true_beta(TWELVE, rng)
    costs = fit_costs(bradley_terry_expert(beta, random_pairs(TWELVE, answers, rng), rng), TWELVE)
    truth = np.array(list(beta.values()))
    truth = 1 + truth - truth.min()
    found = costs.vector(TWELVE)
    return float(spearmanr(truth, found).statistic), float(np.abs(truth - found).mean())


@pytest.fixture(scope="module")
def recovered() -> dict[int, tuple[float, float]]:
    """Rank correlation and error by number of answers, averaged over seeds."""
    return {
        answers: tuple(np.mean([recovery(seed, answers) for seed in range(5)], axis=0)) for answers in (24, 72, 300)
    }


@pytest.mark.long
def test_known_costs_come_back(recovered: dict[int, tuple[float, float]]) -> None:
    """Three hundred answers about twelve features order them with a rank correlation above .9."""
    correlation, error = recovered[300]
    assert correlation > 0.9
    assert error < 0.6


@pytest.mark.long
def test_more_answers_bring_costs_closer(recovered: dict[int, tuple[float, float]]) -> None:
    """Rank correlation rises and error falls with the number of answers."""
    correlations, errors = zip(*recovered.values(), strict=True)
    assert correlations[0] < correlations[1] < correlations[2]
    assert errors[0] > errors[1] > errors[2]


def test_several_experts_with_random_probabilities_can_be_fitted() -> None:
    """The paper's simulated inputs obey no ranking; costs stay modest and a clear favourite comes first."""
    rng = np.random.default_rng(2)
    answers = [
        one for name in ("Ada", "Ben") for one in random_probability_expert(round_robin(TWELVE), rng, expert=name)
    ]
    always = [Comparison("rock", feature) for feature in TWELVE for _ in range(3)]
    costs = fit_costs([*answers, *always], [*TWELVE, "rock"])
    assert max(costs, key=costs.of) == "rock"
    assert costs.of("rock") < 10


def covered(seed: int) -> list[bool]:
    """Whether each interval holds the true cost, where truth is drawn from the prior."""
    rng = np.random.default_rng(seed)
    features = list("abcdef")
    beta = true_beta(features, rng, DEFAULT_PRIOR_VARIANCE**0.5)
    costs = fit_costs(bradley_terry_expert(beta, random_pairs(features, 15, rng), rng), None)
    easiest = min(beta[name] for name in costs)
    return [costs[name].low <= 1 + beta[name] - easiest <= costs[name].high for name in costs]


@pytest.mark.long
def test_intervals_hold_the_true_cost_nine_times_in_ten() -> None:
    """The 90 % intervals cover between 85 % and 97 % of true costs."""
    hits = [hit for seed in range(60) for hit in covered(seed)]
    assert 0.85 <= np.mean(hits) <= 0.97
