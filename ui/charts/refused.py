"""Who is refused: a point and its interval for each level of a feature."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from ares_core.audit.intervals import Share
from ares_core.audit.subgroups import SMALL
from ares_core.audit.words import percent, share_text
from ui.charts import BLUE, GREY
from ui.charts.forest import Line, Look, forest_figure

MOST_LEVELS = 30
MANY, FEW = Look(f"{SMALL} people or more", "circle", BLUE), Look(f"fewer than {SMALL} people", "circle-open", BLUE)


def refused_figure(levels: Sequence[tuple[str, Share]], everybody: Share) -> go.Figure:
    """Draw the share refused at each level, small groups as open points, beside that of everybody."""
    lines = [_line(name, share) for name, share in shown_levels(levels)]
    figure = forest_figure(lines, row=36, most=34)
    whole = 100 * (everybody.value or 0)
    figure.add_vline(whole, line={"dash": "dash", "color": GREY, "width": 2})
    figure.update_xaxes(title=f"Share refused (dashed: everybody, {percent(everybody.value)})")
    ticks = range(0, 101, 25)
    figure.update_xaxes(range=[-2, 104], tickvals=list(ticks), ticktext=[f"{tick} %" for tick in ticks], zeroline=False)
    return figure


def shown_levels(levels: Sequence[tuple[str, Share]]) -> list[tuple[str, Share]]:
    """Return the levels with people, in their order; of very many only the largest."""
    peopled = [place for place, (_, share) in enumerate(levels) if share.total]
    largest = sorted(peopled, key=lambda place: -levels[place][1].total)[:MOST_LEVELS]
    return [levels[place] for place in sorted(largest)]


def refused_alt(title: str, levels: Sequence[tuple[str, Share]], everybody: Share) -> str:
    """Say what the figure shows."""
    said = "; ".join(f"{name} {percent(share.value)}" for name, share in shown_levels(levels))
    return f"Share refused by {title}: {said}. Everybody: {percent(everybody.value)}."


def _line(name: str, share: Share) -> Line:
    low, high = (100 * end for end in share.interval)
    words = f"{name}: {share_text(share)}"
    look = FEW if share.total < SMALL else MANY
    return Line(f"{_cut(name)} ({share.total:,})", 100 * (share.value or 0), low, high, words, look)


def _cut(name: str) -> str:
    return name if len(name) <= 26 else name[:25] + "…"
