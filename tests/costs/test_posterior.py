"""The Bradley-Terry posterior, against direct optimisation and brute-force integration."""

from __future__ import annotations

from collections.abc import Sequence

import choix
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime, minimize

from ares_core.costs import Answer, Comparison, Posterior, fit_posterior, posterior, random_pairs
from ares_core.errors import CostError, SettingError

Array = NDArray[np.float64]
TIE = Answer.TIE


def log_posterior(beta: Array, answers: Sequence[Comparison], names: Sequence[str], variance: float) -> Array:
    """Log posterior up to a constant, from the definition; `beta` is (features,) or (n, features)."""
    total = -(beta**2).sum(axis=-1) / (2 * variance)
    for one in answers:
        gap = beta[..., names.index(one.first)] - beta[..., names.index(one.second)]
        won, lost = -np.logaddexp(0, -gap), -np.logaddexp(0, gap)
        total = total + {Answer.HARDER: won, TIE: (won + lost) / 2, Answer.CANNOT_SAY: 0 * gap}[one.answer]
    return total


def deviations(fitted: Posterior) -> Array:
    return np.asarray(np.sqrt(np.diag(fitted.covariance)))


def some_answers(seed: int, features: str, count: int) -> list[Comparison]:
    """Answers at random, of all three kinds."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice(list(Answer), size=count, p=[0.7, 0.2, 0.1])
    return [
        Comparison(*rng.permutation(pair).tolist(), Answer(kind))
        for pair, kind in zip(random_pairs(features, count, rng), kinds, strict=True)
    ]


@pytest.mark.parametrize("variance", [0.5, 5.0, 10_000.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_mode_maximises_the_penalised_likelihood(seed: int, variance: float) -> None:
    """The mode is where a general optimiser ends up, and the slope there, by finite differences, is zero."""
    answers = some_answers(seed, "abcde", 25)
    fitted = fit_posterior(answers, prior_variance=variance)
    names = list(fitted.features)

    def loss(beta: Array) -> float:
        return -float(log_posterior(beta, answers, names, variance))

    best = minimize(loss, np.zeros(len(names)), method="BFGS", options={"gtol": 1e-7})
    assert loss(fitted.mode) <= best.fun + 1e-9
    np.testing.assert_allclose(fitted.mode, best.x, atol=1e-3 if variance > 100 else 1e-4)
    np.testing.assert_allclose(approx_fprime(fitted.mode, loss, 1e-7), 0, atol=1e-5)


def test_alpha_means_what_this_module_says() -> None:
    """The penalty of choix is alpha·Σβ², so the prior variance of its mode is 1 / (2·alpha)."""
    beta = np.array([0.3, -1.2])
    functions = choix.opt.PairwiseFcts([(0, 1)], 0.7)
    assert functions.objective(beta) == pytest.approx(0.7 * (beta**2).sum() + np.log1p(np.exp(-1.5)))


def brute_force(answers: Sequence[Comparison], names: str, variance: float) -> tuple[Array, Array]:
    """Mean and covariance of the posterior by a sum over a fine grid."""
    line = np.linspace(-6, 6, 81) * np.sqrt(variance)
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*[line] * len(names))], axis=1)
    score = log_posterior(grid, answers, names, variance)
    weight = np.exp(score - score.max())
    weight /= weight.sum()
    mean = weight @ grid
    return mean, (grid - mean).T @ ((grid - mean) * weight[:, None])


@pytest.mark.parametrize(
    ("answers", "names"),
    [
        ([Comparison("a", "b")], "ab"),
        ([Comparison("a", "b")] * 3, "ab"),
        ([Comparison("a", "b", TIE)], "ab"),
        ([Comparison("a", "b", TIE)] * 2, "ab"),
        ([Comparison("a", "b", TIE)] * 3, "ab"),
        ([Comparison("a", "b"), Comparison("b", "a", TIE)], "ab"),
        ([Comparison("a", "b"), Comparison("b", "c")], "abc"),
        ([Comparison("a", "b")] * 4 + [Comparison("b", "c", TIE), Comparison("c", "a", TIE)], "abc"),
        (
            [Comparison("a", "b")] * 6
            + [Comparison("b", "a")] * 2
            + [Comparison("b", "c")] * 3
            + [Comparison("c", "b", TIE)] * 3,
            "abc",
        ),
    ],
)
def test_the_gaussian_matches_the_exact_posterior(answers: list[Comparison], names: str) -> None:
    """Gaps between features have nearly the exact mean and deviation; a tie left over makes them wider."""
    fitted = fit_posterior(answers)
    mean, covariance = brute_force(answers, names, fitted.prior_variance)
    widest = 1.14 if any(one.answer is TIE for one in answers) else 1.01
    for first in range(len(names)):
        for second in range(first):
            gap = np.zeros(len(names))
            gap[[first, second]] = 1, -1
            exact, found = np.sqrt(gap @ covariance @ gap), np.sqrt(gap @ fitted.covariance @ gap)
            assert 0.94 * exact <= found <= widest * exact
            assert gap @ fitted.mean == pytest.approx(gap @ mean, abs=0.15 * exact)


def test_one_answer_is_fitted_exactly() -> None:
    """With a single answer moment matching is exact: within half a per cent."""
    fitted = fit_posterior([Comparison("a", "b")])
    mean, covariance = brute_force([Comparison("a", "b")], "ab", fitted.prior_variance)
    np.testing.assert_allclose(fitted.mean, mean, rtol=5e-3)
    np.testing.assert_allclose(fitted.covariance, covariance, rtol=5e-3)


def test_two_ties_are_one_win_each_way() -> None:
    """Paired ties and opposite wins give the very same posterior."""
    ties = fit_posterior([Comparison("a", "b", TIE), Comparison("b", "a", TIE), Comparison("b", "c")])
    wins = fit_posterior([Comparison("a", "b"), Comparison("b", "a"), Comparison("b", "c")])
    np.testing.assert_array_equal(ties.mode, wins.mode)
    np.testing.assert_array_equal(ties.covariance, wins.covariance)


def test_fitting_leaves_numpys_generator_alone() -> None:
    """The same comparisons give the same bits whatever was drawn before, and disturb nobody's draws."""
    answers = some_answers(3, "abcd", 20)
    np.random.seed(1)
    first = fit_posterior(answers)
    drawn = np.random.random()
    np.random.seed(2)
    second = fit_posterior(answers)
    np.random.seed(1)
    assert np.random.random() == drawn
    np.testing.assert_array_equal(first.mean, second.mean)
    np.testing.assert_array_equal(first.covariance, second.covariance)


