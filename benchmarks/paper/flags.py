"""Flags: which subgroups an audit would point at, with the evidence corrected for the number of comparisons.

By the *summary*: how often the rules help, and how many changes they ask for. That depends on the rules chosen: of
rules that do equally well one group may get those with more changes. By the *page*: what the Subgroups page says, which
compares how often the rules help, and what the cheapest move that works costs, in a rule or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from ares_core.audit.intervals import Z95, holm
from ares_core.audit.subgroups import SubgroupFigures
from ares_core.people import Conjunction

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
            1.0 if each.p_holm is None else each.p_holm,
            each.changes_ratio,
            ratio_p(each.changes_ratio, each.changes_ratio_interval),
        )
        for each in found
    ]


def by_page(found: Sequence[SubgroupFigures]) -> list[str]:
    """Return the groups the product calls worse off, the strongest evidence first."""
    worse = sorted((each for each in found if each.worse_off), key=lambda each: (_evidence(each), -_times(each)))
    return [_words(each.subgroup) for each in worse]


def _evidence(group: SubgroupFigures) -> float:
    return min(
        1.0 if p_holm is None or not worse else p_holm
        for p_holm, worse in ((group.p_holm, group.helped_less), (group.need.p_holm, group.needs_more))
    )


def _times(group: SubgroupFigures) -> float:
    return 1.0 if group.need.ratio is None else group.need.ratio


def ratio_p(ratio: float | None, interval: Interval) -> float:
    """Return the two-sided p-value that a ratio is 1, from its 95 % interval on the logarithmic scale.

    Without an interval nothing is known.
    """
    if ratio is None or interval is None or ratio == 1:
        return 1.0
    error = math.log(interval[1] / ratio) / Z95
    return 0.0 if error == 0 else float(2 * norm.sf(abs(math.log(ratio)) / error))


def _words(subgroup: Conjunction) -> str:
    return " and ".join(f"{predicate.feature} = {predicate.level.name}" for predicate in subgroup)
