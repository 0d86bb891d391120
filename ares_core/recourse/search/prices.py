"""Good prices of people by the subgradient method, to learn early which rules matter."""

from __future__ import annotations

import numpy as np

from ares_core.recourse.search.ground import Floats, Ground, Integers

_ROUNDS = 65
_PATIENCE = 4  # rounds without a better bound before the aim gets more modest
_HOPE = 0.2  # the relative decrease of the bound that is aimed at first …
_MODESTY = 0.5  # … and what remains of it whenever patience ends
_INERTIA = 0.7  # how much of the last direction is kept
_PROGRESS = 1e-4  # relative; a smaller decrease of the bound counts as none


def promising(ground: Ground, max_rules: int) -> tuple[Integers, Floats]:
    """Return the rules that were among the most profitable at some prices on the way to good ones, and the best prices.

    The bound ``sum(value - prices) + (the max_rules largest positive profits)`` is convex in the prices; one of its
    subgradients counts, for each person, how many of those rules cover them, less 1: who is covered twice is too
    dear. These steps cost less than a few rounds of the linear program and spare it most of the others.

    Parameters
    ----------
    ground
        The candidate rules.
    max_rules
        How many rules a solution may hold.
    """
    prices = best_prices = ground.value / 2
    taken = np.zeros(len(ground), dtype=bool)
    direction: Floats = np.zeros(len(prices))
    best, hope, stalled = np.inf, _HOPE, 0
    for _ in range(_ROUNDS):
        used, profits = ground.price(prices)
        top = _largest(profits, max_rules)
        taken[top] = True
        value = float((ground.value - used).sum() + profits[top].sum())
        stalled = 0 if value < (1 - _PROGRESS) * best else stalled + 1
        if value < best:
            best, best_prices = value, prices
        if stalled == _PATIENCE:
            hope, stalled, prices = _MODESTY * hope, 0, best_prices
        direction = _INERTIA * direction + (1 - _INERTIA) * (ground.masks(top).sum(axis=0) - 1.0)
        length = (value - (1 - hope) * best) / max(float(direction @ direction), 1e-9)
        prices = np.clip(prices - length * direction, 0.0, ground.value)
    return np.flatnonzero(taken), best_prices


def _largest(profits: Floats, count: int) -> Integers:
    """Return the indices of the largest positive profits, at most so many."""
    top = np.argpartition(-profits, count)[:count] if len(profits) > count else np.arange(len(profits))
    return top[profits[top] > 0]
