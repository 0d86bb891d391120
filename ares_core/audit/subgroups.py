"""Subgroup comparison: how recourse differs between groups, with intervals and corrected p-values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.audit.comparisons import Comparison, Interval, MeanTest, ShareTest, compare, sure
from ares_core.audit.figures import Floats, PeopleFigures
from ares_core.audit.intervals import Share, exact_p, mean_interval, ratio_interval
from ares_core.people.predicates import Conjunction
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench
from ares_core.wording import counted

Mask = NDArray[np.bool_]
SMALL = 30
MOST_GROUPS = 60
RARE = 10  # people helped, or people failed, below which the score test of a gap may be too sure
SAME = 0.005  # gaps and ratios nearer than that are shown as equal


@dataclass(frozen=True, slots=True)
class Need:
    """What acceptance costs a group at least: by the cheapest move that works for each, in a rule or not.

    `mean` is over those for whom some move works, `ratio` how many times the mean of everybody else it is. It depends
    on the model and the moves tried, not on which rules were chosen. The interval of the ratio inverts the test behind
    `p_holm` and has confidence 1 - `level`; all four are None where a side has nobody.
    """

    mean: float | None
    interval: Interval | None
    ratio: float | None
    ratio_interval: Interval | None
    p_holm: float | None
    level: float | None


@dataclass(frozen=True, slots=True)
class SubgroupFigures:
    """One subgroup's recourse, beside that of everybody else.

    Parameters
    ----------
    accuracy, coverage, mean_fcost, mean_changes
        What the rules do for the group; None where `why_none` says why there is no such figure.
    gap, gap_interval, p_holm, gap_level
        The group's accuracy less that of everybody else, from one score test: the interval has confidence
        1 - `gap_level` and holds 0 unless the p-value says that chance hardly explains the gap. None without a
        comparison.
    cost_ratio, changes_ratio
        How many times as much the helped people of the group pay, and change, as the helped others.
    need
        What acceptance costs at least, whichever rules were chosen.
    others
        How many people everybody else is.
    why_none
        Why the rules have no figure for this group, as a sentence; empty where they have.
    """

    subgroup: Conjunction
    accuracy: Share | None
    coverage: Share | None
    without_recourse: Share
    mean_fcost: float | None
    fcost_interval: Interval | None
    mean_changes: float | None
    changes_interval: Interval | None
    gap: float | None
    gap_interval: Interval | None
    cost_ratio: float | None
    cost_ratio_interval: Interval | None
    changes_ratio: float | None
    changes_ratio_interval: Interval | None
    p_holm: float | None
    gap_level: float | None
    need: Need
    others: int
    why_none: str = ""

    @property
    def affected(self) -> int:
        """How many people of the group are measured."""
        return self.without_recourse.total

    @property
    def helped_less(self) -> bool:
        """Whether the rules help it less often than everybody else, beyond chance."""
        return sure(self.p_holm) and (self.gap or 0.0) <= -SAME and not self.has_rare_cases

    @property
    def has_rare_cases(self) -> bool:
        """Whether fewer than 10 people make the gap, and the score test is sure of it where an exact test is not."""
        if self.accuracy is None or self.gap is None or self.accuracy.value is None or self.gap_level is None:
            return False
        others = Share(round((self.accuracy.value - self.gap) * self.others), self.others)
        helped = self.accuracy.count + others.count
        rare = min(helped, self.accuracy.total + others.total - helped) < RARE
        return rare and sure(self.p_holm) and exact_p(self.accuracy, others) >= self.gap_level

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
        return self.affected < SMALL

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a run file writes them; `why_none` only where it says something."""
        why = {"why_none": self.why_none} if self.why_none else {}
        return {
            "subgroup": self.subgroup.to_json(),
            "affected": self.affected,
            "helped": None if self.accuracy is None else self.accuracy.count,
            **_share_json("accuracy", "interval", self.accuracy),
            **_share_json("coverage", "coverage_interval", self.coverage),
            "mean_fcost": self.mean_fcost,
            "fcost_interval": _listed(self.fcost_interval),
            "mean_changes": self.mean_changes,
            "changes_interval": _listed(self.changes_interval),
            "without_recourse_people": self.without_recourse.count,
            **_share_json("without_recourse", "without_recourse_interval", self.without_recourse),
            "gap": self.gap,
            "gap_interval": _listed(self.gap_interval),
            "gap_confidence": _confidence(self.gap_level),
            "cost_ratio": self.cost_ratio,
            "cost_ratio_interval": _listed(self.cost_ratio_interval),
            "changes_ratio": self.changes_ratio,
            "changes_ratio_interval": _listed(self.changes_ratio_interval),
            "p_holm": self.p_holm,
            "rare_cases": self.has_rare_cases,
            "needed_cost": self.need.mean,
            "needed_cost_interval": _listed(self.need.interval),
            "needed_ratio": self.need.ratio,
            "needed_ratio_interval": _listed(self.need.ratio_interval),
            "needed_ratio_confidence": _confidence(self.need.level),
            "p_needed": self.need.p_holm,
            "small": self.small,
            **why,
        }


def _share_json(name: str, interval: str, share: Share | None) -> dict[str, Any]:
    if share is None:
        return {name: None, interval: None}
    return {name: share.value, interval: list(share.interval)}


def _listed(interval: Interval | None) -> list[float | None] | None:
    """Return an interval as JSON; an end without a limit is null."""
    return None if interval is None else [end if math.isfinite(end) else None for end in interval]


def _confidence(level: float | None) -> float | None:
    return None if level is None else 1 - level


