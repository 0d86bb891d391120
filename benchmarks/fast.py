"""Fast: seconds and memory of every audit, as ratios within one run where the machine would matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.cases import FAMILIES, Case
from benchmarks.lone import Figures, alone
from benchmarks.report import Check, Grid, Section, at_most

EVALUATION_RATIO = {"lr": 2.5}
OTHER_RATIO = 1.5
SEARCH, NEW_SEARCH, FRONTIER = 5.0, 1.0, 10.0
MEMORY = 1024.0
GAP = 0.1  # percent
NEW = ("weight", "limit", "cost", "subgroups")
COLUMNS = (
    ("table", ""),
    ("model", ""),
    ("model rows", "how many rows the model was asked, each person and move once"),
    ("evaluate", "seconds to ask them, all our work included"),
    ("bare", "seconds the bare pipeline needs to predict as many rows in one call"),
    ("ratio", "of these two"),
    ("search", "seconds from the answers to the best set"),
    *(
        (f"new {kind}", f"seconds of a new search after changing a {kind}, the slower of two changes")
        for kind in NEW[:3]
    ),
    ("new subgroups", "seconds of a new search after choosing other subgroup features, the slower of two choices"),
    ("frontier", "seconds for the best sets of 1, 2, … 20 rules"),
    ("live gap", "the largest gap the new searches had when they stopped"),
    ("proof", "the most seconds one of them needs when it may go on until 0.1 % is proven, or 20 seconds are over"),
    ("proof gap", "the largest gap left then"),
    ("frontier gap", "the largest gap of any of the 20 sizes, as proven"),
    ("memory", "the most megabytes the process of the whole audit held, libraries and training included"),
)
SAYS = (
    "Same limits as above. Each line is a fresh process; what takes less than 5 seconds is the best of three.",
    "A new search is live: it stops after 0.7 seconds of searching with the best set so far and its true gap. So its "
    "seconds say how soon there is an answer, not how soon there is the best one: that is the column proof.",
)
Measured = tuple[Case, str, Figures]


def run(cases: Sequence[Case], folder: Path, left_out: tuple[str, ...]) -> Section:
    """Time every table and model, each in a fresh process."""
    measured = [(case, family, alone(case, folder, family, again=True)) for case in cases for family in FAMILIES]
    if not measured:
        return Section("fast", "Fast", SAYS, (), (), left_out)
    grid = Grid(COLUMNS, tuple(_row(one) for one in measured))
    return Section("fast", "Fast", SAYS, (grid,), tuple(_checks(measured)), left_out)


def _row(measured: Measured) -> tuple[str, ...]:
    case, family, figures = measured
    seconds = (f"{figures[name]:.2f}" for name in ("search", *NEW, "frontier"))
    return (
        case.title,
        family,
        f"{figures['model_rows']:,.0f}",
        f"{figures['evaluate']:.2f}",
        f"{figures['predict']:.2f}",
        f"{_ratio(figures):.2f}",
        *seconds,
        f"{100 * figures['live gap']:.2f} %",
        f"{figures['proof']:.2f}",
        *(f"{100 * figures[name]:.2f} %" for name in ("proof gap", "frontier gap")),
        f"{figures['memory']:.0f}",
    )


def _ratio(figures: Figures) -> float:
    return figures["evaluate"] / figures["predict"]


def _checks(measured: Sequence[Measured]) -> Iterator[Check]:
    for family in FAMILIES:
        limit = EVALUATION_RATIO.get(family, OTHER_RATIO)
        ratios = [(case.title, _ratio(figures)) for case, name, figures in measured if name == family]
        yield at_most(f"evaluation of {family} at most {limit} × the bare prediction", ratios, limit, " ×")

    def worst(claim: str, key: str, limit: float, unit: str, scale: float = 1.0) -> Check:
        numbers = [(f"{case.title}, {family}", scale * figures[key]) for case, family, figures in measured]
        return at_most(claim, numbers, limit, unit)

    yield worst(f"search at most {SEARCH:.0f} s", "search", SEARCH, " s")
    for kind in NEW:
        yield worst(f"live answer after a change of {kind} at most {NEW_SEARCH:.0f} s", kind, NEW_SEARCH, " s")
    yield worst(f"that answer proven within {GAP} %", "live gap", GAP, " %", 100)
    yield worst(f"new search to its proof at most {NEW_SEARCH:.0f} s", "proof", NEW_SEARCH, " s")
    yield worst(f"frontier of 20 sizes at most {FRONTIER:.0f} s", "frontier", FRONTIER, " s")
    yield worst(f"every size of the frontier proven within {GAP} %", "frontier gap", GAP, " %", 100)
    yield worst("peak memory at most 1 GB", "memory", MEMORY, " MB")
