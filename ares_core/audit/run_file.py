"""The run file: an audit as JSON that an independent program can recompute, count for count."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np

from ares_core.audit.audit import Audit
from ares_core.models import ForeignModel
from ares_core.people.table import Indices
from ares_core.recourse import Learned

FORMAT, VERSION = "ares-run", 1
PACKAGES = ("numpy", "pandas", "scikit-learn", "mlxtend", "choix", "highspy")


def run_to_json(audit: Audit) -> dict[str, Any]:
    """Return the content of the run file."""
    bench = audit.bench
    parts = {"learn": bench.split.learn, "check": bench.split.check, "all": audit.everyone}
    return {
        "format": FORMAT,
        "version": VERSION,
        "data": _data(audit),
        "model": _model(audit),
        "behaviour": _behaviour(audit),
        "settings": _settings(audit),
        "rules": [
            {**rule.to_json(), **figures.to_json()}
            for rule, figures in zip(audit.learned.rules, audit.rule_figures, strict=True)
        ],
        "totals": {name: audit.totals(people).to_json() for name, people in parts.items()},
        **_frontier(audit),
        "subgroups": [group.to_json() for group in audit.subgroups],
        "moves": [move.to_json() for move in audit.moves],
        "certificate": _certificate(audit),
        "no_recourse": {**audit.blockers.to_json(), "rows": _rows(audit, np.flatnonzero(~audit.figures.recourse))},
        "costs": audit.costs.to_json(),
        "schema": audit.people.table.schema.to_json(),
        "split": {
            "learn": _rows(audit, bench.split.learn),
            "check": _rows(audit, bench.split.check),
            "trained": [int(row) for row in audit.trained_on],
        },
        "notes": list(audit.notes),
        "timings": {stage: round(seconds, 4) for stage, seconds in audit.timings.items()},
        "model_rows": bench.evaluation.model_rows,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }


def _data(audit: Audit) -> dict[str, Any]:
    people, bench = audit.people, audit.bench
    return {
        "rows": len(people.table),
        "audited": len(bench.table),
        "affected": len(bench.affected),
        "sha256": people.sha256,
        "target": people.target or None,
        "favourable": people.favourable or None,
    }


def _model(audit: Audit) -> dict[str, Any]:
    """Return the model; a model made here runs in no sandbox, has no address, and needs no reading."""
    made_here = {"sandbox": None, "address": None, "reading": None, "columns": None}
    brought = audit.model.to_json() if isinstance(audit.model, ForeignModel) else made_here
    expected = None if audit.expected is None else audit.expected.to_json()
    return {"kind": audit.model.kind, "sha256": audit.model.sha256, **brought, "expected": expected}


def _behaviour(audit: Audit) -> dict[str, Any] | None:
    """Return how a model from elsewhere behaves, with the warning that belongs on top of every figure."""
    if audit.behaviour is None or audit.recheck is None:
        return None
    return {
        **audit.behaviour.to_json(),
        "recheck": audit.recheck.to_json(),
        "agreement": None if audit.agreement is None else audit.agreement.to_json(),
        "warning": audit.warning or None,
    }


def _settings(audit: Audit) -> dict[str, Any]:
    """Return every setting, and what was made of those that decide for themselves."""
    guard = {"min_people": audit.learned.min_people, "stand_ins": audit.learned.stand_ins}
    return {**audit.settings.to_json(), "subgroup_features": list(audit.interest), "guard": guard}


def _frontier(audit: Audit) -> dict[str, Any]:
    """Return the frontier and the distinct rules it is made of, so that every point can be recomputed."""
    distinct = list(dict.fromkeys(rule for point in audit.frontier for rule in point.rules))
    place = {rule: number for number, rule in enumerate(distinct)}
    points = [
        {**_point(audit, size, point), "chosen": [place[rule] for rule in point.rules]}
        for size, point in enumerate(audit.frontier, start=1)
    ]
    return {"frontier": points, "frontier_rules": [rule.to_json() for rule in distinct]}


def _rows(audit: Audit, places: Indices) -> list[int]:
    """Return places among the affected as rows of the file, counted from 0."""
    return sorted(int(row) for row in audit.bench.table.rows[audit.bench.affected[places]])


def _point(audit: Audit, size: int, learned: Learned) -> dict[str, Any]:
    learn, check = (audit.totals(people, learned) for people in (audit.bench.split.learn, audit.bench.split.check))
    return {
        "rules": size,
        "accuracy_learn": learn.accuracy.value,
        "accuracy_check": check.accuracy.value,
        "coverage_check": check.coverage.value,
        "mean_fcost_check": check.mean_fcost,
        "gain": learned.certificate.gain,
        "upper_bound": learned.certificate.upper_bound,
    }


def _certificate(audit: Audit) -> dict[str, Any]:
    """Return what is proven, and of which candidates."""
    proof, candidates = audit.learned.certificate, audit.bench.candidates
    return {
        "gain": proof.gain,
        "upper_bound": proof.upper_bound,
        "gap": proof.gap,
        "proven": proof.proven,
        "candidates": proof.candidates,
        "candidate_set": {
            "subgroups": len(audit.learned.groups.itemsets),
            "conditions": len(candidates.conditions),
            "moves": len(candidates.moves),
            "condition_width": candidates.conditions.shape[1],
            "changes": max((len(move) for move in candidates.moves), default=0),
            "support": audit.settings.support,
            "min_people": audit.learned.min_people,
            "narrowed": list(proof.narrowed),
        },
    }
