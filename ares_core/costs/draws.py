"""Draws: whole sets of costs that the answers leave possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .agreement import ByExpert, compared
from .belief import Belief
from .costs import Costs
from .fitting import check_names
from .pooling import joint_belief, relative_counts
from .posterior import Posterior, fit_posterior

Draws = NDArray[np.float64]


def cost_draws(
    answers: ByExpert,
    weights: Mapping[str, float] | None,
    features: Sequence[str],
    direct: Mapping[str, float],
    count: int,
    *,
    seed: int = 0,
) -> Draws:
    """Draw costs of all features together, from the posterior behind the intervals that `pool` gives.

    In each draw cost_i = 1 + β_i − min β, the easiest of the compared features found anew. A feature that nobody
    compared is drawn from its prior, and never costs less than 1. Without any comparison to fit nothing is uncertain:
    every feature costs 1 in every draw.

    Parameters
    ----------
    answers
        Each expert's comparisons, by name.
    weights
        By expert, as `pool` takes them.
    features
        Every feature.
    direct
        Costs entered by hand, by feature: the same in every draw.
    count, seed
        How many draws, and of which random numbers.

    Returns
    -------
    Draws
        Shape (count, features), in the order of `features`.

    Raises
    ------
    CostError
        As `pool` and `Costs.with_direct` do.
    """
    names, rng = tuple(features), np.random.default_rng(seed)
    fixed = Costs.unit(names).with_direct(direct)
    counts = relative_counts(answers, weights)
    counted = {expert: own for expert, own in answers.items() if counts[expert] > 0}
    every = check_names([one for own in counted.values() for one in own], names)
    if all(counts[expert] == 1 for expert in counted):
        drawn = _from_posterior(fit_posterior(every), names, count, rng)
    else:
        drawn = _from_belief(joint_belief(counted, counts, names), sorted(compared(every)), count, rng)
    entered = [place for place, name in enumerate(names) if name in direct]
    drawn[:, entered] = fixed.vector(names)[entered]
    return drawn


def _from_posterior(posterior: Posterior, names: Sequence[str], count: int, rng: np.random.Generator) -> Draws:
    """Draw compared features from the posterior and the others from the prior."""
    if not posterior.features:
        return np.ones((count, len(names)))
    betas = posterior.draws(count, rng)
    place = {name: index for index, name in enumerate(posterior.features)}
    others = rng.normal(0, np.sqrt(posterior.prior_variance), (count, len(names)))
    every = np.column_stack(
        [betas[:, place[name]] if name in place else others[:, at] for at, name in enumerate(names)]
    )
    return _above(every, betas)


def _from_belief(belief: Belief, easy: Sequence[str], count: int, rng: np.random.Generator) -> Draws:
    """Draw all features from one Gaussian; it holds the prior of those that nobody compared."""
    if not easy:
        return np.ones((count, len(belief.features)))
    root = np.linalg.cholesky(belief.covariance)
    every = belief.mean + rng.standard_normal((count, len(belief.features))) @ root.T
    return _above(every, every[:, [belief.place(name) for name in easy]])


def _above(every: Draws, easy: Draws) -> Draws:
    """Return costs: 1 for the easiest of some features, and nothing below."""
    costs: Draws = 1 + np.maximum(every - easy.min(axis=1, keepdims=True), 0)
    return costs
