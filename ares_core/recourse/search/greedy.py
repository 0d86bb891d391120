"""Greedy choice: always the rule that adds most."""

from __future__ import annotations

import itertools

import numpy as np

from ares_core.recourse.search.ground import Floats, Ground, Integers, Masks
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.problem import Limits

_BATCH = 1024  # rules whose stale profit is refreshed at once
_ROUNDING = 1e-6  # prices in single precision are rounded up by less than this


def greedy(
    ground: Ground, limits: Limits, profits: Floats, start: Integers | None = None, clock: Clock | None = None
) -> Integers:
    """Add the rule with the best marginal gain until none is positive or a limit binds.

    Marginal gains only shrink as rules are added, so an old one is an upper bound, and only rules whose old
    marginal gain beats the best new one are looked at again: first the best few, then all in one product.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    profits
        Shape (m,): each rule's gain alone, or anything above it.
    start
        Indices of rules to begin with.
    clock
        When to stop early, though not without any rule.

    Returns
    -------
    indices
        The chosen rules, in the order they were added.
    """
    chosen = [] if start is None else start.tolist()
    stale = profits.astype(np.float64, copy=True)
    left = ground.value.copy()
    left[ground.masks(np.array(chosen, dtype=np.int64)).any(axis=0)] = 0.0
    stale[chosen] = -np.inf
    # Even when time is over one rule is taken: an answer beats none.
    while len(chosen) < limits.max_rules and not (chosen and clock and clock.over()):
        used = np.unique(ground.group[chosen])
        if len(used) >= limits.max_groups:
            stale[~np.isin(ground.group, used)] = -np.inf
        best = _best(ground, stale, left)
        if best is None:
            break
        chosen.append(best)
        stale[best] = -np.inf
        left[ground.masks(np.array([best]))[0]] = 0.0
    return np.array(chosen, dtype=np.int64)


def _best(ground: Ground, stale: Floats, left: Floats) -> int | None:
    """Refresh marginal gains until the best of them is certain, up to rounding; None if it is not positive."""
    fresh: Masks = np.zeros(len(stale), dtype=bool)
    best, gain = None, 0.0
    for attempt in itertools.count():
        open_ = np.flatnonzero((stale > (1 + _ROUNDING) * gain) & ~fresh)
        if not len(open_):
            return best
        if len(open_) > _BATCH and attempt == 1:
            stale[open_] = ground.price(left)[1][open_]
        if len(open_) > _BATCH:
            open_ = np.sort(open_[np.argpartition(-stale[open_], _BATCH)[:_BATCH]])
        stale[open_] = ground.marginal(open_, left)
        fresh[open_] = True
        top = int(open_[np.argmax(stale[open_])])
        if stale[top] > gain:
            best, gain = top, float(stale[top])
    return best
