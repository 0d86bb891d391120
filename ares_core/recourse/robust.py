"""Robust selection: find out whether rules counted plainly hold for people they were not chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ares_core.costs import Costs
from ares_core.people.table import Indices
from ares_core.recourse.candidates import people_needed
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.posing import Question, pose
from ares_core.recourse.search import Effort, Limits, solve
from ares_core.recourse.split import fold_numbers
from ares_core.recourse.workbench import Subgroups, Workbench

FOLDS = 4
GOOD_ENOUGH = 0.97
CLOSE = 0.01  # relative gap at which the trial of a fold is good enough
BRANCHES = 40  # looked into for a fold at most: counted, not timed, so that the machine does not decide


def plain_rules_hold(bench: Workbench, interest: Sequence[str]) -> bool:
    """Say whether plain counting helps nearly everybody it was not chosen on, by cross-validation on the learn people.

    Rules are chosen without a fold of them and measured on it. If they help 97 % of those somehow to be helped, the
    model's ways are plain enough to be read off the people there are, and nobody needs to be invented.
    """
    settings = replace(bench.settings, selection="paper", search="exact")
    groups = bench.subgroups(interest, settings.selection)
    prices = bench.prices(settings, Costs.unit(bench.table.schema.names))
    learn = bench.split.learn
    folds = (fold_numbers(np.zeros(len(learn), dtype=np.int64), settings.seed) * FOLDS).astype(int)
    helped = 0
    for fold in range(FOLDS):
        kept, held = learn[folds != fold], learn[folds == fold]
        question = Question(settings, prices, people_needed(settings, len(kept)), kept)
        helped += _helped(bench, groups, question, held)
    return helped >= GOOD_ENOUGH * int(bench.recourse[learn].sum())


def _helped(bench: Workbench, groups: Subgroups, question: Question, held: Indices) -> int:
    """Count the people of `held` helped by the rules chosen on the question's people."""
    tally = bench.tally(groups.itemsets, groups.masks, question.people, question.min_people)
    posed = pose(bench, groups, tally, question)
    limits = Limits(question.settings.max_rules, question.settings.max_subgroups)
    effort = Effort(question.settings.time_limit, CLOSE, 0, BRANCHES)
    found = bench.coverage(groups, posed.triples(solve(posed.problem, limits, effort).rules))
    return int(Coverage.of(found.covers, found.works, question.people).helped()[held].sum())
