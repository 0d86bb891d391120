"""Forest plots: a point and its interval on each line, in several looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ui.charts import plain


@dataclass(frozen=True, slots=True)
class Look:
    """How some of the points look, and what that means; the shape alone tells them apart."""

    name: str
    symbol: str
    colour: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the plot: a label, a figure between two others, and words shown on pointing at it."""

    label: str
    value: float
    low: float
    high: float
    words: str
    look: Look


def forest_figure(lines: Sequence[Line], row: int, most: int) -> go.Figure:
    """Draw lines from top to bottom, each `row` pixels high, with labels of at most `most` characters.

    Lines stand at numbers and not at their labels, since two of them may be called the same.
    """
    figure = go.Figure()
    looks = list(dict.fromkeys(line.look for line in lines))
    for look in looks:
        figure.add_trace(_points(look, [(place, line) for place, line in enumerate(lines) if line.look == look]))
    figure.update_xaxes(fixedrange=True, automargin=True)
    figure.update_yaxes(
        range=[len(lines) - 0.4, -0.6],
        tickvals=list(range(len(lines))),
        ticktext=[plain(line.label, most) for line in lines],
        fixedrange=True,
        zeroline=False,
        automargin=True,
        tickfont={"size": 14},
    )
    figure.update_layout(
        height=110 + row * len(lines),
        margin={"l": 8, "r": 8, "t": 36, "b": 40},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
        showlegend=len(looks) > 1,
    )
    return figure


def _points(look: Look, placed: Sequence[tuple[int, Line]]) -> go.Scatter:
    lines = [line for _, line in placed]
    return go.Scatter(
        x=[line.value for line in lines],
        y=[place for place, _ in placed],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [line.high - line.value for line in lines],
            "arrayminus": [line.value - line.low for line in lines],
            "color": look.colour,
            "thickness": 2,
            "width": 5,
        },
        mode="markers",
        marker={"symbol": look.symbol, "size": 12, "color": look.colour, "line": {"width": 2, "color": look.colour}},
        hovertext=[plain(line.words, 200) for line in lines],
        hoverinfo="text",
        name=look.name,
    )
