"""Pictures of groups: one figure of each as a forest plot, and the same move across them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go

from ares_core.audit.intervals import Share
from ares_core.audit.moves import MoveFigures
from ares_core.audit.subgroups import SMALL, SubgroupFigures
from ares_core.audit.words import conjunction_text, percent, span_text
from ares_core.audit.words import people as people_text
from ares_core.people import Conjunction, Schema
from ares_core.worker import GroupsView
from ui.charts import BLUE, GREEN, GREY, ORANGE, PURPLE, plain
from ui.groups import Measure, brief, name_of

ROW, TOP, BOTTOM = 66, 34, 44  # pixels: of a group, above the first and below the last
LINE = 17  # pixels of one group's dot among those of a move
TITLE = 18  # pixels of one line of a move's name
WIDE = 46  # letters that fit on a telephone's screen
SIGNS = (
    (BLUE, "circle"),
    (ORANGE, "square"),
    (GREEN, "diamond"),
    (PURPLE, "triangle-up"),
    ("#56B4E9", "x"),
    ("#D55E00", "star"),
)
FEW = "few people"


def forest(schema: Schema, view: GroupsView, groups: Sequence[SubgroupFigures], measure: Measure) -> go.Figure:
    """Draw one row for each group: the figure, its interval, and a line for everybody.

    A group's words stand above its row, not beside it, so that long names leave room for the picture on a telephone.
    """
    figure = go.Figure(layout=_layout(measure, ROW * len(groups)))
    full = [place for place, group in enumerate(groups) if measure.people(group) >= SMALL]
    few = [place for place, group in enumerate(groups) if measure.people(group) < SMALL]
    for places, symbol in ((full, "circle"), (few, "circle-open")):
        figure.add_trace(_markers(schema, groups, places, measure, symbol))
    for place, group in enumerate(groups):
        figure.add_annotation(text=_words(schema, group, measure), y=place - 0.3, **_LEFT)
    _everybody(figure, measure, measure.of_all(view))
    figure.update_yaxes(range=[len(groups) - 0.6, -0.75])
    return figure


_LEFT = {
    "x": 0,
    "xref": "paper",
    "xanchor": "left",
    "yanchor": "middle",
    "showarrow": False,
    "align": "left",
    "font": {"size": 13},
}


def forest_words(schema: Schema, view: GroupsView, groups: Sequence[SubgroupFigures], measure: Measure) -> str:
    """Say what the forest plot shows."""
    told = [
        f"{name_of(schema, group)}: {measure.text(measure.figure(group)[0])}, {_interval(group, measure)}"
        for group in groups
    ]
    return f"{measure.name}, by group. Everybody: {measure.text(measure.of_all(view))}. {'; '.join(told)}."


def dots(schema: Schema, moves: Sequence[MoveFigures], groups: Sequence[Conjunction]) -> go.Figure:
    """Draw how often each move works in each of a few groups: one colour and one shape for each group."""
    names = [_two_lines(brief(schema, move.move, 2 * WIDE - 8)) for move in moves]
    title = max([TITLE * (1 + name.count("<br>")) for name in names], default=0) + 10
    tall = title + LINE * len(groups)
    figure = go.Figure(layout=_shares(tall * len(moves) + TOP))
    for nth, group in enumerate(groups):
        heights = [place + (title + LINE * (nth + 0.5)) / tall for place in range(len(moves))]
        shares = [_share(move, group) for move in moves]
        figure.add_trace(_dots(plain(brief(schema, group, 40), 40), SIGNS[nth], heights, shares))
    for place, name in enumerate(names):
        figure.add_annotation(text=f"<b>{name}</b>", y=place + title / tall / 2, **_LEFT)
    figure.update_yaxes(range=[len(moves), 0])
    legend = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "itemclick": False, "itemdoubleclick": False}
    figure.update_layout(showlegend=True, legend=legend)
    return figure


def _two_lines(name: str) -> str:
    """Break a long name where a telephone's screen ends."""
    first, *rest = wrap(name, WIDE) or [""]
    return "<br>".join(plain(line, WIDE) for line in (first, " ".join(rest)) if line)


def dots_words(schema: Schema, moves: Sequence[MoveFigures], groups: Sequence[Conjunction]) -> str:
    """Say what the picture of moves shows."""
    told = []
    for move in moves:
        shares = [f"{conjunction_text(schema, group)} {percent(_share(move, group).value)}" for group in groups]
        told.append(f"{conjunction_text(schema, move.move)}: {', '.join(shares)}")
    return f"How often the same move works in each group. {'; '.join(told)}."


