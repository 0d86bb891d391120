"""Posing: turn counts, weights and limits into a search problem, and its answer back into rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.people.table import Indices
from ares_core.recourse.candidates import masks_of
from ares_core.recourse.mining import Itemsets
from ares_core.recourse.scoring import Guard, Prices, Tally
from ares_core.recourse.search import Problem
from ares_core.recourse.split import strata_of
from ares_core.recourse.workbench import Subgroups, Triple, Workbench
from ares_core.settings import Settings


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the search: prices, guard, limits, and the people rules are chosen on."""

    settings: Settings
    prices: Prices
    guard: Guard
    people: Indices


@dataclass(frozen=True, slots=True)
class Posed:
    """A search problem and the way back from its pairs to rules; `candidates` counts the rules it speaks of."""

    problem: Problem
    kept: NDArray[np.intp]
    tally: Tally
    question: Question
    candidates: int

    def triples(self, pairs: Iterable[tuple[int, int]]) -> tuple[Triple, ...]:
        """Return the rules behind (subgroup, condition) pairs of the problem, each with its best move."""
        found = []
        for group, place in sorted(pairs):
            condition = int(self.kept[place])
            option = self.tally.best_option(group, condition, self.question.prices, self.question.guard)
            found.append(Triple(group, condition, option))
        return tuple(found)

    def pairs(self, triples: Iterable[Triple]) -> tuple[tuple[int, int], ...]:
        """Return the problem's pairs for rules found before, where they are still candidates."""
        place = {int(condition): index for index, condition in enumerate(self.kept)}
        return tuple((triple.subgroup, place[triple.condition]) for triple in triples if triple.condition in place)


def pose(bench: Workbench, groups: Subgroups, tally: Tally, question: Question) -> Posed:
    """Build the problem over the conditions that could help: those whose best rule has a gain of its own."""
    penalty = tally.penalties(question.prices, question.guard)
    penalty[~fits(bench, groups.itemsets, question.settings.max_width)] = np.inf
    choices = np.bincount(bench.candidates.options.condition, minlength=penalty.shape[1])
    candidates = int((np.isfinite(penalty) * choices).sum())
    reward = question.settings.weights.coverage
    # By submodularity a rule that gains nothing alone never gains anything in company.
    penalty[reward * tally.covers - penalty <= 0] = np.inf
    kept = np.flatnonzero(np.isfinite(penalty).any(axis=0))
    alike = strata_of(bench.table.codes[bench.affected[question.people]])
    _, first, weight = np.unique(alike, return_index=True, return_counts=True)
    people = question.people[first]
    conditions = masks_of(bench.candidates.conditions[kept], bench.affected_items[:, people])
    problem = Problem(weight.astype(float), groups.masks[:, people], conditions, penalty[:, kept], reward)
    return Posed(problem, kept, tally, question, candidates)


def fits(bench: Workbench, subgroups: Itemsets, max_width: int) -> NDArray[np.bool_]:
    """Return (subgroups, conditions): whether they name different features and together at most `max_width`."""
    features = np.append(bench.candidates.items.features, -1)
    conditions = features[bench.candidates.conditions]
    widths = (conditions >= 0).sum(axis=1)
    fit = np.empty((len(subgroups), len(conditions)), dtype=bool)
    for row, itemset in enumerate(subgroups):
        named = [feature for feature in features[itemset] if feature >= 0]
        clash = np.zeros(len(conditions), dtype=bool)
        for feature in named:
            clash |= (conditions == feature).any(axis=1)
        fit[row] = ~clash & (widths + len(named) <= max_width)
    return fit
