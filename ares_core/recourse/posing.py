"""Posing: turn counts, weights and limits into a search problem, and its answer back into rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.people.table import Indices
from ares_core.recourse.candidates import masks_of
from ares_core.recourse.objective import Prices
from ares_core.recourse.scoring import Floats, Tally
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
    penalty, reward = tally.penalties(prices), prices.weights.coverage
    candidates = _strike(bench, groups, tally, question, penalty)
    kept = np.flatnonzero(np.isfinite(penalty).any(axis=0))
    _, first, alike = np.unique(strata_of(bench.levels[question.people]), return_index=True, return_counts=True)
    people = question.people[first]
    conditions = masks_of(bench.candidates.conditions[kept], bench.items[:, people])
    weights = alike.astype(float) * prices.person_weight
    problem = Problem(weights, groups.masks[:, people], conditions, penalty[:, kept], reward)
    return Posed(problem, kept, tally, question, candidates)


def _strike(bench: Workbench, groups: Subgroups, tally: Tally, question: Question, penalty: Floats) -> int:
    """Make the penalties of rules infinite that are none, or help nobody; return how many candidates there were."""
    widths = (bench.candidates.conditions >= 0).sum(axis=1)
    room = question.settings.max_width - (groups.itemsets >= 0).sum(axis=1)
    candidates = 0
    rows = zip(penalty, room, tally.pairs.covers, tally.pairs.real, tally.pairs.eligible, strict=True)
    for own, left, covers, real, eligible in rows:
        none = (widths > left) | (real < question.min_people)
        candidates += int(tally.choices[eligible & ~none].sum())
        own[none] = np.inf
        # By submodularity a rule that gains nothing alone never gains anything in company.
        own[question.prices.reward * covers <= own] = np.inf
    return candidates
