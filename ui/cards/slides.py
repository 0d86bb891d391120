"""Slides: an audit told in large type. Values in, slides out; nothing here asks or shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from ares_core.audit.intervals import Share
from ares_core.audit.subgroup_text import (
    changes_sentence,
    cost_sentence,
    doubt,
    gap_chance,
    gap_span,
    mirrors,
    need_sentence,
    rank,
)
from ares_core.audit.subgroups import SAME, SMALL, SubgroupFigures, gaps_tested
from ares_core.audit.summary_words import CARE, FEW, claim_words, no_rule_words
from ares_core.audit.words import conjunction_text, cost_text, people, percent, span_text, whole_points
from ares_core.people import Schema
from ares_core.wording import counted
from ares_core.worker import EvaluationView, GroupsView, RuleView, SummaryView
from ui.cards.meter import meter
from ui.cards.rules import sentence_markup
from ui.html import joined, tag

MOST_RULES, MOST_TEXT = 3, 700  # rules and characters on one slide
MOST_GROUPS = 12
SHOWN_SIZES = (1, 2, 3, 5, 8, 12, 20)
LONG, VERY_LONG = 260, 520  # characters beyond which a slide is set smaller
NOT_SAID = (
    "That the model decides rightly, or that it is fair. Differences are measured; judging them is up to you.",
    "That a change brings in life what it brings here. The rules say what this model would answer.",
    "That nobody has another way. Only the moves that were tried are counted.",
)


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide; `notes` is the small print that makes its figures honest."""

    title: str
    body: Markup
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """Everything the slides tell; `points` are the best rules of each size, `size` is the one chosen of them."""

    schema: Schema
    model: str
    evaluation: EvaluationView
    summary: SummaryView
    groups: GroupsView
    points: tuple[SummaryView, ...] = ()
    size: int | None = None


def slides(story: Story) -> list[Slide]:
    """Return the slides in order: the headline, the rules, the groups, what fewer rules achieve, how sure all is."""
    if not story.summary.rules:
        return [_headline(story), _certainty(story)]
    return [_headline(story), *_rules(story), *_groups(story), *_trade_off(story), _certainty(story)]


def slide_markup(slide: Slide, number: int, total: int) -> Markup:
    """Return a slide as it fills the screen; long ones are set smaller."""
    length = len(slide.title) + len(slide.body.striptags())
    css = "slide slide-very-long" if length > VERY_LONG else "slide slide-long" if length > LONG else "slide"
    place = f"{number} of {total}"
    foot = tag("p", tag("span", slide.notes), tag("span", place, css="slide-number"), css="slide-foot")
    body = tag("div", slide.body, css="slide-body")
    return tag("section", tag("h1", slide.title), body, foot, css=css, aria_label=f"Slide {place}")


def _headline(story: Story) -> Slide:
    evaluation, totals = story.evaluation, story.summary.check
    title = f"The model refuses {evaluation.affected:,} of {people(evaluation.people)}"
    chosen = "" if story.size is None else f"The best summary of at most {counted(story.size, 'rule')}. "
    notes = f"{chosen}Model: {story.model}. {_measured(story)}"
    if not totals.size:
        return Slide(title, tag("p", no_rule_words(story.summary, evaluation.learn)), notes)
    helps = f"{counted(totals.size, 'rule')} {'helps' if totals.size == 1 else 'help'}"
    body = joined(
        [
            tag("p", helps, css="slide-lead"),
            tag("p", percent(totals.accuracy.value), css="slide-figure"),
            tag("p", f"of those refused: {_counts(totals.accuracy)}", css="slide-lead"),
        ]
    )
    return Slide(title, body, notes)


def _measured(story: Story) -> str:
    evaluation = story.evaluation
    if evaluation.same_people:
        return "Rules were chosen and measured on the same people."
    return f"Measured on {people(evaluation.check)} whom the rules were not chosen on."


def _counts(share: Share) -> str:
    """Say of how many, with the interval: '97 of 115, 95 % interval 76–90 %'."""
    return f"{share.count:,} of {share.total:,}, 95 % interval {span_text(*share.interval)}"


def _rules(story: Story) -> list[Slide]:
    """Return a slide for each subgroup, or for each rule where a subgroup has many."""
    found = []
    for subgroup, members in groupby(story.summary.rules, key=lambda view: view.rule.subgroup):
        rules = [_rule(story.schema, view) for view in members]
        together = len(rules) <= MOST_RULES and len(joined(rules).striptags()) <= MOST_TEXT
        parts = [rules] if together else [[rule] for rule in rules]
        for place, part in enumerate(parts, 1):
            notes = f"Rule {place} of {len(parts)} for these people. " if len(parts) > 1 else ""
            title = f"If {conjunction_text(story.schema, subgroup)}"
            found.append(Slide(title, tag("ul", *part, css="slide-rules"), notes + _measured(story)))
    return found


