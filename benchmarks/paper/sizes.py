"""Sizes: how accurate the best 1, 2, … rules of a scene are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ares_core.recourse import learn_frontier, prepare
from benchmarks.paper.scene import Scene
from benchmarks.paper.summaries import base_settings, interest_of, weights_of

SECONDS = 120.0  # for all sizes together


def frontier(scene: Scene) -> dict[str, Any]:
    """Find the best sets of growing size, with the most changes and the lightest price of cost."""
    base, interest = replace(base_settings(scene), time_limit=SECONDS), interest_of(scene)
    bench = prepare(scene.model, scene.table, base, interest)
    weights = base.weights if scene.protocol.frozen else weights_of(len(bench.affected))[0]
    found = learn_frontier(bench, replace(base, weights=weights), scene.costs, interest)
    helped = [each.coverage.helped()[bench.split.check] for each in found]
    return {
        "accuracy": [float(who.mean()) for who in helped],
        "gap": [each.certificate.gap for each in found],
    }
