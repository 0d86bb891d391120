"""The run file: an audit as JSON that an independent program can recompute, count for count."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ares_core.audit.audit import Audit
from ares_core.costs import Costs
from ares_core.errors import DataError
from ares_core.people import Conjunction, predicate_from_json
from ares_core.people.table import Indices
from ares_core.recourse import Learned, RecourseRule

FORMAT, VERSION = "ares-run", 1
PACKAGES = ("numpy", "pandas", "scikit-learn", "mlxtend", "choix", "highspy")


def run_to_json(audit: Audit) -> dict[str, Any]:
    """Return the content of the run file."""
    bench, learned = audit.bench, audit.learned
    rules = [{**rule.to_json(), **figures.to_json()}
             for rule, figures in zip(learned.rules, audit.rule_figures, strict=True)]
    parts = {"learn": bench.split.learn, "check": bench.split.check, "all": audit.everyone}
    return {
        "format": FORMAT, "version": VERSION,
        "data": {"rows": len(audit.people.table), "audited": len(bench.table), "affected": len(bench.affected),
                 "sha256": audit.people.sha256, "target": audit.people.target, "favourable": audit.people.favourable},
        "model": {"kind": audit.model.kind, "sha256": audit.model.sha256},
        "settings": {**audit.settings.to_json(), "subgroup_features": list(audit.interest), "guard": _guard(learned)},
        "rules": rules,
        "totals": {name: audit.totals(people).to_json() for name, people in parts.items()},
        "frontier": [_point(audit, size, point) for size, point in enumerate(audit.frontier, start=1)],
        "subgroups": [group.to_json() for group in audit.subgroups],
        "certificate": _certificate(audit),
        "no_recourse": {**audit.blockers().to_json(), "rows": _rows(audit, np.flatnonzero(~audit.figures.recourse))},
        "costs": audit.costs.to_json(),
        "schema": audit.people.table.schema.to_json(),
        "split": {"learn": _rows(audit, bench.split.learn), "check": _rows(audit, bench.split.check),
                  "trained": [int(row) for row in audit.trained_on]},
        "notes": list(audit.notes),
        "timings": {stage: round(seconds, 4) for stage, seconds in audit.timings.items()},
        "model_rows": bench.evaluation.model_rows,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }


def _guard(learned: Learned) -> dict[str, Any]:
    return {"min_people": learned.guard.min_people, "strength": learned.guard.strength}


def _rows(audit: Audit, places: Indices) -> list[int]:
    """Return places among the affected as rows of the file, counted from 0."""
    return sorted(int(row) for row in audit.bench.table.rows[audit.bench.affected[places]])


def _point(audit: Audit, size: int, learned: Learned) -> dict[str, Any]:
    learn, check = (audit.totals(people, learned) for people in (audit.bench.split.learn, audit.bench.split.check))
    return {"rules": size, "accuracy_learn": learn.accuracy.value, "accuracy_check": check.accuracy.value,
            "coverage_check": check.coverage.value, "mean_fcost_check": check.mean_fcost,
            "gain": learned.certificate.gain, "upper_bound": learned.certificate.upper_bound}


def _certificate(audit: Audit) -> dict[str, Any]:
    """Return what is proven, and of which candidates."""
    proof, candidates = audit.learned.certificate, audit.bench.candidates
    return {"gain": proof.gain, "upper_bound": proof.upper_bound, "gap": proof.gap, "proven": proof.proven,
            "candidates": proof.candidates,
            "candidate_set": {"subgroups": len(audit.learned.groups.itemsets), "conditions": len(candidates.conditions),
                              "moves": len(candidates.moves), "condition_width": candidates.conditions.shape[1],
                              "changes": max((len(move) for move in candidates.moves), default=0),
                              "support": audit.settings.support, "min_people": audit.learned.guard.min_people,
                              "narrowed": list(candidates.narrowed)}}


def dump_json(document: Mapping[str, Any]) -> str:
    """Write JSON the same way every time; a number that is not finite is a mistake."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write a file at once or not at all.

    Raises
    ------
    DataError
        If the place cannot be written to.
    """
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise DataError(f"The file {path.name!r} cannot be written: {error.strerror}.",
                        "Choose a folder that exists and that you may write to.") from error


def read_run(path: Path) -> dict[str, Any]:
    """Read a run file.

    Raises
    ------
    DataError
        If it is none.
    """
    hint = "Give the file that 'audit … --json' wrote."
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"The run file {path.name!r} cannot be read: {error.strerror}.", hint) from error
    except ValueError as error:
        raise DataError(f"The run file {path.name!r} is not JSON.", hint) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise DataError(f"The file {path.name!r} is not a run of version {VERSION}.", hint)
    return document


def rules_of_run(document: Mapping[str, Any]) -> list[tuple[RecourseRule, float]]:
    """Return the rules of a run with the accuracy that decides between them."""
    found = []
    for entry in document["rules"]:
        parts = [Conjunction.of(predicate_from_json(predicate) for predicate in entry[part])
                 for part in ("subgroup", "before", "after")]
        accuracy = entry["learn"]["accuracy"]
        found.append((RecourseRule(*parts), -math.inf if accuracy is None else float(accuracy)))
    return found


def costs_of_run(document: Mapping[str, Any]) -> Costs:
    """Return the costs a run used."""
    return Costs.from_json(document["costs"])
