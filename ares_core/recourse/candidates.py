"""Candidates: subgroups, conditions and moves, kept apart so that their product is never listed.

A rule is a subgroup, a condition and a move. The model's answer after a rule depends on the person and the
move only, and the people of a rule on the subgroup and the condition only, so the three are listed once each,
with the *options*: which moves fit which condition.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import DataError, SettingError
from ares_core.people.infer import numbers_every_row
from ares_core.people.table import Move, Table
from ares_core.recourse.mining import Items, Itemsets, fewest, frequent_items, mine
from ares_core.recourse.options import Options, Transitions, list_options, ways
from ares_core.settings import Settings

MOST_OPTIONS = 20_000_000
MOST_ITEMSETS = 6_000_000
MOST_PAIRS = 40_000_000  # of a subgroup and a condition; each is counted, and takes some 20 bytes
MOST_CELLS = 200_000_000  # of subgroups and people, a byte each
LOOKS = 4  # ends of moves looked up for each option that may be held: only some of them are frequent
CHUNK_CELLS = 20_000_000


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
        raise DataError(
            "No feature can change: every one is frozen, forbidden or at a single common level.",
            "Free a feature in the schema, or lower the support.",
        )
    asked = _widest(len(items), min(settings.condition_width, settings.max_width - 1))
    itemsets = mine(items, least, asked, MOST_ITEMSETS)
    people = people_needed(settings, len(affected))
    kept = [sets[_enough(items.masks[:, affected], sets, people)] for sets in itemsets]
    sets = _Sets(items, itemsets, kept, transitions)
    changes, width, (options, moves) = _options_that_fit(sets, settings.max_changes)
    return Candidates(items, _padded(kept[:width]), moves, options, _narrowed(settings, width, changes))


def people_needed(settings: Settings, affected: int) -> int:
    """Return `min_people`, or its default: the larger of 5 and 1 % of the affected."""
    return settings.min_people or max(5, math.ceil(0.01 * affected - 1e-9))


def build_subgroups(
    table: Table, items: Items, settings: Settings, features: Sequence[str], most: float = math.inf
) -> tuple[Itemsets, tuple[str, ...]]:
    """List the subgroups over the features of interest, or over all when there are none; padded with -1.

    Unasked, no group is described by a number that is different for everybody: it may be an identifier.

    Parameters
    ----------
    most
        How many there may be: wider ones are left off where that would be more, and a sentence says so.
    """
    chosen = [table.position(name) for name in features] or _describing(table)
    allowed = np.flatnonzero(np.isin(items.features, list(chosen)))
    if not len(allowed):
        names = ", ".join(repr(name) for name in features)
        raise SettingError(
            f"No level of {names} describes {settings.support:.2%} of the people.",
            "Lower the support, or choose another feature of interest.",
        )
    part = Items(items.features[allowed], items.levels[allowed], items.masks[allowed])
    least, width = fewest(settings.support, len(table)), min(settings.subgroup_width, settings.max_width - 1)
    mined = [allowed[sets].astype(np.int32) for sets in mine(part, least, width, most)]
    return _padded(mined), _fewer_subgroups(width, len(mined))


def _describing(table: Table) -> list[int]:
    """Return the features that may describe groups unasked; all of them where there would be none."""
    everything = range(len(table.features))
    columns = [table.features[position].columns for position in everything]
    found = [at for at in everything if len(columns[at]) > 1 or not numbers_every_row(table.frame[columns[at][0]])]
    return found or list(everything)


def apart(candidates: Candidates, subgroups: Itemsets) -> NDArray[np.bool_]:
    """Return (subgroups, conditions): whether they name different features."""
    features = np.append(candidates.items.features, -1)
    conditions = features[candidates.conditions]
    named = [[feature for feature in features[itemset].tolist() if feature >= 0] for itemset in subgroups]
    lacking = {feature: (conditions != feature).all(axis=1) for feature in {name for row in named for name in row}}
    found = np.ones((len(subgroups), len(conditions)), dtype=bool)
    for row, own in enumerate(named):
        for feature in own:
            found[row] &= lacking[feature]
    return found


def masks_of(sets: Itemsets, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (sets, people): who is at every item of each set; -1 pads."""
    everyone = np.vstack([masks, np.ones((1, masks.shape[1]), dtype=bool)])
    found = everyone[sets[:, 0]]
    for column in range(1, sets.shape[1]):
        found &= everyone[sets[:, column]]
    return found


