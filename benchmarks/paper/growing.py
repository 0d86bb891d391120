"""Growing: seconds and memory of our summary as people, features and candidates become more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ares_core.audit import People, subject
from ares_core.costs import Costs
from ares_core.people import Schema, Table
from ares_core.recourse import learn, prepare
from ares_core.settings import Settings
from benchmarks.cases import Case

FAMILY = "gbt"
# What grows, and how far: times as many people, so many features, candidates down to this support.
AXES: dict[str, tuple[float, ...]] = {
    "people": (1, 2, 4),
    "features": (5, 10, 15),
    "support": (0.08, 0.04, 0.02, 0.01, 0.005),
}
Found = dict[str, Any]


def grown(case: Case, folder: Path, axis: str, value: float) -> Found:
    """Audit a table of another size and return what it took."""
    people = case.people(folder, int(value) if axis == "people" else 1)
    if axis == "features":
        people = narrowed(people, case, int(value))
    settings = Settings(support=value) if axis == "support" else Settings()
    model, table, _ = subject(people, FAMILY, settings.seed)
    bench = prepare(model, table, settings, case.interest)
    began = perf_counter()
    found = learn(bench, settings, Costs.unit(table.schema.names), case.interest)
    return {
        "people": len(table),
        "features": len(table.features),
        "affected": len(bench.affected),
        "candidates": found.certificate.candidates,
        "model_rows": bench.evaluation.model_rows,
        "gap": found.certificate.gap,
        "search": perf_counter() - began,
        **bench.timings,
    }


def narrowed(people: People, case: Case, features: int) -> People:
    """Keep so many features: those of interest, then others in the order of the table."""
    schema = people.table.schema
    first = [schema[name].name for name in case.interest]
    kept = [*first, *(name for name in schema.names if name not in first)][:features]
    chosen = [feature for feature in schema.features if feature.name in kept]
    frame = people.table.frame[[column for feature in chosen for column in feature.columns]]
    table = Table.build(frame, Schema(tuple(chosen)), outcomes=people.outcomes)
    return replace(people, table=table, outcomes=np.asarray(people.outcomes[table.rows]))
