"""Tuning: the appendix's way to set the four weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ares_core.costs import Costs
from ares_core.people.table import Indices
from ares_core.recourse.candidates import people_needed
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.posing import Question, pose
from ares_core.recourse.scoring import Tally
from ares_core.recourse.search import Effort, Limits, solve
from ares_core.recourse.split import fold_numbers
from ares_core.recourse.workbench import Subgroups, Workbench
from ares_core.settings import Settings, Weights

START, STEP = 100.0, 10.0
VALIDATION = 0.05
LEAST_COVERED, MOST_SHARED, MOST_INCORRECT = 0.95, 0.02, 0.15


@dataclass(frozen=True, slots=True)
class Validation:
    """What a summary does for the validation people."""

    people: int
    covered: float
    shared: float
    incorrect: float

    @property
    def holds(self) -> bool:
        """Whether all three of the paper's conditions hold."""
        good = self.covered >= LEAST_COVERED and self.incorrect <= MOST_INCORRECT
        return good and self.shared <= MOST_SHARED


@dataclass(frozen=True, slots=True)
class Tuned:
    """The weights found, what they achieve on the validation people, and how many summaries were tried."""

    weights: Weights
    validation: Validation
    tried: int


def tune_weights(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str] = ()) -> Tuned:
    """Lower each weight in turn from 100, by coordinate descent, until a condition would break.

    Conditions, on 5 % of the learn people set aside: at least 95 % covered, at most 2 % under several rules,
    at most 15 % told a recourse that fails. If they do not hold at the start, the start is returned, and
    `validation` says so.
    """
    settings = replace(settings, selection="paper")
    groups = bench.subgroups(interest, settings.selection)
    kept, held = _parts(bench.split.learn, settings.seed)
    fewest = people_needed(bench.settings, len(kept))
    tally = bench.tally(groups.itemsets, groups.masks, kept, fewest)

    def validated(weights: Weights) -> Validation:
        weighted = replace(settings, weights=weights)
        asked = Question(weighted, bench.prices(weighted, costs), fewest, kept)
        return _validation(bench, groups, tally, asked, held)

    weights, tried = Weights(START, START, START, START), 1
    best = validated(weights)
    for name in (part.name for part in fields(Weights)):
        while best.holds and getattr(weights, name) >= STEP:
            lower = replace(weights, **{name: getattr(weights, name) - STEP})
            result, tried = validated(lower), tried + 1
            if not result.holds:
                break
            weights, best = lower, result
    return Tuned(weights, best, tried)


def _parts(learn: Indices, seed: int) -> tuple[Indices, Indices]:
    """Set 5 % of the people aside at random, and at least one."""
    shuffled = learn[np.argsort(fold_numbers(np.zeros(len(learn), dtype=np.int64), seed))]
    kept = min(int((1 - VALIDATION) * len(learn)), max(len(learn) - 1, 0))
    return np.sort(shuffled[:kept]), np.sort(shuffled[kept:])


def _validation(bench: Workbench, groups: Subgroups, tally: Tally, question: Question, held: Indices) -> Validation:
    posed = pose(bench, groups, tally, question)
    limits = Limits(question.settings.max_rules, question.settings.max_subgroups)
    effort = Effort(time_limit=question.settings.time_limit, relative_gap=0.001)
    solution = solve(posed.problem, limits, effort)
    found = bench.coverage(groups, posed.triples(solution.rules))
    coverage = Coverage.of(found.covers, found.works, question.people)
    times = coverage.covers[:, held].sum(axis=0)
    failed = (times > 0) & ~coverage.helped()[held]
    shares = [int(who.sum()) / max(len(held), 1) for who in (times > 0, times > 1, failed)]
    return Validation(len(held), *shares)
