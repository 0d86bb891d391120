"""Options: which moves fit which condition, listed with array arithmetic.

An itemset is one number, its items the digits. A change swaps a digit for another item of the same feature,
so the end state of a move is found by addition, and whether anybody lives there by one look-up among the
frequent sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ares_core.people.table import Move, Table
from ares_core.recourse.mining import Items, Itemsets

Keys = NDArray[np.int64]
Ints = NDArray[np.int32]
CHUNK = 1_000_000  # ways to change conditions that are looked at together


@dataclass(frozen=True, slots=True)
class Options:
    """Which moves fit which condition, sorted by condition.

    `whole` marks the options whose condition names nothing but what changes: the widest rule of its move.
    """

    condition: Ints
    move: Ints
    magnitude: Ints
    whole: NDArray[np.bool_]

    def __post_init__(self) -> None:
        sizes = {len(part) for part in (self.condition, self.move, self.magnitude, self.whole)}
        if len(sizes) > 1 or (self.condition[1:] < self.condition[:-1]).any():
            raise ValueError("options must be listed condition by condition, each with all four parts")

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
            reachable = [
                item
                for item in np.flatnonzero(items.features == position).tolist()
                if feature.allows(start, int(items.levels[item]))
            ]
            sizes.append(len(reachable))
            targets += reachable
            magnitudes += [feature.magnitude(start, int(items.levels[item])) for item in reachable]
        counts = np.array(sizes, dtype=np.int64)
        return cls(
            counts, np.cumsum(counts) - counts, np.array(targets, dtype=np.int64), np.array(magnitudes, dtype=np.int64)
        )


def list_options(
    items: Items,
    itemsets: Sequence[Itemsets],
    kept: Sequence[Itemsets],
    transitions: Transitions,
    changes: int,
    most: float = math.inf,
) -> tuple[Options, tuple[Move, ...]] | None:
    """List every option whose end state is frequent, and the distinct moves; None if more than `most`.

    Parameters
    ----------
    itemsets
        The frequent sets by width: where a move may end.
    kept
        The conditions by width: where it may start. Conditions are numbered through all widths.
    """
    base = len(items) + 1
    blocks, total = [_NONE], 0
    for block in _blocks(base, itemsets, kept, transitions, changes):
        blocks.append(block)
        total += len(block.condition)
        if total > most:
            return None
    keys = np.unique(np.concatenate([np.unique(block.key) for block in blocks]))
    move = np.concatenate([np.searchsorted(keys, block.key).astype(np.int32) for block in blocks])
    condition, magnitude, whole = (
        np.concatenate([getattr(block, part) for block in blocks]) for part in ("condition", "magnitude", "whole")
    )
    return Options(condition, move, magnitude, whole), tuple(_move(int(key), base, items) for key in keys)


@dataclass(frozen=True, slots=True)
class _Block:
    """Some options, sorted by condition and then by the key of the move."""

    condition: Ints
    key: Keys
    magnitude: Ints
    whole: NDArray[np.bool_]


_NONE = _Block(
    np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.bool_)
)


def _blocks(
    base: int, itemsets: Sequence[Itemsets], kept: Sequence[Itemsets], transitions: Transitions, changes: int
) -> Iterator[_Block]:
    """Yield the options of some conditions at a time, in order."""
    begin = 0
    for frequent, sets in zip(itemsets, kept, strict=True):
        known = np.sort(itemset_keys(frequent, base))
        for low, high in _chunks(ways(transitions.sizes[sets], changes)):
            yield _block(begin + low, sets[low:high], known, transitions, base, changes)
        begin += len(sets)


def _block(begin: int, sets: Itemsets, known: Keys, transitions: Transitions, base: int, changes: int) -> _Block:
    width = sets.shape[1]
    found = []
    for size in range(1, min(changes, width) + 1):
        for positions in combinations(range(width), size):
            row, after, key, magnitude = _moved(sets, positions, transitions, base)
            place = np.searchsorted(known, after).clip(max=len(known) - 1)
            real = np.flatnonzero(known[place] == after)
            found.append((row[real], key[real], magnitude[real], np.full(len(real), size == width)))
    row, key, magnitude, whole = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((key, row))
    condition = (begin + row[order]).astype(np.int32)
    return _Block(condition, key[order], magnitude[order].astype(np.int32), whole[order])


def ways(sizes: Keys, changes: int) -> NDArray[np.float64]:
    """Count the ways to change 1 … `changes` items of each set: elementary symmetric polynomials of the rows.

    Parameters
    ----------
    sizes
        (sets, width): how many targets each item has.
    """
    sums = np.zeros((changes + 1, len(sizes)))
    sums[0] = 1.0
    for column in sizes.T:
        for degree in range(changes, 0, -1):
            sums[degree] += sums[degree - 1] * column
    return np.asarray(sums[1:].sum(axis=0))


def _chunks(sizes: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Divide rows into runs of about CHUNK ways, so that what is held at once is bounded."""
    runs = (np.cumsum(sizes) // CHUNK).astype(np.int64)
    edges = np.flatnonzero(np.diff(runs)) + 1
    return pairwise([0, *edges.tolist(), len(sizes)]) if len(sizes) else iter(())


def itemset_keys(sets: Itemsets, base: int) -> Keys:
    """Return one number for each itemset: its items as digits."""
    keys = np.zeros(len(sets), dtype=np.int64)
    for column in range(sets.shape[1]):
        keys = keys * base + sets[:, column] + 1
    return keys


def _moved(
    sets: Itemsets, positions: tuple[int, ...], transitions: Transitions, base: int
) -> tuple[Keys, Keys, Keys, Keys]:
    """Change the items at `positions` in every allowed way.

    The items of a feature stand side by side, so the end state's items stay sorted.

    Returns
    -------
    Row, key of the end state, key of the move, and magnitude, for each way.
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
