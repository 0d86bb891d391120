"""Why some people have no recourse, by trying everything on each of them, allowed or not."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import Any

from tests.contract.brute import Items, World

MOST_PEOPLE, MOST_MOVES = 100, 4_000


def blocked(world: World, people: set[int]) -> dict[str, Any] | None:
    """Count what stands between people and recourse; None where the promise is to look at a part only."""
    locked: Counter[str] = Counter()
    rare = further = 0
    if len(people) > MOST_PEOPLE:
        return None
    for number in people:
        tried = everything(world, number)
        if len(tried) > MOST_MOVES:
            return None
        answers = world.flips([(number, move) for move in tried])
        locks = [_locks(world, number, move) for move, works in zip(tried, answers, strict=True) if works]
        fewest = min(map(len, locks), default=None)
        rare += fewest == 0
        further += fewest is None
        if fewest:
            locked.update({name for names in locks if len(names) == fewest for name in names})
    return {
        "looked_at": len(people),
        "rare_end_state": rare,
        "locked_features": dict(locked),
        "further_changes": further,
    }


def everything(world: World, number: int) -> list[Items]:
    """List every move to known levels that somebody is at, from known levels, whatever the schema allows."""
    ways: list[list[tuple[str, int]]] = []
    for name, feature in world.features.items():
        start, known = world.codes[number][name], len(feature.names)
        held = sorted({codes[name] for codes in world.codes.values()})
        if start < known:
            ways.append([(name, level) for level in held if level < known and level != start])
    sizes = range(1, world.run["settings"]["max_changes"] + 1)
    return [move for size in sizes for chosen in combinations(ways, size) for move in product(*chosen)]


def _locks(world: World, number: int, move: Items) -> set[str]:
    codes = world.codes[number]
    return {name for name, level in move if not world.features[name].allows(codes[name], level)}
