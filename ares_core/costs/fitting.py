"""From comparisons to costs with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import CostError

from .comparison import Comparison
from .costs import Costs, FeatureCost
from .names import closest_hint
from .posterior import DEFAULT_PRIOR_VARIANCE, Posterior, fit_posterior

INTERVAL = (0.05, 0.95)
DRAWS = 8_000


def fit_costs(
    comparisons: Iterable[Comparison], features: Iterable[str] | None, *, prior_variance: float = DEFAULT_PRIOR_VARIANCE
) -> Costs:
    """Learn what it costs to change each feature.

    cost_i = 1 + β_i − min β, where β is the most probable difficulty (see `fit_posterior`): the easiest
    feature costs 1. Without any comparison to fit, every feature costs 1 and its source is "unit".

    The interval is the central 90 % of 1 + β_i − min β under the posterior, by 8,000 seeded draws in each of
    which the easiest compared feature is found anew (so the easiest feature's own cost is uncertain too),
    widened where it would leave out the cost. A feature that nobody compared keeps its prior: a middling cost
    and a wide interval that never goes below 1; it leaves the others' intervals as they are.

    Parameters
    ----------
    comparisons
        The answers; their order does not matter.
    features
        The features to cost, or None for those that the comparisons name, sorted.
    prior_variance
        Of each difficulty; `fit_posterior` says why the default is what it is.

    Returns
    -------
    Costs
        In the order of `features`.

    Raises
    ------
    CostError
        If a comparison names something that is not a feature, a feature is listed twice, or there is nothing
        to name features by.
    """
    answers = tuple(comparisons)
    names = _named(answers) if features is None else tuple(features)
    check_names(answers, names)
    posterior = fit_posterior(answers, prior_variance=prior_variance)
    if not posterior.features:
        return Costs.unit(names)
    learned, other = _learned(posterior)
    return Costs({name: learned.get(name, other) for name in names})


def _named(answers: Sequence[Comparison]) -> tuple[str, ...]:
    if not answers:
        raise CostError(
            "There are no comparisons to learn costs from.", "Add at least one row that names two features."
        )
    return tuple(sorted({name for one in answers for name in (one.first, one.second)}))


def check_names(answers: Sequence[Comparison], features: Sequence[str]) -> Sequence[Comparison]:
    """Return the answers if they name nothing but features, each of which is listed once.

    Raises
    ------
    CostError
        If a comparison names something that is not a feature, or a feature is listed twice.
    """
    known = set(features)
    if len(known) < len(features):
        twice = next(feature for feature in features if features.count(feature) > 1)
        raise CostError(f"Feature {twice!r} is listed twice.", "Name every feature once.")
    for number, one in enumerate(answers, start=1):
        for name in (one.first, one.second):
            if name not in known:
                raise CostError(
                    f"Comparison {number} names {name!r}, which is not a feature.", closest_hint(name, features)
                )
    return answers


def _learned(posterior: Posterior) -> tuple[dict[str, FeatureCost], FeatureCost]:
    """Return the cost of each compared feature, and of any feature that nobody compared."""
    rng = np.random.default_rng(0)
    draws = posterior.draws(DRAWS, rng)
    easiest, easiest_mode = draws.min(axis=1), posterior.mode.min()
    low, high = np.quantile(draws - easiest[:, None], INTERVAL, axis=0)
    learned = {
        name: _cost(*numbers)
        for name, *numbers in zip(posterior.features, posterior.mode - easiest_mode, low, high, strict=True)
    }
    prior = rng.normal(0, np.sqrt(posterior.prior_variance), DRAWS)
    return learned, _cost(-easiest_mode, *_interval(np.maximum(prior - easiest, 0)))


def _interval(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.quantile(values, INTERVAL)
    return float(low), float(high)


def _cost(above: float, low: float, high: float) -> FeatureCost:
    """Build a learned cost from what lies above the easiest feature, widening the interval to hold it."""
    return FeatureCost(1 + float(above), 1 + float(min(low, above)), 1 + float(max(high, above)), "learned")
