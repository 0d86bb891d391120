"""Dominance: rules that need not be looked at, because another does at least as well in their place."""

from __future__ import annotations

import numpy as np

from ares_core.recourse.search.ground import Ground, Integers, Masks
from ares_core.recourse.search.problem import Limits

_WORK = 60_000_000  # (person of a rule, rival) pairs looked at, at most …
_RIVALS = 1000  # … so rules are measured against this many others or fewer, those that gain most alone
_MARGIN = 1e-12  # of the value of all people: what adding up in another order may change


def superfluous(ground: Ground, limits: Limits) -> Masks:
    r"""Say which rules are not needed for a best set, shape (m,); nothing is said where their people are not listed.

    Rule s makes rule r superfluous if :math:`v(r \setminus s) \le w_r - w_s`, with v the value of people and w the
    weights: in every set that holds r, s can take its place, or is there already and r can go. Where the limit on
    groups binds, s must be of the same group. The relation is transitive, so what makes a rule superfluous may be so
    itself.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    """
    if ground.pairs is None or not len(ground):
        return np.zeros(len(ground), dtype=bool)
    worth, weight, group = ground.pairs @ ground.value, ground.weight, ground.group
    most = min(_RIVALS, _WORK // max(1, ground.pairs.nnz))
    rivals = np.argsort(weight - worth, kind="stable")[:most]
    lost = worth[:, None] - ground.pairs @ (ground.value[:, None] * ground.masks(rivals).T)
    saved = weight[:, None] - weight[rivals]
    margin = _MARGIN * float(ground.value.sum())
    # Of two rules that could take each other's place, the later one goes.
    equal = (np.abs(saved) <= margin) & (np.abs(worth[:, None] - worth[rivals]) <= margin)
    beaten = (lost <= saved + margin) & (~equal | (np.arange(len(ground))[:, None] > rivals))
    if limits.bind_groups(len(ground.problem.groups)):
        beaten &= group[:, None] == group[rivals]
    found: Masks = beaten.any(axis=1)
    return found


def lightest(ground: Ground, at: Integers, limits: Limits) -> Integers:
    """Return the positions in ``at`` that remain when, of rules that cover the same people, only the lightest does.

    Parameters
    ----------
    ground
        The candidate rules.
    at
        Indices of rules.
    limits
        Where the one on groups binds, rules of different groups differ even if they cover the same people.
    """
    order = np.lexsort((at, ground.weight[at]))
    step = 4096
    parts = [np.packbits(ground.masks(at[order[first : first + step]]), axis=1) for first in range(0, len(at), step)]
    if not parts:
        return at
    keys = np.concatenate(parts)
    if limits.bind_groups(len(ground.problem.groups)):
        keys = np.hstack([keys, ground.group[at[order]].astype(np.int64)[:, None].view(np.uint8)])
    return np.sort(order[first_of_each(keys)])


def first_of_each(keys: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> Integers:
    """Return the index of the first of each set of equal rows."""
    whole = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1]))).ravel()
    return np.unique(whole, return_index=True)[1]