def _rule(schema: Schema, view: RuleView) -> Markup:
    share = view.figures.check
    works = "There is nobody to measure it on"
    if share.value is not None:
        works = f"Works for {percent(share.value)}: {_counts(share)}"
    care = f" {CARE}" if share.total < FEW else ""
    words = f"{works}. Cost {cost_text(view.figures.feature_cost)}.{care}"
    return tag("li", sentence_markup(schema, view.rule), tag("p", words, css="slide-small"), meter(share))


def _groups(story: Story) -> list[Slide]:
    """Return a slide for each group that can be compared, those that chance explains least first.

    One more slide says which groups have no figures, and why.
    """
    ranked = sorted((group for group in story.groups.groups if group.gap is not None), key=rank)
    told_above = mirrors(ranked)
    told = [group for place, group in enumerate(ranked) if place not in told_above]
    shown = told[:MOST_GROUPS]
    left = f" {counted(len(told) - len(shown), 'more group')} on the Subgroups page." if len(told) > len(shown) else ""
    return [*(_group(story, group, left) for group in shown), *_without_figures(story)]


def _without_figures(story: Story) -> list[Slide]:
    groups = [group for group in story.groups.groups if group.why_none]
    if not groups:
        return []
    rows = [
        tag(
            "li",
            tag("b", conjunction_text(story.schema, group.subgroup)),
            f": {people(group.affected)} measured.",
            tag("p", joined(filter(None, (group.why_none, need_sentence(group))), " "), css="slide-small"),
        )
        for group in groups[:MOST_GROUPS]
    ]
    more = len(groups) - len(rows)
    left = f" {counted(more, 'more group')} on the Subgroups page." if more else ""
    return [Slide("Groups without figures", tag("ul", *rows, css="slide-points"), _measured(story) + left)]


def _group(story: Story, group: SubgroupFigures, left: str) -> Slide:
    everybody, own = story.groups.everybody.accuracy, group.accuracy or Share(0, 0)
    others = Share(everybody.count - own.count, group.others)
    name = conjunction_text(story.schema, group.subgroup)
    words = [_gap(group, gaps_tested(story.groups.groups)), *_effort(group)]
    body = joined(
        [
            tag("ul", _side(name, own), _side("everybody else", others), css="slide-sides"),
            *(tag("p", each, css="slide-lead") for each in words),
        ]
    )
    few = f"Fewer than {SMALL} people on one side: read with care. " if doubt(group) else ""
    return Slide(f"{name}, and everybody else", body, f"{few}{_measured(story)}{left}")


def _side(name: str, share: Share) -> Markup:
    words = tag("p", f"The rules help {percent(share.value)} of ", tag("b", name), f": {_counts(share)}")
    return tag("li", words, meter(share))


def _gap(group: SubgroupFigures, tested: int) -> str:
    gap, interval = group.gap or 0.0, f"({gap_span(group)})".replace("-", "−")
    if abs(gap) < SAME:
        return f"The rules help both as often {interval}."
    points, direction = counted(whole_points(abs(gap)), "point"), "less" if gap < 0 else "more"
    return f"{points} {direction} {interval}. {gap_chance(group, tested)}"


def _effort(group: SubgroupFigures) -> list[str]:
    """Say what recourse takes; where every change costs the same, the number of changes says it all."""
    words = [need_sentence(group), changes_sentence(group)]
    if group.cost_ratio != group.changes_ratio:
        words.append(cost_sentence(group))
    return [each for each in words if each]


def _trade_off(story: Story) -> list[Slide]:
    shares = [point.check.accuracy for point in story.points]
    if len(shares) < 2 or shares[-1].value is None:
        return []
    last = next(size for size in range(1, len(shares) + 1) if len(set(shares[size - 1 :])) == 1)
    sizes = [size for size in range(1, last + 1) if size in SHOWN_SIZES or size == last]
    rows = [_size_row(size, shares[size - 1]) for size in sizes]
    tail = f"More than {counted(last, 'rule')} help no more people. " if last < len(shares) else ""
    table = tag("table", tag("tbody", *rows), css="slide-sizes", aria_label="People helped by number of rules")
    return [Slide("How much do fewer rules achieve?", table, f"{tail}{_measured(story)}")]


def _size_row(size: int, share: Share) -> Markup:
    words = f"{percent(share.value)} ({span_text(*share.interval)})"
    return tag("tr", tag("th", counted(size, "rule"), scope="row"), tag("td", meter(share)), tag("td", words))


def _certainty(story: Story) -> Slide:
    claim = claim_words(story.summary) or "There was no rule to choose from."
    body = joined(
        [
            tag("p", claim, css="slide-lead"),
            tag("h2", "What is not said here"),
            tag("ul", *(tag("li", words) for words in NOT_SAID), css="slide-points"),
        ]
    )
    return Slide("How sure is this?", body, "95 % interval: the range chance leaves open, given so many people.")
