"""How hard each feature is to change, given comparisons: the Bradley-Terry model.

Feature i has a difficulty β_i, and an expert finds i harder than j with probability e^β_i / (e^β_i + e^β_j).
Difficulties have independent Gaussian priors N(0, prior_variance). choix does the fitting. Three things about
choix 0.4 decide how it is called here, and tests hold each of them:

- `opt_pairwise` adds alpha·Σβ² to the negative log-likelihood, so its alpha is 1 / (2·variance), not the
  1 / variance of its documentation; in `ep_pairwise` alpha is 1 / variance.
- Neither knows weights, and a tie is half a win each way. Two ties of one pair are one win each way exactly.
  With a tie left over, the mode comes from every win counted twice, the tie once each way, and the prior
  counted twice: the square of the posterior has the same mode. The Gaussian is the geometric mean of two, one
  with the ties left over won by the first and one by the second, because the half-win posterior is the
  geometric mean of those two posteriors.
- `ep_pairwise` visits the answers in an order drawn from numpy's global generator, seeded here for the call.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import CostError, SettingError

from .comparison import Answer, Comparison

DEFAULT_PRIOR_VARIANCE = 5.0
MAX_ANSWERS = 20_000
MAX_FEATURES = 1_000
EP_ANSWERS, EP_FEATURES = 1_000, 100

_numpy_global_state = threading.Lock()
Pairs = list[tuple[int, int]]
Gaussian = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What the comparisons say about the difficulties of the compared features.

    Parameters
    ----------
    features
        The features that some fitted comparison names, sorted.
    mode
        The most probable difficulties, shape (features,). They sum to 0 within each group of linked features.
    mean, covariance
        A Gaussian approximation, shapes (features,) and (features, features).
    prior_variance
        Of each difficulty; a feature that is not listed keeps its prior N(0, prior_variance).
    """

    features: tuple[str, ...]
    mode: NDArray[np.float64]
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    prior_variance: float

    def draws(self, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw difficulties from the Gaussian, shape (count, features)."""
        root = np.linalg.cholesky(self.covariance)
        return self.mean + rng.standard_normal((count, len(self.features))) @ root.T


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Answers as choix reads them: whole wins (harder, easier), and ties left over after pairing."""

    size: int
    wins: Pairs
    halves: Pairs

    def doubled(self) -> Pairs:
        """Return every answer counted twice, so that half a win is a whole one."""
        return [*self.wins, *self.wins, *self.halves, *((second, first) for first, second in self.halves)]


def fit_posterior(comparisons: Iterable[Comparison], *, prior_variance: float = DEFAULT_PRIOR_VARIANCE) -> Posterior:
    """Fit the Bradley-Terry model to comparisons.

    The result does not depend on the order of the comparisons. "Cannot say" is not fitted.

    The default prior variance is 5. With 12 features, 36 simulated answers and true difficulties of standard
    deviation 1.3 and 2.0, the mean error of a cost was 1.2 and 1.9 under 5, 1.3 and 2.3 under 1.6, 2.4 and
    3.2 under 100, but 6.7 and 8.6 under the 10000 of the paper's draft: there a single answer already means a
    cost of 8.8, and a chain of four answers one of 27. With 300 answers, 3 to 100 did about equally well. A
    variance of 5 still finds odds of 180 to 1 between two features plausible (the 95 % point of the prior).

    Parameters
    ----------
    comparisons
        The answers, at most 20,000 about at most 1,000 features.
    prior_variance
        Of each difficulty; finite and above 0.

    Returns
    -------
    Posterior
        Over the features that a fitted comparison names, perhaps none.
    """
    if not (math.isfinite(prior_variance) and prior_variance > 0):
        raise SettingError(
            f"The prior variance is {prior_variance!r}, which is not a finite number above 0.",
            f"Leave it at {DEFAULT_PRIOR_VARIANCE:g}, or give a positive number.",
        )
    fitted = [comparison for comparison in comparisons if comparison.answer is not Answer.CANNOT_SAY]
    features = tuple(sorted({name for one in fitted for name in (one.first, one.second)}))
    _check_size(len(fitted), len(features))
    evidence = _evidence(fitted, features)
    mode = _mode(evidence, prior_variance)
    mean, covariance = _gaussian(evidence, mode, prior_variance)
    return Posterior(features, mode, mean, covariance, prior_variance)


def _check_size(answers: int, features: int) -> None:
    if answers > MAX_ANSWERS:
        raise CostError(
            f"There are {answers:,} answers to fit, more than {MAX_ANSWERS:,}.",
            "Fit a random part of them; 6 answers for each feature are plenty.",
        )
    if features > MAX_FEATURES:
        raise CostError(
            f"The comparisons name {features:,} features, more than {MAX_FEATURES:,}.",
            "Compare only the features that may change.",
        )


def _evidence(fitted: list[Comparison], features: tuple[str, ...]) -> _Evidence:
    place = {feature: index for index, feature in enumerate(features)}
    pairs = [(one.answer, place[one.first], place[one.second]) for one in fitted]
    wins = [(first, second) for answer, first, second in pairs if answer is Answer.HARDER]
    ties = Counter((min(pair), max(pair)) for answer, *pair in pairs if answer is Answer.TIE)
    for (first, second), count in ties.items():
        wins += [(first, second), (second, first)] * (count // 2)
    # Sorted, because sums of floats depend on their order.
    return _Evidence(len(features), sorted(wins), sorted(pair for pair, count in ties.items() if count % 2))


def _mode(evidence: _Evidence, variance: float) -> NDArray[np.float64]:
    """Maximise Σ log p(answer | β) − Σ β² / (2·variance)."""
    import choix  # here and below: slow to import, and whoever only stores answers needs none

    data, alpha = _weighted(evidence, variance)
    mode: NDArray[np.float64] = choix.opt_pairwise(evidence.size, data, alpha=alpha, tol=1e-9)
    return mode


def _weighted(evidence: _Evidence, variance: float) -> tuple[Pairs, float]:
    """Return data and penalty whose objective is the wanted one, or twice it if ties are left over."""
    if evidence.halves:
        return evidence.doubled(), 1 / variance
    return evidence.wins, 1 / (2 * variance)


def _gaussian(evidence: _Evidence, mode: NDArray[np.float64], variance: float) -> Gaussian:
    answers = len(evidence.wins) + len(evidence.halves)
    if 0 < answers <= EP_ANSWERS and evidence.size <= EP_FEATURES:
        try:
            return _expectation_propagation(evidence, variance)
        except (RuntimeError, np.linalg.LinAlgError):
            # choix gives up when its fixed point is not reached; the curvature at the mode always exists.
            return _laplace(evidence, mode, variance)
    # With so many answers standard deviations agree within 2 %, and choix would take seconds.
    return _laplace(evidence, mode, variance)


def _expectation_propagation(evidence: _Evidence, variance: float) -> Gaussian:
    if not evidence.halves:
        return _ep(evidence.size, evidence.wins, variance)
    swapped = [(second, first) for first, second in evidence.halves]
    return _geometric_mean(
        _ep(evidence.size, evidence.wins + evidence.halves, variance),
        _ep(evidence.size, evidence.wins + swapped, variance),
    )


def _geometric_mean(one: Gaussian, other: Gaussian) -> Gaussian:
    """Average the precisions, and the means weighted by precision."""
    first, second = _inverse(one[1]), _inverse(other[1])
    covariance = _inverse((first + second) / 2)
    return covariance @ (first @ one[0] + second @ other[0]) / 2, covariance


def _ep(size: int, wins: Pairs, variance: float) -> Gaussian:
    import choix

    with _numpy_global_state:
        before = np.random.get_state()
        np.random.seed(0)
        try:
            return choix.ep_pairwise(size, wins, 1 / variance)
        finally:
            np.random.set_state(before)


def _laplace(evidence: _Evidence, mode: NDArray[np.float64], variance: float) -> Gaussian:
    from choix.opt import PairwiseFcts

    data, alpha = _weighted(evidence, variance)
    scale = 2 if evidence.halves else 1
    return mode, _inverse(PairwiseFcts(data, alpha).hessian(mode) / scale)


def _inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.linalg.inv(matrix).astype(np.float64, copy=False)
