"""Curves: panels of lines as a small SVG picture, drawn without any package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, isnan

WIDTH, HEIGHT = 300, 240
LEFT, RIGHT, TOP_EDGE, BOTTOM = 46, 12, 28, 44
LEGEND = 30
# Okabe and Ito's colours, which nobody confuses; the dashes tell the lines apart in black and white too.
STYLES = (("#d55e00", "6 3"), ("#0072b2", "2 3"), ("#009e73", ""))
TEXT = "#111111"


@dataclass(frozen=True, slots=True)
class Panel:
    """One frame: a title, the places across, and a line for each name; NaN is not drawn."""

    title: str
    across: Sequence[float]
    lines: Mapping[str, Sequence[float]]


def drawing(panels: Sequence[Panel], across: str, up: str) -> str:
    """Return panels side by side on one scale, with a legend below, as the text of an SVG file."""
    highest = ceil(max(value for panel in panels for line in panel.lines.values() for value in line if value == value))
    wide, high = WIDTH * len(panels), HEIGHT + LEGEND
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'font-family="sans-serif" font-size="12" fill="{TEXT}" role="img" aria-label="{escape(up)} against '
        f'{escape(across)}">'
    )
    parts = [head, f'<rect width="{wide}" height="{high}" fill="#ffffff"/>']
    for place, panel in enumerate(panels):
        parts += [f'<g transform="translate({place * WIDTH} 0)">', *_frame(panel, highest, across, up)]
        parts += [*_lines(panel, highest), "</g>"]
    return "\n".join([*parts, *_legend(list(panels[0].lines)), "</svg>", ""])


def _frame(panel: Panel, highest: int, across: str, up: str) -> Iterator[str]:
    yield _text((LEFT + WIDTH - RIGHT) / 2, 18, panel.title, "middle", 'font-weight="bold"')
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, "middle")
    middle = (TOP_EDGE + HEIGHT - BOTTOM) / 2
    yield _text(14, middle, up, "middle", f'transform="rotate(-90 14 {middle:g})"')
    for half in range(2 * highest + 1):
        y = _y(half / 2, highest)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>'
        yield _text(LEFT - 5, y + 4, f"{half / 2:g}", "end")
    for value in panel.across:
        if value == int(value):
            yield _text(_x(value, panel), HEIGHT - BOTTOM + 16, f"{value:g}", "middle")


def _lines(panel: Panel, highest: int) -> Iterator[str]:
    for (colour, dash), values in zip(STYLES, panel.lines.values(), strict=True):
        drawn = [(at, value) for at, value in zip(panel.across, values, strict=True) if not isnan(value)]
        points = " ".join(f"{_x(at, panel):.1f},{_y(value, highest):.1f}" for at, value in drawn)
        yield f'<polyline points="{points}" {_stroke(colour, dash)}/>'


def _legend(names: Sequence[str]) -> Iterator[str]:
    for place, (name, (colour, dash)) in enumerate(zip(names, STYLES, strict=True)):
        x, y = LEFT + 160 * place, HEIGHT + LEGEND / 2
        yield f'<polyline points="{x},{y:g} {x + 28},{y:g}" {_stroke(colour, dash)}/>'
        yield _text(x + 34, y + 4, name, "start")


def _stroke(colour: str, dash: str) -> str:
    return f'fill="none" stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _text(x: float, y: float, words: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def _x(value: float, panel: Panel) -> float:
    low, high = min(panel.across), max(panel.across)
    return LEFT + 8 + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT - 16)


def _y(value: float, highest: int) -> float:
    return HEIGHT - BOTTOM - value / highest * (HEIGHT - BOTTOM - TOP_EDGE)
