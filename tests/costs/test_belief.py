"""The belief: choix's posterior, over all features, with weights, in less than a millisecond."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.costs import (
    Answer,
    Belief,
    Comparison,
    bradley_terry_expert,
    fit_costs,
    fit_posterior,
    random_pairs,
)
from ares_core.errors import CostError, SettingError

NAMES = tuple(f"feature {number:02}" for number in range(20))
LETTERS = tuple("abcde")
answers = st.lists(
    st.tuples(st.permutations(LETTERS), st.sampled_from(Answer)).map(lambda drawn: Comparison(*drawn[0][:2], drawn[1])),
    max_size=30,
)
BUSY = 3
"""How many times as long work may take beside other work on the same cores."""


def simulated(seed: int, features: int, count: int, spread: float = 2.2) -> list[Comparison]:
    """Answer random pairs; every seventh answer is a tie."""
    rng = np.random.default_rng(seed)
    beta = dict(zip(NAMES, rng.normal(0, spread, features).tolist(), strict=False))
    drawn = bradley_terry_expert(beta, random_pairs(NAMES[:features], count, rng), rng)
    return [Comparison(one.first, one.second, Answer.TIE) if n % 7 == 3 else one for n, one in enumerate(drawn)]


CASES = [(2, 1, 2.2), (5, 8, 2.2), (12, 12, 2.2), (12, 40, 1.3), (20, 20, 2.2), (20, 60, 2.2), (20, 120, 3.0)]


@pytest.mark.parametrize(("features", "count", "spread"), CASES)
def test_the_mode_is_that_of_choix_and_the_deviations_nearly(features: int, count: int, spread: float) -> None:
    """Modes agree within 1e-6, standard deviations within 5 %, means within 0.25."""
    comparisons = simulated(features + count, features, count, spread)
    posterior = fit_posterior(comparisons)
    belief = Belief.fit(posterior.features, comparisons)
    assert belief.mode == pytest.approx(posterior.mode, abs=1e-6)
    assert belief.mean == pytest.approx(posterior.mean, abs=0.25)
    assert np.sqrt(np.diag(belief.covariance)) == pytest.approx(np.sqrt(np.diag(posterior.covariance)), rel=0.05)


@settings(max_examples=40)
@given(answers)
def test_any_answers_have_the_mode_of_choix(comparisons: list[Comparison]) -> None:
    """Whatever was said, also in circles, the mode is choix's; who was never compared stays at 0 with the prior."""
    belief, posterior = Belief.fit(LETTERS, comparisons), fit_posterior(comparisons)
    modes = dict(zip(posterior.features, posterior.mode, strict=True))
    assert belief.mode == pytest.approx([modes.get(name, 0.0) for name in LETTERS], abs=1e-6)
    assert np.linalg.eigvalsh(belief.covariance).min() > 0
    for place, name in enumerate(LETTERS):
        if name not in modes:
            assert belief.covariance[place, place] == pytest.approx(5.0)
            assert belief.mean[place] == 0


@settings(max_examples=40)
@given(answers, st.integers(1, 4))
def test_a_weight_counts_answers(comparisons: list[Comparison], times: int) -> None:
    """An answer of weight w is w answers, and one of weight 0 is none."""
    weighted = Belief.fit(LETTERS, comparisons, weights=[times] * len(comparisons))
    repeated = Belief.fit(LETTERS, comparisons * times)
    assert weighted.mode == pytest.approx(repeated.mode, abs=1e-8)
    assert weighted.covariance == pytest.approx(repeated.covariance, abs=1e-8)
    nothing = Belief.fit(LETTERS, comparisons, weights=[0] * len(comparisons))
    assert nothing.covariance == pytest.approx(5 * np.eye(5))


@settings(max_examples=40)
@given(answers, st.permutations(LETTERS))
def test_the_order_of_the_features_and_answers_does_not_matter(comparisons: list[Comparison], order: list[str]) -> None:
    """The same answers say the same about two features, wherever they stand."""
    one, other = Belief.fit(LETTERS, comparisons), Belief.fit(order, comparisons[::-1])
    assert one.difference("a", "b") == pytest.approx(other.difference("a", "b"), abs=1e-7)
    assert one.probability_harder("a", "b") + other.probability_harder("b", "a") == pytest.approx(1)


def test_the_probability_of_being_harder_is_that_of_draws() -> None:
    """It is the share of draws from the Gaussian in which the one is harder than the other."""
    belief = Belief.fit(NAMES[:6], simulated(1, 6, 15))
    draws = np.random.default_rng(0).multivariate_normal(belief.mean, belief.covariance, 40_000)
    assert belief.probability_harder(NAMES[0], NAMES[4]) == pytest.approx((draws[:, 0] > draws[:, 4]).mean(), abs=0.01)
    assert belief.probability_harder(NAMES[0], NAMES[0]) == 0.5
    assert Belief.prior(NAMES).probability_harder(NAMES[0], NAMES[1]) == 0.5


def test_costs_are_nearly_those_of_fit_costs() -> None:
    """Costs agree within 1e-6, ends of intervals within 0.3, also for a feature that nobody compared."""
    comparisons = simulated(4, 10, 30)
    named = sorted({name for one in comparisons for name in (one.first, one.second)})
    ours, theirs = Belief.fit(NAMES[:11], comparisons).costs(named), fit_costs(comparisons, NAMES[:11])
    assert NAMES[10] not in named
    for name in NAMES[:11]:
        assert ours[name].cost == pytest.approx(theirs[name].cost, abs=1e-6)
        assert ours[name].low == pytest.approx(theirs[name].low, abs=0.3)
        assert ours[name].high == pytest.approx(theirs[name].high, abs=0.3)
    assert {entry.source for entry in Belief.prior(NAMES).costs(()).values()} == {"unit"}


def test_centring_takes_away_what_answers_cannot_tell() -> None:
    """The centred covariance is P·covariance·P with P = 1 − 11ᵀ/n."""
    belief = Belief.fit(NAMES[:6], simulated(2, 6, 9))
    centre = np.eye(6) - 1 / 6
    assert belief.centred() == pytest.approx(centre @ belief.covariance @ centre)


def test_a_fit_takes_a_millisecond() -> None:
    """For 20 features and 60 answers, in processor time, the best of many; more on a busy machine."""
    comparisons = simulated(5, 20, 60)
    Belief.fit(NAMES, comparisons)
    times = []
    for _ in range(30):
        start = time.process_time()
        Belief.fit(NAMES, comparisons)
        times.append(time.process_time() - start)
    assert min(times) < 1e-3 * BUSY


def test_what_cannot_be_fitted_is_refused() -> None:
    """Unknown and repeated names, odd weights and variances, and wrong shapes each have a sentence."""
    one = Comparison("a", "b")
    with pytest.raises(CostError, match="names 'b', which is not a feature"):
        Belief.fit("ac", [one])
    with pytest.raises(CostError, match="'a' is listed twice"):
        Belief.prior("aba")
    with pytest.raises(CostError, match="2 weights for 1 answers"):
        Belief.fit("ab", [one], weights=[1, 1])
    with pytest.raises(CostError, match="the weight -1"):
        Belief.fit("ab", [one], weights=[-1])
    with pytest.raises(SettingError, match="prior variance is 0"):
        Belief.prior("ab", prior_variance=0)
    with pytest.raises(CostError, match="no difficulty of 'c'"):
        Belief.prior("ab").difference("a", "c")
    with pytest.raises(CostError, match="of the shapes"):
        Belief(("a",), np.zeros(2), np.zeros(1), np.eye(1))
