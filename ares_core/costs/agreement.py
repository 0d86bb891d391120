"""How far experts agree, on what they do not, and who is like whom."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .belief import Belief, Vector
from .comparison import Answer, Comparison

ByExpert = Mapping[str, Sequence[Comparison]]
LIKE_MINDED = 0.5
"""Experts whose difficulties correlate at least so much, on average, are of one group."""
FEWEST_FEATURES = 3
"""Below this a rank correlation says nothing."""


@dataclass(frozen=True, slots=True)
class Concordance:
    """Kendall's W: 0 if experts rank without regard to each other, 1 if all rank alike.

    Parameters
    ----------
    w
        The coefficient, corrected for ties.
    experts, features
        How many experts it compares, and over how many features.
    """

    w: float
    experts: int
    features: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far two experts agree.

    Parameters
    ----------
    one, other
        The experts.
    common, same
        How many pairs both judged, and on how many of these they gave the same answer.
    correlation
        Spearman's, of their difficulties over the features both compared; None below three such features.
    """

    one: str
    other: str
    common: int
    same: int
    correlation: float | None

    @property
    def share(self) -> float | None:
        """The share of common pairs with the same answer; None without a common pair."""
        return self.same / self.common if self.common else None


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two features about which experts disagree, and who says what.

    Parameters
    ----------
    first, second
        The features, sorted.
    first_harder, second_harder, same
        The experts who find the first harder, the second harder, or both about the same.
    """

    first: str
    second: str
    first_harder: tuple[str, ...]
    second_harder: tuple[str, ...]
    same: tuple[str, ...]

    @property
    def split(self) -> float:
        """The share of experts who do not give the most frequent answer."""
        counts = [len(self.first_harder), len(self.second_harder), len(self.same)]
        return 1 - max(counts) / sum(counts)


def by_expert(comparisons: Iterable[Comparison]) -> dict[str, tuple[Comparison, ...]]:
    """Sort answers by who gave them, experts in the order of their names."""
    found: defaultdict[str, list[Comparison]] = defaultdict(list)
    for one in comparisons:
        found[one.expert].append(one)
    return {expert: tuple(found[expert]) for expert in sorted(found)}


def expert_beliefs(answers: ByExpert, features: Sequence[str]) -> dict[str, Belief]:
    """Return what each expert's own answers say."""
    return {expert: Belief.fit(features, own) for expert, own in answers.items()}


def concordance(answers: ByExpert, features: Sequence[str]) -> Concordance | None:
    """Return Kendall's W of the experts' difficulties, or None if fewer than two can be compared.

    Compared are the experts who judged at least half of the features, over the features that all of these judged.

    W = 12·Σ(R_i − R̄)² / (m²·(n³ − n) − m·ΣT), where R_i is the sum of the ranks of feature i, m the number of
    experts, n that of features, and T = Σ(t³ − t) over the ties of one expert.
    """
    judged = {expert: compared(own) for expert, own in answers.items()}
    taking_part = [expert for expert, names in judged.items() if 2 * len(names) >= max(len(features), 2)]
    common = [name for name in features if all(name in judged[expert] for expert in taking_part)]
    if len(taking_part) < 2 or len(common) < 2:
        return None
    ranks = np.array([_ranks(Belief.fit(features, answers[expert]), common) for expert in taking_part])
    w = _kendalls_w(ranks)
    return None if w is None else Concordance(w, len(taking_part), len(common))


def likenesses(answers: ByExpert, features: Sequence[str]) -> tuple[Likeness, ...]:
    """Compare every two experts; of a pair that one expert judged twice the later answer counts."""
    beliefs, said = expert_beliefs(answers, features), {expert: _said(own) for expert, own in answers.items()}
    judged = {expert: compared(own) for expert, own in answers.items()}
    found = []
    for one, other in combinations(answers, 2):
        common = said[one].keys() & said[other].keys()
        same = sum(said[one][pair] == said[other][pair] for pair in common)
        shared = judged[one] & judged[other]
        both = [name for name in features if name in shared]
        found.append(Likeness(one, other, len(common), same, _correlation(beliefs[one], beliefs[other], both)))
    return tuple(found)


def disputes(answers: ByExpert) -> tuple[Dispute, ...]:
    """List the pairs on which experts gave different answers, the most evenly split and most answered first."""
    said: defaultdict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for expert, own in answers.items():
        for pair, harder in _said(own).items():
            said[pair][harder].append(expert)
    found = [
        Dispute(*pair, tuple(voices[pair[0]]), tuple(voices[pair[1]]), tuple(voices[""]))
        for pair, voices in said.items()
        if len(voices) > 1
    ]
    return tuple(sorted(found, key=lambda one: (-one.split, -_voices(one), one.first, one.second)))


def like_minded(likeness: Sequence[Likeness], threshold: float = LIKE_MINDED) -> tuple[tuple[str, ...], ...]:
    """Group experts whose difficulties correlate at least so much on average, the largest group first.

    Average linkage; two experts without a correlation count as uncorrelated.

    Parameters
    ----------
    likeness
        Of every two experts, as `likenesses` returns them.
    threshold
        The least average correlation between the members of two groups that become one.
    """
    experts = list(dict.fromkeys(name for one in likeness for name in (one.one, one.other)))
    if not experts:
        return ()
    from scipy.cluster.hierarchy import fcluster, linkage  # slow to import, and most who import costs need none

    distances = [1 - (one.correlation or 0.0) for one in likeness]
    labels = fcluster(linkage(distances, "average"), 1 - threshold + 1e-9, "distance")
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for expert, label in zip(experts, labels, strict=True):
        groups[int(label)].append(expert)
    return tuple(sorted((tuple(sorted(group)) for group in groups.values()), key=lambda group: (-len(group), group)))


def compared(comparisons: Iterable[Comparison]) -> set[str]:
    """Return the features that fitted answers name."""
    return {name for one in comparisons if one.answer is not Answer.CANNOT_SAY for name in (one.first, one.second)}


def _ranks(belief: Belief, features: Sequence[str]) -> Vector:
    from scipy.stats import rankdata  # slow to import too

    # Rounded, so that features which are equally hard but for the last bits are tied.
    modes = dict(zip(belief.features, belief.mode.round(9), strict=True))
    ranks: Vector = rankdata([modes[name] for name in features])
    return ranks


def _kendalls_w(ranks: NDArray[np.float64]) -> float | None:
    experts, features = ranks.shape
    sums = ranks.sum(axis=0)
    ties = sum(int(np.sum(times**3 - times)) for row in ranks for times in [np.unique(row, return_counts=True)[1]])
    possible = experts**2 * (features**3 - features) - experts * ties
    return float(12 * np.sum((sums - sums.mean()) ** 2) / possible) if possible > 0 else None


def _said(comparisons: Iterable[Comparison]) -> dict[tuple[str, str], str]:
    """Return which feature of each judged pair is harder; nothing for a tie. The later answer counts."""
    said = {}
    for one in comparisons:
        if one.answer is not Answer.CANNOT_SAY:
            low, high = sorted((one.first, one.second))
            said[low, high] = one.first if one.answer is Answer.HARDER else ""
    return said


def _correlation(one: Belief, other: Belief, features: Sequence[str]) -> float | None:
    if len(features) < FEWEST_FEATURES:
        return None
    first, second = (_ranks(belief, features) - (len(features) + 1) / 2 for belief in (one, other))
    size = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / size if size > 0 else None


def _voices(dispute: Dispute) -> int:
    return len(dispute.first_harder) + len(dispute.second_harder) + len(dispute.same)
