"""Workbench: everything known after the model was asked; all later questions are arithmetic on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ares_core.costs import Costs
from ares_core.people.predicates import Conjunction
from ares_core.people.table import Codes, Indices, Table
from ares_core.recourse.bits import Bits, pack
from ares_core.recourse.candidates import (
    CHUNK_CELLS,
    MOST_CELLS,
    MOST_PAIRS,
    Candidates,
    apart,
    build_subgroups,
    masks_of,
    people_needed,
)
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.evaluation import Evaluation
from ares_core.recourse.mining import Itemsets
from ares_core.recourse.objective import Prices
from ares_core.recourse.rules import RecourseRule, TwoLevelRecourseSet
from ares_core.recourse.scoring import Floats, Pairs, Tally, count_pairs
from ares_core.recourse.split import Split
from ares_core.settings import Settings

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Subgroups:
    """The subgroups over some features of interest.

    `itemsets` are their items, `masks` who is in them (subgroups, subjects), `people` the subjects rules are chosen
    on, and `tally` the counts over these; `narrowed` says in sentences if there would be more.
    """

    itemsets: Itemsets
    masks: Mask
    people: Indices
    tally: Tally
    narrowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Triple:
    """A rule by its numbers: subgroup, condition and option."""

    subgroup: int
    condition: int
    option: int


@dataclass(slots=True)
class Workbench:
    """The affected people, the candidates and the model's answers.

    The *subjects*, on whom moves were tried, are the affected people and, behind them, their stand-ins.

    Parameters
    ----------
    affected
        Places in the table of the people the model refuses.
    split
        Places among the affected.
    levels
        (subjects, features): the level each one is at.
    timings
        Seconds spent on mining and on asking the model.
    """

    table: Table
    affected: Indices
    split: Split
    levels: Codes
    candidates: Candidates
    evaluation: Evaluation
    settings: Settings
    timings: dict[str, float]
    _known: dict[tuple[str, ...], Subgroups] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        asked = (len(self.candidates.moves), len(self.levels))
        if self.evaluation.asked.shape != asked or len(self.levels) < len(self.affected):
            raise ValueError(f"every move needs an answer about every subject, {asked!r} in all")

    @property
    def items(self) -> Mask:
        """(items, subjects): who is at which level."""
        return self.candidates.items.masks_of(self.levels)

    @property
    def standins(self) -> int:
        """How many of the subjects are invented."""
        return len(self.levels) - len(self.affected)

    def choosers(self, selection: str) -> Indices:
        """Return the subjects rules are chosen on: the learn people, and their stand-ins unless counted plainly."""
        invented = np.arange(len(self.affected), len(self.levels))
        return np.concatenate([self.split.learn, invented]) if selection == "robust" else self.split.learn

    def subgroups(self, interest: Sequence[str] = (), selection: str = "robust") -> Subgroups:
        """Return the subgroups over the features of interest, counted once and kept."""
        key = (selection, *sorted({self.table.schema[name].name for name in interest}))
        if key not in self._known:
            most = min(MOST_PAIRS // max(len(self.candidates.conditions), 1), MOST_CELLS // len(self.levels))
            itemsets, narrowed = build_subgroups(self.table, self.candidates.items, self.settings, key[1:], most)
            masks, people = masks_of(itemsets, self.items), self.choosers(selection)
            self._known.clear()  # one choice at a time, so that memory stays bounded
            tally = self.tally(itemsets, masks, people, people_needed(self.settings, len(self.split.learn)))
            self._known[key] = Subgroups(itemsets, masks, people, tally, narrowed)
        return self._known[key]

    def lone_feature(self, groups: Subgroups) -> str:
        """Return the title of the feature that alone may change and alone describes subgroups; empty without one.

        Then there is no rule, because its subgroup and its condition name different features.
        """
        moved = {feature for move in self.candidates.moves for feature, _ in move}
        described = set(self.candidates.items.features[groups.itemsets[groups.itemsets >= 0]].tolist())
        return self.table.features[moved.pop()].title if moved == described and len(moved) == 1 else ""

    def tally(self, itemsets: Itemsets, masks: Mask, people: Indices, fewest: int) -> Tally:
        """Count subgroups over some of the subjects; rules must describe so many real ones of them."""
        conditions, groups = self.condition_bits(people), pack(masks[:, people])
        covers = count_pairs(groups, conditions)
        real = people[people < len(self.affected)]
        alike = len(real) == len(people)
        counted = covers if alike else count_pairs(pack(masks[:, real]), self.condition_bits(real))
        eligible = apart(self.candidates, itemsets) & (counted >= fewest)
        failed = self.evaluation.asked[:, people] & ~self.evaluation.works[:, people]
        pairs = Pairs(covers, counted, eligible)
        living = None if alike else pack((people < len(self.affected))[None, :])
        return Tally(conditions, pack(failed), groups, self.candidates.options, pairs, living)

    def condition_bits(self, people: Indices) -> Bits:
        """Pack the conditions over some of the subjects."""
        items = self.items[:, people]
        sets = self.candidates.conditions
        step = max(1, CHUNK_CELLS // max(len(people), 1))
        starts = range(0, max(len(sets), 1), step)  # without conditions one empty chunk, which has the right words
        return np.concatenate([pack(masks_of(sets[low : low + step], items)) for low in starts], axis=1)

    def prices(self, settings: Settings, costs: Costs) -> Prices:
        """Return what every move costs, and how much one person counts."""
        by_feature = costs.vector([feature.name for feature in self.table.features])
        sums = [sum(by_feature[feature] for feature, _ in move) for move in self.candidates.moves]
        return Prices(settings.weights, np.array(sums, dtype=float), self.person_weight(settings.selection))

    def person_weight(self, selection: str) -> float:
        """Return how much one of those rules are chosen on counts: all of them as much as the learn people."""
        return len(self.split.learn) / max(len(self.choosers(selection)), 1)

    def rules(self, groups: Subgroups, triples: Sequence[Triple]) -> TwoLevelRecourseSet:
        """Return triples as rules people can read."""
        return TwoLevelRecourseSet(tuple(self._rule(groups, triple) for triple in triples))

    def _rule(self, groups: Subgroups, triple: Triple) -> RecourseRule:
        before = self.predicates(self.candidates.conditions[triple.condition])
        move = dict(self.candidates.moves[self.candidates.options.move[triple.option]])
        after = {feature: move.get(feature, level) for feature, level in before.items()}
        subgroup = self.predicates(groups.itemsets[triple.subgroup])
        return RecourseRule(*(self.conjunction(levels) for levels in (subgroup, before, after)))

    def predicates(self, itemset: Itemsets) -> dict[int, int]:
        """Return an itemset as {feature position: level}."""
        items = [item for item in itemset.tolist() if item >= 0]
        return {int(self.candidates.items.features[item]): int(self.candidates.items.levels[item]) for item in items}

    def conjunction(self, levels: dict[int, int]) -> Conjunction:
        """Return {feature position: level} as a conjunction."""
        return self.table.conjunction(levels.items())

    def coverage(self, groups: Subgroups, triples: Sequence[Triple]) -> Coverage:
        """Return whom the rules cover and help, over all the affected."""
        if not triples:
            nobody = np.zeros((0, len(self.affected)), dtype=bool)
            return Coverage(nobody, nobody, np.zeros(0))
        real = slice(len(self.affected))
        conditions = masks_of(self.candidates.conditions[[triple.condition for triple in triples]], self.items[:, real])
        covers = groups.masks[[triple.subgroup for triple in triples], real] & conditions
        works = self.evaluation.works[self.candidates.options.move[[triple.option for triple in triples]], real]
        return Coverage.of(covers, works, self.split.learn)

    def described(self, groups: Subgroups, max_width: int) -> Mask:
        """Return for each of the affected whether some candidate rule describes them.

        Conditions of one level suffice: a rule with a wider one has a candidate for the same people and others, which
        makes one of its changes.
        """
        conditions, left = self.candidates.conditions, np.arange(len(self.affected))
        single = np.flatnonzero(((conditions >= 0).sum(axis=1) == 1) & (groups.tally.choices > 0))
        starts = masks_of(conditions[single], self.items[:, : len(self.affected)])
        rules = groups.tally.pairs.eligible[:, single]
        rules = rules & ((groups.itemsets >= 0).sum(axis=1) < max_width)[:, None]
        found = np.zeros(len(self.affected), dtype=bool)
        for group in np.flatnonzero(rules.any(axis=1)):
            reached = groups.masks[group, left] & starts[np.ix_(rules[group], left)].any(axis=0)
            found[left[reached]] = True
            left = left[~reached]
        return found

    def need(self, move_costs: Floats) -> Floats:
        """Return for each of the affected the cost of the cheapest candidate move that works; infinite without one.

        Costs are rounded, because adding the same ones up in another order must not make a difference.
        """
        prices = np.round(move_costs, 9)
        need = np.full(len(self.affected), np.inf)
        step = max(1, CHUNK_CELLS // max(len(self.affected), 1))
        for low in range(0, len(prices), step):
            works = self.evaluation.works[low : low + step, : len(self.affected)]
            need = np.minimum(need, np.where(works, prices[low : low + step, None], np.inf).min(axis=0))
        return need

    @property
    def recourse(self) -> Mask:
        """Say for each of the affected whether some candidate move works for them."""
        return np.asarray(self.evaluation.works[:, : len(self.affected)].any(axis=0))
