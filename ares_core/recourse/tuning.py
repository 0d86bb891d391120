"""Tuning: the appendix's way to set the four weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from ares_core.costs import Costs
from ares_core.people.table import Indices
from ares_core.recourse.candidates import people_needed
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.posing import Question, pose
from ares_core.recourse.scoring import Guard, Tally
from ares_core.recourse.search import Effort, Limits, solve
from ares_core.recourse.split import split_people, strata_of
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
        return self.covered >= LEAST_COVERED and self.shared <= MOST_SHARED and self.incorrect <= MOST_INCORRECT


@dataclass(frozen=True, slots=True)
class Tuned:
    """The weights found, what they achieve on the validation people, and how many summaries were tried."""

    weights: Weights
    validation: Validation
    tried: int


def tune_weights(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str] = ()) -> Tuned:
    """Lower each weight in turn from 100, by coordinate descent, until a condition would break.

    Conditions, on 5 % of the learn people set aside: at least 95 % covered, at most 2 % under several rules, at most
    15 % told a recourse that fails. If they do not hold at the start, the start is returned; `validation` says so.
    """
    groups = bench.subgroups(interest)
    strata = strata_of(bench.table.codes[bench.affected[bench.split.learn]][:, :0])
    parts = split_people(strata, max(VALIDATION, 1 / max(len(strata), 1)), settings.seed)
    kept, held = bench.split.learn[parts.learn], bench.split.learn[parts.check]
    tally = bench.tally(groups.masks, kept)

    def validated(weights: Weights) -> Validation:
        asked = Question(replace(settings, weights=weights), bench.prices(replace(settings, weights=weights), costs),
                         Guard(people_needed(bench.settings, len(kept))), kept)
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


def _validation(bench: Workbench, groups: Subgroups, tally: Tally, question: Question, held: Indices) -> Validation:
    posed = pose(bench, groups, tally, question)
    limits = Limits(question.settings.max_rules, question.settings.max_subgroups)
    solution = solve(posed.problem, limits, Effort(time_limit=question.settings.time_limit, relative_gap=0.001))
    found = bench.coverage(groups, posed.triples(solution.rules))
    coverage = Coverage.of(found.covers, found.works, question.people)
    times = coverage.covers[:, held].sum(axis=0)
    failed = (times > 0) & ~coverage.helped()[held]
    return Validation(len(held), float((times > 0).mean()), float((times > 1).mean()), float(failed.mean()))
