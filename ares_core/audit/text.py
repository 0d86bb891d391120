"""Audits in words: rules as a loan manager would say them. Returns text, never prints it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import fill

from ares_core.audit.audit import Audit
from ares_core.audit.blockers import Blockers
from ares_core.audit.figures import RuleFigures
from ares_core.audit.intervals import Share
from ares_core.audit.person import PersonRecourse, PricedMove
from ares_core.audit.subgroups import SubgroupFigures
from ares_core.people import Conjunction, Missing, Predicate, Schema
from ares_core.people.levels import number_text
from ares_core.recourse import RecourseRule

WIDTH = 110


def percent(value: float | None) -> str:
    """Write a share as a whole percentage; a dash for nobody's."""
    return "–" if value is None else f"{100 * value:.0f} %"


def share_text(share: Share) -> str:
    """Write a share with its people and interval: '84 % (95 % interval 76–90 %; 97 of 115)'."""
    if share.value is None:
        return "nobody"
    low, high = share.interval
    return f"{percent(share.value)} (95 % interval {100 * low:.0f}–{100 * high:.0f} %; {share.count} of {share.total})"


def people(count: int) -> str:
    """Write 'one person' or 'N people'."""
    return "1 person" if count == 1 else f"{count:,} people"


def predicate_text(schema: Schema, predicate: Predicate) -> str:
    """Say a predicate with the schema's label and level name: 'Savings = 100 to 500 DM'."""
    feature = schema[predicate.feature]
    same = (level.name for level in feature.levels if level.to_json() == predicate.level.to_json())
    if isinstance(predicate.level, Missing):
        return f"{feature.title} is not known"
    return f"{feature.title} = {next(same, predicate.level.name)}"


def conjunction_text(schema: Schema, conjunction: Iterable[Predicate]) -> str:
    """Join predicates with 'and'."""
    return " and ".join(predicate_text(schema, predicate) for predicate in conjunction) or "everybody"


def rule_text(schema: Schema, rule: RecourseRule) -> str:
    """Say the inner rule; what changes stands in **stars** and behind an arrow."""
    changed = set(rule.changes)
    then = [f"**{predicate_text(schema, predicate)}**" if predicate in changed else predicate_text(schema, predicate)
            for predicate in rule.after]
    return f"If {conjunction_text(schema, rule.before)}, then → {' and '.join(then)}."


