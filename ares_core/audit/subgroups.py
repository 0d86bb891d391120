"""Subgroup comparison: how recourse differs between groups, with intervals and corrected p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.audit.figures import Floats, PeopleFigures
from ares_core.audit.intervals import Share, difference, holm, mean_interval, ratio_interval, same_share, same_size
from ares_core.people.predicates import Conjunction
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench

SMALL = 30
MOST_GROUPS = 60
LEVEL = 0.05
COMPARED = 2  # things, of each group: how often the rules help, and what acceptance costs at least
SAME = 0.005  # gaps and ratios nearer than that are shown as equal


def corrected(p_holm: float) -> float:
    """Return a p-value that was corrected for the number of groups, corrected for the two things compared as well.

    It is the one that decides and that is shown: below 0.05, one group or more is called worse off by chance in fewer
    than 5 % of audits.
    """
    return min(1.0, COMPARED * p_holm)


def sure(p_holm: float) -> bool:
    """Say whether a p-value, corrected for the number of groups, is small enough for the two things compared."""
    return corrected(p_holm) < LEVEL


@dataclass(frozen=True, slots=True)
class Need:
    """What acceptance costs a group at least: by the cheapest move that works for each, in a rule or not.

    `mean` is over those for whom some move works, `ratio` how many times the mean of everybody else it is. It depends
    on the model and the moves tried, not on which rules were chosen.
    """

    mean: float | None
    interval: tuple[float, float] | None
    ratio: float | None
    ratio_interval: tuple[float, float] | None
    p_holm: float


@dataclass(frozen=True, slots=True)
class SubgroupFigures:
    """One subgroup's recourse, beside that of everybody else.

    `gap` is the group's recourse accuracy less that of the other affected people; `cost_ratio` how many times
    as much recourse costs the helped people of the group as the helped others, `changes_ratio` how many times as
    many features they change; `need` is what acceptance costs at least; `others` how many others there are.
    """

    subgroup: Conjunction
    accuracy: Share
    coverage: Share
    without_recourse: Share
    mean_fcost: float | None
    fcost_interval: tuple[float, float] | None
    mean_changes: float | None
    changes_interval: tuple[float, float] | None
    gap: float | None
    gap_interval: tuple[float, float]
    cost_ratio: float | None
    cost_ratio_interval: tuple[float, float] | None
    changes_ratio: float | None
    changes_ratio_interval: tuple[float, float] | None
    p_holm: float
    need: Need
    others: int

    @property
    def helped_less(self) -> bool:
        """Whether the rules help it less often than everybody else, beyond chance."""
        return sure(self.p_holm) and (self.gap or 0.0) <= -SAME

    @property
    def needs_more(self) -> bool:
        """Whether acceptance costs it more than everybody else, beyond chance."""
        return sure(self.need.p_holm) and (self.need.ratio or 1.0) >= 1 + SAME

    @property
    def worse_off(self) -> bool:
        """Whether it is helped less, or needs more, than everybody else, beyond chance."""
        return self.helped_less or self.needs_more

    @property
    def with_recourse(self) -> int:
        """How many people there are for whom some move works."""
        return self.without_recourse.total - self.without_recourse.count

    @property
    def small(self) -> bool:
        """Whether the group is too small to say much."""
        return self.accuracy.total < SMALL

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a run file writes them."""
        return {
            "subgroup": self.subgroup.to_json(),
            "affected": self.accuracy.total,
            "helped": self.accuracy.count,
            "accuracy": self.accuracy.value,
            "interval": list(self.accuracy.interval),
            "coverage": self.coverage.value,
            "coverage_interval": list(self.coverage.interval),
            "mean_fcost": self.mean_fcost,
            "fcost_interval": _listed(self.fcost_interval),
            "mean_changes": self.mean_changes,
            "changes_interval": _listed(self.changes_interval),
            "without_recourse": self.without_recourse.value,
            "without_recourse_people": self.without_recourse.count,
            "without_recourse_interval": list(self.without_recourse.interval),
            "gap": self.gap,
            "gap_interval": list(self.gap_interval),
            "cost_ratio": self.cost_ratio,
            "cost_ratio_interval": _listed(self.cost_ratio_interval),
            "changes_ratio": self.changes_ratio,
            "changes_ratio_interval": _listed(self.changes_ratio_interval),
            "p_holm": self.p_holm,
            "needed_cost": self.need.mean,
            "needed_cost_interval": _listed(self.need.interval),
            "needed_ratio": self.need.ratio,
            "needed_ratio_interval": _listed(self.need.ratio_interval),
            "p_needed": self.need.p_holm,
            "small": self.small,
        }


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def compare_subgroups(
    bench: Workbench, learned: Learned, figures: PeopleFigures, need: Floats, people: Indices
) -> tuple[SubgroupFigures, ...]:
    """Compare each subgroup with everybody else among `people`.

    The groups are all those over the features of interest; where these are too many to read, those of the
    summary. `need` is what acceptance costs each of the affected at least.
    """
    groups = learned.groups
    rows = [
        (bench.conjunction(bench.predicates(groups.itemsets[group])), groups.masks[group, people])
        for group in compared_groups(learned)
    ]
    helped = holm([same_share(_helped(figures, people[mask]), _helped(figures, people[~mask])) for _, mask in rows])
    needs = _needs(need[people], [mask for _, mask in rows])
    return tuple(
        _figures(name, mask, figures, people, p, own) for (name, mask), p, own in zip(rows, helped, needs, strict=True)
    )


def _needs(need: Floats, masks: Sequence[NDArray[np.bool_]]) -> list[Need]:
    """Compare the need of each group with that of everybody else."""
    known = np.isfinite(need)
    sides = [(need[mask & known], need[~mask & known]) for mask in masks]
    tests = holm([same_size(*both) for both in sides])
    return [
        Need(*mean_interval(here), *ratio_interval(here, there), p)
        for (here, there), p in zip(sides, tests, strict=True)
    ]


def compared_groups(learned: Learned) -> list[int]:
    """Return the subgroups to compare: all, or those of the summary where all are too many to read."""
    every = range(len(learned.groups.itemsets))
    return list(every) if len(every) <= MOST_GROUPS else sorted({triple.subgroup for triple in learned.triples})


def _helped(figures: PeopleFigures, people: Indices) -> Share:
    return Share(int(figures.helped[people].sum()), len(people))


def _figures(
    name: Conjunction, mask: NDArray[np.bool_], figures: PeopleFigures, people: Indices, p_holm: float, need: Need
) -> SubgroupFigures:
    inside, outside = people[mask], people[~mask]
    accuracy = _helped(figures, inside)
    here, there = (who[figures.helped[who]] for who in (inside, outside))
    changes = figures.changes.astype(np.float64)
    return SubgroupFigures(
        name,
        accuracy,
        Share(int((figures.rules[inside] > 0).sum()), len(inside)),
        Share(int((~figures.recourse[inside]).sum()), len(inside)),
        *mean_interval(figures.cost[here]),
        *mean_interval(changes[here]),
        *difference(accuracy, _helped(figures, outside)),
        *ratio_interval(figures.cost[here], figures.cost[there]),
        *ratio_interval(changes[here], changes[there]),
        p_holm,
        need,
        len(outside),
    )
