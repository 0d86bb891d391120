"""Audits in words: what a loan manager reads. Returns text, never prints it."""

from __future__ import annotations

from itertools import groupby

from ares_core.audit.audit import Audit
from ares_core.audit.figures import RuleFigures, Totals
from ares_core.audit.subgroup_text import subgroups_text
from ares_core.audit.words import (
    conjunction_text,
    cost_text,
    counted,
    hundredths,
    people,
    percent,
    rule_text,
    sentence,
    share_text,
    wrapped,
)
from ares_core.models import FAMILIES
from ares_core.people import Change, Schema
from ares_core.recourse.split import Split

FEW = 5  # a rule measured on fewer people is said to be
MOST_NOTES = 12
PLAIN_KINDS = {"rules": "a set of rules"}
SHOWN_SIZES = (1, 2, 3, 5, 10, 15, 20, 50, 100, 200)


def summary_text(audit: Audit) -> str:
    """Write the whole audit."""
    schema = audit.bench.table.schema
    measured = len(audit.learned.rules) > 0 and len(audit.bench.split.check) > 0
    parts = [
        _opening(audit),
        _rules(audit),
        _totals(audit),
        _frontier(audit) if measured else "",
        subgroups_text(schema, audit.subgroups) if measured else "",
        _blockers(audit),
        _certificate(audit),
        _notes(audit.notes),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(audit: Audit) -> str:
    bench = audit.bench
    who = (
        f"The model ({_kind(audit.model.kind)}) refuses {len(bench.affected):,} of the {len(bench.table):,} "
        "people audited."
    )
    return wrapped(f"{who} {_protocol(bench.split)}")


def _protocol(split: Split) -> str:
    """Say on whom rules were chosen and on whom they were measured."""
    if split.same_people:
        return "Rules were chosen and measured on the same people (the paper's protocol)."
    if not len(split.check):
        return "Rules were chosen on all of them, so nobody is left to measure on; keep a larger share aside."
    return (
        f"Rules were chosen on {len(split.learn):,} of those refused; every figure below is measured on the "
        f"other {len(split.check):,}."
    )


def _kind(kind: str) -> str:
    """Name a model in plain words: 'random forest' for 'rf'."""
    words = FAMILIES[kind].description.split(":")[0].rstrip(".") if kind in FAMILIES else PLAIN_KINDS.get(kind, kind)
    return words[:1].lower() + words[1:]


def _rules(audit: Audit) -> str:
    schema, same = audit.bench.table.schema, audit.bench.split.same_people
    if not len(audit.learned.rules):
        return _no_rule(audit)
    blocks = []
    paired = zip(audit.learned.rules, audit.rule_figures, strict=True)
    for subgroup, members in groupby(paired, key=lambda pair: pair[0].subgroup):
        lines = [wrapped(f"If {conjunction_text(schema, subgroup)}:", other="  ")]
        for rule, figures in members:
            lines.append(wrapped(rule_text(schema, rule), "    ", "      "))
            lines.append(wrapped(figures_text(figures, same), "        ", "        "))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _no_rule(audit: Audit) -> str:
    """Say that no rule was found, and why."""
    proof = audit.learned.certificate
    if not proof.candidates:
        return wrapped(
            f"No rule can be offered: none describes at least {people(audit.learned.min_people)} among the "
            f"{len(audit.bench.split.learn):,} refused it would be chosen on. Audit more people, or "
            "lower the support or the fewest people of a rule."
        )
    if not proof.proven:
        return wrapped("No rule was found before the time for the search was over. Allow it more seconds.")
    return wrapped(
        "No rule can be offered: each would cost more, in failures and in changes, than the people it "
        "helps are worth. Raise the weight of coverage, lower those of correctness and cost, or lower the support."
    )


def figures_text(figures: RuleFigures, same_people: bool) -> str:
    """Say how often a rule works, on whom, and what it costs."""
    chosen = f"it helps {figures.learn.count:,} of the {figures.learn.total:,} it was chosen on"
    works = "There is nobody to measure it on"
    if figures.check.total:
        works = f"Works for {share_text(figures.check)}"
    few = " Few people: read with care." if figures.check.total < FEW else ""
    return f"{works}{'' if same_people else f'; {chosen}'}. Cost {cost_text(figures.feature_cost)}.{few}"


def _totals(audit: Audit) -> str:
    split = audit.bench.split
    check, learn = audit.totals(split.check), audit.totals(split.learn)
    if not check.size:
        return wrapped(sentence(_left_out(check))) if check.affected else ""
    if not check.affected:
        return wrapped(f"Of the people the rules were chosen on, {percent(learn.accuracy.value)} are helped.")
    rules, groups = counted(check.size, "rule"), counted(check.subgroups, "subgroup")
    helps = "helps" if check.size == 1 else "help"
    covers = "covers" if check.size == 1 else "cover"
    words = [
        f"Together, {rules} for {groups} {helps} {share_text(check.accuracy, ' refused')} and {covers} "
        f"{percent(check.coverage.value)}."
    ]
    if not split.same_people:
        words.append(f"Of the people the rules were chosen on, {percent(learn.accuracy.value)} are helped.")
    if check.mean_fcost is not None:
        words.append(f"A person who is helped pays {cost_text(check.mean_fcost)} on average.")
    words.append(sentence(f"{_under(check.conflicts)} under more than one rule; {_left_out(check)}"))
    return wrapped(" ".join(words))


def _under(count: int) -> str:
    return f"{people(count)} {'is' if count < 2 else 'are'}"


def _left_out(check: Totals) -> str:
    if not check.no_recourse:
        return "for everybody some candidate move works"
    return f"for {people(check.no_recourse)} no candidate move works"


def _certificate(audit: Audit) -> str:
    proof, settings = audit.learned.certificate, audit.settings
    if not proof.candidates:
        return wrapped(" ".join(audit.bench.candidates.narrowed))
    limits = (
        f"at most {counted(settings.max_rules, 'rule')} in {counted(settings.max_subgroups, 'subgroup')}, "
        f"made from {counted(proof.candidates, 'candidate')},"
    )
    if not proof.proven and not len(audit.learned.rules):
        claim = "The search ended before it could prove that no rule is worth offering."
    elif proof.proven:
        claim = f"Proven: no summary of {limits} scores higher."
    else:
        claim = (
            f"No summary of {limits} can score more than {hundredths(proof.gap)} % higher; the search ended "
            "before it could prove that none does."
        )
    trust = [f"Rules must describe at least {people(audit.learned.min_people)}."]
    invented = audit.learned.stand_ins
    if invented:
        trust.append(
            f"Because {people(len(audit.bench.split.learn))} teach little, {people(invented)} were invented "
            "whom the model refuses too; they help to choose the rules, and no figure counts them."
        )
    return wrapped(" ".join([claim, *trust, *audit.bench.candidates.narrowed]))


def _blockers(audit: Audit) -> str:
    """Say what stands between people and recourse."""
    found, schema = audit.blockers, audit.bench.table.schema
    if not found.people:
        return ""
    words = [f"No candidate move works for {people(found.people)} of all {len(audit.bench.affected):,} refused."]
    if found.looked_at < found.people:
        words.append(f"Of the first {found.looked_at} of them:")
    words += [f"{_would(count)} if {_unlocked(schema, name)}." for name, count in found.locked[:5]]
    if found.rare:
        words.append(f"{_would(found.rare)} if more people were where it starts or where it leads.")
    if found.further:
        words.append(sentence(f"{people(found.further)} would need more changes than were tried, if any help at all"))
    return wrapped(" ".join(words))


def _would(count: int) -> str:
    return f"{people(count).capitalize()} would have one"


def _unlocked(schema: Schema, name: str) -> str:
    feature = schema[name]
    how = "" if feature.change is Change.FROZEN else " in a way that is not allowed"
    return f"{feature.title!r} could change{how}"


def _frontier(audit: Audit) -> str:
    """Say how much fewer rules achieve."""
    found = [audit.totals(audit.bench.split.check, point).accuracy.value for point in audit.frontier]
    last = next(size for size in range(1, len(found) + 1) if set(found[size - 1 :]) == {found[-1]})
    shown = [
        f"{counted(size, 'rule')} {percent(found[size - 1])}"
        for size in range(1, last + 1)
        if size in SHOWN_SIZES or size == last
    ]
    tail = "; more rules help no more people" if last < len(found) else ""
    return wrapped(f"Helped by the best summaries of each size: {', '.join(shown)}{tail}.")


def _notes(notes: tuple[str, ...]) -> str:
    """List what a careful reader should know of the data."""
    if not notes:
        return ""
    more = [f"{len(notes) - MOST_NOTES} more notes are in the run file."] if len(notes) > MOST_NOTES else []
    lines = [wrapped(note, "- ", "  ") for note in (*notes[:MOST_NOTES], *more)]
    return "\n".join(["To know about the data:", *lines])
