"""Mining: the conjunctions of levels that describe enough people.

mlxtend's apriori is the default miner. Where it would need too much memory or time, a level-wise miner on bit
sets takes over; both return the same sets in the same order, and the tests hold them to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.table import Table
from ares_core.recourse.bits import Bits, count, pack

Itemsets = NDArray[np.int32]
MLXTEND_CELLS = 1.5e8  # conjunctions x people that apriori holds at once, about 150 MB
CHUNK_WORDS = 4_000_000


@dataclass(frozen=True, slots=True)
class Items:
    """The frequent single levels ("items"), those of one feature side by side.

    Parameters
    ----------
    features, levels
        For each item the feature's position in the table and the level.
    masks
        (items, people): who is at it.
    """

    features: NDArray[np.int32]
    levels: NDArray[np.int32]
    masks: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.features)

    def masks_of(self, levels: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Return (items, people): who is at which item, from (people, features) levels."""
        return np.ascontiguousarray(self.levels[:, None] == levels[:, self.features].T)


def fewest(support: float, people: int) -> int:
    """Return how many people `support` asks for: at least one."""
    return max(1, math.ceil(support * people - 1e-9))


def frequent_items(table: Table, least: int) -> Items:
    """Return the levels that at least `least` people are at, in canonical order."""
    features, levels = [], []
    for position, ranks in enumerate(table.ranks):
        counts = np.bincount(table.codes[:, position], minlength=len(ranks))
        for level in np.argsort(ranks):
            if counts[level] >= least:
                features.append(position)
                levels.append(int(level))
    where, which = np.array(features, dtype=np.int32), np.array(levels, dtype=np.int32)
    return Items(where, which, np.ascontiguousarray(which[:, None] == table.codes[:, where].T))


def mine(items: Items, least: int, width: int, most: float = math.inf) -> list[Itemsets]:
    """Return the frequent itemsets of widths 1 … `width`, each sorted, one feature at most once in a set.

    Parameters
    ----------
    most
        How many sets may be held: widths that would bring more are left off, but never the first.
    """
    cells = math.comb(len(items), width) * items.masks.shape[1]
    miner = mine_with_mlxtend if cells <= MLXTEND_CELLS else mine_with_bits
    return miner(items, least, width, most)


def mine_with_mlxtend(items: Items, least: int, width: int, most: float = math.inf) -> list[Itemsets]:
    """Mine with mlxtend's apriori."""
    from mlxtend.frequent_patterns import apriori

    people = items.masks.shape[1]
    frame = pd.DataFrame(np.ascontiguousarray(items.masks.T))
    # apriori compares shares; half a person less keeps rounding from deciding.
    found = apriori(frame, min_support=(least - 0.5) / people, max_len=width)
    sets: list[list[list[int]]] = [[] for _ in range(width)]
    for itemset in found["itemsets"]:
        members = sorted(int(item) for item in itemset)
        sets[len(members) - 1].append(members)
    fitting = int(np.searchsorted(np.cumsum([len(group) for group in sets]), most, side="right"))
    return [
        np.array(sorted(group), dtype=np.int32).reshape(-1, size)
        for size, group in enumerate(sets[: max(1, fitting)], start=1)
    ]


def mine_with_bits(items: Items, least: int, width: int, most: float = math.inf) -> list[Itemsets]:
    """Mine level by level on bit sets: a set of width w grows by every later item of another feature."""
    bits = pack(items.masks)
    sets = [np.arange(len(items), dtype=np.int32)[:, None]]
    while len(sets) < width:
        grown = _grown(sets[-1], bits, items, least, most - sum(map(len, sets)))
        if grown is None:
            break
        sets.append(grown)
    return sets


def _grown(sets: Itemsets, bits: Bits, items: Items, least: int, most: float) -> Itemsets | None:
    """Extend every set by one item; None if more than `most` sets come of it."""
    # The items of a feature stand together, so growth begins behind the last item's feature.
    begins = np.searchsorted(items.features, items.features, side="right")
    step = max(1, CHUNK_WORDS // bits.size)
    kept = [np.zeros((0, sets.shape[1] + 1), dtype=np.int32)]
    total = 0
    for low in range(0, len(sets), step):
        kept.append(_extended(sets[low : low + step], bits, begins, least))
        total += len(kept[-1])
        if total > most:
            return None
    return np.concatenate(kept)


def _extended(sets: Itemsets, bits: Bits, begins: NDArray[np.intp], least: int) -> Itemsets:
    """Extend each set by every item from its own beginning on.

    Who is in a set is worked out anew, because that costs little beside its many extensions, and holding it
    would take more memory than everything else.
    """
    people = np.bitwise_and.reduce(bits[:, sets], axis=2)
    begin = begins[sets[:, -1]]
    later = bits.shape[1] - begin
    parent = np.repeat(np.arange(len(sets)), later)
    item = np.arange(len(parent)) - np.repeat(np.cumsum(later) - later - begin, later)
    enough = np.flatnonzero(count(people[:, parent] & bits[:, item]) >= least)
    return np.column_stack([sets[parent[enough]], item[enough]]).astype(np.int32)
