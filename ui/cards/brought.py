"""Cards on a model from elsewhere: what it says of itself, and how it behaves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from ares_core.audit.text import PLAIN_KINDS
from ares_core.models.behaviour import Finding
from ares_core.models.matching import Pairing
from ares_core.wording import counted
from ares_core.worker import InspectionView
from ui.html import joined, tag

SIGNS = {True: "✓ yes", False: "✗ no", None: ""}
MOST_COLUMNS = 12


def self_card(view: InspectionView) -> Markup:
    """Show what a model is, where it runs, what it wants and what it answers."""
    found = view.found
    rows = [
        ("What it is", PLAIN_KINDS.get(found.kind, found.kind)),
        ("Where it runs", f"behind {view.sandbox}" if view.sandbox else "elsewhere; it is asked over HTTP"),
        ("Columns it wants", _columns(view)),
        ("What it answers", answers_text(view)),
        ("SHA-256", tag("code", found.sha256[:16], "…")),
    ]
    body = joined(tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in rows)
    return tag("table", tag("caption", "What the model says of itself"), tag("tbody", body), css="model-self")


def _columns(view: InspectionView) -> str:
    names = [wanted.name for wanted in view.found.signature.columns]
    if not names:
        return "it does not say"
    more = f" and {len(names) - MOST_COLUMNS} more" if len(names) > MOST_COLUMNS else ""
    return f"{counted(len(names), 'column')}: {', '.join(names[:MOST_COLUMNS])}{more}"


def answers_text(view: InspectionView) -> str:
    """Say what a model answers: its labels, its scores, or both."""
    found = view.found
    parts = []
    if found.labels:
        shown = [f"{label} ({count:,})" for label, count in found.labels[:MOST_COLUMNS]]
        parts.append(f"labels, with how many people get each: {', '.join(shown)}")
    if found.spreads:
        low, high = found.spreads[-1].scores[0], found.spreads[-1].scores[-1]
        of = f" for each of {len(found.spreads)} classes" if len(found.spreads) > 1 else ""
        parts.append(f"scores{of}, from {score_text(low)} to {score_text(high)}")
    return "; ".join(parts)


def score_text(score: float) -> str:
    """Write a score in about three digits, without an exponent: 16,812 and 0.0125."""
    if score and not 1e-6 <= abs(score) < 1e12:
        return f"about {0 if abs(score) < 1 else score:.3g}"
    if abs(score) >= 1000:
        return f"{score:,.0f}"
    return np.format_float_positional(score, precision=3, fractional=False, trim="-")


def sent_card(pairings: Sequence[Pairing]) -> Markup:
    """Show for each column of the table what the model is sent, and the model's name of it where that differs."""
    body = joined(
        tag("tr", tag("th", each.column, scope="row"), tag("td", each.sent + _renamed(each))) for each in pairings
    )
    return tag(
        "table",
        tag("caption", "Each column of the table, and what the model is sent"),
        tag("tbody", body),
        css="model-self",
    )


def _renamed(pairing: Pairing) -> str:
    return f", called {pairing.name}" if pairing.name != pairing.column else ""


def behaviour_list(findings: Sequence[Finding]) -> Markup:
    """Show how a model behaves, line by line."""
    return tag("ul", joined(_line(finding) for finding in findings), css="model-checks")


def _line(finding: Finding) -> Markup:
    sign = tag("strong", SIGNS[finding.good], css="model-sign") if SIGNS[finding.good] else ""
    bad = "model-bad" if finding.good is False else "model-check"
    return tag("li", tag("span", f"{finding.title}: "), sign, " ", finding.words, css=bad)
