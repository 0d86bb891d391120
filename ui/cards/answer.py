"""Cards of the answer page: the question's head, what was saved, and what the answers say together."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from ares_core.audit.words import cost_text
from ares_core.costs import Costs, FeatureCost
from ares_core.store import Item
from ui.html import joined, tag

WHICH = "Which is harder to change?"
HOW = "Think of people who apply here. Choose the one that most of them would find harder."


def ask_head(study: str, progress: str, changing: bool, title: str = WHICH) -> Markup:
    """Return the top of a screen: the study, what is asked, and how far the expert is."""
    parts = [tag("p", study, css="answer-study"), tag("h1", title)]
    if title == WHICH:
        parts.append(tag("p", "Your new answer takes the place of the old one." if changing else HOW))
    if progress:
        parts.append(tag("p", progress, css="answer-progress"))
    return tag("div", *parts, css="answer-head")


def saved_line(words: str) -> Markup:
    """Say what the store has taken; screen readers hear it."""
    content = joined([tag("strong", "Saved"), f": {words}."]) if words else ""
    return tag("p", content, css="answer-saved", role="status")


def costs_view(items: Mapping[str, Item], own: Costs, group: Costs | None) -> Markup:
    """Show what the answers say each change costs, the hardest first, with everybody's beside one's own."""
    words = ["Change", "Your view"] + (["Everybody together"] if group else [])
    head = tag("tr", *(tag("th", word, scope="col") for word in words))
    most = max(cost.high for costs in (own, group) if costs for _, cost in costs.items())
    names = sorted((name for name, _ in own.items()), key=lambda name: -own[name].cost)
    rows = joined(
        tag(
            "tr",
            tag("th", items[name].title, scope="row"),
            *(_cell(costs[name], most) for costs in (own, group) if costs),
        )
        for name in names
    )
    caption = tag("caption", "What each change costs by these answers: 1 is the easiest. In brackets 90 % intervals.")
    return tag("table", caption, tag("thead", head), tag("tbody", rows), css="answer-table")


def _cell(cost: FeatureCost, most: float) -> Markup:
    span = f" ({cost_text(cost.low)}–{cost_text(cost.high)})" if cost.source == "learned" else ""
    fill = tag("span", "", css="answer-fill", style=f"width: {100 * cost.cost / max(most, 1):.0f}%")
    return tag("td", tag("span", fill, css="answer-bar", aria_hidden="true"), f"{cost_text(cost.cost)}{span}")
