"""Page: docs/results.md, written from the results that are there and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ares_core.files import write_whole
from benchmarks.cases import TOP
from benchmarks.measure import machine
from benchmarks.paper import sections, study
from benchmarks.paper.advice import PEOPLE
from benchmarks.paper.gathered import Gathered
from benchmarks.paper.published import APPENDIX, TABLE_2
from benchmarks.paper.scene import ANSWERS, OURS, PAPER
from benchmarks.paper.summaries import CHANGES, SHARES
from benchmarks.paper.verdicts import COLUMNS, comparison, search_grid, tally, verdicts
from benchmarks.report import Grid, Section

Found = dict[str, Any]
PAGE = TOP / "docs" / "results.md"
PICTURE = Path("images") / "tradeoff.svg"
FURTHER = ("dt", "dnn10")


@dataclass(frozen=True, slots=True)
class Beside:
    """What was computed beside the cells: the study's screens by black box, the trials, the growth."""

    study: dict[str, Found]
    bias: Sequence[Found]
    growth: Sequence[Found]


def write_page(gathered: Gathered, beside: Beside, said: Sequence[str], page: Path = PAGE) -> None:
    """Write the page and its picture."""
    picture, saturation = sections.tradeoff(gathered)
    if picture:
        (page.parent / PICTURE).parent.mkdir(parents=True, exist_ok=True)
        write_whole(page.parent / PICTURE, picture)
    lines = [*_opening(gathered, said), *_tables(gathered), *_judged(gathered), *_tradeoff(bool(picture), saturation)]
    lines += [*_study(beside), *_search(gathered), *_speed(gathered, beside)]
    write_whole(page, "\n".join(lines).rstrip() + "\n")


def _opening(gathered: Gathered, said: Sequence[str]) -> Iterator[str]:
    yield from ("# Results", "")
    yield from (
        "The experiments of the AReS paper, with our engine and the systems it compares to. Written by "
        "`make bench-paper` from its results files and from nothing else; "
        "a run that was stopped goes on where it was, and what is not computed yet is shown as missing.",
        "",
        f"{len(gathered.found) + len(gathered.impossible)} of {gathered.cells} cells are there. Seeds "
        f"{', '.join(map(str, gathered.plan.seeds))}, each of the split into training and audited half, of the model, "
        f"of the costs and of every sample. Measured with {machine()}",
        "",
        *(line for sentence in (*said, *_impossible(gathered)) for line in (sentence, "")),
    )
    yield from (*PROTOCOLS.splitlines(), "")


def _impossible(gathered: Gathered) -> Iterator[str]:
    """Say once for each scene why it has no cells."""
    for scene in dict.fromkeys(
        (cell.table, cell.family, cell.seed, cell.protocol, why) for cell, why in gathered.impossible.items()
    ):
        table, family, seed, protocol, why = scene
        yield f"No figures for {table}, {family}, seed {seed}, protocol {protocol!r}: {why}"


PROTOCOLS = f"""## How it was measured

- **{PAPER.title}**: nothing is frozen, not even race, sex or age; rules are chosen and measured on the same people, all
  whom the model refuses in the audited half. Numbers are cut at terciles. Subgroups come from all features, support is
  1 %, and the limits are the paper's (20 rules, width 7, 10 subgroups). Of {len(CHANGES) * len(SHARES)} settings
  ({CHANGES[0]} to {CHANGES[-1]} changes at most, {len(SHARES)} weights of cost) the most accurate rules are taken, and
  of those within 0.1 points the cheapest. *Frugal* are the cheapest of the {len(CHANGES) * len(SHARES)} that are at
  least as accurate as the paper prints for AReS. Both look at the people they are measured on, as the paper's protocol
  does.
- **{OURS.title}**: protected attributes are frozen, numbers have the product's own levels, all settings are its
  defaults, rules are chosen on one half of the refused people and measured on the other.
- **Costs** come from a simulated expert as in the paper: a random probability for each pair of features dictates
  {ANSWERS} answers, and choix turns them into costs. Every system pays the same. FCost is the mean over the people a
  system helped of the costs of the features they changed, so a system that helps few, easy people looks cheap.
- **One grid.** A move takes a feature to a level that somebody is at, to the nearest observed value. The same code
  applies every system's advice and asks the model.
- **AR** solves an integer program for each person (HiGHS, through scipy): the cheapest changes that a linear score
  accepts. It is told the costs; *own costs* are the percentile shifts of its authors, with which the paper ran it.
  **AR-LIME** works on a ridge regression around each person, LIME's recipe, **AR-KMeans** on a logistic regression for
  each cluster of people, their number chosen by cross-validation.
- **FACE** leads along the nearest neighbours to somebody real whom the model accepts, and pays for every value that
  differs. **One person at a time** is the special case of the paper's Theorem 2.2: the cheapest move of up to three
  changes that works, found by asking.
- Systems that answer one person at a time are measured on {PEOPLE} people at most, drawn at random and the same for
  all of them; ours on everybody.
- Models are those of `--train`. The bail table is the one commonly used under that name, not the authors' own copy, and
  how the authors trained, cut numbers and drew costs is not published: their figures are beside ours, not the same
  experiment.
"""


