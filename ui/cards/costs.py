"""Cards on costs: a feature to be compared, the answers given, and the costs as a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pandas as pd
from markupsafe import Markup

from ares_core.audit.words import cost_text
from ares_core.costs import Costs, FeatureCost
from ares_core.people import Change, Feature, Schema
from ui.comparing import Step, there_words
from ui.html import joined, tag

GUESS = "a guess: not compared"
FROZEN = "frozen: nobody is told to change it"
SOURCES = {"unit": "nothing said yet", "learned": "from answers", "direct": "typed in"}


def pair_cards(first: Markup, second: Markup) -> Markup:
    """Put two cards side by side, or one below the other where there is no room."""
    return tag("div", first, second, css="cost-pair")


def feature_card(feature: Feature, step: Step | None) -> Markup:
    """Show a feature and what changing it means."""
    parts = [tag("h3", feature.title, css="cost-title")]
    if step is not None:
        way = joined([tag("span", step.start, css="cost-level"), " → ", tag("strong", step.target, css="cost-level")])
        parts += [tag("p", "for example", css="cost-small"), tag("p", way, css="cost-step")]
        parts.append(tag("p", there_words(step), css="cost-small"))
    return tag("div", *parts, css="cost-card")


def costs_table(schema: Schema, costs: Iterable[tuple[str, FeatureCost]], guesses: Collection[str]) -> Markup:
    """Show costs with their intervals and where each comes from, and last the features nobody is told to change."""
    words = ("Feature", "Cost", "90 % interval", "Where it comes from")
    head = tag("tr", *(tag("th", word, scope="col") for word in words))
    priced = [_row(schema[name].title, *_figures(cost, name in guesses)) for name, cost in costs]
    frozen = [_row(one.title, "–", "–", FROZEN) for one in schema.features if one.change is Change.FROZEN]
    rows = joined([*priced, *frozen])
    caption = tag("caption", "What it costs to change each feature")
    return tag("table", caption, tag("thead", head), tag("tbody", rows), css="cost-table")


def _figures(cost: FeatureCost, guess: bool) -> tuple[str, str, str]:
    return cost_text(cost.cost), interval_words(cost), source_words(cost, guess)


def _row(title: str, *figures: str) -> Markup:
    return tag("tr", tag("th", title, scope="row"), *(tag("td", figure) for figure in figures))


def interval_words(cost: FeatureCost) -> str:
    """Write the interval of a learned cost; a dash where nothing was learned."""
    return f"{cost_text(cost.low)} to {cost_text(cost.high)}" if cost.source == "learned" else "–"


def source_words(cost: FeatureCost, guess: bool) -> str:
    """Say where a cost comes from."""
    return GUESS if guess else SOURCES[cost.source]


def answers_table(answers: Iterable[str]) -> Markup:
    """List the answers given, the last one first, numbered as they were given."""
    rows = [
        tag("tr", tag("th", f"{number}", scope="row"), tag("td", words))
        for number, words in enumerate(answers, start=1)
    ]
    head = tag("tr", *(tag("th", word, scope="col") for word in ("No.", "Answer")))
    caption = tag("caption", "Answers given, the last one first")
    return tag("table", caption, tag("thead", head), tag("tbody", joined(reversed(rows))), css="cost-table")


def costs_frame(schema: Schema, costs: Costs, guesses: Collection[str]) -> pd.DataFrame:
    """Return every cost with its interval and source, as a table to download."""
    fixed = {one.name for one in schema.features if one.change is Change.FROZEN}
    rows = [
        (
            *(name, schema[name].title, cost.cost, cost.low, cost.high),
            FROZEN if name in fixed else source_words(cost, name in guesses),
        )
        for name, cost in costs.items()
    ]
    return pd.DataFrame(rows, columns=["feature", "label", "cost", "low", "high", "source"]).set_index("feature")
