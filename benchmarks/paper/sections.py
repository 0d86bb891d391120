"""Sections: the parts of docs/results.md beside the comparison: trade-off, user study, biases, speed and growth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ares_core.audit.intervals import Share
from benchmarks.curves import Panel, drawing
from benchmarks.paper.gathered import EXACT, OTHERS, Gathered, Row
from benchmarks.paper.published import SATURATES, WITHIN_POINTS
from benchmarks.paper.results import Cell
from benchmarks.paper.scene import PAPER
from benchmarks.report import Check, Grid

Found = dict[str, Any]
SIZES = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
CURVES = ("lr", "rf", "dnn3")
RIGHT, WRONG = 0.90, 0.05
TITLES = {
    "rules": "The planted black box",
    "dnn3": "A network of three layers",
    "lr": "A logistic regression",
}


def tradeoff(gathered: Gathered) -> tuple[str, Grid]:
    """Return a drawing of accuracy against size, empty without curves, and where each curve stops growing."""
    columns = (
        ("table", ""),
        ("model", ""),
        *((f"{size}", "") for size in (1, 5, 10, 15, 20)),
        (
            "stops growing",
            f"the fewest rules within {WITHIN_POINTS} points of 20; the paper says {SATURATES[0]} to {SATURATES[1]}",
        ),
        ("gap", "the largest of any size, in percent, as proven"),
    )
    panels, rows = [], []
    for case in gathered.plan.cases:
        cells = {family: Cell(case.name, family, 0, PAPER.name, "frontier") for family in CURVES}
        known = {family: gathered.found[cell] for family, cell in cells.items() if cell in gathered.found}
        rows += [(case.title, family, *_sized(found)) for family, found in known.items()]
        if len(known) == len(CURVES):
            lines = {family: [found["accuracy"][size - 1] for size in SIZES] for family, found in known.items()}
            panels.append(Panel(case.title, SIZES, lines))
    return drawing(panels, "rules", "recourse accuracy") if panels else "", Grid(columns, tuple(rows))


def _sized(found: Found) -> tuple[str, ...]:
    curve = found["accuracy"]
    enough = next(size for size, value in enumerate(curve, start=1) if value >= max(curve) - WITHIN_POINTS / 100)
    shown = (f"{100 * curve[size - 1]:.1f}" for size in (1, 5, 10, 15, 20))
    return (*shown, f"{enough}", f"{100 * max(found['gap']):.2f}")


def screens(kind: str, found: Found) -> Iterator[str]:
    """Yield the lines of one black box's two screens."""
    yield from (f"### {TITLES[kind]}", "", f"{found['affected']:,} people are refused.", "")
    yield from ("What our summary shows:", "", "```text", found["ours"]["text"], "```", "")
    columns = (("group", ""), ("people", ""), ("helped", "percent"), ("changes", "mean number, of those helped"))
    ours = found["ours"]["groups"]
    yield from Grid(columns, tuple(_group(each) for each in ours)).markdown()
    flagged = {way: ", ".join(names) or "none" for way, names in found["ours"]["flagged"].items()}
    yield from ("", f"Flagged by the summary: {flagged['summary']}; on the page: {flagged['page']}.", "")
    yield from ("What averaged AR-LIME shows:", "")
    more = (*columns, ("told to change", "percent of the group, the most frequent features"))
    averaged = found["averaged"]["groups"]
    yield from Grid(more, tuple((*_group(each), _told(each)) for each in averaged)).markdown()
    yield ""


def _group(each: Found) -> tuple[str, str, str, str]:
    changes = "–" if each["changes"] is None else f"{each['changes']:.2f}"
    return each["group"], f"{each['people']:,}", f"{100 * each['accuracy']:.0f}", changes


def _told(each: Found) -> str:
    return ", ".join(f"{name} {100 * share:.0f}" for name, share in each["features"].items()) or "nothing"


