"""Summaries: our rules for a scene, with local search and greedy beside them on the same candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

from ares_core.audit.figures import Totals, people_figures, totals
from ares_core.recourse import Learned, Workbench, learn, prepare
from ares_core.settings import Settings, Weights
from benchmarks.paper.scene import Scene

CHANGES = (1, 2, 3)
SHARES = (0.0001, 0.001, 0.003, 0.008, 0.02)  # of the affected, that a unit of a rule's cost weighs as much as
CLOSE = 0.001  # accuracies closer than this are alike, and the cheaper rules are taken
SECONDS = 10.0
BESIDE = ("local", "greedy")
Found = dict[str, Any]


def base_settings(scene: Scene) -> Settings:
    """Return the settings of a protocol.

    The paper mines subgroups over all features and asks for no least number of people. Ours are the product's own.
    """
    if scene.protocol.frozen:
        return Settings(seed=scene.seed, holdout=scene.protocol.holdout)
    return Settings(
        seed=scene.seed,
        holdout=0.0,
        selection="paper",
        subgroup_width=1,
        min_people=1,
        max_changes=max(CHANGES),
        time_limit=SECONDS,
    )


def interest_of(scene: Scene) -> tuple[str, ...]:
    """Return the features subgroups are made of: all of them, an empty choice, under the paper's protocol."""
    return scene.interest if scene.protocol.frozen else ()


@dataclass(frozen=True, slots=True)
class Trial:
    """A search with some settings; `learn` and `check` add up over the people rules are chosen and measured on."""

    bench: Workbench
    found: Learned
    seconds: float
    learn: Totals
    check: Totals

    @classmethod
    def of(cls, scene: Scene, bench: Workbench, settings: Settings) -> Trial:
        """Search, and measure."""
        began = perf_counter()
        found = learn(bench, settings, scene.costs, interest_of(scene))
        seconds = perf_counter() - began
        costs = bench.prices(settings, scene.costs).move_costs
        figures = people_figures(bench, found, costs)
        learned, checked = (totals(figures, found, people) for people in (bench.split.learn, bench.split.check))
        return cls(bench, found, seconds, learned, checked)

    def to_json(self) -> Found:
        """Return what is measured, and what is proven."""
        return {
            "people": self.check.affected,
            "accuracy": self.check.accuracy.value,
            "mean_fcost": self.check.mean_fcost,
            "coverage": self.check.coverage.value,
            "conflicts": self.check.conflicts / self.check.affected,
            "rules": self.check.size,
            "changes": self.bench.settings.max_changes,
            "price": self.found.settings.weights.feature_cost,
            "seconds": self.seconds,
            **asdict(self.found.certificate),
        }


def summarise(scene: Scene) -> Found:
    """Find the rules of a scene; beside them every setting that was tried, and the other ways to search."""
    began = perf_counter()
    trials = list(_trials(scene))
    best = most_accurate(trials)
    others = [replace(best.found.settings, search=method, time_limit=SECONDS) for method in BESIDE]
    beside = [best, *(Trial.of(scene, best.bench, settings) for settings in others)]
    return best.to_json() | {
        "beside": [trial.to_json() for trial in beside],
        "tried": [trial.to_json() for trial in trials],
        "limit": float(best.bench.recourse[best.bench.split.check].mean()),
        "affected": len(scene.affected),
        "model_rows": best.bench.evaluation.model_rows,
        "evaluate": best.bench.timings["evaluate"],
        "mine": best.bench.timings["mine"],
        "seconds_all": perf_counter() - began,
    }


def _trials(scene: Scene) -> Iterator[Trial]:
    """Search with every setting of the protocol; ours has one, the product's own."""
    base = base_settings(scene)
    for changes in (base.max_changes,) if scene.protocol.frozen else CHANGES:
        settings = replace(base, max_changes=changes)
        bench = prepare(scene.model, scene.table, settings, interest_of(scene))
        for weights in (base.weights,) if scene.protocol.frozen else weights_of(len(bench.affected)):
            yield Trial.of(scene, bench, replace(settings, weights=weights))


def weights_of(affected: int) -> tuple[Weights, ...]:
    """Return the weights tried: a unit of a rule's cost weighs as much as a growing share of the affected."""
    return tuple(Weights(1.0, 1.0, share * affected, 0.0) for share in SHARES)


def most_accurate(trials: Sequence[Trial]) -> Trial:
    """Return the most accurate on the people rules are chosen on, and among those alike the cheapest."""
    accuracy = [trial.learn.helped / trial.learn.affected for trial in trials]
    alike = [trial for trial, share in zip(trials, accuracy, strict=True) if share >= max(accuracy) - CLOSE]
    return min(alike, key=lambda trial: trial.learn.mean_fcost or 0.0)
