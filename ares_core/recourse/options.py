"""Options: which moves fit which condition, listed with array arithmetic.

An itemset is one number, its items the digits. A change swaps a digit for another item of the same feature, so the
end state of a move is found by addition, and whether anybody lives there by one look-up among the frequent sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ares_core.people.table import Table
from ares_core.recourse.mining import Items, Itemsets

Keys = NDArray[np.int64]
Ints = NDArray[np.int32]
Move = tuple[tuple[int, int], ...]
CHUNK = 200_000


@dataclass(frozen=True, slots=True)
class Options:
    """Which moves fit which condition, sorted by condition.

    `whole` marks the options whose condition names nothing but what changes: the widest rule of its move.
    """

    condition: Ints
    move: Ints
    magnitude: Ints
    whole: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.condition)


@dataclass(frozen=True, slots=True)
class Transitions:
    """For each item the items a person there may be told to move to, and the levels crossed, end to end."""

    sizes: Keys
    begins: Keys
    targets: Keys
    magnitudes: Keys

    @classmethod
    def allowed(cls, table: Table, items: Items) -> Transitions:
        """List what the schema allows among frequent levels."""
        sizes, targets, magnitudes = [], [], []
        for position, start in zip(items.features.tolist(), items.levels.tolist(), strict=True):
            feature = table.features[position]
            reachable = [item for item in np.flatnonzero(items.features == position).tolist()
                         if feature.allows(start, int(items.levels[item]))]
            sizes.append(len(reachable))
            targets += reachable
            magnitudes += [feature.magnitude(start, int(items.levels[item])) for item in reachable]
        counts = np.array(sizes, dtype=np.int64)
        return cls(counts, np.cumsum(counts) - counts, np.array(targets, dtype=np.int64),
                   np.array(magnitudes, dtype=np.int64))


def list_options(items: Items, itemsets: Sequence[Itemsets], kept: Sequence[Itemsets], transitions: Transitions,
                 changes: int) -> tuple[Options, tuple[Move, ...]]:
    """List every option whose end state is frequent, and the distinct moves.

    Parameters
    ----------
    itemsets
        The frequent sets by width: where a move may end.
    kept
        The conditions by width: where it may start. Conditions are numbered through all widths.
    """
    base = len(items) + 1
    found = list(_blocks(base, itemsets, kept, transitions, changes))
    columns = [np.concatenate([block[part] for block in found]) if found else np.zeros(0, dtype=np.int64)
               for part in range(4)]
    condition, move_key, magnitude, whole = columns
    keys, move = np.unique(move_key, return_inverse=True)
    order = np.lexsort((move, condition))
    options = Options(condition[order].astype(np.int32), move[order].astype(np.int32), magnitude[order].astype(np.int32),
                      whole[order].astype(bool))
    return options, tuple(_move(int(key), base, items) for key in keys)


def _blocks(base: int, itemsets: Sequence[Itemsets], kept: Sequence[Itemsets], transitions: Transitions,
            changes: int) -> Iterator[tuple[Keys, Keys, Keys, Keys]]:
    begin = 0
    for width, (frequent, sets) in enumerate(zip(itemsets, kept, strict=True), start=1):
        known = np.sort(itemset_keys(frequent, base))
        shapes = [positions for size in range(1, min(changes, width) + 1) for positions in combinations(range(width), size)]
        for low in range(0, len(sets), CHUNK):
            for positions in shapes:
                row, after, move, magnitude = _moved(sets[low:low + CHUNK], positions, transitions, base)
                place = np.searchsorted(known, after).clip(max=len(known) - 1)
                real = known[place] == after
                whole = np.full(int(real.sum()), int(len(positions) == width), dtype=np.int64)
                yield begin + low + row[real], move[real], magnitude[real], whole
        begin += len(sets)


def itemset_keys(sets: Itemsets, base: int) -> Keys:
    """Return one number for each itemset: its items as digits."""
    keys = np.zeros(len(sets), dtype=np.int64)
    for column in range(sets.shape[1]):
        keys = keys * base + sets[:, column] + 1
    return keys


def _moved(sets: Itemsets, positions: tuple[int, ...], transitions: Transitions,
           base: int) -> tuple[Keys, Keys, Keys, Keys]:
    """Change the items at `positions` in every allowed way: row, key of the end state, key of the move, magnitude.

    The items of a feature stand side by side, so the end state's items stay sorted.
    """
    row = np.arange(len(sets))
    after = itemset_keys(sets, base)
    move = np.zeros(len(sets), dtype=np.int64)
    magnitude = np.zeros(len(sets), dtype=np.int64)
    for position in positions:
        start = sets[row, position].astype(np.int64)
        repeats = transitions.sizes[start]
        index = np.repeat(np.arange(len(row)), repeats)
        nth = np.arange(len(index)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        start = start[index]
        way = transitions.begins[start] + nth
        target = transitions.targets[way]
        row, magnitude = row[index], magnitude[index] + transitions.magnitudes[way]
        after = after[index] + (target - start) * base ** (sets.shape[1] - 1 - position)
        move = move[index] * base + target + 1
    return row, after, move, magnitude


def _move(key: int, base: int, items: Items) -> Move:
    """Read a move's number back."""
    targets = []
    while key:
        key, digit = divmod(key, base)
        targets.append((int(items.features[digit - 1]), int(items.levels[digit - 1])))
    return tuple(sorted(targets))
