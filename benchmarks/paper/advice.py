"""Advice: what a system tells people to change, and what comes of it, measured the same way for every system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from ares_core.models import ask
from ares_core.people.table import Indices, Move, Substitution
from benchmarks.paper.scene import Scene

Advice = Sequence[Move | None]
PEOPLE = 100  # at most measured in each cell, where a system answers one person at a time


@dataclass(frozen=True, slots=True)
class Outcome:
    """What advice achieved: people measured, advised and helped, and the mean cost of those helped."""

    people: int
    advised: int
    helped: int
    mean_fcost: float | None

    @property
    def accuracy(self) -> float:
        """The share of all measured people whom the model accepts after the advice."""
        return self.helped / self.people

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as a results file holds it."""
        return asdict(self) | {"accuracy": self.accuracy}


def measure(scene: Scene, people: Indices, advice: Advice) -> Outcome:
    """Let each person act on their advice and ask the model.

    Parameters
    ----------
    people
        Places in the table.
    advice
        A move for each of them; None, or a move that changes nothing, is no advice.
    """
    told = [_real(scene, person, move) for person, move in zip(people, advice, strict=True)]
    acted = [(move, np.array([place])) for place, move in enumerate(told) if move]
    if not acted:
        return Outcome(len(people), 0, 0, None)
    frame = Substitution(scene.table, people).frame(acted)
    return judged(scene, len(people), frame, [[feature for feature, _ in move] for move, _ in acted])


def judged(scene: Scene, people: int, frame: pd.DataFrame, changed: Sequence[Sequence[int]]) -> Outcome:
    """Ask the model about the people who acted, and add up what it cost those it accepts.

    Parameters
    ----------
    people
        How many are measured, those without advice included.
    frame
        Those who acted, as they are then.
    changed
        For each of them the features they changed.
    """
    works = ask(scene.model, frame).astype(bool)
    costs = np.array([float(scene.prices[list(features)].sum()) for features in changed])[works]
    return Outcome(people, len(frame), int(works.sum()), float(costs.mean()) if len(costs) else None)


def _real(scene: Scene, person: int, move: Move | None) -> Move:
    """Leave out what would not change anything."""
    levels = scene.table.codes[person]
    return tuple((feature, level) for feature, level in move or () if levels[feature] != level)
