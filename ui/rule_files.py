"""Files of a summary: the rules as text and as a table, the trade-off, and the whole audit as a run file."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ares_core.audit.summary_words import certificate_words, no_rule_words, protocol_words, totals_words
from ares_core.audit.text import rules_text
from ares_core.audit.words import conjunction_text, wrapped
from ares_core.people import Schema
from ares_core.worker import EvaluationView, Export, SummaryView
from ui.background import finished, later
from ui.charts.tradeoff import trade_off_frame
from ui.downloads import download, download_table
from ui.html import show, tag
from ui.people_lists import prepared
from ui.recourse import Looked
from ui.session import Session
from ui.shell import answer


def files(session: Session, looked: Looked) -> None:
    """Offer everything shown as files."""
    show(tag("h2", "Take it with you", css="rule-heading"))
    schema, summary = session.schema(), looked.summary
    with st.container(key="rule_files", horizontal=True):
        download("Rules as text", as_text(schema, summary, looked.evaluation), "rules.txt", key="save_rules_text")
        download_table("Rules (CSV)", rules_frame(schema, summary), "rules.csv", key="save_rules")
        points = None if looked.unfinished is not None else finished(later(session, looked.sizes))
        if points:
            download_table("Trade-off (CSV)", trade_off_frame(points), "trade-off.csv", key="save_trade_off")
        _record(session, looked)


def _record(session: Session, looked: Looked) -> None:
    notes = (*_which_rules(looked), session.costs_told())
    words = "Every setting, rule, figure and proof of the summary shown, for programs. May take some seconds."
    if prepared("prepare_record", (looked.key, notes), "Prepare the full record (JSON)", words):
        frontier = tuple(point.key for point in answer(session, looked.sizes, "Finding the best rules of each size"))
        text = answer(session, Export(looked.key, frontier, notes), "Writing the record")
        download("Full record (JSON)", text, "run.json", key="save_record")


def _which_rules(looked: Looked) -> tuple[str, ...]:
    """Say in the record which summary it holds, where that is not the proven best within the limits."""
    if looked.size is not None:
        return (f"These are the best rules of at most {looked.size}, chosen from the sizes in 'frontier'.",)
    return () if looked.unfinished is None else ("The search for better rules had not ended when this was written.",)


def as_text(schema: Schema, summary: SummaryView, found: EvaluationView) -> str:
    """Write a summary as the command line prints it."""
    paired = [(view.rule, view.figures) for view in summary.rules]
    same = summary.same_people
    protocol = protocol_words(found.learn, found.check, same_people=same)
    parts = [
        wrapped(f"The model refuses {found.affected:,} of the {found.people:,} people audited. {protocol}"),
        rules_text(schema, paired, same_people=same) if paired else wrapped(no_rule_words(summary, found.learn)),
        wrapped(totals_words(summary.check, summary.learn, same_people=same)),
        wrapped(certificate_words(summary, found.learn)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rules_frame(schema: Schema, summary: SummaryView) -> pd.DataFrame:
    """Return the rules as a table, one row each."""
    rows = [
        {
            "rule": number,
            "if": conjunction_text(schema, view.rule.subgroup),
            "and if": conjunction_text(schema, view.rule.before),
            "then": conjunction_text(schema, view.rule.after),
            "what changes": conjunction_text(schema, view.rule.changes),
            "helped": view.figures.check.count,
            "people": view.figures.check.total,
            "works for": view.figures.check.value,
            "low": view.figures.check.interval[0],
            "high": view.figures.check.interval[1],
            "helped of those chosen on": view.figures.learn.count,
            "people chosen on": view.figures.learn.total,
            "cost": view.figures.feature_cost,
            "changes": len(view.rule.changes),
            "levels crossed": view.figures.feature_change,
        }
        for number, view in enumerate(summary.rules, 1)
    ]
    return pd.DataFrame(rows, columns=list(rows[0]) if rows else ["rule"]).set_index("rule")
