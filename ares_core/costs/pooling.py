"""The costs several experts give together, and what each of them changes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ares_core.errors import CostError

from .agreement import ByExpert, compared
from .belief import Belief, Vector
from .comparison import Comparison
from .costs import Costs, components
from .fitting import fit_costs
from .names import closest_hint


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What one expert changes: costs without this expert, less costs with everybody.

    Parameters
    ----------
    expert
        Who was left out.
    moves
        Change of each cost, by feature.
    feature
        Whose cost changes most.
    """

    expert: str
    moves: Mapping[str, float]
    feature: str

    @property
    def most(self) -> float:
        """The largest change."""
        return self.moves[self.feature]


def pool(answers: ByExpert, weights: Mapping[str, float] | None, features: Sequence[str]) -> Costs:
    """Learn the costs the experts give together.

    Weights are relative: the heaviest experts' answers count in full and nobody's count for more than was said, so
    that no interval becomes narrower than the answers allow. With equal weights this is `fit_costs` on all answers.

    Parameters
    ----------
    answers
        Each expert's comparisons, by name.
    weights
        By expert, finite and not below 0, not all 0; who is not named has the weight 1. Equal if None.
    features
        Every feature.
    """
    counts = relative_counts(answers, weights)
    if all(count in (0, 1) for count in counts.values()):
        return fit_costs([one for expert, own in answers.items() if counts[expert] for one in own], features)
    return preview(answers, weights, features)


def preview(answers: ByExpert, weights: Mapping[str, float] | None, features: Sequence[str]) -> Costs:
    """Return what `pool` returns, in milliseconds: the same costs, with the intervals of `Belief`."""
    counts = relative_counts(answers, weights)
    counted = {expert: own for expert, own in answers.items() if counts[expert] > 0}
    named = compared([one for own in counted.values() for one in own])
    return joint_belief(counted, counts, features).costs([name for name in features if name in named])


def leave_one_out(
    answers: ByExpert, weights: Mapping[str, float] | None, features: Sequence[str]
) -> tuple[LeftOut, ...]:
    """Say how much each cost changes when one expert is left out, the expert who changes most first."""
    counts = relative_counts(answers, weights)
    if not features or not answers:
        return ()
    together = _levels(answers, counts, features)
    found = []
    for expert in answers:
        others = {name: own for name, own in answers.items() if name != expert}
        moves = dict(zip(features, (_levels(others, counts, features) - together).tolist(), strict=True))
        found.append(LeftOut(expert, moves, max(features, key=lambda name: abs(moves[name]))))
    return tuple(sorted(found, key=lambda one: (-abs(one.most), one.expert)))


def missing_link(comparisons: Sequence[Comparison], features: Sequence[str]) -> tuple[str, str] | None:
    """Name two features whose comparison would connect what nothing connects yet; None if all is connected.

    Of the two largest groups the features compared most often, if possible two nobody failed to compare.
    """
    groups = components(comparisons, features)
    if len(groups) < 2:
        return None
    times = Counter(name for one in comparisons for name in (one.first, one.second))
    refused = {frozenset((one.first, one.second)) for one in comparisons}
    pairs = [(one, other) for one in groups[0] for other in groups[1]]
    return min(pairs, key=lambda pair: (frozenset(pair) in refused, -times[pair[0]] - times[pair[1]]))


def relative_counts(answers: ByExpert, weights: Mapping[str, float] | None) -> dict[str, float]:
    """Return how many answers each answer of each expert counts for; 1 for the heaviest experts."""
    given = weights or {}
    for expert, weight in given.items():
        if expert not in answers:
            raise CostError(f"A weight is given for {expert!r}, who gave no answers.", _known(expert, answers))
        if not (math.isfinite(weight) and weight >= 0):
            raise CostError(f"Expert {expert!r} has the weight {weight!r}.", "Give a number that is not below 0.")
    full = {expert: float(given.get(expert, 1.0)) for expert in answers}
    heaviest = max(full.values(), default=1.0)
    if heaviest == 0:
        raise CostError("Every expert has the weight 0.", "Give at least one expert a weight above 0.")
    return {expert: weight / heaviest for expert, weight in full.items()}


def _known(expert: str, answers: ByExpert) -> str:
    return closest_hint(expert, answers).replace("The features are", "The experts are")


def joint_belief(answers: ByExpert, counts: Mapping[str, float], features: Sequence[str]) -> Belief:
    """Return what the experts believe together, each answer counted as `relative_counts` says."""
    every = [(one, counts[expert]) for expert, own in answers.items() for one in own]
    return Belief.fit(features, [one for one, _ in every], weights=[count for _, count in every])


def _levels(answers: ByExpert, counts: Mapping[str, float], features: Sequence[str]) -> Vector:
    """Return the costs without intervals: 1 + β − min β."""
    mode = joint_belief(answers, counts, features).mode
    levels: Vector = 1 + mode - mode.min()
    return levels
