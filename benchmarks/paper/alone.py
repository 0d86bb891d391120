"""Alone: the instance-level special case of Theorem 2.2, the cheapest move of one person at a time."""

from __future__ import annotations

from ares_core.audit.person import cheapest_move
from ares_core.people.table import Indices, Move, Table
from benchmarks.paper.advice import Outcome, measure
from benchmarks.paper.scene import Scene

CHANGES = 3


def follow(scene: Scene, people: Indices) -> Outcome:
    """Let each person make the cheapest allowed move of up to three changes that the model accepts."""
    return measure(scene, people, [_cheapest(scene, int(person)) for person in people])


def _cheapest(scene: Scene, person: int) -> Move | None:
    found, _, _ = cheapest_move(scene.model, scene.table, person, scene.costs, CHANGES)
    if found is None:
        return None
    return tuple(
        (scene.table.position(change.feature), _level(scene.table, change.feature, change.level.name))
        for change in found.changes
    )


def _level(table: Table, feature: str, name: str) -> int:
    return [level.name for level in table.schema[feature].levels].index(name)
