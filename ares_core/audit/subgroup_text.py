"""The comparison of subgroups in words: a table to scan, then a sentence for the largest gap."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ares_core.audit.comparisons import COMPARED, LEVEL, corrected, sure
from ares_core.audit.subgroups import SAME, SMALL, SubgroupFigures, gaps_tested
from ares_core.audit.words import (
    WIDTH,
    confidence_text,
    conjunction_text,
    cost_text,
    percent,
    points_text,
    predicate_text,
    ratio_text,
    signed,
    signed_span,
    span_text,
    wrapped,
)
from ares_core.people import Schema

MOST_ROWS = 20
SHORTEST_NAME = 16
HEADER = (
    ("", "", "points against", "no", "mean", "times"),
    ("subgroup", "helped", "others", "recourse", "cost", "others' cost"),
)
MARK = " *"
RARE = "So few people make this difference that an exact test is not sure of it: read with care."
NOBODY_ELSE = "There is nobody else for whom a rule could be written, so there is no comparison."


def subgroups_text(schema: Schema, groups: Sequence[SubgroupFigures]) -> str:
    """Write the table, what its signs mean, and the largest gap."""
    if not groups:
        return ""
    ranked = sorted(groups, key=rank)
    shown = ranked[:MOST_ROWS]
    parts = [
        "How recourse differs between subgroups:",
        _table(schema, shown, mirrors(shown)),
        _key(schema, ranked, shown),
        _largest(schema, ranked),
    ]
    return "\n".join(part for part in parts if part)


def rank(group: SubgroupFigures) -> tuple[bool, float, bool, bool, bool, float]:
    """Sort what chance explains least first, of two sides of one difference the worse off; groups of nobody last."""
    p = min((each for each in (group.p_holm, group.need.p_holm) if each is not None), default=1.0)
    missing = group.accuracy is None
    return not group.affected, p, missing, not group.worse_off, group.small, -abs(group.gap or 0)


def mirrors(groups: Sequence[SubgroupFigures]) -> set[int]:
    """Return the places of groups that are all the others of a group above: their gap is told there."""
    return {place for place, group in enumerate(groups) if any(_rest(group, above) for above in groups[:place])}


def _rest(group: SubgroupFigures, other: SubgroupFigures) -> bool:
    """Say whether two compared groups are the two parts of everybody: levels of one feature that leave nobody out."""
    single = len(group.subgroup) == 1 and group.subgroup.features == other.subgroup.features
    compared = group.gap is not None and other.gap is not None
    return single and compared and group.affected == other.others and other.affected == group.others


def _table(schema: Schema, groups: Sequence[SubgroupFigures], told: set[int]) -> str:
    rows = [*HEADER, *(_row(schema, group, mirror=place in told) for place, group in enumerate(groups))]
    widths = [max(len(row[column]) for row in rows) for column in range(1, len(HEADER[0]))]
    room = max(SHORTEST_NAME, WIDTH - sum(widths) - 2 * len(widths) - 2)
    names = [wrap(row[0], room, subsequent_indent="  ", break_on_hyphens=False) or [""] for row in rows]
    longest = max(len(line) for name in names for line in name)
    lines = []
    for name, row in zip(names, rows, strict=True):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths, strict=True)]
        lines += ["  ".join(["", name[0].ljust(longest), *cells]), *(f"  {more}" for more in name[1:])]
    return "\n".join(line.rstrip() for line in lines)


def _row(schema: Schema, group: SubgroupFigures, *, mirror: bool) -> tuple[str, ...]:
    name = ", ".join(predicate_text(schema, each) for each in group.subgroup) + (MARK if group.small else "")
    if group.accuracy is None:
        return name, "see below" if group.affected else "nobody", "–", percent(group.without_recourse.value), "–", "–"
    helped = f"{group.accuracy.count:,} of {group.accuracy.total:,}: {percent(group.accuracy.value)}"
    helped += f" ({span_text(*group.accuracy.interval)})"
    cost = "–" if group.mean_fcost is None else cost_text(group.mean_fcost)
    gap, ratio = ("see above", "see above") if mirror else (_gap(group), _ratio(group))
    return name, helped, gap, percent(group.without_recourse.value), cost, ratio


def _gap(group: SubgroupFigures) -> str:
    if group.gap is None or group.gap_interval is None:
        return "–"
    return f"{signed(group.gap)} ({signed_span(*group.gap_interval)}){doubt(group)}"


def _ratio(group: SubgroupFigures) -> str:
    if group.cost_ratio is None:
        return "–"
    span = group.cost_ratio_interval
    interval = "" if span is None else f" ({cost_text(span[0])}–{cost_text(span[1])})"
    return f"{cost_text(group.cost_ratio)}{interval}{doubt(group)}"


def doubt(group: SubgroupFigures) -> str:
    """Mark a comparison with few people on one side."""
    return MARK if group.small or group.others < SMALL else ""


def _key(schema: Schema, ranked: Sequence[SubgroupFigures], shown: Sequence[SubgroupFigures]) -> str:
    lines = ["In brackets: 95 % intervals. Cost: of those helped."]
    if tested := gaps_tested(ranked):
        lines.append(f"Intervals of points are wider, because they allow for {COMPARED * tested:,} comparisons.")
    lines += [
        f"{conjunction_text(schema, group.subgroup)}: {group.why_none}"
        for group in shown
        if group.why_none and group.affected
    ]
    if any(doubt(group) for group in shown):
        lines.append(f"* Small group: fewer than {SMALL} people to measure on, so read these figures with care.")
    if len(ranked) > len(shown):
        lines.append(f"{len(ranked) - len(shown)} more subgroups are in the run file.")
    return "\n".join(wrapped(line, "  ", "    ") for line in lines)


def _largest(schema: Schema, ranked: Sequence[SubgroupFigures]) -> str:
    """Say the largest gap in accuracy and in cost, among groups with enough people on both sides."""
    large = [group for group in ranked if not doubt(group)]
    compared = [group for group in large if group.gap is not None]
    if not large:
        return wrapped(f"No subgroup has {SMALL} people on both sides, so no gap is called the largest.")
    words = []
    gap = max(compared, key=lambda group: abs(group.gap or 0), default=None)
    if gap is not None:
        words.append(_largest_gap(schema, gap, gaps_tested(ranked)))
    dear = max(large, key=lambda group: group.cost_ratio or 0)
    if dear.cost_ratio is not None and dear.cost_ratio >= 1 + SAME:
        named = dear is gap and abs(dear.gap or 0) >= SAME
        words.append(cost_sentence(dear, "this group" if named else who_text(schema, dear)))
    needy = [group for group in large if group.needs_more]
    if needy:
        most = max(needy, key=lambda group: group.need.ratio or 0)
        words.append(need_sentence(most, who_text(schema, most)))
    return wrapped(" ".join(words))


def _largest_gap(schema: Schema, group: SubgroupFigures, tested: int) -> str:
    if abs(group.gap or 0) < SAME:
        return "The rules help every subgroup that is not small as often as everybody else."
    return f"The largest gap: {gap_sentence(group, tested, who_text(schema, group))}"


def who_text(schema: Schema, group: SubgroupFigures) -> str:
    """Name the people of a group: 'people with Age = below 25 years'."""
    return f"people with {conjunction_text(schema, group.subgroup)}"


def cost_sentence(group: SubgroupFigures, whom: str = "this group") -> str:
    """Say how many times as much recourse costs a group as everybody else; empty where nobody can tell."""
    if group.cost_ratio is None:
        return ""
    words = _ratio_words(group.cost_ratio, group.cost_ratio_interval)
    if abs(group.cost_ratio - 1) < SAME:
        words = words.replace("1 times as much", "as much as everybody else", 1)
    return f"Recourse costs {whom} {words}."


def need_sentence(group: SubgroupFigures, whom: str = "this group") -> str:
    """Say how many times as much acceptance costs a group at least; empty where nobody can tell."""
    if group.need.ratio is None:
        return ""
    same = abs(group.need.ratio - 1) < SAME
    chance, level = not same and not sure(group.need.p_holm), group.need.level or LEVEL
    words = ratio_text(group.need.ratio, group.need.ratio_interval, level=level, chance=chance)
    words = words.replace("as much", "as much as everybody else", 1)
    if same:
        words = words.removeprefix("1 times ")
    return f"Whatever the rules, the cheapest move that works costs {whom} {words}."


def changes_sentence(group: SubgroupFigures, who: str = "this group") -> str:
    """Say how many times as many features a group has to change as everybody else; empty where nobody can tell."""
    if group.changes_ratio is None:
        return ""
    words = _ratio_words(group.changes_ratio, group.changes_ratio_interval)
    words = words.replace("as much", "as many features as everybody else", 1)
    if abs(group.changes_ratio - 1) < SAME:
        words = words.removeprefix("1 times ")
    return f"Where a rule helps, {who} must change {words}."


def _ratio_words(ratio: float, interval: tuple[float, float] | None) -> str:
    """Write a ratio that has no test of its own: where its interval holds 1, chance alone may explain it."""
    chance = interval is not None and interval[0] <= 1 <= interval[1] and abs(ratio - 1) >= SAME
    return ratio_text(ratio, interval, chance=chance)


def gap_sentence(group: SubgroupFigures, tested: int, whom: str = "this group") -> str:
    """Say how much more or less often the rules help a group than everybody else, and whether chance explains it."""
    if group.accuracy is None or group.gap is None:
        return group.why_none or NOBODY_ELSE
    # Taking a difference off again leaves dust, which would make 'over 99 %' of all.
    here, there = percent(group.accuracy.value), percent(round((group.accuracy.value or 0.0) - group.gap, 12))
    return (
        f"the rules help {here} of {whom} and {there} of everybody else, a difference of "
        f"{points_text(group.gap)} ({gap_span(group)}). {gap_chance(group, tested)}"
    )


def gap_chance(group: SubgroupFigures, tested: int) -> str:
    """Say whether chance explains a gap, and where so few people make it that an exact test is not sure."""
    rare = f" {RARE}" if group.has_rare_cases else ""
    return chance_text(group.p_holm, tested) + rare


def gap_span(group: SubgroupFigures) -> str:
    """Write the interval of a gap with its confidence: '99.17 % interval -45 to -5'."""
    low, high = group.gap_interval or (-1.0, 1.0)
    return f"{confidence_text(group.gap_level or LEVEL)} interval {signed_span(low, high)}"


def chance_text(p_holm: float | None, tested: int) -> str:
    """Say whether chance explains what sets a group apart, with the p-value that decides and what it is corrected for.

    Parameters
    ----------
    p_holm
        The p-value, corrected for the number of groups.
    tested
        How many groups are compared.
    """
    explains = "hardly explains" if sure(p_holm) else "may explain"
    return f"Chance alone {explains} it ({p_text(p_holm)}, corrected for {COMPARED * tested:,} comparisons)."


def p_text(p_holm: float | None) -> str:
    """Write the p-value that decides: 'p = 0.013', or a bound where more digits say nothing or would hide the verdict.

    Parameters
    ----------
    p_holm
        The p-value, corrected for the number of groups alone; None where nothing was compared.
    """
    if p_holm is None:
        return "–"
    p = corrected(p_holm)
    if p < 0.001:
        return "p < 0.001"
    return f"p < {LEVEL}" if p < LEVEL and f"{p:.2g}" == f"{LEVEL}" else f"p = {p:.2g}"