def summary_text(audit: Audit) -> str:
    """Write the whole audit."""
    parts = [_opening(audit), _rules(audit), _totals(audit), _certificate(audit), _subgroups(audit),
             _blockers(audit.blockers()), _frontier(audit)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(audit: Audit) -> str:
    bench = audit.bench
    who = f"The model ({audit.model.kind}) refuses {len(bench.affected):,} of {len(bench.table):,} people audited."
    how = ("Rules were chosen and measured on the same people (the paper's protocol)."
           if bench.split.same_people else
           f"Rules were chosen on {len(bench.split.learn):,} of them; every figure below is measured on the other "
           f"{len(bench.split.check):,}.")
    return fill(f"{who} {how}", WIDTH)


def _rules(audit: Audit) -> str:
    schema = audit.bench.table.schema
    if not len(audit.learned.rules):
        return "No rule gains more than it costs: the best summary is empty. Lower the support or the weights of cost."
    blocks = []
    paired = zip(audit.learned.rules, audit.rule_figures, strict=True)
    for subgroup, members in groupby(paired, key=lambda pair: pair[0].subgroup):
        lines = [fill(f"If {conjunction_text(schema, subgroup)}:", WIDTH)]
        for rule, figures in members:
            lines.append(fill(rule_text(schema, rule), WIDTH, initial_indent="    ", subsequent_indent="      "))
            lines.append(fill(figures_text(figures), WIDTH, initial_indent="        ", subsequent_indent="        "))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def figures_text(figures: RuleFigures) -> str:
    """Say whom a rule covers, how often it works, and what it costs."""
    if not figures.check.total:
        return f"nobody to check it on; worked for {figures.learn.count} of the {figures.learn.total} it was chosen on."
    return (f"works for {share_text(figures.check)}; cost {number_text(round(figures.feature_cost, 2))}; "
            f"chosen on {figures.learn.total}, of whom {figures.learn.count} are helped.")


def _totals(audit: Audit) -> str:
    check = audit.totals(audit.bench.split.check)
    learn = audit.totals(audit.bench.split.learn)
    rules = f"{check.size} rules for {check.subgroups} subgroups" if check.size != 1 else "1 rule"
    cost = "" if check.mean_fcost is None else f" Those helped pay {check.mean_fcost:.2f} on average."
    seen = "" if audit.bench.split.same_people else f" On the people the rules were chosen on it is {percent(learn.accuracy.value)}."
    return fill(f"Together: {rules} help {share_text(check.accuracy)} of the affected and cover "
                f"{percent(check.coverage.value)}.{seen}{cost} {people(check.conflicts).capitalize()} under more than one "
                f"rule; {people(check.no_recourse)} whom no candidate move helps.", WIDTH)


def _certificate(audit: Audit) -> str:
    proof = audit.learned.certificate
    settings = audit.settings
    limits = (f"at most {settings.max_rules} rules in {settings.max_subgroups} subgroups, from "
              f"{proof.candidates:,} candidates")
    if proof.proven:
        claim = f"Proven: no summary of {limits}, scores higher."
    else:
        claim = f"No summary of {limits}, scores more than {100 * proof.gap:.2g} % higher; better was not found in time."
    guard = audit.learned.guard
    trust = (f" Rules describe at least {people(guard.min_people)}" +
             (f", and small rules are trusted as if {guard.strength:g} more people had been helped at the usual rate."
              if guard.strength else "."))
    return fill(claim + trust + "".join(f" {sentence}" for sentence in audit.bench.candidates.narrowed), WIDTH)


def _subgroups(audit: Audit) -> str:
    if not audit.subgroups:
        return ""
    schema = audit.bench.table.schema
    ranked = sorted(audit.subgroups, key=lambda group: (group.p_holm, -abs(group.gap or 0)))
    return "How recourse differs between subgroups:\n" + "\n".join(
        fill("- " + _subgroup(schema, group), WIDTH, subsequent_indent="  ") for group in ranked)


def _subgroup(schema: Schema, group: SubgroupFigures) -> str:
    name = conjunction_text(schema, group.subgroup)
    words = f"{name}: rules help {share_text(group.accuracy)}"
    if group.gap is not None:
        low, high = group.gap_interval
        words += (f", {100 * group.gap:+.0f} points against everybody else (95 % interval {100 * low:+.0f} to "
                  f"{100 * high:+.0f}; corrected p = {group.p_holm:.2g})")
    if group.cost_ratio is not None and group.cost_ratio_interval is not None:
        low, high = group.cost_ratio_interval
        words += f"; recourse costs {group.cost_ratio:.2g} times as much (95 % interval {low:.2g}–{high:.2g})"
    if group.without_recourse.count:
        words += f"; {percent(group.without_recourse.value)} have no recourse"
    return words + (". Small group." if group.small else ".")


def _blockers(blockers: Blockers) -> str:
    if not blockers.people:
        return ""
    words = [f"No candidate move helps {people(blockers.people)} of all the affected."]
    if blockers.looked_at < blockers.people:
        words.append(f"Of the first {blockers.looked_at}:")
    for name, count in blockers.locked[:5]:
        words.append(f"{people(count).capitalize()} would have one if {name!r} could change.")
    if blockers.rare:
        words.append(f"{people(blockers.rare).capitalize()} would have one that starts or ends among too few people.")
    if blockers.further:
        words.append(f"{people(blockers.further).capitalize()} would need more changes than were looked at.")
    return fill(" ".join(words), WIDTH)


def _frontier(audit: Audit) -> str:
    if not audit.frontier:
        return ""
    shown = []
    for size, point in enumerate(audit.frontier, start=1):
        accuracy = audit.totals(audit.bench.split.check, point).accuracy
        if size in (1, 2, 3, 5, 10, 15, 20, len(audit.frontier)):
            shown.append(f"{size}: {percent(accuracy.value)}")
    return fill("Accuracy by number of rules: " + ", ".join(shown) + ".", WIDTH)


def person_text(schema: Schema, answer: PersonRecourse) -> str:
    """Say what one person can do."""
    if answer.accepted:
        return f"Row {answer.row}: the model accepts this person; there is nothing to change.\n"
    if answer.rule is None:
        rule = "No rule of the summary applies."
    else:
        works = "It works for this person." if answer.rule_works else "It does not work for this person."
        rule = (f"In subgroup {conjunction_text(schema, answer.rule.subgroup)}: {rule_text(schema, answer.rule)} {works}")
    return (f"Row {answer.row}: the model refuses this person.\n{fill(rule, WIDTH)}\n"
            f"{fill(_cheapest(schema, answer.cheapest, answer.tried), WIDTH)}\n")


def _cheapest(schema: Schema, move: PricedMove | None, tried: int) -> str:
    if move is None:
        return f"None of the {tried:,} moves allowed helps this person."
    return f"The cheapest move that works, at cost {move.cost:.2f}: {_targets(schema, move.changes)}."


def _targets(schema: Schema, changes: Conjunction) -> str:
    return " and ".join(f"**{predicate_text(schema, predicate)}**" for predicate in changes)
