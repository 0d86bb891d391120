"""Shortlist: a few (subgroup, condition) pairs, counted once, that become a search problem at any costs at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.recourse.candidates import masks_of
from ares_core.recourse.objective import Prices
from ares_core.recourse.posing import Pair
from ares_core.recourse.scoring import Floats
from ares_core.recourse.search import Problem, Rules
from ares_core.recourse.split import strata_of
from ares_core.recourse.workbench import Subgroups, Triple, Workbench
from ares_core.settings import Settings

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Shortlist:
    """Some pairs with all their moves, priced but for what features cost.

    Parameters
    ----------
    rules
        The pairs as rules of `blank`, sorted.
    options
        The options of the pairs, end to end; those of a pair begin where `starts` says.
    plain
        The weight of each option at costs of 0.
    charge
        (options, features): what a unit of a feature's cost adds to the weight of each option.
    blank
        The search problem over the subgroups and conditions of the pairs, without penalties.
    """

    pairs: tuple[Pair, ...]
    rules: Rules
    options: Places
    starts: Places
    plain: Floats
    charge: Floats
    blank: Problem

    @classmethod
    def of(cls, bench: Workbench, groups: Subgroups, settings: Settings, pairs: Iterable[Pair]) -> Shortlist:
        """Count the moves of some pairs that are candidates under these settings.

        Parameters
        ----------
        pairs
            (subgroup, condition) numbers, as `Learned.pool` holds them.
        """
        chosen = tuple(sorted(set(pairs)))
        spans = [np.searchsorted(bench.candidates.options.condition, [at, at + 1]) for _, at in chosen]
        sizes = [int(high - low) for low, high in spans]
        options = np.concatenate([np.zeros(0, np.intp), *(np.arange(low, high) for low, high in spans)])
        rows, columns = ({number: place for place, number in enumerate(sorted(set(side)))} for side in _sides(chosen))
        return cls(
            chosen,
            tuple((rows[group], columns[condition]) for group, condition in chosen),
            options.astype(np.intp),
            np.cumsum([0, *sizes], dtype=np.intp)[: len(chosen)],
            _plain(bench, groups, settings, chosen, spans),
            _prices(bench, settings).penalty(0, _changed(bench, options.astype(np.intp)), 0),
            _blank(bench, groups, settings, list(rows), list(columns)),
        )

    def weights(self, costs: Floats) -> Floats:
        """Return the weight of every option when features cost this, shape (options,)."""
        weights: Floats = self.plain + self.charge @ costs
        return weights

    def lightest(self, weights: Floats) -> Floats:
        """Return the weight of each pair's best move at some weights of options, shape (pairs,)."""
        return np.minimum.reduceat(weights, self.starts) if len(self.starts) else np.zeros(0)

    def posed(self, lightest: Floats) -> Problem:
        """Return the search problem when the best moves of the pairs weigh this."""
        blank, penalty = self.blank, self.blank.penalty.copy()
        penalty[tuple(np.array(self.rules, dtype=np.intp).reshape(-1, 2).T)] = lightest
        return Problem(blank.people, blank.groups, blank.conditions, penalty, blank.reward)

    def place(self, triple: Triple) -> int:
        """Return where a rule's move stands among the options."""
        pair = self.pairs.index((triple.subgroup, triple.condition))
        first = int(self.starts[pair])
        return first + triple.option - int(self.options[first])


def _sides(pairs: Iterable[Pair]) -> tuple[list[int], list[int]]:
    listed = list(pairs)
    return [group for group, _ in listed], [condition for _, condition in listed]


def _plain(
    bench: Workbench, groups: Subgroups, settings: Settings, pairs: tuple[Pair, ...], spans: list[Places]
) -> Floats:
    """Return what options weigh for the people they fail and the levels they cross; in vain, infinitely much."""
    prices, options = _prices(bench, settings), bench.candidates.options
    parts = [np.zeros(0)]
    for pair, (low, high) in zip(pairs, spans, strict=True):
        weighed = prices.penalty(groups.tally.failures_at(*pair), 0, options.magnitude[low:high])
        parts.append(np.where(groups.tally.vain_at(*pair), np.inf, weighed))
    return np.concatenate(parts)


def _prices(bench: Workbench, settings: Settings) -> Prices:
    """Return the prices of rules whose moves cost nothing."""
    return Prices(settings.weights, np.zeros(0), bench.person_weight(settings.selection))


def _changed(bench: Workbench, options: Places) -> Floats:
    """Return (options, features): 1 where an option changes a feature."""
    changed = np.zeros((len(options), len(bench.table.features)))
    for row, move in enumerate(bench.candidates.options.move[options].tolist()):
        changed[row, [feature for feature, _ in bench.candidates.moves[move]]] = 1
    return changed


def _blank(bench: Workbench, groups: Subgroups, settings: Settings, rows: list[int], columns: list[int]) -> Problem:
    """Return the problem whose penalties are all infinite; people who are alike count as one."""
    _, first, alike = np.unique(strata_of(bench.levels[groups.people]), return_index=True, return_counts=True)
    people = groups.people[first]
    conditions = masks_of(bench.candidates.conditions[columns], bench.items[:, people])
    weights = alike.astype(float) * bench.person_weight(settings.selection)
    nothing = np.full((len(rows), len(columns)), np.inf)
    return Problem(weights, groups.masks[rows][:, people], conditions, nothing, settings.weights.coverage)
