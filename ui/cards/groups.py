"""Cards on groups: what stands out, each gap in words, and every figure as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from ares_core.audit.comparisons import COMPARED
from ares_core.audit.intervals import Share
from ares_core.audit.subgroup_text import (
    NOBODY_ELSE,
    changes_sentence,
    cost_sentence,
    doubt,
    gap_sentence,
    mirrors,
    need_sentence,
    p_text,
)
from ares_core.audit.subgroups import SAME, SubgroupFigures, gaps_tested
from ares_core.audit.words import conjunction_text, percent, points_text, sentence, signed_span, span_text
from ares_core.people import Schema
from ares_core.worker import GroupsView
from ui.groups import MEASURES, Headline, Measure, name_of
from ui.html import joined, tag

FEW = "few people"


def headline_cards(told: Iterable[Headline]) -> Markup:
    """Show what stands out, its figure large."""
    cards = (tag("div", tag("strong", each.figure), tag("p", each.words), css="group-headline") for each in told)
    return tag("div", *cards, css="group-headlines")


def gap_cards(schema: Schema, ranked: Sequence[SubgroupFigures], tested: int) -> Markup:
    """Say each group's gap to everybody else, one card for each; two halves of everybody share one."""
    told = mirrors(ranked)
    cards = (_gap_card(schema, group, tested) for place, group in enumerate(ranked) if place not in told)
    return tag("ol", *cards, css="group-gaps")


def _gap_card(schema: Schema, group: SubgroupFigures, tested: int) -> Markup:
    few = tag("span", FEW, css="group-few") if doubt(group) else ""
    words = (sentence(each) for each in (_gap_words(group, tested), *_effort_words(group)) if each)
    return tag(
        "li",
        tag("div", tag("strong", gap_text(group)), tag("span", "against everybody else"), css="group-points"),
        tag("div", tag("h3", name_of(schema, group), " ", few), tag("p", joined(words, " ")), css="group-words"),
        css="group-gap",
    )


def gap_text(group: SubgroupFigures) -> str:
    """Write a gap in percentage points: '−20 points'."""
    return "–" if group.gap is None else points_text(group.gap).replace("-", "−")


def _gap_words(group: SubgroupFigures, tested: int) -> str:
    if group.accuracy is None or group.gap is None:
        return group.why_none or NOBODY_ELSE
    if abs(group.gap) < SAME:
        return f"The rules help this group as often as everybody else: {percent(group.accuracy.value)}"
    return gap_sentence(group, tested).replace("-", "−")


def _effort_words(group: SubgroupFigures) -> tuple[str, ...]:
    """Say what recourse takes; where every change costs the same, the number of changes says it all."""
    least, changes, cost = need_sentence(group), changes_sentence(group), cost_sentence(group)
    return (least, changes) if group.cost_ratio == group.changes_ratio else (least, cost, changes)


def figures_table(schema: Schema, view: GroupsView, groups: Sequence[SubgroupFigures]) -> Markup:
    """Show every measure of every group, with intervals and the gap."""
    gap = "Against everybody else, in points"
    head = ("Group", "People refused", *MEASURES, gap, "Corrected p-value")
    everybody = [tag("td", measure.text(measure.of_all(view))) for measure in MEASURES.values()]
    last = _row("Everybody", tag("td", f"{view.everybody.affected:,}"), *everybody, tag("td", "–"), tag("td", "–"))
    rows = [_figures_row(schema, group) for group in groups]
    wider = f"; those of the points allow for {COMPARED * gaps_tested(groups):,} comparisons"
    return _table(f"Every figure of every group; in brackets 95 % intervals{wider}", head, [*rows, last])


def _figures_row(schema: Schema, group: SubgroupFigures) -> Markup:
    span = group.gap_interval
    gap = "–" if span is None else f"{gap_text(group)} ({signed_span(*span)})".replace("-", "−")
    few = tag("span", FEW, css="group-few") if group.small else ""
    return _row(
        joined((name_of(schema, group), " ", few)),
        tag("td", f"{group.affected:,}"),
        *(tag("td", _measured(group, measure)) for measure in MEASURES.values()),
        tag("td", gap),
        tag("td", p_text(group.p_holm)),
    )


def _measured(group: SubgroupFigures, measure: Measure) -> str:
    value, interval = measure.figure(group)
    if value is None:
        return measure.why_none(group) or "–"
    return measure.text(value) if interval is None else f"{measure.text(value)} ({measure.span(interval)})"


def moves_table(schema: Schema, view: GroupsView) -> Markup:
    """Show how often each move works in each group, on how many people."""
    groups = [name_of(schema, group) for group in view.groups]
    rows = [
        _row(conjunction_text(schema, move.move), *(tag("td", _share(share)) for _, share in move.works))
        for move in view.moves
    ]
    return _table("How often each move works in each group; in brackets 95 % intervals", ("Move", *groups), rows)


def _share(share: Share) -> str:
    if share.value is None:
        return "nobody could"
    return f"{percent(share.value)} ({span_text(*share.interval)}), {share.count:,} of {share.total:,}"


def _row(name: object, *cells: Markup) -> Markup:
    return tag("tr", tag("th", name, scope="row"), *cells)


def _table(caption: str, head: Iterable[str], rows: Iterable[Markup]) -> Markup:
    """Return a table that scrolls sideways in a frame a keyboard can reach."""
    titles = tag("tr", *(tag("th", each, scope="col") for each in head))
    table = tag("table", tag("caption", caption), tag("thead", titles), tag("tbody", *rows), css="group-table")
    return tag("div", table, css="group-scroll", tabindex="0", role="region", aria_label=caption)
