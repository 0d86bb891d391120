"""The effect of a threshold: how many people are refused from one end of the scores to the other."""

from __future__ import annotations

import plotly.graph_objects as go

from ares_core.models.inspection import ScoreSpread
from ui.charts import BLUE, GREY


def threshold_figure(spread: ScoreSpread, threshold: float, *, above: bool) -> go.Figure:
    """Draw how many people are refused at each threshold, with a line at the chosen one."""
    thresholds, refused = spread.curve(above=above)
    figure = go.Figure(
        go.Scatter(
            x=thresholds,
            y=refused,
            mode="lines",
            line={"color": BLUE, "width": 3, "shape": "hv"},
            hovertemplate="at %{x:,.6~g}: %{y:,} refused<extra></extra>",
        )
    )
    figure.add_vline(threshold, line={"dash": "dash", "color": GREY, "width": 2})
    figure.update_xaxes(title="Threshold (dashed: the chosen one)", fixedrange=True, zeroline=False)
    figure.update_yaxes(title="People refused", rangemode="tozero", fixedrange=True)
    figure.update_layout(height=220, margin={"l": 8, "r": 8, "t": 8, "b": 40}, showlegend=False)
    return figure


def threshold_alt(spread: ScoreSpread, threshold: float, *, above: bool) -> str:
    """Say what the figure shows."""
    thresholds, refused = spread.curve(above=above)
    ends = f"from {refused[0]:,} at {thresholds[0]:,.6g} to {refused[-1]:,} at {thresholds[-1]:,.6g}"
    here = spread.refused(threshold, above=above)
    return f"People refused at each threshold, {ends}; at {threshold:,.10g} it is {here:,}."
