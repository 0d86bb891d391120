"""The local search of the paper: delete, add and exchange moves, repeated on what earlier rounds left over."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ares_core.recourse.search.ground import Ground, Integers, Masks
from ares_core.recourse.search.incumbent import Clock
from ares_core.recourse.search.problem import TOLERANCE, Limits

_CONSTRAINTS = 2  # the limit on rules and the limit on groups, which the paper takes for matroids


def local(ground: Ground, limits: Limits, clock: Clock) -> Integers:
    """Search locally in as many rounds as there are constraints and one more, and return the best round's set.

    Each round begins with the best single rule among those no earlier round chose, and moves while a move
    improves: delete a rule, or add one and, if a limit requires it, give up one rule or one group.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    clock
        The time left; when it is over, the best set so far is returned.
    """
    open_ = np.ones(len(ground), dtype=bool)
    best, best_gain = np.zeros(0, dtype=np.int64), 0.0
    if not limits.max_rules or not limits.max_groups:
        return best
    for _ in range(_CONSTRAINTS + 1):
        chosen, gain = climb(ground, limits, np.zeros(0, dtype=np.int64), open_, clock)
        open_[chosen] = False
        if gain > best_gain:
            best, best_gain = chosen, gain
    return best


def climb(ground: Ground, limits: Limits, chosen: Integers, open_: Masks, clock: Clock) -> tuple[Integers, float]:
    """Improve a set of rules by the best move until no move improves it.

    Parameters
    ----------
    ground, limits, clock
        As for :func:`local`.
    chosen
        Indices of the rules to begin with.
    open_
        Shape (m,): which rules may be added.

    Returns
    -------
    chosen, gain
        The improved set and its gain in scaled units.
    """
    gain = _gain(ground, chosen)
    while not clock.over():
        moved, value = chosen, gain
        for kept in _reductions(ground, limits, chosen):
            trial, worth = _best_addition(ground, limits, kept, open_)
            if worth > value:
                moved, value = trial, worth
        if value <= gain + TOLERANCE * max(1.0, gain):
            break
        chosen, gain = moved, value
    return chosen, gain


def _reductions(ground: Ground, limits: Limits, chosen: Integers) -> Iterator[Integers]:
    """List what a move may keep: everything, all but one rule, all but one group."""
    yield chosen
    for index in chosen:
        yield chosen[chosen != index]
    if limits.bind_groups(len(ground.problem.groups)):
        for group in np.unique(ground.group[chosen]):
            yield chosen[ground.group[chosen] != group]


def _best_addition(ground: Ground, limits: Limits, kept: Integers, open_: Masks) -> tuple[Integers, float]:
    """Return the kept rules with the best allowed rule added, if one improves them, and the gain of the result."""
    if len(kept) >= limits.max_rules:
        return kept, _gain(ground, kept)
    left = np.where(ground.masks(kept).any(axis=0), 0.0, ground.value)
    _, profits = ground.price(left)
    profits[~open_] = -np.inf
    used = np.unique(ground.group[kept])
    if len(used) >= limits.max_groups:
        profits[~np.isin(ground.group, used)] = -np.inf
    best = int(np.argmax(profits)) if len(profits) else 0
    added = np.append(kept, best) if len(profits) and profits[best] > 0 else kept
    return added, _gain(ground, added)


def _gain(ground: Ground, chosen: Integers) -> float:
    """Return the gain of a set of rules in scaled units."""
    return float(ground.value[ground.masks(chosen).any(axis=0)].sum() - ground.weight[chosen].sum())
