"""Data cards: what table an audit is about, in a few facts."""

from __future__ import annotations

from markupsafe import Markup

from ares_core.audit.words import share_text
from ares_core.wording import counted
from ares_core.worker import Description
from ui.html import joined, tag
from ui.shelf import Setup


def facts(setup: Setup, described: Description) -> Markup:
    """Return the table's name, people, features and outcome."""
    source, features = setup.source, described.schema.features
    rows = {
        "File": source.name,
        "People": f"{described.rows:,}",
        "Features": _features(len(features), len(described.schema.ignored)),
    }
    if described.favourable is None:
        rows["Outcome"] = "none in the table; the model is your own"
    else:
        rows["How it turned out"] = source.target
        rows[f"Good outcome: {source.favourable}"] = share_text(described.favourable)
    if source.expected:
        rows["The model's known answers"] = source.expected
    items = (tag("div", tag("dt", word), tag("dd", value)) for word, value in rows.items())
    return tag("dl", joined(items), css="data-facts")


def _features(used: int, ignored: int) -> str:
    return f"{used:,}" + (f", and {counted(ignored, 'column')} left out of the rules" if ignored else "")
