"""Costs: a forest plot, the hardest feature on top."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from ares_core.audit.words import cost_text
from ares_core.costs import FeatureCost
from ui.charts import BLUE, GREY, ORANGE
from ui.charts.forest import Line, Look, forest_figure

Row = tuple[str, FeatureCost, bool]  # what a feature is called, its cost, and whether that is a guess
GUESS = Look("a guess: not compared", "circle-open", GREY)
LOOKS = {
    "learned": Look("from answers", "circle", BLUE),
    "direct": Look("typed in", "diamond", ORANGE),
    "unit": Look("nothing said yet", "square-open", GREY),
}


def costs_figure(rows: Sequence[Row]) -> go.Figure:
    """Draw costs and their 90 % intervals; where a cost comes from shows in its shape."""
    figure = forest_figure([_line(*row) for row in rows], row=28, most=28)
    figure.update_xaxes(title="Cost (the easiest costs 1)", rangemode="tozero")
    figure.update_layout(showlegend=True)
    return figure


def costs_alt(rows: Sequence[Row]) -> str:
    """Say what the figure shows."""
    said = "; ".join(f"{title} {cost_text(cost.cost)}" for title, cost, _ in rows)
    return f"Costs with 90 % intervals, the hardest feature first: {said}."


def _line(title: str, cost: FeatureCost, guess: bool) -> Line:
    span = f", 90 % interval {cost_text(cost.low)} to {cost_text(cost.high)}" if cost.source == "learned" else ""
    words = f"{title}: {cost_text(cost.cost)}{span}"
    return Line(title, cost.cost, cost.low, cost.high, words, GUESS if guess else LOOKS[cost.source])