def _markers(
    schema: Schema, groups: Sequence[SubgroupFigures], places: Sequence[int], measure: Measure, symbol: str
) -> go.Scatter:
    chosen = [(place, groups[place], *measure.figure(groups[place])) for place in places]
    known = [
        (place, group, value, interval or (value, value))
        for place, group, value, interval in chosen
        if value is not None
    ]
    scale = 100 if measure.share else 1
    return go.Scatter(
        x=[scale * value for _, _, value, _ in known],
        y=[place + 0.15 for place, *_ in known],
        error_x={
            "array": [scale * (high - value) for *_, value, (_, high) in known],
            "arrayminus": [scale * (value - low) for *_, value, (low, _) in known],
            "thickness": 2,
            "color": BLUE,
            "width": 5,
        },
        mode="markers",
        marker={"symbol": symbol, "size": 12, "color": BLUE, "line": {"width": 2, "color": BLUE}},
        text=[f"{plain(name_of(schema, group))}<br>{_figure(group, measure)}" for _, group, *_ in known],
        hovertemplate="%{text}<extra></extra>",
    )


def _words(schema: Schema, group: SubgroupFigures, measure: Measure) -> str:
    return f"<b>{plain(brief(schema, group.subgroup, WIDE), WIDE)}</b><br>{_figure(group, measure)}"


def _figure(group: SubgroupFigures, measure: Measure) -> str:
    """Write the figure with its interval, or in few words that there is none: the cards and the table say why."""
    value = measure.figure(group)[0]
    if value is not None:
        return f"{measure.text(value)} ({_interval(group, measure)})"
    return _interval(group, measure).split(":")[0].rstrip(".")


def _interval(group: SubgroupFigures, measure: Measure) -> str:
    value, interval = measure.figure(group)
    count = measure.people(group)
    who = people_text(count) + measure.whom
    if value is None:
        return measure.why_none(group) or who
    return f"{measure.span(interval)}; {who}{f', {FEW}' if count < SMALL else ''}"


def _everybody(figure: go.Figure, measure: Measure, value: float | None) -> None:
    if value is None:
        return
    at = 100 * value if measure.share else value
    figure.add_vline(at, line={"dash": "dash", "width": 1.5, "color": GREY})
    side = "right" if measure.share and value > 0.6 else "left"
    text = f"everybody: {measure.text(value)}"
    figure.add_annotation(text=text, x=at, xanchor=side, y=1, yref="paper", yanchor="bottom", showarrow=False)


def _layout(measure: Measure, rows: int) -> go.Layout:
    layout = _shares(rows)
    layout.xaxis.title = f"{measure.name} (95 % interval)"
    if not measure.share:
        layout.xaxis.update({"range": None, "rangemode": "tozero", "ticksuffix": "", "dtick": None})
    return layout


def _shares(rows: int) -> go.Layout:
    return go.Layout(
        height=rows + TOP + BOTTOM,
        margin={"l": 4, "r": 14, "t": TOP, "b": BOTTOM},
        showlegend=False,
        dragmode=False,
        xaxis={
            "range": [-3, 103],
            "ticksuffix": " %",
            "dtick": 25,
            "fixedrange": True,
            "title": "How often it works (95 % interval)",
        },
        yaxis={"visible": False, "fixedrange": True},
    )


def _share(move: MoveFigures, group: Conjunction) -> Share:
    return dict(move.works)[group]


def _dots(name: str, sign: tuple[str, str], heights: Sequence[float], shares: Sequence[Share]) -> go.Scatter:
    known = [(at, share, share.value) for at, share in zip(heights, shares, strict=True) if share.value is not None]
    colour, shape = sign
    shapes = [shape if share.total >= SMALL else f"{shape}-open" for _, share, _ in known]
    told = [
        f"{percent(value)} ({span_text(*share.interval)}), {share.count:,} of {share.total:,}"
        for _, share, value in known
    ]
    return go.Scatter(
        name=name,
        x=[100 * value for *_, value in known],
        y=[at for at, *_ in known],
        error_x={
            "array": [100 * (share.interval[1] - value) for _, share, value in known],
            "arrayminus": [100 * (value - share.interval[0]) for _, share, value in known],
            "thickness": 1.5,
            "color": colour,
            "width": 3,
        },
        mode="markers",
        marker={"color": colour, "size": 9, "symbol": shapes, "line": {"width": 1.5, "color": colour}},
        text=[f"{name}<br>{words}" for words in told],
        hovertemplate="%{text}<extra></extra>",
    )
