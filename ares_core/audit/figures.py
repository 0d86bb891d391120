"""Figures: what a summary achieves, on whom, counted person by person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.audit.intervals import Share
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PeopleFigures:
    """For each affected person: the rule that decides, whether it works, its cost, and whether any move does.

    Parameters
    ----------
    deciding
        The rule's place in the summary, -1 without one.
    helped
        Whether the model accepts the person after that rule's move.
    cost, changes
        The sum of costs, and the number, of the features that rule changes; 0 without a rule.
    rules
        How many rules cover the person.
    failures
        How many of them fail.
    recourse
        Whether some candidate move works for the person.
    """

    deciding: Indices
    helped: Mask
    cost: Floats
    changes: Indices
    rules: Indices
    failures: Indices
    recourse: Mask


@dataclass(frozen=True, slots=True)
class Totals:
    """The figures of a whole summary over some people."""

    affected: int
    helped: int
    covered: int
    mean_fcost: float | None
    conflicts: int
    incorrect: int
    no_recourse: int
    size: int
    max_width: int
    subgroups: int

    @property
    def accuracy(self) -> Share:
        """People helped among all the affected; uncovered people are not helped."""
        return Share(self.helped, self.affected)

    @property
    def coverage(self) -> Share:
        """People under some rule among all the affected."""
        return Share(self.covered, self.affected)

    def to_json(self) -> dict[str, Any]:
        """Return the totals as a run file writes them."""
        return {
            "affected": self.affected,
            "recourse_accuracy": self.accuracy.value,
            "interval": list(self.accuracy.interval),
            "coverage": self.coverage.value,
            "mean_fcost": self.mean_fcost,
            "conflicts": self.conflicts,
            "incorrect": self.incorrect,
            "helped": self.helped,
            "covered": self.covered,
            "size": self.size,
            "max_width": self.max_width,
            "subgroups": self.subgroups,
            "no_recourse": self.no_recourse,
        }


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """The figures of one rule: on the people it was chosen on, and on the others."""

    learn: Share
    check: Share
    feature_cost: float
    feature_change: int

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a run file writes them."""
        learn = {"covers": self.learn.total, "flips": self.learn.count, "accuracy": self.learn.value}
        check = {
            "covers": self.check.total,
            "flips": self.check.count,
            "accuracy": self.check.value,
            "interval": list(self.check.interval),
        }
        return {
            "learn": learn,
            "check": check,
            "feature_cost": self.feature_cost,
            "feature_change": self.feature_change,
        }


def people_figures(bench: Workbench, learned: Learned, move_costs: Floats) -> PeopleFigures:
    """Work out what the summary does for each affected person."""
    coverage = learned.coverage
    deciding = coverage.deciding()
    moves = bench.candidates.options.move[[triple.option for triple in learned.triples]]
    costs = np.append(move_costs[moves], 0.0)
    changes = np.array([len(bench.candidates.moves[move]) for move in moves] + [0])
    return PeopleFigures(
        deciding,
        coverage.helped(),
        costs[deciding],
        changes[deciding],
        coverage.covers.sum(axis=0),
        (coverage.covers & ~coverage.works).sum(axis=0),
        bench.recourse,
    )


def totals(figures: PeopleFigures, learned: Learned, people: Indices) -> Totals:
    """Add the figures up over some of the affected people."""
    helped = figures.helped[people]
    costs = figures.cost[people][helped]
    rules = learned.rules
    return Totals(
        affected=len(people),
        helped=int(helped.sum()),
        covered=int((figures.rules[people] > 0).sum()),
        mean_fcost=float(costs.mean()) if len(costs) else None,
        conflicts=int((figures.rules[people] > 1).sum()),
        incorrect=int(figures.failures[people].sum()),
        no_recourse=int((~figures.recourse[people]).sum()),
        size=len(rules),
        max_width=rules.max_width,
        subgroups=len(rules.subgroups),
    )


def rule_figures(bench: Workbench, learned: Learned, move_costs: Floats) -> tuple[RuleFigures, ...]:
    """Count each rule's people, and how many it helps."""
    options = bench.candidates.options
    found = []
    for place, triple in enumerate(learned.triples):
        learn, check = (_share(learned, place, people) for people in (bench.split.learn, bench.split.check))
        found.append(
            RuleFigures(
                learn, check, float(move_costs[options.move[triple.option]]), int(options.magnitude[triple.option])
            )
        )
    return tuple(found)


def _share(learned: Learned, place: int, people: Sequence[int] | Indices) -> Share:
    covers, works = learned.coverage.covers[place, people], learned.coverage.works[place, people]
    return Share(int(works.sum()), int(covers.sum()))
