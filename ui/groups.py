"""Groups: what is measured of each, what stands out, and the same as tables. Values in, values out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import pandas as pd

from ares_core.audit.comparisons import corrected
from ares_core.audit.intervals import Share
from ares_core.audit.subgroup_text import (
    chance_text,
    doubt,
    gap_sentence,
    need_sentence,
    rank,
    who_text,
)
from ares_core.audit.subgroups import SMALL, SubgroupFigures, gaps_tested, needs_tested
from ares_core.audit.words import (
    conjunction_text,
    cost_text,
    percent,
    points_text,
    predicate_text,
    sentence,
    span_text,
)
from ares_core.people import Change, Conjunction, Predicate, Schema
from ares_core.people.levels import unused
from ares_core.worker import GroupsView

Interval = tuple[float, float]
Figure = tuple[float | None, Interval | None]


def _refused(group: SubgroupFigures) -> int:
    return group.affected


def _helped(group: SubgroupFigures) -> int:
    return 0 if group.accuracy is None else group.accuracy.count


def _of_share(share: Share | None) -> Figure:
    return (None, None) if share is None else (share.value, share.interval)


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a group.

    Parameters
    ----------
    name, about
        What it is called, and what it means.
    share
        Whether it is a share; else it is a mean.
    figure
        Takes it, with its interval, from a group.
    of_all
        Takes the same figure of everybody.
    people
        Takes from a group how many people it is measured on.
    whom
        What these people have in common, if not all are meant.
    by_rules
        Whether it tells what the rules do; then a group may have no such figure.
    """

    name: str
    about: str
    share: bool
    figure: Callable[[SubgroupFigures], Figure]
    of_all: Callable[[GroupsView], float | None]
    people: Callable[[SubgroupFigures], int] = _refused
    whom: str = ""
    by_rules: bool = True

    def why_none(self, group: SubgroupFigures) -> str:
        """Say why a group has no such figure; empty where it may have one."""
        return group.why_none if self.by_rules else ""

    def text(self, value: float | None) -> str:
        """Write a value of it."""
        if value is None:
            return "–"
        return percent(value) if self.share else cost_text(value)

    def span(self, interval: Interval | None) -> str:
        """Write an interval of it."""
        if interval is None:
            return "no interval: too few people"
        if not self.share and interval[0] == interval[1]:
            return "the same for all"
        return span_text(*interval) if self.share else f"{cost_text(interval[0])}–{cost_text(interval[1])}"


MEASURES = {
    measure.name: measure
    for measure in (
        Measure(
            "How often it works",
            "Of the people refused, the share a rule helps: they are under a rule, and doing as it says makes the "
            "model accept them. Also called recourse accuracy.",
            True,
            lambda group: _of_share(group.accuracy),
            lambda view: view.everybody.accuracy.value,
        ),
        Measure(
            "Least it costs",
            "The cost of the cheapest move that works for a person, whether a rule offers it or not, on average over "
            "the people for whom some move works. It tells of the model, whichever rules were chosen. Where nobody "
            "said what things cost, every change costs 1.",
            False,
            lambda group: (group.need.mean, group.need.interval),
            lambda view: view.mean_need,
            lambda group: group.with_recourse,
            " with recourse",
            by_rules=False,
        ),
        Measure(
            "What it costs",
            "The mean cost of the changes, over the people a rule helps. Where nobody said what things cost, every "
            "change costs 1.",
            False,
            lambda group: (group.mean_fcost, group.fcost_interval),
            lambda view: view.everybody.mean_fcost,
            _helped,
            " helped",
        ),
        Measure(
            "Number of changes",
            "How many features a person has to change, on average over the people a rule helps.",
            False,
            lambda group: (group.mean_changes, group.changes_interval),
            lambda view: view.mean_changes,
            _helped,
            " helped",
        ),
        Measure(
            "Covered",
            "Of the people refused, the share that some rule speaks to, whether it works for them or not.",
            True,
            lambda group: _of_share(group.coverage),
            lambda view: view.everybody.coverage.value,
        ),
        Measure(
            "No recourse at all",
            "Of the people refused, the share for whom none of the moves tried works, in a rule or not.",
            True,
            lambda group: _of_share(group.without_recourse),
            lambda view: view.everybody.no_recourse / view.everybody.affected if view.everybody.affected else None,
            by_rules=False,
        ),
    )
}
WORKS, LEAST, COST, CHANGES, *_ = MEASURES.values()


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


def first_measure(groups: Sequence[SubgroupFigures]) -> Measure:
    """Return the measure to open with: how often it works, unless only the least it costs sets a group apart."""
    needy = any(group.needs_more for group in groups) and not any(group.helped_less for group in groups)
    return LEAST if needy else WORKS


def headlines(schema: Schema, groups: Sequence[SubgroupFigures]) -> tuple[Headline, ...]:
    """Say which groups are worse off beyond chance: who is helped least, and whom acceptance costs most."""
    less = [group for group in groups if group.helped_less]
    more = [group for group in groups if group.needs_more]
    found = []
    if less:
        worst = min(less, key=lambda group: (group.gap or 0.0, group.p_holm or 0.0))
        points = points_text(worst.gap or 0.0).replace("-", "−")
        words = sentence(gap_sentence(worst, gaps_tested(groups), who_text(schema, worst)))
        found.append(Headline(points, words + _care(worst)))
    if more:
        most = max(more, key=lambda group: (group.need.ratio or 0.0, -(group.need.p_holm or 0.0)))
        times = f"{cost_text(most.need.ratio or 0)} × the least cost"
        chance = chance_text(most.need.p_holm, needs_tested(groups))
        found.append(Headline(times, f"{need_sentence(most, who_text(schema, most))} {chance}{_care(most)}"))
    return tuple(found) or (_nobody(groups),)


def _care(group: SubgroupFigures) -> str:
    return f" Fewer than {SMALL} people on one side: read with care." if doubt(group) else ""


def _nobody(groups: Sequence[SubgroupFigures]) -> Headline:
    if all(doubt(group) for group in groups):
        words = f"No group has {SMALL} people refused on both sides of the comparison, so little can be told."
        return Headline("Few people", words)
    return Headline(
        "Nobody surely worse off", "No group is worse off than everybody else by more than chance may explain."
    )


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
        "Least cost": (group.need.mean, group.need.interval),
        "Least cost ratio": (group.need.ratio, group.need.ratio_interval),
    }
    cells: dict[str, object] = {
        "People refused": group.affected,
        "Few people": group.small,
        "Why no figures": group.why_none or None,
    }
    for name, share in shares.items():
        cells[f"{name}, people"] = None if share is None else share.count
        cells |= _with_ends(name, _of_share(share))
    for name, figure in means.items():
        cells |= _with_ends(name, figure)
    return cells | {
        "Confidence of the gap's interval": _confidence(group.gap_level),
        "Corrected p-value of the gap": _corrected(group.p_holm),
        "Confidence of the least cost ratio's interval": _confidence(group.need.level),
        "Corrected p-value of the least cost": _corrected(group.need.p_holm),
    }


def _confidence(level: float | None) -> float | None:
    return None if level is None else 1 - level


def _corrected(p_holm: float | None) -> float | None:
    return None if p_holm is None else corrected(p_holm)


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
