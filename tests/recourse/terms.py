"""The paper's objective (Table 1 and Eqn 1), recounted from the rules themselves to check the search with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ares_core.people.feature import Change
from ares_core.people.table import Indices
from ares_core.recourse.objective import Prices
from ares_core.recourse.workbench import Subgroups, Triple, Workbench
from ares_core.settings import Settings, Weights


@dataclass(frozen=True, slots=True)
class Terms:
    """What the objective counts, over some people.

    incorrect = Σ over rules of people covered and not helped; cover = people covered by any rule;
    feature_cost and feature_change = Σ over rules of the costs and magnitudes of what they change.
    """

    incorrect: int
    cover: int
    feature_cost: float
    feature_change: int

    def gain(self, weights: Weights) -> float:
        """Return Σλf(R) − Σλf(∅) = λ2·cover − λ1·incorrect − λ3·cost − λ4·change."""
        return (
            weights.coverage * self.cover
            - weights.correctness * self.incorrect
            - weights.feature_cost * self.feature_cost
            - weights.feature_change * self.feature_change
        )


def terms(bench: Workbench, groups: Subgroups, triples: Sequence[Triple], prices: Prices, people: Indices) -> Terms:
    """Count the four terms of a set of rules."""
    coverage = bench.coverage(groups, triples)
    covers, works = coverage.covers[:, people], coverage.works[:, people]
    options = [triple.option for triple in triples]
    return Terms(
        int((covers & ~works).sum()),
        int(covers.any(axis=0).sum()),
        float(prices.move_costs[bench.candidates.options.move[options]].sum()),
        int(bench.candidates.options.magnitude[options].sum()),
    )


def empty_value(bench: Workbench, prices: Prices, settings: Settings, people: int) -> float:
    """Return the objective of no rules at all: λ1·U1 + λ3·U3 + λ4·U4.

    U1 = |X_aff|·ε1, U3 = C_max·ε1·ε2, U4 = M_max·ε1·ε2, with the largest cost and magnitude of one feature.
    """
    priced = zip(prices.move_costs, bench.candidates.moves, strict=True)
    dearest = max((float(cost) for cost, move in priced if len(move) == 1), default=0.0)
    steps = max(
        feature.magnitude(0, len(feature.levels) - 1 - (feature.missing is not None))
        for feature in bench.table.features
        if feature.change is not Change.FROZEN
    )
    most = settings.max_rules * settings.max_width
    weights = settings.weights
    return (
        weights.correctness * people * settings.max_rules
        + weights.feature_cost * dearest * most
        + weights.feature_change * steps * most
    )
