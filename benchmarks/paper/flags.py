"""Flags: which subgroups an audit would point at, with the evidence corrected for the number of comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import norm

from ares_core.audit.intervals import Z95, holm
from ares_core.audit.subgroups import SubgroupFigures

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Flag:
    """A subgroup that is worse off: helped less often, or made to change more; `p` is corrected."""

    subgroup: str
    p: float
    ratio: float


def flags(found: Sequence[SubgroupFigures]) -> tuple[Flag, ...]:
    """Return the subgroups worse off at the 5 % level, the strongest evidence first.

    Two things are compared, how often recourse works and how many changes it takes. Each p-value is corrected for the
    number of subgroups (Holm), and for the two comparisons by doubling.
    """
    changes = holm([changes_p(each) for each in found])
    flagged = []
    for each, p_changes in zip(found, changes, strict=True):
        worse = [1.0]
        if each.gap is not None and each.gap < 0:
            worse.append(2 * each.p_holm)
        if each.changes_ratio is not None and each.changes_ratio > 1:
            worse.append(2 * p_changes)
        flagged.append(Flag(_name(each), min(worse), each.changes_ratio or 1.0))
    return tuple(sorted((flag for flag in flagged if flag.p <= LEVEL), key=lambda flag: (flag.p, -flag.ratio)))


def changes_p(figures: SubgroupFigures) -> float:
    """Return the two-sided p-value that a group changes as many features as the others, from its 95 % interval.

    The interval is symmetric on the logarithmic scale; without an interval nothing is known.
    """
    ratio, interval = figures.changes_ratio, figures.changes_ratio_interval
    if ratio is None or interval is None or ratio == 1:
        return 1.0
    error = math.log(interval[1] / ratio) / Z95
    return 0.0 if error == 0 else float(2 * norm.sf(abs(math.log(ratio)) / error))


def _name(figures: SubgroupFigures) -> str:
    return " and ".join(f"{predicate.feature} = {predicate.level.name}" for predicate in figures.subgroup)
