"""Audits in words: what a loan manager reads. Returns text, never prints it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ares_core.audit.audit import Audit
from ares_core.audit.figures import RuleFigures
from ares_core.audit.subgroup_text import subgroups_text
from ares_core.audit.summary_words import (
    blocker_words,
    certificate_words,
    no_rule_words,
    protocol_words,
    rule_words,
    totals_words,
)
from ares_core.audit.words import conjunction_text, percent, rule_text, wrapped
from ares_core.models import FAMILIES, ForeignModel
from ares_core.people import Schema
from ares_core.recourse import RecourseRule
from ares_core.wording import counted

MOST_NOTES = 12
PLAIN_KINDS = {
    "rules": "a set of rules",
    "skops": "a skops file",
    "onnx": "an ONNX file",
    "xgboost": "an XGBoost file",
    "lightgbm": "a LightGBM file",
    "pickle": "a pickle",
    "mlflow": "an MLflow service",
    "kserve": "an Open Inference service",
}
NOT_CHECKED = "This reading was not checked against answers the model is known to give (--expected)."
MARKS = {True: ": yes.", False: ": NO.", None: ":"}
SHOWN_SIZES = (1, 2, 3, 5, 10, 15, 20, 50, 100, 200)


def summary_text(audit: Audit) -> str:
    """Write the whole audit."""
    schema = audit.bench.table.schema
    measured = len(audit.learned.rules) > 0 and len(audit.bench.split.check) > 0
    parts = [
        wrapped(f"WARNING: {audit.warning}") if audit.warning else "",
        _opening(audit),
        _behaviour(audit),
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
    split = bench.split
    return wrapped(f"{who} {protocol_words(len(split.learn), len(split.check), same_people=split.same_people)}")


def _kind(kind: str) -> str:
    """Name a model in plain words: 'random forest' for 'rf'."""
    words = FAMILIES[kind].description.split(":")[0].rstrip(".") if kind in FAMILIES else PLAIN_KINDS.get(kind, kind)
    return words if kind in PLAIN_KINDS else words[:1].lower() + words[1:]


def _behaviour(audit: Audit) -> str:
    """List how a model from elsewhere behaves, and how its answers are read."""
    if audit.behaviour is None or not isinstance(audit.model, ForeignModel):
        return ""
    findings = [*audit.behaviour.findings(), *([] if audit.recheck is None else [audit.recheck.finding()])]
    lines = [f"{finding.title}{MARKS[finding.good]} {finding.words}" for finding in findings]
    lines += [f"Asked: {audit.model.asked}"] if audit.model.asked else []
    where = f" It runs behind {audit.model.sandbox}." if audit.model.sandbox else ""
    checked = NOT_CHECKED if audit.expected is None else audit.expected.words()
    opening = wrapped(f"{audit.model.reading.words()} {checked}{where} How the model behaves:")
    return "\n".join([opening, *(wrapped(line, "- ", "  ") for line in lines)])


def _rules(audit: Audit) -> str:
    split, found = audit.bench.split, list(zip(audit.learned.rules, audit.rule_figures, strict=True))
    if not found:
        return wrapped(no_rule_words(audit.learned, len(split.learn)))
    return rules_text(audit.bench.table.schema, found, same_people=split.same_people)


def rules_text(schema: Schema, found: Sequence[tuple[RecourseRule, RuleFigures]], *, same_people: bool) -> str:
    """Write rules with their figures, nested: each subgroup once, its rules below it."""
    blocks = []
    for subgroup, members in groupby(found, key=lambda pair: pair[0].subgroup):
        lines = [wrapped(f"If {conjunction_text(schema, subgroup)}:", other="  ")]
        for rule, figures in members:
            lines.append(wrapped(rule_text(schema, rule), "    ", "      "))
            lines.append(wrapped(rule_words(figures, same_people=same_people), "        ", "        "))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _totals(audit: Audit) -> str:
    split = audit.bench.split
    return wrapped(totals_words(audit.totals(split.check), audit.totals(split.learn), same_people=split.same_people))


def _certificate(audit: Audit) -> str:
    return wrapped(certificate_words(audit.learned, len(audit.bench.split.learn)))


def _blockers(audit: Audit) -> str:
    return wrapped(blocker_words(audit.bench.table.schema, audit.blockers, len(audit.bench.affected)))


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
    exactly = "" if audit.settings.search == "exact" else ", searched exactly"
    return wrapped(f"Helped by the best summaries of each size{exactly}: {', '.join(shown)}{tail}.")


def _notes(notes: tuple[str, ...]) -> str:
    """List what a careful reader should know of the data."""
    if not notes:
        return ""
    more = [f"{len(notes) - MOST_NOTES} more notes are in the run file."] if len(notes) > MOST_NOTES else []
    lines = [wrapped(note, "- ", "  ") for note in (*notes[:MOST_NOTES], *more)]
    return "\n".join(["To know about the data:", *lines])
