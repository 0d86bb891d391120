"""Robust selection: choose by cross-validation how strongly small numbers are distrusted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ares_core.people.table import Indices
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.posing import Question, pose
from ares_core.recourse.scoring import Guard, Tally
from ares_core.recourse.search import Effort, Limits, solve
from ares_core.recourse.split import fold_numbers
from ares_core.recourse.workbench import Subgroups, Workbench

FOLDS = 4
STRENGTHS = (0.0, 5.0, 20.0, 80.0)
PEOPLE = (1, 2)
MOST_LEARNERS = 400


def choose_guard(bench: Workbench, groups: Subgroups, question: Question) -> Guard:
    """Return the guard whose rules help most people they were not chosen on.

    The learn people are divided into folds; rules chosen without a fold are measured on it. With more than
    `MOST_LEARNERS` of them chance has little room, and the plain guard is kept.
    """
    plain = question.guard
    learners = len(question.people)
    if learners > MOST_LEARNERS:
        return plain
    guards = [Guard(plain.min_people * factor, strength) for factor in PEOPLE for strength in STRENGTHS]
    parts = (fold_numbers(np.zeros(learners, dtype=np.int64), question.settings.seed) * FOLDS).astype(int)
    scores = np.zeros(len(guards))
    for fold in range(FOLDS):
        kept, held = question.people[parts != fold], question.people[parts == fold]
        tally = bench.tally(groups.masks, kept)
        scores += [held_out(bench, groups, tally, replace(question, guard=guard, people=kept), held) for guard in guards]
    return guards[int(np.argmax(scores))]


def held_out(bench: Workbench, groups: Subgroups, tally: Tally, question: Question, held: Indices) -> float:
    """Choose rules on the question's people and count whom they help among the people held out."""
    posed = pose(bench, groups, tally, question)
    settings = question.settings
    solution = solve(posed.problem, Limits(settings.max_rules, settings.max_subgroups),
                     Effort(time_limit=1.0, relative_gap=0.01))
    coverage = bench.coverage(groups, posed.triples(solution.rules))
    measured = Coverage.of(coverage.covers, coverage.works, question.people)
    return float(helped_among(measured, held))


def helped_among(coverage: Coverage, people: Indices) -> int:
    """Count the people whose deciding rule works."""
    helped: NDArray[np.bool_] = coverage.helped()
    return int(helped[people].sum())
