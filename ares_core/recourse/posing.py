"""Posing: turn counts, weights and limits into a search problem, and its answer back into rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.people.table import Indices
from ares_core.recourse.candidates import masks_of
from ares_core.recourse.mining import Itemsets
from ares_core.recourse.scoring import Prices, Tally
from ares_core.recourse.search import Problem
from ares_core.recourse.split import strata_of
from ares_core.recourse.workbench import Subgroups, Triple, Workbench
from ares_core.settings import Settings

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the search.

    `people` are those rules are chosen on, and `min_people` how many real ones of them a rule must describe.
    """

    settings: Settings
    prices: Prices
    min_people: int
    people: Indices


@dataclass(frozen=True, slots=True)
class Posed:
    """A search problem and the way back from its pairs to rules; `candidates` counts the rules it speaks of."""

    problem: Problem
    kept: NDArray[np.intp]
    tally: Tally
    question: Question
    candidates: int

    def triples(self, pairs: Iterable[Pair]) -> tuple[Triple, ...]:
        """Return the rules behind pairs of the problem, each with its best move."""
        named = self.named(pairs)
        options = self.tally.best_options(named, self.question.prices)
        return tuple(Triple(*pair, option) for pair, option in zip(named, options, strict=True))

    def named(self, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
        """Return pairs of the problem as (subgroup, condition) numbers that other problems share."""
        return tuple((group, int(self.kept[place])) for group, place in pairs)

    def places(self, named: Iterable[Pair]) -> tuple[Pair, ...]:
        """Return the problem's pairs for (subgroup, condition) numbers, where they are still candidates."""
        place = {int(condition): index for index, condition in enumerate(self.kept)}
        return tuple((group, place[condition]) for group, condition in named if condition in place)


def pose(bench: Workbench, groups: Subgroups, tally: Tally, question: Question) -> Posed:
    """Build the problem over the conditions that could help: those whose best rule has a gain of its own."""
    prices = question.prices
    penalty = tally.penalties(prices)
    penalty[~fits(bench, groups.itemsets, question.settings.max_width)] = np.inf
    penalty[bench.real_covers(groups, tally, question.people) < question.min_people] = np.inf
    choices = np.bincount(bench.candidates.options.condition, minlength=penalty.shape[1])
    candidates = int((np.isfinite(penalty) * choices).sum())
    reward = prices.weights.coverage
    # By submodularity a rule that gains nothing alone never gains anything in company.
    penalty[reward * prices.person_weight * tally.covers - penalty <= 0] = np.inf
    kept = np.flatnonzero(np.isfinite(penalty).any(axis=0))
    _, first, alike = np.unique(strata_of(bench.levels[question.people]), return_index=True, return_counts=True)
    people = question.people[first]
    conditions = masks_of(bench.candidates.conditions[kept], bench.items[:, people])
    weights = alike.astype(float) * prices.person_weight
    problem = Problem(weights, groups.masks[:, people], conditions, penalty[:, kept], reward)
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
