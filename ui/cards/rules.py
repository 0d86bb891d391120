"""Cards on a summary: its figures, and its rules nested as the paper prints them. Views in, markup out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from markupsafe import Markup

from ares_core.audit.intervals import Share
from ares_core.audit.summary_words import CARE, FEW
from ares_core.audit.words import (
    conjunction_text,
    cost_text,
    level_text,
    people,
    percent,
    predicate_text,
    span_text,
)
from ares_core.people import Predicate, Schema
from ares_core.recourse import RecourseRule
from ares_core.wording import counted
from ares_core.worker import RuleView, SummaryView
from ui.cards.meter import meter
from ui.html import joined, tag

NOBODY = "There is nobody to measure it on."


def figure_cards(summary: SummaryView) -> Markup:
    """Return what the rules achieve together: on people they were not chosen on first, on the others below."""
    check, learn, same = summary.check, summary.learn, summary.same_people
    cards = [
        _share_card("Refused people the rules help", check.accuracy, learn.accuracy, same=same),
        _share_card("Refused people under a rule", check.coverage, learn.coverage, same=same),
        _card(
            "What a helped person pays",
            "–" if check.mean_fcost is None else cost_text(check.mean_fcost),
            "on average, in units of the easiest change" if check.helped else "nobody is helped",
            "" if same or learn.mean_fcost is None else _chosen_on(cost_text(learn.mean_fcost)),
        ),
        _card(
            "Rules",
            f"{check.size:,}",
            f"in {counted(check.subgroups, 'subgroup')}, with at most {counted(check.max_width, 'condition')} each",
            f"At most {summary.settings.max_rules:,} were allowed",
        ),
    ]
    return tag("ul", *cards, css="rule-cards")


def _share_card(label: str, check: Share, learn: Share, *, same: bool) -> Markup:
    below = "" if same or learn.value is None else _chosen_on(f"{percent(learn.value)} of {learn.total:,}")
    if check.value is None:
        return _card(label, "–", "There is nobody to measure on.", below)
    return _card(label, percent(check.value), counts(check, f"{check.total:,}"), below, meter(check))


def counts(share: Share, whom: str) -> str:
    """Say how many of whom, with the interval; no percent sign begins a line."""
    words = f"{share.count:,} of {whom}, 95 % interval {span_text(*share.interval)}"
    return words.replace(" %", "\N{NO-BREAK SPACE}%")


def _chosen_on(figure: str) -> str:
    return f"Of the people the rules were chosen on: {figure}"


def _card(label: str, figure: str, words: str, below: str, bar: Markup | str = "") -> Markup:
    return tag(
        "li",
        tag("span", label, css="rule-label"),
        tag("strong", figure, css="rule-figure"),
        bar,
        tag("span", words, css="rule-words"),
        tag("span", below, css="rule-second") if below else "",
        css="rule-card",
    )


def rule_cards(schema: Schema, summary: SummaryView, more: Sequence[str] = ()) -> Markup:
    """Return the rules: an outer "If …:" for each subgroup, its inner rules with their figures below.

    `more` is a further sentence on each rule, if there is one.
    """
    numbers = iter(range(1, len(summary.rules) + 1))
    last = iter(more or [""] * len(summary.rules))
    groups = []
    for subgroup, members in groupby(summary.rules, key=lambda view: view.rule.subgroup):
        views = list(members)
        whom = conjunction_text(schema, subgroup) if len(subgroup) else "anybody"
        head = tag("h3", tag("span", "If ", css="rule-key"), whom, ":", css="rule-if")
        rules = [_rule(schema, view, next(numbers), next(last), same=summary.same_people) for view in views]
        groups.append(tag("section", head, tag("ul", *rules, css="rule-list"), css="rule-group"))
    return tag("div", *groups, css="rule-set")


def _rule(schema: Schema, view: RuleView, number: int, more: str, *, same: bool) -> Markup:
    return tag(
        "li",
        tag("span", f"Rule {number}", css="rule-number"),
        sentence_markup(schema, view.rule),
        _works(view.figures.check),
        tag("p", _details(view, same=same), css="rule-second"),
        tag("p", more, css="rule-second") if more else "",
        css="rule-item",
    )


def sentence_markup(schema: Schema, rule: RecourseRule) -> Markup:
    """Return 'If …, then …'; what changes has an arrow, is bold and underlined, and says what it was."""
    before = {predicate.feature: predicate for predicate in rule.before}
    changed = set(rule.changes)
    conditions = [tag("span", predicate_text(schema, each), css="rule-part") for each in rule.before]
    ends = [
        _change(schema, before[each.feature], each)
        if each in changed
        else tag("span", predicate_text(schema, each), css="rule-part")
        for each in rule.after
    ]
    return joined(
        [
            tag("p", tag("span", "If ", css="rule-key"), _and(conditions), ",", css="rule-before"),
            tag("p", tag("span", "then ", css="rule-key"), _and(ends), css="rule-then"),
        ]
    )


def _and(parts: Iterable[Markup]) -> Markup:
    return Markup(' <span class="rule-and">and</span> ').join(parts)


def _change(schema: Schema, was: Predicate, becomes: Predicate) -> Markup:
    return tag(
        "span",
        tag("span", "→\N{NO-BREAK SPACE}", css="rule-arrow"),
        tag("strong", tag("u", predicate_text(schema, becomes))),
        " ",
        tag("span", f"(was {level_text(schema, was)})", css="rule-was"),
        css="rule-change",
    )


def _works(share: Share) -> Markup:
    if share.value is None:
        return tag("p", NOBODY, " ", tag("span", CARE, css="rule-care"), css="rule-works")
    care = tag("span", CARE, css="rule-care") if share.total < FEW else ""
    return tag(
        "div",
        tag("span", "Works for ", tag("strong", percent(share.value), css="rule-percent"), css="rule-works-for"),
        meter(share),
        tag("span", counts(share, people(share.total)), " ", care, css="rule-words"),
        css="rule-works",
    )


def _details(view: RuleView, *, same: bool) -> str:
    figures, changes = view.figures, counted(len(view.rule.changes), "change")
    chosen = "" if same else f" · helped {figures.learn.count:,} of the {figures.learn.total:,} it was chosen on"
    return f"Cost {cost_text(figures.feature_cost)} · {changes}{chosen}"


def left_out_line(summary: SummaryView, target: str) -> Markup:
    """Return one line on who is failed and left out, linked to their lists."""
    lists = summary.lists
    parts = [
        f"Failed by a rule: {len(lists.failed):,}",
        f"Under no rule: {len(lists.uncovered):,}",
        f"Under more than one: {len(lists.conflicts):,}",
        f"No move helps: {len(lists.without_recourse):,}",
    ]
    return tag("p", " · ".join(parts), " · ", tag("a", "See who they are", href=f"#{target}"), css="rule-left")
