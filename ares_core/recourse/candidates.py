"""Candidates: subgroups, conditions and moves, kept apart so that their product is never listed.

A rule is a subgroup, a condition and a move. The model's answer after a rule depends on the person and the move
only, and the people of a rule on the subgroup and the condition only, so the three are listed once each, with the
*options*: which moves fit which condition.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import DataError, SettingError
from ares_core.people.table import Table
from ares_core.recourse.mining import Items, Itemsets, fewest, frequent_items, mine
from ares_core.recourse.options import Move, Options, Transitions, list_options
from ares_core.settings import Settings

MOST_OPTIONS = 20_000_000
MOST_ITEMSETS = 6_000_000
CHUNK = 20_000


@dataclass(frozen=True, slots=True)
class Candidates:
    """Everything rules are made of.

    Parameters
    ----------
    items
        The frequent levels over all people.
    conditions
        (conditions, width) items, padded with -1.
    moves
        Each a tuple of (feature position, target level).
    options
        Which moves fit which condition.
    narrowed
        Sentences that say where the settings asked for more than can be listed.
    """

    items: Items
    conditions: Itemsets
    moves: tuple[Move, ...]
    options: Options
    narrowed: tuple[str, ...]


def build_candidates(table: Table, affected: NDArray[np.intp], settings: Settings) -> Candidates:
    """List conditions and moves.

    Parameters
    ----------
    affected
        The people rules are chosen on; a condition must describe at least `min_people` of them.
    """
    least = fewest(settings.support, len(table))
    items = frequent_items(table, least)
    transitions = Transitions.allowed(table, items)
    if not len(transitions.targets):
        raise DataError("No feature can change: every one is frozen, forbidden or at a single common level.",
                        "Free a feature in the schema, or lower the support.")
    width, narrowed = _width_that_fits(items, least, settings)
    itemsets = mine(items, least, width)
    people = people_needed(settings, len(affected))
    kept = [sets[_enough(items.masks[:, affected], sets, people)] for sets in itemsets]
    changes, more = _changes_that_fit(kept, transitions, min(settings.max_changes, width))
    options, moves = list_options(items, itemsets, kept, transitions, changes)
    padded = np.full((sum(map(len, kept)), width), -1, dtype=np.int32)
    begin = 0
    for sets in kept:
        padded[begin:begin + len(sets), :sets.shape[1]] = sets
        begin += len(sets)
    return Candidates(items, padded, moves, options, (*narrowed, *more))


def people_needed(settings: Settings, affected: int) -> int:
    """Return `min_people`, or its default: the larger of 5 and 1 % of the affected."""
    return settings.min_people or max(5, math.ceil(0.01 * affected - 1e-9))


def build_subgroups(table: Table, items: Items, settings: Settings, features: Sequence[str]) -> Itemsets:
    """List the subgroups over the features of interest, or over all when there are none; padded with -1."""
    chosen = [table.position(name) for name in features] or range(len(table.features))
    allowed = np.flatnonzero(np.isin(items.features, list(chosen)))
    if not len(allowed):
        names = ", ".join(repr(name) for name in features)
        raise SettingError(f"No level of {names} describes {settings.support:.2%} of the people.",
                           "Lower the support, or choose another feature of interest.")
    part = Items(items.features[allowed], items.levels[allowed], items.masks[allowed])
    width = min(settings.subgroup_width, settings.max_width - 1)
    mined = mine(part, fewest(settings.support, len(table)), width)
    rows = [[*allowed[row].tolist(), *[-1] * (width - len(row))] for sets in mined for row in sets]
    return np.array(rows, dtype=np.int32)


def masks_of(sets: Itemsets, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (sets, people): who is at every item of each set; -1 pads."""
    everyone = np.vstack([masks, np.ones((1, masks.shape[1]), dtype=bool)])
    found = everyone[sets[:, 0]]
    for column in range(1, sets.shape[1]):
        found &= everyone[sets[:, column]]
    return found


def _enough(masks: NDArray[np.bool_], sets: Itemsets, people: int) -> NDArray[np.bool_]:
    counts = [masks_of(sets[low:low + CHUNK], masks).sum(axis=1) for low in range(0, len(sets), CHUNK)]
    return np.concatenate([*counts, np.zeros(0, dtype=np.int64)]) >= people


def _width_that_fits(items: Items, least: int, settings: Settings) -> tuple[int, list[str]]:
    """Return the condition width whose itemsets can be held, at most the one asked for."""
    asked = min(settings.condition_width, settings.max_width - 1)
    base = len(items) + 1
    width = asked
    while width > 2 and (base ** width >= 2**62 or _itemsets_expected(items, least, width) > MOST_ITEMSETS):
        width -= 1
    if width == asked:
        return width, []
    return width, [f"Conditions of width {asked} are too many to list; the candidates have conditions up to width {width}."]


def _itemsets_expected(items: Items, least: int, width: int) -> float:
    """Bound the number of frequent itemsets: each person supports at most C(features, w) of them."""
    features = len(set(items.features.tolist()))
    people = items.masks.shape[1]
    every = math.comb(features, width) * (len(items) / features) ** width
    return min(every, math.comb(features, width) * people / least)


def _changes_that_fit(kept: Sequence[Itemsets], transitions: Transitions, asked: int) -> tuple[int, list[str]]:
    """Return how many features a rule may change so that the options can be held, at most as many as asked."""
    sizes = transitions.sizes.astype(float)
    for changes in range(asked, 1, -1):
        if sum(_options_expected(sizes[sets], changes) for sets in kept if len(sets)) <= MOST_OPTIONS:
            return changes, [] if changes == asked else [_too_many(asked, changes)]
    return 1, [] if asked == 1 else [_too_many(asked, 1)]


def _too_many(asked: int, changes: int) -> str:
    return f"Rules that change {asked} features are too many to list; the candidates change up to {changes}."


def _options_expected(sizes: NDArray[np.float64], changes: int) -> float:
    """Sum the elementary symmetric polynomials of degrees 1 … `changes` over the rows of `sizes`."""
    sums = np.zeros((changes + 1, len(sizes)))
    sums[0] = 1.0
    for column in sizes.T:
        for degree in range(changes, 0, -1):
            sums[degree] += sums[degree - 1] * column
    return float(sums[1:].sum())
