"""Flags: which subgroups an audit would point at, with the evidence corrected for the number of comparisons.

Two things can be compared between groups. What the *summary* does for people depends on the rules chosen: of rules that
do equally well one group may get those with more changes. What people *need* is the fewest changes of any candidate
move that works for them: that depends on the model alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from ares_core.audit.intervals import Z95, Share, difference, holm, ratio_interval, same_share
from ares_core.audit.subgroups import SubgroupFigures
from ares_core.people import Conjunction
from ares_core.recourse import Learned, Workbench

LEVEL = 0.05
Floats = NDArray[np.float64]
Interval = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Compared:
    """A subgroup beside everybody else.

    Parameters
    ----------
    gap, p_gap
        How much more often it is helped, and the p-value that it is as often, corrected.
    ratio, p_ratio
        How many times as many changes it takes, and the p-value that it takes as many, not corrected.
    """

    subgroup: str
    gap: float | None
    p_gap: float
    ratio: float | None
    p_ratio: float


def flags(found: Sequence[Compared]) -> list[str]:
    """Return the subgroups worse off at the 5 % level, the strongest evidence first.

    p-values are corrected for the number of subgroups (Holm), and for the two comparisons by doubling.
    """
    changes = holm([each.p_ratio for each in found])
    evidence = []
    for each, p_changes in zip(found, changes, strict=True):
        less = 2 * each.p_gap if each.gap is not None and each.gap < 0 else 1.0
        more = 2 * p_changes if each.ratio is not None and each.ratio > 1 else 1.0
        evidence.append((min(less, more), -(each.ratio or 1.0), each.subgroup))
    return [name for p, _, name in sorted(evidence) if p <= LEVEL]


def by_summary(found: Sequence[SubgroupFigures]) -> list[Compared]:
    """Compare groups by what the summary does for the people it is checked on."""
    return [
        Compared(
            _words(each.subgroup),
            each.gap,
            each.p_holm,
            each.changes_ratio,
            ratio_p(each.changes_ratio, each.changes_ratio_interval),
        )
        for each in found
    ]


def by_need(bench: Workbench, learned: Learned) -> list[Compared]:
    """Compare groups by the fewest changes a working candidate move takes, and by who has none."""
    need = fewest_changes(bench)
    masks = learned.groups.masks[:, : len(need)]
    tests = holm([same_share(_with(need[mask]), _with(need[~mask])) for mask in masks])
    found = []
    for group, (mask, p_gap) in enumerate(zip(masks, tests, strict=True)):
        gap, _ = difference(_with(need[mask]), _with(need[~mask]))
        ratio, interval = ratio_interval(*(each[np.isfinite(each)] for each in (need[mask], need[~mask])))
        subgroup = bench.conjunction(bench.predicates(learned.groups.itemsets[group]))
        found.append(Compared(_words(subgroup), gap, p_gap, ratio, ratio_p(ratio, interval)))
    return found


def fewest_changes(bench: Workbench) -> Floats:
    """Return for each of the affected the fewest changes that a working candidate move takes, infinite without one."""
    changes = np.array([len(move) for move in bench.candidates.moves], dtype=np.float64)
    works = bench.evaluation.works[:, : len(bench.affected)]
    return np.asarray(np.where(works, changes[:, None], np.inf).min(axis=0))


def ratio_p(ratio: float | None, interval: Interval) -> float:
    """Return the two-sided p-value that a ratio is 1, from its 95 % interval on the logarithmic scale.

    Without an interval nothing is known.
    """
    if ratio is None or interval is None or ratio == 1:
        return 1.0
    error = math.log(interval[1] / ratio) / Z95
    return 0.0 if error == 0 else float(2 * norm.sf(abs(math.log(ratio)) / error))


def _with(need: Floats) -> Share:
    return Share(int(np.isfinite(need).sum()), len(need))


def _words(subgroup: Conjunction) -> str:
    return " and ".join(f"{predicate.feature} = {predicate.level.name}" for predicate in subgroup)