def _tables(gathered: Gathered) -> Iterator[str]:
    parts = (
        ("Table 2", TABLE_2),
        ("The appendix's table", APPENDIX),
        ("Models without figures in the paper", FURTHER),
    )
    for protocol in (PAPER, OURS):
        if protocol.name not in gathered.plan.protocols:
            continue
        says = "Recourse accuracy in percent and mean FCost, mean ± standard deviation over the seeds that are there."
        yield from (f"## {protocol.title}", "", says, "")
        for title, families in parts:
            grid = comparison(gathered, protocol.name, [name for name in families if name in gathered.plan.models])
            yield from (f"### {title}", "", *(grid.markdown() if grid.rows else ("Missing.",)), "")


def _judged(gathered: Gathered) -> Iterator[str]:
    found = verdicts(gathered, gathered.plan.models)
    yield from ("## What of the paper's claims holds", "")
    yield from (
        "The paper says of AReS that its FCost is the lowest everywhere and its accuracy the best or within half a "
        "point of the best. Under the paper's protocol, over the seeds that are there:",
        "",
        *tally(found),
        "",
        *Grid(COLUMNS, tuple(verdict.row() for verdict in found)).markdown(),
        "",
        *WHY,
        "",
    )


WHY = (
    "Where the accuracy is missed, the limit says whether any set of our candidates could reach it: a person whom no "
    "candidate move helps (up to three changes, starting and ending where at least 1 % of people are) stays refused "
    "whatever rules are chosen.",
    "",
    "Why the cost is not always the lowest: a system that answers each person and is told the costs finds the cheapest "
    "changes of that person (on LR and SVM exactly, so AR is at the floor), and a summary of 20 rules that helps the "
    "same people cannot be cheaper. The objective counts the cost of a rule once, not once for each person, so among "
    "sets that help everybody it prefers few rules to cheap ones. And where AR-LIME and AR-KMeans help fewer people "
    "than our rules, their mean is taken over those few alone.",
)


def _tradeoff(drawn: bool, saturation: Grid) -> Iterator[str]:
    yield from ("## Accuracy against size", "")
    if drawn:
        yield from (f"![Recourse accuracy against the number of rules]({PICTURE.as_posix()})", "")
    yield from (
        "The best set of each size under the paper's protocol, seed 0, up to three changes.",
        "",
        *(saturation.markdown() if saturation.rows else ("Missing.",)),
        "",
    )


def _study(beside: Beside) -> Iterator[str]:
    yield from ("## The user study's material", "")
    yield from (
        "A generated bail population in which the black box asks more of people who are not Caucasian. A participant "
        "sees one of the two screens. AR-LIME's recourses, with its own costs, are averaged within each group.",
        "",
    )
    for kind in study.BLACK_BOXES:
        yield from sections.screens(kind, beside.study[kind]) if kind in beside.study else ("Missing.", "")
    yield from ("### In place of participants", "")
    yield from (
        "Random black boxes, in which people of one random group must change two features where everybody else must "
        "change one, and others without such a bias. A group is flagged when it is helped less often, or when its "
        "people change more (by the summary) or acceptance costs them more at least (by the page), with p ≤ 0.05 after "
        "Holm's correction for the number of groups and doubling for the two comparisons. No person took part, so this "
        "says what the figures show, not what people see in them.",
        "",
    )
    if not beside.bias:
        yield from ("Missing.", "")
        return
    grid, checks = sections.biases(beside.bias)
    yield from (*grid.markdown(), "")
    rows = tuple((check.claim, check.measured, check.verdict) for check in checks)
    yield from (*Grid((("target", ""), ("measured", ""), ("", "")), rows).markdown(), "")


def _search(gathered: Gathered) -> Iterator[str]:
    grid = search_grid(gathered, gathered.plan.models)
    says = ("Same candidates, same weights, at most 10 seconds each, means over the seeds that are there.",)
    yield Section("search", "Exact search, local search, greedy", says, (grid,)).markdown()


def _speed(gathered: Gathered, beside: Beside) -> Iterator[str]:
    says = (
        "Seconds on a machine that did other things meanwhile: they say which part takes long, not how fast it can be.",
        "Growth is measured on the bail table with gbt and the product's defaults.",
    )
    grids = [sections.speed(gathered, gathered.plan.models)]
    grids += [sections.growth(beside.growth)] if beside.growth else []
    yield Section("speed", "Speed and growth", says, tuple(grids)).markdown()
