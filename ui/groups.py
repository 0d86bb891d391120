"""Groups: what is measured of each, what stands out, and the same as tables. Values in, values out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import pandas as pd

from ares_core.audit.subgroup_text import (
    LEVEL,
    SAME,
    changes_sentence,
    cost_sentence,
    doubt,
    gap_sentence,
    rank,
    who_text,
)
from ares_core.audit.subgroups import SMALL, SubgroupFigures
from ares_core.audit.words import conjunction_text, cost_text, percent, predicate_text, sentence, span_text
from ares_core.people import Change, Conjunction, Predicate, Schema
from ares_core.people.levels import unused
from ares_core.worker import GroupsView

Interval = tuple[float, float]
Figure = tuple[float | None, Interval | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a group.

    Parameters
    ----------
    name, about
        What it is called, and what it means.
    share
        Whether it is a share; else it is a mean, over the people helped.
    figure
        Takes it, with its interval, from a group.
    of_all
        Takes the same figure of everybody.
    """

    name: str
    about: str
    share: bool
    figure: Callable[[SubgroupFigures], Figure]
    of_all: Callable[[GroupsView], float | None]

    def text(self, value: float | None) -> str:
        """Write a value of it."""
        if value is None:
            return "–"
        return percent(value) if self.share else cost_text(value)

    def span(self, interval: Interval | None) -> str:
        """Write an interval of it."""
        if interval is None:
            return "no interval: too few people helped"
        if not self.share and interval[0] == interval[1]:
            return "the same for all"
        return span_text(*interval) if self.share else f"{cost_text(interval[0])}–{cost_text(interval[1])}"

    def people(self, group: SubgroupFigures) -> int:
        """Return how many people it is measured on."""
        return group.accuracy.total if self.share else group.accuracy.count


MEASURES = {
    measure.name: measure
    for measure in (
        Measure(
            "How often it works",
            "Of the people refused, the share a rule helps: they are under a rule, and doing as it says makes the "
            "model accept them. Also called recourse accuracy.",
            True,
            lambda group: (group.accuracy.value, group.accuracy.interval),
            lambda view: view.everybody.accuracy.value,
        ),
        Measure(
            "What it costs",
            "The mean cost of the changes, over the people a rule helps. Where nobody said what things cost, every "
            "change costs 1.",
            False,
            lambda group: (group.mean_fcost, group.fcost_interval),
            lambda view: view.everybody.mean_fcost,
        ),
        Measure(
            "Number of changes",
            "How many features a person has to change, on average over the people a rule helps.",
            False,
            lambda group: (group.mean_changes, group.changes_interval),
            lambda view: view.mean_changes,
        ),
        Measure(
            "Covered",
            "Of the people refused, the share that some rule speaks to, whether it works for them or not.",
            True,
            lambda group: (group.coverage.value, group.coverage.interval),
            lambda view: view.everybody.coverage.value,
        ),
        Measure(
            "No recourse at all",
            "Of the people refused, the share for whom none of the moves tried works, in a rule or not.",
            True,
            lambda group: (group.without_recourse.value, group.without_recourse.interval),
            lambda view: view.everybody.no_recourse / view.everybody.affected if view.everybody.affected else None,
        ),
    )
}
WORKS, COST, CHANGES, *_ = MEASURES.values()


@dataclass(frozen=True, slots=True)
class Headline:
    """What stands out: a figure to read from afar, and the sentence it stands for."""

    figure: str
    words: str


def name_of(schema: Schema, group: SubgroupFigures) -> str:
    """Name a group by what its people have in common."""
    return conjunction_text(schema, group.subgroup)


def brief(schema: Schema, conjunction: Conjunction, most: int) -> str:
    """Say a conjunction in few letters: labels are cut before levels, which tell groups apart."""
    words = conjunction_text(schema, conjunction)
    if len(words) <= most:
        return words
    room = (most - len(" and ") * (len(conjunction) - 1)) // len(conjunction)
    return " and ".join(_brief(schema, each, room) for each in conjunction)