def biases(found: Sequence[Found]) -> tuple[Grid, list[Check]]:
    """Return how often the right group is flagged, and how often one is flagged without a bias, by table size."""
    columns = (
        ("people", "in each table; some 40 % are refused"),
        (
            "compared by",
            "what the rules do for people, and ask of them; or, as the page does, the least acceptance costs",
        ),
        (
            "right group first",
            "of the black boxes with a bias, with a 95 % interval: its group has the strongest evidence",
        ),
        ("flagged at all", "its group is among those flagged"),
        ("flagged without", "of the black boxes without a bias: any group is flagged"),
    )
    rows, checks = [], []
    for people in sorted({each["people"] for each in found}):
        for way in ("summary", "page"):
            biased, none = (_trials(found, people, kind) for kind in ("biased", "none"))
            first = Share(sum(trial[way][:1] == [trial["planted"]] for trial in biased), len(biased))
            among = Share(sum(trial["planted"] in trial[way] for trial in biased), len(biased))
            false = Share(sum(bool(trial[way]) for trial in none), len(none))
            rows.append((f"{people:,}", way, _shared(first), _shared(among), _shared(false)))
            where = f"{people:,} people, by {way}"
            checks += [
                Check(f"{where}: right group flagged first ≥ 90 %", _shared(first), (first.value or 0) >= RIGHT),
                Check(f"{where}: flagged without a bias ≤ 5 %", _shared(false), (false.value or 0) <= WRONG),
            ]
    return Grid(columns, tuple(rows)), checks


def _trials(found: Sequence[Found], people: int, kind: str) -> list[Found]:
    return [trial for each in found if each["people"] == people for trial in each[kind]]


def _shared(share: Share) -> str:
    low, high = share.interval
    return f"{share.count} of {share.total}: {100 * (share.value or 0):.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def speed(gathered: Gathered, families: Sequence[str]) -> Grid:
    """Return seconds and memory of every system, the mean over the seeds of the paper's protocol."""
    rows = (Row(EXACT.system, "AReS"), *(row for row in OTHERS if "own" not in row.title), Row("alone", "one person"))
    columns = (
        ("table", ""),
        ("model", ""),
        ("affected", ""),
        ("model rows", "asked for our rules, with the number of changes chosen"),
        ("evaluate", "seconds to ask them"),
        ("search", "seconds of the exact search"),
        ("all trials", "seconds of all our settings together, local search and greedy included"),
        ("megabytes", "the most held meanwhile, libraries and data included"),
        *((f"{row.title} s", "") for row in rows[1:]),
    )
    lines = []
    for case in gathered.plan.cases:
        for family in families:
            keys = ("affected", "model_rows", "evaluate", "seconds", "seconds_all", "megabytes")
            ours = [gathered.mean(case.name, family, PAPER.name, EXACT, key) for key in keys]
            others = [gathered.mean(case.name, family, PAPER.name, row, "seconds") for row in rows[1:]]
            if any(ours):
                forms = (",.0f", ",.0f", ".1f", ".1f", ".0f", ",.0f", *[".1f"] * len(others))
                cells = [
                    format(mean.value, form) if mean else "–"
                    for mean, form in zip([*ours, *others], forms, strict=True)
                ]
                lines.append((case.title, family, *cells))
    return Grid(columns, tuple(lines))


def growth(found: Sequence[Found]) -> Grid:
    """Return seconds and memory as people, features and candidates become more."""
    columns = (
        ("what grows", ""),
        ("to", "times as many people, features, or the support candidates need"),
        ("people", ""),
        ("features", ""),
        ("candidates", ""),
        ("model rows", ""),
        ("mine", "seconds"),
        ("evaluate", "seconds"),
        ("search", "seconds"),
        ("gap", "as proven, in percent"),
        ("megabytes", "the most held, libraries included"),
    )
    rows = [
        (
            each["axis"],
            f"{each['value']:g}",
            *(f"{each[key]:,.0f}" for key in ("people", "features", "candidates", "model_rows")),
            *(f"{each[key]:.1f}" for key in ("mine", "evaluate", "search")),
            f"{100 * each['gap']:.2f}",
            f"{each['megabytes']:,.0f}",
        )
        for each in found
    ]
    return Grid(columns, tuple(rows))
