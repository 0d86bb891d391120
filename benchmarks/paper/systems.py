"""Systems: every way to recourse that is compared, under one name each, and to which models it applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ares_core.people.table import Indices
from benchmarks.paper import alone, face, linear, sizes, summaries, surrogates
from benchmarks.paper.advice import PEOPLE, Outcome, measure
from benchmarks.paper.linear import Steps
from benchmarks.paper.scene import Scene

LINEAR = ("lr", "svm")
LINES = ("advice", "linear", "surrogates")
Found = dict[str, Any]
Line = Callable[[Scene, Steps], tuple[linear.Floats, linear.Floats]]


@dataclass(frozen=True, slots=True)
class System:
    """A way to recourse.

    Parameters
    ----------
    title
        For readers.
    run
        Returns what a results file holds.
    modules
        Of this package, beside the scene: whose code decides the figures.
    applies
        The models it can be used on; empty for all.
    excepted
        The models it is not needed on.
    """

    title: str
    run: Callable[[Scene], Found]
    modules: tuple[str, ...]
    applies: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()

    def suits(self, family: str) -> bool:
        """Say whether the system is used on models of a family."""
        return family not in self.excepted and (not self.applies or family in self.applies)


def timed(scene: Scene, measured: Callable[[Scene, Indices], Outcome]) -> Found:
    """Measure a system that answers one person at a time, on a seeded sample."""
    people = scene.sample(PEOPLE)
    began = perf_counter()
    return measured(scene, people).to_json() | {"seconds": perf_counter() - began}


def on_a_line(line: Line) -> Callable[[Scene], Found]:
    """Let AR work on a linear score: with the costs every system pays, and under "own" with those of its authors."""

    def run(scene: Scene) -> Found:
        people = scene.sample(PEOPLE)
        began = perf_counter()
        steps = Steps.of(scene.table, people)
        need, gain = line(scene, steps)
        told, own = (
            measure(scene, people, linear.advise(steps, need, gain, price)).to_json()
            for price in (scene.prices[steps.feature], linear.percentile_shift(steps))
        )
        return told | {"own": own, "seconds": perf_counter() - began}

    return run


SYSTEMS: dict[str, System] = {
    "ares": System("AReS", summaries.summarise, ("summaries",)),
    "ar": System("AR", on_a_line(surrogates.whole_line), LINES, applies=LINEAR),
    "ar-lime": System("AR-LIME", on_a_line(surrogates.local_lines), LINES, excepted=LINEAR),
    "ar-kmeans": System("AR-KMeans", on_a_line(surrogates.cluster_lines), LINES, excepted=LINEAR),
    "face": System("FACE", lambda scene: timed(scene, face.follow), ("advice", "surrogates", "face")),
    "alone": System("one person at a time", lambda scene: timed(scene, alone.follow), ("advice", "alone")),
    "frontier": System("AReS by size", sizes.frontier, ("summaries", "sizes"), applies=("lr", "rf", "dnn3")),
}