def _brief(schema: Schema, predicate: Predicate, room: int) -> str:
    words, title = predicate_text(schema, predicate), schema[predicate.feature].title
    said = words[len(title) :]  # ' = north' or ' is below 25 years'
    if len(words) <= room:
        return words
    level = _cut(said, max(room * 2 // 3, room - len(title)))
    return _cut(title, room - len(level)) + level


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: max(most - 1, 0)] + "…"


def ranked(groups: Sequence[SubgroupFigures]) -> tuple[SubgroupFigures, ...]:
    """Sort groups: what chance explains least comes first."""
    return tuple(sorted(groups, key=rank))


def likely(schema: Schema) -> tuple[str, ...]:
    """Return features worth comparing people by, few levels first: those nobody can change, if there are any."""
    frozen = [feature for feature in schema.features if feature.change is Change.FROZEN]
    found = sorted(frozen or schema.features, key=lambda feature: len(feature.levels))
    return tuple(feature.name for feature in found[:6])


def differs(interval: Interval | None) -> bool:
    """Say whether a ratio is surely not 1."""
    return interval is not None and not interval[0] <= 1 <= interval[1]


def first_measure(groups: Sequence[SubgroupFigures]) -> Measure:
    """Return the measure to open with: how often it works, unless only what it takes differs beyond chance."""
    large = [group for group in groups if not doubt(group)]
    if any(group.p_holm < LEVEL for group in large):
        return WORKS
    if any(differs(group.changes_ratio_interval) for group in large):
        return CHANGES
    return COST if any(differs(group.cost_ratio_interval) for group in large) else WORKS


def headlines(schema: Schema, groups: Sequence[SubgroupFigures]) -> tuple[Headline, ...]:
    """Say what stands out among the groups with enough people on both sides."""
    large = [group for group in groups if not doubt(group)]
    if not large:
        words = f"No group has {SMALL} people refused on both sides of the comparison, so nothing here is certain."
        return (Headline("Few people", words),)
    found = [*_gap_headline(schema, large, len(groups)), *_effort_headlines(schema, large)]
    none = "No group with enough people differs from everybody else by more than chance may explain."
    return tuple(found) or (Headline("No sure difference", none),)


def _gap_headline(schema: Schema, large: Sequence[SubgroupFigures], compared: int) -> list[Headline]:
    sure = [group for group in large if group.p_holm < LEVEL and abs(group.gap or 0) >= SAME]
    if not sure:
        return []
    worst = min(sure, key=lambda group: (group.gap or 0, group.p_holm))
    points = f"{100 * (worst.gap or 0):+.0f} points".replace("-", "−")
    return [Headline(points, sentence(gap_sentence(worst, compared, who_text(schema, worst))))]


def _effort_headlines(schema: Schema, large: Sequence[SubgroupFigures]) -> list[Headline]:
    """Say who has to change and to pay more; where every change costs the same, that is one thing."""
    found = []
    busy = [group for group in large if differs(group.changes_ratio_interval) and (group.changes_ratio or 0) > 1]
    dear = [group for group in large if differs(group.cost_ratio_interval) and (group.cost_ratio or 0) > 1]
    if busy:
        most = max(busy, key=lambda group: group.changes_ratio or 0)
        times = f"{cost_text(most.changes_ratio or 0)} × the changes"
        found.append(Headline(times, changes_sentence(most, who_text(schema, most))))
    if dear:
        most = max(dear, key=lambda group: group.cost_ratio or 0)
        if most.cost_ratio != most.changes_ratio:
            times = f"{cost_text(most.cost_ratio or 0)} × the cost"
            found.append(Headline(times, cost_sentence(most, who_text(schema, most))))
    return found


def groups_frame(schema: Schema, groups: Sequence[SubgroupFigures]) -> pd.DataFrame:
    """Return every figure of every group, one row for each, for a spreadsheet."""
    rows = [_flat(group) for group in groups]
    return pd.DataFrame(rows, index=pd.Index([name_of(schema, group) for group in groups], name="Group"))


def _flat(group: SubgroupFigures) -> dict[str, object]:
    shares = {"Helped": group.accuracy, "Covered": group.coverage, "No recourse at all": group.without_recourse}
    means: dict[str, Figure] = {
        "Mean cost": (group.mean_fcost, group.fcost_interval),
        "Mean changes": (group.mean_changes, group.changes_interval),
        "Gap": (group.gap, group.gap_interval),
        "Cost ratio": (group.cost_ratio, group.cost_ratio_interval),
        "Changes ratio": (group.changes_ratio, group.changes_ratio_interval),
    }
    cells: dict[str, object] = {"People refused": group.accuracy.total, "Few people": group.small}
    for name, share in shares.items():
        cells[f"{name}, people"] = share.count
        cells |= _with_ends(name, (share.value, share.interval))
    for name, figure in means.items():
        cells |= _with_ends(name, figure)
    return cells | {"Corrected p-value of the gap": group.p_holm}


def _with_ends(name: str, figure: Figure) -> dict[str, object]:
    low, high = figure[1] or (None, None)
    return {name: figure[0], f"{name}, low": low, f"{name}, high": high}


def moves_frame(schema: Schema, view: GroupsView) -> pd.DataFrame:
    """Return how often each move works in each group, one row for each move, for a spreadsheet."""
    rows = []
    for move in view.moves:
        cells: dict[str, object] = {}
        for subgroup, share in move.works:
            name = unused(conjunction_text(schema, subgroup), cells)
            cells |= {name: share.value, f"{name}, works": share.count, f"{name}, tried": share.total}
        rows.append(cells)
    names = [conjunction_text(schema, move.move) for move in view.moves]
    columns = list(dict.fromkeys(chain.from_iterable(rows)))
    return pd.DataFrame(rows, index=pd.Index(names, name="Move"), columns=columns)
