"""Every move of one person, the cheapest first, made one at a time: there may be more than memory holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from ares_core.people.table import Move

Picks = tuple[tuple[int, int], ...]
"""Which features change, by their place among the sorted ones, and by which of its steps each does."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How a person can change one feature.

    Parameters
    ----------
    feature
        Its position in the table.
    price
        What changing it costs, at least 0, wherever it leads.
    targets
        (levels crossed, target level), sorted, so the smallest step comes first.
    """

    feature: int
    price: float
    targets: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if not self.price >= 0 or list(self.targets) != sorted(self.targets):
            raise ValueError("a price is at least 0, and the smallest step comes first")


def cheapest_first(steps: Sequence[Steps], max_changes: int) -> Iterator[Move]:
    """Yield every move of 1 … `max_changes` features, by price, then by levels crossed, then by what changes.

    Moves form a tree. Below a move are those whose last feature, in order of price, takes its next larger step, those
    with the next feature in its place (only from its first step, so that each move has one parent), and those with the
    next feature besides. No move is cheaper than the one above it, so a heap of what is next suffices.
    """
    ordered = [replace(each, price=_rounded(each.price)) for each in steps if each.targets]
    ordered.sort(key=lambda each: (each.price, each.targets[0][0], each.feature))
    waiting = [_priced(ordered, ((0, 0),))] if ordered and max_changes > 0 else []
    while waiting:
        _, _, move, picks = heappop(waiting)
        yield move
        for following in _below(ordered, picks, max_changes):
            heappush(waiting, _priced(ordered, following))


def _below(ordered: Sequence[Steps], picks: Picks, max_changes: int) -> Iterator[Picks]:
    *others, (place, nth) = picks
    if nth + 1 < len(ordered[place].targets):
        yield (*others, (place, nth + 1))
    if place + 1 < len(ordered):
        if nth == 0:
            yield (*others, (place + 1, 0))
        if len(picks) < max_changes:
            yield (*picks, (place + 1, 0))


def _priced(ordered: Sequence[Steps], picks: Picks) -> tuple[float, int, Move, Picks]:
    price, crossed, changes = 0.0, 0, []
    for place, nth in picks:
        steps = ordered[place]
        levels, target = steps.targets[nth]
        price += steps.price
        crossed += levels
        changes.append((steps.feature, target))
    changes.sort()
    return _rounded(price), crossed, tuple(changes), picks


def _rounded(price: float) -> float:
    """Round off what adding in another order would change."""
    return round(price, 9)
