"""Cards on a model: how often it is right, and whom it refuses, as markup and as a table to download."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from markupsafe import Markup

from ares_core.audit.intervals import Share
from ares_core.audit.subgroups import SMALL
from ares_core.audit.words import people, percent, share_text, span_text
from ares_core.people import Change, Schema
from ares_core.worker import ModelView, Source
from ui.html import joined, tag

FEW = "few people"
Levels = Sequence[tuple[str, Share]]


def quality_card(view: ModelView, name: str, source: Source) -> Markup:
    """Show how often the model is right, beside what no model at all would reach; the table must have outcomes."""
    assert view.quality is not None and view.right is not None and view.always is not None
    body = tag(
        "tbody",
        _row(name, view.right, "model-fill"),
        _row(f"Always “{majority_outcome(view, source)}”", view.always, "model-fill model-plain"),
    )
    head = tag("tr", *(tag("th", word, scope="col") for word in ("Who answers", "How often it is right", "People")))
    caption = tag("caption", f"On {people(view.quality.n)} {_whom(view)}")
    return tag("table", caption, tag("thead", head), body, css="model-quality")


def _whom(view: ModelView) -> str:
    return "it was not trained on" if view.trained_on else "audited"


def _row(name: str, share: Share, css: str) -> Markup:
    low, high = (100 * end for end in share.interval)
    value = 100 * (share.value or 0)
    bar = tag(
        "div",
        tag("div", css=css, style=f"width:{value:.1f}%"),
        tag("div", css="model-span", style=f"left:{low:.1f}%;width:{high - low:.1f}%"),
        css="model-bar",
        aria_hidden="true",
    )
    interval = tag("span", f"95 % interval {span_text(*share.interval)}", css="model-whole")
    said = tag("div", tag("strong", percent(share.value), css="model-whole"), " ", interval)
    count = f"{share.count:,} of {share.total:,}"
    return tag("tr", tag("th", name, scope="row"), tag("td", said, bar), tag("td", count, css="model-count"))


def majority_outcome(view: ModelView, source: Source) -> str:
    """Name the more frequent outcome: 'good', 'not good', or 'paid = 1' where the value alone says little."""
    assert view.favourable is not None
    value = source.favourable
    named = f"{source.target} = {value}" if _is_number(value) else value
    return named if 2 * view.favourable.count >= view.favourable.total else f"not {named}"


def _is_number(text: str) -> bool:
    """Say whether a value is written as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def quality_words(view: ModelView, source: Source) -> list[str]:
    """Say how good a model is, beside always giving the more frequent answer."""
    if view.quality is None or view.right is None or view.always is None:
        return ["The table has no outcome, so how often the model is right cannot be measured."]
    low, high = view.right.interval
    base = view.always.value or 0.0
    said = f"Saying “{majority_outcome(view, source)}” to everybody would be right for {percent(base)}."
    if low > base:
        verdict = "The model does better than that."
    elif high < base:
        verdict = "The model does worse than that."
    else:
        verdict = "That is within the model's interval: on these people it cannot be told from no model at all."
    words = [f"{said} {verdict}"]
    if view.quality.auc is not None:
        words.append(
            f"Of two people with different outcomes, it ranks the right one higher in {percent(view.quality.auc)} "
            "of all pairs (the AUC; 50 % is chance)."
        )
    return words


def trained_words(view: ModelView) -> str:
    """Say on whom the model was trained and on whom it is audited."""
    audited = view.refused.total
    if not view.trained_on:
        return f"It was not trained here, so all {audited:,} people are audited."
    return f"Trained on {people(view.trained_on)}, audited on {audited:,} others."


def refused_words(view: ModelView) -> str:
    """Say how many the model refuses."""
    if not view.refused.count:
        return (
            f"The model refuses nobody of the {view.refused.total:,} people audited, so there is no recourse to find."
        )
    return f"The model refuses {share_text(view.refused, ' people audited')}."


def refused_table(title: str, levels: Levels) -> Markup:
    """Show who is refused at each level of a feature; small groups are marked."""
    words = (title, "People", "Refused", "Share refused", "95 % interval")
    head = tag("tr", *(tag("th", word, scope="col") for word in words))
    body = joined(_level_row(name, share) for name, share in levels)
    caption = tag("caption", f"{title}: who is refused")
    return tag("table", caption, tag("thead", head), tag("tbody", body), css="model-table")


def _level_row(name: str, share: Share) -> Markup:
    few = tag("span", FEW, css="model-few") if share.total < SMALL else ""
    interval = span_text(*share.interval) if share.total else "–"
    figures = (f"{share.total:,}", f"{share.count:,}", percent(share.value), interval)
    return tag("tr", tag("th", name, " ", few, scope="row"), *(tag("td", figure) for figure in figures))


def refused_frame(view: ModelView, schema: Schema) -> pd.DataFrame:
    """Return who is refused at each level of every feature, as a table to download."""
    rows = [
        (schema[name].title, level, share.total, share.count, share.value, *share.interval, share.total < SMALL)
        for name, levels in view.by_level
        for level, share in levels
    ]
    columns = ["feature", "level", "people", "refused", "share refused", "low", "high", "few people"]
    return pd.DataFrame(rows, columns=columns).set_index("feature")


def features_first(schema: Schema, interest: Sequence[str]) -> list[str]:
    """Return all features: those of interest, then frozen ones, which describe people best, then the others."""
    frozen = [feature.name for feature in schema.features if feature.change is Change.FROZEN]
    return list(dict.fromkeys([*(name for name in interest if name in schema.names), *frozen, *schema.names]))
