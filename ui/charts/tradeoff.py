"""Charts of what is traded off: how many are helped against the number of rules, and against what they pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ares_core.audit.intervals import Share
from ares_core.audit.words import cost_text, percent, span_text
from ares_core.wording import counted
from ares_core.worker import SummaryView
from ui.charts import BLUE, ORANGE

SHOWN_SIZES = (1, 2, 3, 5, 8, 12, 20, 30)
STILL = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}  # a click fades nothing
Trace = dict[str, Any]


def size_chart(points: Sequence[SummaryView], shown: SummaryView, size: int) -> go.Figure:
    """Draw how many people the best rules of each size help; `shown`, of at most `size` rules, is ringed."""
    sizes = list(range(1, len(points) + 1))
    check = [point.check.accuracy for point in points]
    traces = [] if not shown.check.affected else [*_band(sizes, check), _curve(sizes, check, "Checked on")]
    if not shown.same_people:
        learn = [point.learn.accuracy for point in points]
        traces.append(_curve(sizes, learn, "Chosen on", learn=True))
    main = shown.check.accuracy if shown.check.affected else shown.learn.accuracy
    traces.append(_ring([size], [main.value], "Shown"))
    layout = _layout("Rules allowed")
    layout["xaxis"] |= {"range": _padded(1, len(points)), "tickmode": "array", "tickvals": _ticks(len(points))}
    return go.Figure({"data": traces, "layout": layout})


def _ticks(most: int) -> list[int]:
    """Return round sizes, few enough for a phone."""
    step = next(step for step in (1, 2, 5, 10, 20, 50) if most <= 8 * step)
    return sorted({1, *range(step, most + 1, step)})


def _padded(low: float, high: float) -> list[float]:
    """Return a range in which marks at both ends are whole."""
    room = 0.07 * (high - low) or 0.5
    return [low - room, high + room]


def _band(sizes: list[int], shares: Sequence[Share]) -> list[Trace]:
    """Shade the 95 % intervals."""
    edge = {"x": sizes, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    lows, highs = zip(*(share.interval for share in shares), strict=True)
    shade = {"fill": "tonexty", "fillcolor": "rgba(0,114,178,0.16)", "name": "95 % interval", "legendrank": 1001}
    return [{**edge, "y": list(lows)}, {**edge, "y": list(highs), **shade, "showlegend": True}]


def _curve(sizes: list[int], shares: Sequence[Share], name: str, *, learn: bool = False) -> Trace:
    colour, dash, symbol = (ORANGE, "dash", "square-open") if learn else (BLUE, "solid", "circle")
    return {
        "x": sizes,
        "y": [share.value for share in shares],
        "name": name,
        "mode": "lines+markers",
        "line": {"color": colour, "dash": dash, "width": 2},
        "marker": {"symbol": symbol, "size": 9, "color": colour, "line": {"width": 2, "color": colour}},
        "hovertext": [
            f"At most {counted(at, 'rule')}: {_said(share)}" for at, share in zip(sizes, shares, strict=True)
        ],
        "hoverinfo": "text",
        **STILL,
    }


def _ring(x: list[Any], y: list[Any], name: str) -> Trace:
    marker = {"symbol": "circle-open", "size": 20, "color": "#D55E00", "line": {"width": 3}}
    return {
        "x": x,
        "y": y,
        "name": name,
        "mode": "markers",
        "marker": marker,
        "hoverinfo": "skip",
        "legendrank": 1002,
        **STILL,
    }


def cost_chart(points: Sequence[SummaryView], shown: SummaryView) -> go.Figure:
    """Draw how many people are helped against what they pay, as cost counts for more and more; `shown` is ringed."""
    found = distinct(points)
    traces: list[Trace] = [
        {
            "x": [point.check.mean_fcost for point in found],
            "y": [point.check.accuracy.value for point in found],
            "text": [counted(point.check.size, "rule") for point in found],
            "textposition": [_beside(point, found) for point in found],
            "hovertext": [_cost_hover(point) for point in found],
            "hoverinfo": "text",
            "mode": "lines+markers+text",
            "name": "Best rules",
            "line": {"color": BLUE, "dash": "dot", "width": 1.5},
            "marker": {"symbol": "diamond", "size": 11, "color": BLUE},
            "cliponaxis": False,
        }
    ]
    if shown.check.mean_fcost is not None:
        traces.append(_ring([shown.check.mean_fcost], [shown.check.accuracy.value], "Shown"))
    layout = _layout("Mean cost for a person who is helped")
    costs = [cost for cost in (*traces[0]["x"], shown.check.mean_fcost) if cost is not None]
    layout["xaxis"]["range"] = _padded(min(costs), max(costs))
    return go.Figure({"data": traces, "layout": layout})


def _beside(point: SummaryView, found: Sequence[SummaryView]) -> str:
    """Say where a point's label goes: above it, unless another point of about the same cost stands there."""
    costs = [each.check.mean_fcost or 0.0 for each in found]
    near = 0.15 * (max(costs) - min(costs))
    above = (
        each.check.helped > point.check.helped and abs(cost - (point.check.mean_fcost or 0.0)) <= near
        for each, cost in zip(found, costs, strict=True)
    )
    return "bottom center" if any(above) else "top center"


