"""Which two features to compare next."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from .comparison import Comparison
from .costs import components
from .experts import Pair

MOST_TIMES = 2  # a pair is asked: once each way round


def next_pair(features: Sequence[str], comparisons: Sequence[Comparison]) -> Pair | None:
    """Choose the pair to ask about next; the same features and answers always lead to the same pair.

    First come the neighbours on a ring through all features in an order shuffled by their names, every second pair
    of it and then the others: that links all features with one answer for each. Then comes, of the pairs asked least
    often, one that links what nothing links yet, that repeats no feature of the last question, and whose features
    were compared least. A pair that comes again comes the other way round.

    Parameters
    ----------
    features
        Those that may be compared.
    comparisons
        The answers so far, in the order in which they were given; "cannot say" is an answer too.

    Returns
    -------
    The feature to show first and the one to show second; None if every pair was asked about twice.
    """
    asked = Counter(frozenset((one.first, one.second)) for one in comparisons)
    ring = _ring(features)
    start = next((pair for pair in _start(ring) if not asked[frozenset(pair)]), None)
    pair = start or _least_asked(ring, comparisons, asked)
    if pair is None or asked[frozenset(pair)] >= MOST_TIMES:
        return None
    low, high = sorted(pair)
    turned = (_digest([low, high])[0] + asked[frozenset(pair)]) % 2
    return (high, low) if turned else (low, high)


def _ring(features: Sequence[str]) -> list[str]:
    """Return the features in an order that depends only on what they are called."""
    ring = sorted(features)
    random.Random(_digest(ring)).shuffle(ring)
    return ring


def _start(ring: Sequence[str]) -> list[Pair]:
    """Return the neighbours on the ring, every second pair first, so that features take turns."""
    if len(ring) < 3:
        return [(ring[0], ring[1])] if len(ring) == 2 else []
    around = [(name, ring[(place + 1) % len(ring)]) for place, name in enumerate(ring)]
    return around[::2] + around[1::2]


def _least_asked(ring: Sequence[str], comparisons: Sequence[Comparison], asked: Counter[frozenset[str]]) -> Pair | None:
    group = {name: number for number, members in enumerate(components(comparisons, ring)) for name in members}
    load = Counter(name for one in comparisons for name in (one.first, one.second))
    last = {comparisons[-1].first, comparisons[-1].second} if comparisons else set()

    def rank(pair: Pair) -> tuple[int, bool, int, int]:
        one, other = pair
        return asked[frozenset(pair)], group[one] == group[other], len(last & set(pair)), load[one] + load[other]

    return min(combinations(ring, 2), key=rank, default=None)


def _digest(names: Sequence[str]) -> bytes:
    return hashlib.sha256("\0".join(names).encode()).digest()
