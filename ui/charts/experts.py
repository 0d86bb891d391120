"""Experts: costs as a forest plot, one expert's beside everybody's."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from ares_core.audit.words import cost_text
from ares_core.costs import Costs, FeatureCost
from ui.charts import BLUE, ORANGE, plain
from ui.charts.forest import Line, Look, forest_figure

EVERYBODY = Look("everybody together", "circle", BLUE)


def experts_figure(titles: Mapping[str, str], together: Costs, own: Costs | None = None, who: str = "") -> go.Figure:
    """Draw costs and their 90 % intervals, the hardest on top; below each line what one expert says, if one is chosen.

    Parameters
    ----------
    titles
        What each feature is called, by name.
    own, who
        One expert's costs, and what to call the expert.
    """
    one = Look(plain(who, 24), "diamond", ORANGE)
    lines = []
    for name in hardest_first(together):
        lines.append(_line(titles[name], together[name], EVERYBODY, "everybody"))
        if own is not None:
            lines.append(_line("", own[name], one, f"{titles[name]}, {who}"))
    figure = forest_figure(lines, row=28 if own is None else 22, most=28)
    figure.update_xaxes(title="Cost (the easiest costs 1)", rangemode="tozero")
    return figure


def experts_alt(titles: Mapping[str, str], together: Costs) -> str:
    """Say what the figure shows."""
    said = "; ".join(f"{titles[name]} {_span(together[name])}" for name in hardest_first(together))
    return f"Costs by all experts with 90 % intervals, the hardest first: {said}."


def hardest_first(costs: Costs) -> list[str]:
    """Return the features, the hardest first."""
    return sorted((name for name, _ in costs.items()), key=lambda name: -costs[name].cost)


def _line(label: str, cost: FeatureCost, look: Look, who: str) -> Line:
    return Line(label, cost.cost, cost.low, cost.high, f"{label or who}: {_span(cost)}", look)


def _span(cost: FeatureCost) -> str:
    return f"{cost_text(cost.cost)} ({cost_text(cost.low)} to {cost_text(cost.high)})"