def _fewer_subgroups(asked: int, width: int) -> tuple[str, ...]:
    if width == asked:
        return ()
    return (
        f"Subgroups described by {asked} features at once are too many to try with every condition; "
        f"the candidates describe them by up to {width}. Choose few features of interest to describe them by more.",
    )


def _padded(kept: Sequence[Itemsets]) -> Itemsets:
    """Put sets of different widths below each other."""
    padded = np.full((sum(map(len, kept)), len(kept)), -1, dtype=np.int32)
    begin = 0
    for sets in kept:
        padded[begin : begin + len(sets), : sets.shape[1]] = sets
        begin += len(sets)
    return padded


def _enough(masks: NDArray[np.bool_], sets: Itemsets, people: int) -> NDArray[np.bool_]:
    step = max(1, CHUNK_CELLS // max(masks.shape[1], 1))
    counts = [masks_of(sets[low : low + step], masks).sum(axis=1) for low in range(0, len(sets), step)]
    return np.concatenate([*counts, np.zeros(0, dtype=np.int64)]) >= people


def _widest(items: int, asked: int) -> int:
    """Return the width asked for, or the one whose itemsets still have numbers of 62 bits."""
    return max((width for width in range(1, asked + 1) if (items + 1) ** width < 2**62), default=1)


@dataclass(frozen=True, slots=True)
class _Sets:
    """Where moves may end (itemsets) and start (kept), by width, and what may change."""

    items: Items
    itemsets: Sequence[Itemsets]
    kept: Sequence[Itemsets]
    transitions: Transitions

    def pairs(self, width: int) -> int:
        """Count the pairs of a condition and a subgroup that one level describes."""
        return len(self.items) * sum(len(sets) for sets in self.kept[:width])

    def looks(self, width: int, changes: int) -> float:
        """Count the ends of moves to look up."""
        return sum(float(ways(self.transitions.sizes[sets], changes).sum()) for sets in self.kept[:width])

    def listed(self, width: int, changes: int, most: float) -> tuple[Options, tuple[Move, ...]] | None:
        """List the options of conditions up to a width."""
        ends, starts = self.itemsets[:width], self.kept[:width]
        return list_options(self.items, ends, starts, self.transitions, changes, most)


def _options_that_fit(sets: _Sets, asked: int) -> tuple[int, int, tuple[Options, tuple[Move, ...]]]:
    """List as many options as can be held: first fewer changes are tried, then narrower conditions."""
    for width in range(len(sets.kept), 0, -1):
        for changes in range(min(asked, width), 0, -1):
            last = width == changes == 1
            too_many = sets.pairs(width) > MOST_PAIRS or sets.looks(width, changes) > LOOKS * MOST_OPTIONS
            if too_many and not last:
                continue
            listed = sets.listed(width, changes, math.inf if last else MOST_OPTIONS)
            if listed:
                return changes, width, listed
    raise AssertionError("single changes of single levels are always listed")


def _narrowed(settings: Settings, width: int, changes: int) -> tuple[str, ...]:
    """Say where the settings asked for more than is listed."""
    asked = min(settings.condition_width, settings.max_width - 1)
    said = []
    if width < asked:
        said.append(
            f"Conditions of width {asked} are too many to try; the candidates have conditions up to width {width}."
        )
    if changes < min(settings.max_changes, width):
        said.append(
            f"Rules that change {min(settings.max_changes, asked)} features are too many to list; "
            f"the candidates change up to {changes}."
        )
    return tuple(said)