def distinct(points: Sequence[SummaryView]) -> list[SummaryView]:
    """Return the points with different figures, in order; those that help nobody have no cost and are left out."""
    found: dict[tuple[int, int, float | None], SummaryView] = {}
    for point in points:
        found.setdefault((point.check.size, point.check.helped, point.check.mean_fcost), point)
    return [point for point in found.values() if point.check.mean_fcost is not None]


def _cost_hover(point: SummaryView) -> str:
    cost = cost_text(point.check.mean_fcost or 0)
    return f"{counted(point.check.size, 'rule')}: {_said(point.check.accuracy)}<br>mean cost {cost}"


def _said(share: Share) -> str:
    if share.value is None:
        return "nobody to measure on"
    return f"{percent(share.value)} of {share.total:,} (95 % interval {span_text(*share.interval)})"


def _layout(x: str) -> dict[str, Any]:
    return {
        "height": 280,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "dragmode": False,
        "hovermode": "closest",
        "clickmode": "event+select",
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "entrywidth": 0.5,
            "entrywidthmode": "fraction",
            "traceorder": "normal",
        },
        "xaxis": {"title": {"text": x}, "fixedrange": True, "automargin": True},
        "yaxis": {
            "title": {"text": "Refused people helped"},
            "range": [-0.02, 1.06],
            "tickformat": ".0%",
            "fixedrange": True,
            "automargin": True,
            "rangemode": "tozero",
        },
    }


def size_words(points: Sequence[SummaryView]) -> str:
    """Say what the size chart shows, for those who cannot see it."""
    sizes = [size for size in range(1, len(points) + 1) if size in SHOWN_SIZES or size == len(points)]
    parts = [f"at most {counted(size, 'rule')} {_both(points[size - 1])}" for size in sizes]
    return f"Refused people helped by the best summaries of each size: {'; '.join(parts)}."


def _both(point: SummaryView) -> str:
    chosen = "" if point.same_people else f", {percent(point.learn.accuracy.value)} of those they were chosen on"
    return f"{percent(point.check.accuracy.value)}{chosen}"


def cost_words(points: Sequence[SummaryView]) -> str:
    """Say what the cost chart shows, for those who cannot see it."""
    parts = [
        f"{counted(point.check.size, 'rule')} {percent(point.check.accuracy.value)} at a mean cost of "
        f"{cost_text(point.check.mean_fcost or 0)}"
        for point in distinct(points)
    ]
    return f"Refused people helped as cost counts for more: {'; '.join(parts)}."


def trade_off_frame(points: Sequence[SummaryView]) -> pd.DataFrame:
    """Return the best rules of each size as a table to download."""
    rows = [
        {
            "rules allowed": size,
            "rules": point.check.size,
            "helped": point.check.helped,
            "refused": point.check.affected,
            "share helped": point.check.accuracy.value,
            "low": point.check.accuracy.interval[0],
            "high": point.check.accuracy.interval[1],
            "share helped of those chosen on": point.learn.accuracy.value,
            "share covered": point.check.coverage.value,
            "mean cost": point.check.mean_fcost,
            "gain": point.certificate.gain,
            "upper bound": point.certificate.upper_bound,
        }
        for size, point in enumerate(points, 1)
    ]
    return pd.DataFrame(rows).set_index("rules allowed")