def gaps_tested(groups: Sequence[SubgroupFigures]) -> int:
    """Return how many groups were compared by how often the rules help."""
    return sum(group.p_holm is not None for group in groups)


def needs_tested(groups: Sequence[SubgroupFigures]) -> int:
    """Return how many groups were compared by what acceptance costs at least."""
    return sum(group.need.p_holm is not None for group in groups)


@dataclass(frozen=True, slots=True)
class _Group:
    """A group to compare: its name, who of the people measured is in it, and why rules have no figure for it."""

    name: Conjunction
    inside: Mask
    why_none: str


def compare_subgroups(
    bench: Workbench, learned: Learned, figures: PeopleFigures, need: Floats, people: Indices
) -> tuple[SubgroupFigures, ...]:
    """Compare each subgroup with everybody else among `people`.

    The groups are all those over the features of interest; where these are too many to read, those of the
    summary. `need` is what acceptance costs each of the affected at least.
    """
    described = bench.described(learned.groups, learned.settings.max_width)
    groups = [_group(bench, learned, number, described, people) for number in compared_groups(learned)]
    gaps = _gaps(figures.helped[people], described[people], groups)
    needs = _needs(need[people], [group.inside for group in groups])
    return tuple(
        _figures(group, figures, people, gap, own) for group, gap, own in zip(groups, gaps, needs, strict=True)
    )


def _group(bench: Workbench, learned: Learned, number: int, described: Mask, people: Indices) -> _Group:
    """Name a group; rules have a figure for it if some candidate rule describes one of its people."""
    itemset, inside = learned.groups.itemsets[number], learned.groups.masks[number]
    name, members = bench.conjunction(bench.predicates(itemset)), inside[: len(described)]
    if not inside[people].any():
        why = "None of the people measured are in this group."
    elif (members & described).any():
        why = ""
    else:
        why = _no_rule(len(name), int(members[bench.split.learn].sum()), learned)
    return _Group(name, inside[people], why)


def _no_rule(width: int, chosen_on: int, learned: Learned) -> str:
    """Say why no candidate rule describes anybody in a group of so many people that rules were chosen on."""
    fewest, most = learned.min_people, learned.settings.max_width
    if chosen_on < fewest:
        few, are = f"only {chosen_on:,}" if chosen_on else "none", "is" if chosen_on == 1 else "are"
        why = f"{few} of the people the rules were chosen on {are} in this group, and a rule needs at least {fewest:,}"
    elif width >= most:
        why = f"a rule may name at most {counted(most, 'feature')}, and naming this group takes all of them"
    else:
        why = f"no allowed change of another feature fits at least {fewest:,} of the {chosen_on:,} people in this group"
        why += " that the rules were chosen on"
    return f"No rule could be written: {why}."


def _gaps(helped: Mask, described: Mask, groups: Sequence[_Group]) -> list[Comparison | None]:
    """Compare how often the rules help each group and everybody else, where rules could be written for both."""
    tests = {
        place: ShareTest(_share(helped[group.inside]), _share(helped[~group.inside]))
        for place, group in enumerate(groups)
        if not group.why_none and described[~group.inside].any()
    }
    found = dict(zip(tests, compare(list(tests.values())), strict=True))
    return [found.get(place) for place in range(len(groups))]


def _needs(need: Floats, masks: Sequence[Mask]) -> list[Need]:
    """Compare the need of each group with that of everybody else."""
    known = np.isfinite(need)
    sides = [(need[mask & known], need[~mask & known]) for mask in masks]
    tests = {
        place: MeanTest(here, there)
        for place, (here, there) in enumerate(sides)
        if len(here) and len(there) and here.mean() > 0 and there.mean() > 0
    }
    found = dict(zip(tests, compare(list(tests.values())), strict=True))
    return [_need(here, there, found.get(place)) for place, (here, there) in enumerate(sides)]


def _need(here: Floats, there: Floats, found: Comparison | None) -> Need:
    """Return a group's need; the difference of means is told as a multiple of everybody else's mean."""
    if found is None:
        return Need(*mean_interval(here), None, None, None, None)
    usual = float(there.mean())
    low, high = (max(0.0, 1 + end / usual) for end in found.interval)
    interval = None if low == 0 and math.isinf(high) else (low, high)
    return Need(*mean_interval(here), float(here.mean()) / usual, interval, found.p_holm, found.level)


def compared_groups(learned: Learned) -> list[int]:
    """Return the subgroups to compare: all, or those of the summary where all are too many to read."""
    every = range(len(learned.groups.itemsets))
    return list(every) if len(every) <= MOST_GROUPS else sorted({triple.subgroup for triple in learned.triples})


def _share(held: Mask) -> Share:
    return Share(int(held.sum()), len(held))


def _figures(
    group: _Group, figures: PeopleFigures, people: Indices, gap: Comparison | None, need: Need
) -> SubgroupFigures:
    inside, outside = people[group.inside], people[~group.inside]
    here, there = (who[figures.helped[who]] for who in (inside, outside))
    if group.why_none:
        here = here[:0]
    changes, ruled = figures.changes.astype(np.float64), not group.why_none
    return SubgroupFigures(
        group.name,
        _share(figures.helped[inside]) if ruled else None,
        _share(figures.rules[inside] > 0) if ruled else None,
        _share(~figures.recourse[inside]),
        *mean_interval(figures.cost[here]),
        *mean_interval(changes[here]),
        gap.difference if gap else None,
        gap.interval if gap else None,
        *ratio_interval(figures.cost[here], figures.cost[there]),
        *ratio_interval(changes[here], changes[there]),
        gap.p_holm if gap else None,
        gap.level if gap else None,
        need,
        len(outside),
        group.why_none,
    )
