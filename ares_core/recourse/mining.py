"""Mining: the conjunctions of levels that describe enough people.

mlxtend's apriori is the default miner. Where it would need too much memory or time, a level-wise miner on bit sets
takes over; both return the same sets in the same order, and the tests hold them to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.table import Table
from ares_core.recourse.bits import Bits, pack

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
    masks = table.codes[:, features].T == np.array(levels)[:, None] if features else np.zeros((0, len(table)), dtype=bool)
    return Items(np.array(features, dtype=np.int32), np.array(levels, dtype=np.int32), np.ascontiguousarray(masks))


def mine(items: Items, least: int, width: int) -> list[Itemsets]:
    """Return the frequent itemsets of widths 1 … `width`, each sorted, one feature at most once in a set."""
    cells = math.comb(len(items), width) * items.masks.shape[1]
    miner = mine_with_mlxtend if cells <= MLXTEND_CELLS else mine_with_bits
    return miner(items, least, width)


def mine_with_mlxtend(items: Items, least: int, width: int) -> list[Itemsets]:
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
    return [np.array(sorted(group), dtype=np.int32).reshape(-1, size) for size, group in enumerate(sets, start=1)]


def mine_with_bits(items: Items, least: int, width: int) -> list[Itemsets]:
    """Mine level by level on bit sets: a set of width w grows by every later item of another feature."""
    bits = pack(items.masks)
    sets = [np.arange(len(items), dtype=np.int32)[:, None]]
    tidsets = bits
    # The items of a feature stand together, so growth begins behind the last item's feature.
    ends = np.searchsorted(items.features, items.features, side="right")
    for _ in range(1, width):
        grown, tidsets = _grow(sets[-1], tidsets, bits, ends, least)
        sets.append(grown)
    return sets


def _grow(sets: Itemsets, tidsets: Bits, bits: Bits, ends: NDArray[np.intp], least: int) -> tuple[Itemsets, Bits]:
    """Extend every set by one item."""
    later = bits.shape[1] - ends[sets[:, -1]]
    parent = np.repeat(np.arange(len(sets)), later)
    begin = np.concatenate([[0], np.cumsum(later)])
    item = np.arange(begin[-1]) - np.repeat(begin[:-1] - ends[sets[:, -1]], later)
    step = max(1, CHUNK_WORDS // len(bits))
    kept, kept_bits = [], []
    for low, high in pairwise([*range(0, len(parent), step), len(parent)]):
        both = tidsets[:, parent[low:high]] & bits[:, item[low:high]]
        enough = np.flatnonzero(np.bitwise_count(both).sum(axis=0, dtype=np.int32) >= least)
        kept.append(np.column_stack([sets[parent[low + enough]], item[low + enough]]).astype(np.int32))
        kept_bits.append(both[:, enough])
    if not kept:
        return np.zeros((0, sets.shape[1] + 1), dtype=np.int32), np.zeros((len(bits), 0), dtype=np.uint64)
    return np.concatenate(kept), np.concatenate(kept_bits, axis=1)