@pytest.mark.parametrize("ties", [[], [Comparison("a", "b", TIE)]], ids=["whole wins", "half a win"])
def test_curvature_stands_in_when_choix_gives_up(monkeypatch: pytest.MonkeyPatch, ties: list[Comparison]) -> None:
    """Without choix's fixed point the curvature at the mode gives nearly the same standard deviations."""
    answers = [*(one for one in some_answers(5, "abcdef", 150) if one.answer is not TIE), *ties]
    usual = fit_posterior(answers)

    def give_up(*_: object) -> None:
        raise RuntimeError("EP did not converge after 100 iterations")

    monkeypatch.setattr(choix, "ep_pairwise", give_up)
    fallback = fit_posterior(answers)
    np.testing.assert_array_equal(fallback.mean, fallback.mode)
    np.testing.assert_allclose(deviations(fallback), deviations(usual), rtol=0.05)


def test_many_answers_do_not_wait_for_choix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit the curvature at the mode is used, and agrees with choix within 2 %."""
    answers = some_answers(6, "abcdef", 300)
    slow = fit_posterior(answers)
    monkeypatch.setattr(posterior, "EP_ANSWERS", 100)
    quick = fit_posterior(answers)
    np.testing.assert_array_equal(quick.mean, quick.mode)
    np.testing.assert_allclose(deviations(quick), deviations(slow), rtol=0.02)


def test_nothing_to_fit_is_an_empty_posterior() -> None:
    """No answers, or only "cannot say", leave every feature to its prior."""
    for answers in ([], [Comparison("a", "b", Answer.CANNOT_SAY)]):
        fitted = fit_posterior(answers)
        assert fitted.features == ()
        assert fitted.mode.shape == (0,)
        assert fitted.covariance.shape == (0, 0)


def test_draws_follow_the_gaussian() -> None:
    """Seeded draws have the posterior's mean and covariance."""
    fitted = fit_posterior(some_answers(7, "abc", 12))
    draws = fitted.draws(100_000, np.random.default_rng(0))
    np.testing.assert_allclose(draws.mean(axis=0), fitted.mean, atol=0.03)
    np.testing.assert_allclose(np.cov(draws.T), fitted.covariance, atol=0.06)


@pytest.mark.parametrize("variance", [0.0, -1.0, float("nan"), float("inf")])
def test_the_prior_variance_is_finite_and_above_zero(variance: float) -> None:
    """A setting out of range is named with its value."""
    with pytest.raises(SettingError, match="The prior variance is"):
        fit_posterior([], prior_variance=variance)


def test_sizes_have_limits() -> None:
    """More answers or features than can be fitted while somebody waits are refused, with a way out."""
    with pytest.raises(CostError, match="There are 20,001 answers to fit, more than 20,000"):
        fit_posterior([Comparison("a", "b")] * 20_001)
    with pytest.raises(CostError, match="name 1,002 features, more than 1,000"):
        fit_posterior([Comparison(f"a{number}", f"b{number}") for number in range(501)])
