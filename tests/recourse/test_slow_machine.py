"""A slow machine: the same rules come out as long as the user's own time limit is not reached."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ares_core.recourse import learn, prepare, robust
from ares_core.recourse.search import Solution, incumbent, solve
from ares_core.recourse.stability import stability
from ares_core.settings import Settings
from tests.recourse.worlds import random_world

SETTINGS = Settings(support=0.05, min_people=2, max_rules=4, time_limit=86_400.0)
TICK = 3.0  # seconds that pass between two looks at the clock


@pytest.mark.parametrize("seed", range(4))
def test_the_machine_does_not_decide(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that leaps, every search, trial and share is that of a fast machine, bounds included."""

    def run() -> tuple[object, ...]:
        found: list[tuple[object, float]] = []

        def noted(*question: Any, **options: Any) -> Solution:
            solution = solve(*question, **options)
            found.append((solution.rules, solution.upper_bound))
            return solution

        for module in map(sys.modules.get, (robust.__name__, stability.__module__)):
            monkeypatch.setattr(module, "solve", noted)
        world = random_world(seed, 120, 5)
        bench = prepare(world.model, world.table, SETTINGS, ("sex",))
        learned = learn(bench, SETTINGS, world.costs, ("sex",))
        draws = 1 + np.random.default_rng(0).gamma(1.0, 1.0, (6, len(bench.table.features)))
        return robust.plain_rules_hold(bench, ("sex",)), learned.rules, stability(bench, learned, draws), found

    fast = run()
    leaps = itertools.count(step=TICK)
    monkeypatch.setattr(incumbent.time, "monotonic", lambda: next(leaps))
    assert run() == fast


def test_a_time_limit_still_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit the user sets counts: on a clock that leaps past it, the search stops before it is proven."""
    world = random_world(1, 200, 6)
    settings = replace(SETTINGS, time_limit=1.0, selection="paper")
    bench = prepare(world.model, world.table, settings, ("sex",))
    leaps = itertools.count(step=TICK)
    monkeypatch.setattr(incumbent.time, "monotonic", lambda: next(leaps))
    assert learn(bench, settings, world.costs, ("sex",)).certificate.gap > 0
