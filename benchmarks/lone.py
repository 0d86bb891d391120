"""Lone: one audit in a process of its own, so that its memory is nobody else's; prints its figures as JSON.

Run as ``python -m benchmarks.lone FOLDER TABLE FAMILY TIMES [again]``; with "again" the audit's parts are then repeated
and timed one by one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ares_core.audit import Audit, Request, run_audit
from ares_core.costs import Costs
from ares_core.models.training import TrainedModel
from ares_core.recourse import learn, learn_frontier, learn_live, prepare
from ares_core.settings import Settings, Weights
from benchmarks.cases import TOP, Case, case_of
from benchmarks.measure import LONG, best_seconds, peak_megabytes

Figures = dict[str, float]
WEIGHTS = (Weights(correctness=2.0), Weights(feature_cost=0.2))
MAX_RULES = (12, 6)
DEAR = 3.0
PROVEN = 0.001
TURNS, ENOUGH = 10, 12.0  # how often evaluation is timed, and after how many seconds that is enough


def alone(case: Case, folder: Path, family: str, times: int = 1, *, again: bool = False) -> Figures:
    """Run an audit in a fresh process and return its figures."""
    command = [sys.executable, "-m", "benchmarks.lone", str(folder.resolve()), case.name, family, str(times)]
    done = subprocess.run([*command, *["again"] * again], cwd=TOP, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"The audit of {case.name!r} with {family!r} failed: {done.stderr.strip()[-2000:]}")
    figures: Figures = json.loads(done.stdout)
    return figures


def main(folder: str, name: str, family: str, times: str, again: str = "") -> None:
    """Audit, and print what it took."""
    case = case_of(name)
    before = peak_megabytes()
    people = case.people(Path(folder), int(times))
    audit = run_audit(
        Request(
            people=people,
            model=family,
            settings=Settings(),
            interest=case.interest,
            costs=Costs.unit(people.table.schema.names),
        )
    )
    figures = {
        "people": len(audit.bench.table),
        "affected": len(audit.bench.affected),
        "imports": before,
        "model_rows": audit.bench.evaluation.model_rows,
        "memory": peak_megabytes(),
        **audit.timings,
    }
    if again:
        figures |= timed_again(audit, case)
    print(json.dumps(figures))


def timed_again(audit: Audit, case: Case) -> Figures:
    """Time the parts of an audit, best of a few."""
    asked = (audit.bench, audit.settings, audit.costs, audit.interest)
    figures = _evaluation_beside_prediction(audit)
    works = (("search", learn), ("frontier", partial(learn_frontier, best=audit.learned)))
    for stage, work in works:
        once = audit.timings[stage]
        # Looking at other subgroups first makes the bench forget what it counted, as in a first search.
        again = partial(best_seconds, partial(work, *asked), lambda: audit.bench.subgroups(case.others[0]), 2)
        figures[stage] = once if once > LONG else min(once, again())
    figures["frontier gap"] = max(learned.certificate.gap for learned in audit.frontier)
    for kind, change in _changes(audit, case):
        found = _new_search(audit, **change)
        for name, number in zip((kind, "live gap", "proof", "proof gap"), found, strict=True):
            figures[name] = max(number, figures.get(name, 0.0))
    return figures


def _evaluation_beside_prediction(audit: Audit) -> Figures:
    """Time asking the model everything, and the bare pipeline on as many rows in one call, in turns.

    What else the machine does then meets both. Making the rows for the bare pipeline is not counted.
    """
    model, table = audit.model, audit.bench.table
    if not isinstance(model, TrainedModel):
        raise TypeError("only models trained here have a pipeline")
    rows = np.resize(np.arange(len(table)), audit.bench.evaluation.model_rows)
    frame = table.frame[list(model.columns)].iloc[rows].reset_index(drop=True)
    asked, predicted = [audit.timings["evaluate"]], [best_seconds(lambda: model.pipeline.predict(frame), times=1)]
    while len(asked) < TURNS and sum(asked) + sum(predicted) < ENOUGH:
        asked.append(prepare(model, table, audit.settings, audit.interest).timings["evaluate"])
        predicted.append(best_seconds(lambda: model.pipeline.predict(frame), times=1))
    return {"evaluate": min(asked), "predict": min(predicted)}


def _changes(audit: Audit, case: Case) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what a user may change: weights, limits, costs, subgroups, each in two ways."""
    names = audit.bench.table.schema.names
    free = [name for name in names if name not in case.protected]
    random = np.random.default_rng(0)
    yield from (("weight", {"settings": replace(audit.settings, weights=weights)}) for weights in WEIGHTS)
    yield from (("limit", {"settings": replace(audit.settings, max_rules=most)}) for most in MAX_RULES)
    yield "cost", {"costs": audit.costs.with_direct({free[0]: DEAR})}
    yield "cost", {"costs": audit.costs.with_direct({name: 1 + DEAR * random.random() for name in names})}
    yield from (("subgroups", {"interest": other}) for other in case.others)


def _new_search(audit: Audit, **change: Any) -> tuple[float, float, float, float]:
    """Return the seconds of a live search after a change and its gap, and both of the search that goes on to a proof.

    It starts from what the last search learned, unless the subgroups are others. A live answer that is proven
    already needs no other search.
    """
    bench, last = audit.bench, audit.learned
    asked = {"settings": audit.settings, "costs": audit.costs, "interest": audit.interest, **change}
    start = last.pool if asked["interest"] == audit.interest else ()
    gaps: list[float] = []

    def work(search: Any) -> None:
        gaps.append(search(bench, start=start, **asked).certificate.gap)

    def forget() -> None:
        bench.subgroups(audit.interest)

    live = best_seconds(partial(work, learn_live), forget)
    gap = max(gaps)
    if gap <= PROVEN:
        return live, gap, live, gap
    return live, gap, best_seconds(partial(work, learn), forget, times=1), gaps[-1]


if __name__ == "__main__":
    main(*sys.argv[1:])
