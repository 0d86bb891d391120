"""Workbench: everything known after the model was asked; all later questions are arithmetic on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.costs import Costs
from ares_core.errors import DataError
from ares_core.models.blackbox import BlackBox, ask
from ares_core.people.predicates import Conjunction, Predicate
from ares_core.people.table import Indices, Table
from ares_core.recourse.bits import Bits, pack
from ares_core.recourse.candidates import Candidates, build_candidates, build_subgroups, masks_of
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.evaluation import Evaluation, Progress, evaluate, unwatched
from ares_core.recourse.mining import Itemsets
from ares_core.recourse.rules import RecourseRule, TwoLevelRecourseSet
from ares_core.recourse.scoring import Prices, Tally
from ares_core.recourse.split import Split, split_people, strata_of
from ares_core.settings import Settings

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Subgroups:
    """The subgroups over some features of interest: items, and (subgroups, affected) masks."""

    itemsets: Itemsets
    masks: Mask
    tally: Tally


@dataclass(frozen=True, slots=True)
class Triple:
    """A rule by its numbers: subgroup, condition and option."""

    subgroup: int
    condition: int
    option: int


@dataclass(slots=True)
class Workbench:
    """The affected people, the candidates and the model's answers.

    Parameters
    ----------
    affected
        Places in the table of the people the model refuses.
    split
        Places among the affected.
    timings
        Seconds spent on mining and on asking the model.
    """

    table: Table
    affected: Indices
    split: Split
    candidates: Candidates
    evaluation: Evaluation
    settings: Settings
    timings: dict[str, float]
    _known: dict[tuple[str, ...], Subgroups] = field(default_factory=dict)

    def subgroups(self, interest: Sequence[str] = ()) -> Subgroups:
        """Return the subgroups over the features of interest, counted once and kept."""
        key = tuple(sorted({self.table.schema[name].name for name in interest}))
        if key not in self._known:
            itemsets = build_subgroups(self.table, self.candidates.items, self.settings, key)
            masks = masks_of(itemsets, self.affected_items)
            self._known.clear()  # one choice at a time, so that memory stays bounded
            self._known[key] = Subgroups(itemsets, masks, self.tally(masks, self.split.learn))
        return self._known[key]

    @property
    def affected_items(self) -> Mask:
        """(items, affected): who is at which level."""
        return self.candidates.items.masks[:, self.affected]

    def tally(self, groups: Mask, people: Indices) -> Tally:
        """Count over some of the affected people."""
        answers = self.evaluation
        return Tally(self.condition_bits(people), pack(answers.asked[:, people]),
                     pack((answers.asked & ~answers.works)[:, people]), pack(groups[:, people]), self.candidates.options)

    def condition_bits(self, people: Indices) -> Bits:
        """Pack the conditions over some of the affected people."""
        items = self.affected_items[:, people]
        step = 20_000
        sets = self.candidates.conditions
        return np.concatenate([pack(masks_of(sets[low:low + step], items)) for low in range(0, len(sets), step)]
                              or [np.zeros((0, 0), dtype=np.uint64)], axis=1)

    def prices(self, settings: Settings, costs: Costs) -> Prices:
        """Return what every move costs."""
        by_feature = costs.vector([feature.name for feature in self.table.features])
        sums = [sum(by_feature[feature] for feature, _ in move) for move in self.candidates.moves]
        return Prices(settings.weights, np.array(sums, dtype=float))

    def rules(self, groups: Subgroups, triples: Sequence[Triple]) -> TwoLevelRecourseSet:
        """Return triples as rules people can read."""
        return TwoLevelRecourseSet(tuple(self._rule(groups, triple) for triple in triples))

    def _rule(self, groups: Subgroups, triple: Triple) -> RecourseRule:
        before = self.predicates(self.candidates.conditions[triple.condition])
        move = dict(self.candidates.moves[self.candidates.options.move[triple.option]])
        after = {feature: move.get(feature, level) for feature, level in before.items()}
        subgroup = self.predicates(groups.itemsets[triple.subgroup])
        return RecourseRule(*(self.conjunction(levels) for levels in (subgroup, before, after)))

    def predicates(self, itemset: NDArray[Any]) -> dict[int, int]:
        """Return an itemset as {feature position: level}."""
        items = [item for item in itemset.tolist() if item >= 0]
        return {int(self.candidates.items.features[item]): int(self.candidates.items.levels[item]) for item in items}

    def conjunction(self, levels: dict[int, int]) -> Conjunction:
        """Return {feature position: level} as a conjunction."""
        features = self.table.features
        return Conjunction.of(Predicate(features[f].name, features[f].levels[level]) for f, level in levels.items())

    def coverage(self, groups: Subgroups, triples: Sequence[Triple]) -> Coverage:
        """Return whom the rules cover and help, over all the affected."""
        if not triples:
            nobody = np.zeros((0, len(self.affected)), dtype=bool)
            return Coverage(nobody, nobody, np.zeros(0))
        conditions = self.candidates.conditions[[triple.condition for triple in triples]]
        covers = groups.masks[[triple.subgroup for triple in triples]] & masks_of(conditions, self.affected_items)
        works = self.evaluation.works[self.candidates.options.move[[triple.option for triple in triples]]]
        return Coverage.of(covers, works, self.split.learn)


def prepare(model: BlackBox, table: Table, settings: Settings, interest: Sequence[str] = (),
            progress: Progress = unwatched) -> Workbench:
    """Ask the model who is affected and what helps them.

    Parameters
    ----------
    interest
        Features of interest; the split into learn and check people is even within their levels.
    """
    accepted = ask(model, table.frame).astype(bool)
    affected = np.flatnonzero(~accepted)
    if not len(affected):
        raise DataError(f"The model refuses nobody among {len(table)} people, so there is no recourse to look for.",
                        "Check that the favourable value is the right one, or audit a model that refuses somebody.")
    if accepted.sum() == 0:
        raise DataError(f"The model refuses all {len(table)} people, so nobody shows what acceptance takes.",
                        "Check that the favourable value is the right one, or audit a model that accepts somebody.")
    positions = [table.position(name) for name in interest]
    split = split_people(strata_of(table.codes[affected][:, positions]), settings.holdout, settings.seed)
    began = perf_counter()
    candidates = build_candidates(table, affected[split.learn], settings)
    mined = perf_counter()
    evaluation = evaluate(model, table, affected, candidates, progress)
    timings = {"mine": mined - began, "evaluate": perf_counter() - mined}
    return Workbench(table, affected, split, candidates, evaluation, settings, timings)
