"""Command: what `python -m benchmarks.paper` takes, and what it does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from threadpoolctl import threadpool_limits

from benchmarks.cases import CASES, Case, data_folder
from benchmarks.paper.extras import Extra, extras
from benchmarks.paper.gathered import Gathered
from benchmarks.paper.page import PAGE, Beside, write_page
from benchmarks.paper.results import FOLDER, Results
from benchmarks.paper.run import QUICK, Plan, Runner, tables

QUICK_MODELS = ("lr", "rf")
QUICK_TRIALS = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for."""
    asked = _parser().parse_args(arguments)
    folder = data_folder(asked.data)
    cases, said = ((QUICK,), ()) if asked.quick else tables(folder, asked.only)
    for sentence in said:
        print(sentence, flush=True)
    plan = _quick_plan() if asked.quick else Plan(cases)
    runner = Runner(cases, folder, Results(Path(asked.results)))
    others = list(_quick_extras(cases, folder) if asked.quick else extras(cases, folder))
    if not asked.page:
        with threadpool_limits(1):  # small problems: threads would only wait for one another
            compute(plan, runner, others)
    page = _page(asked, cases)
    write_page(Gathered.of(plan, runner), _beside(others, runner.results), said, page)
    print(f"Written to {page.name}.")
    return 0


def _page(asked: argparse.Namespace, cases: tuple[Case, ...]) -> Path:
    """Return where to write: what was measured on some of the tables must not replace what was measured on all."""
    if asked.to:
        return Path(asked.to)
    if cases == CASES:
        return PAGE
    part = Path(asked.results)
    part.mkdir(parents=True, exist_ok=True)
    return part / PAGE.name


def _quick_plan() -> Plan:
    """Return a plan that touches every system, on a few features of the table that ships."""
    return Plan((QUICK,), QUICK_MODELS, (0,))


def _quick_extras(cases: tuple[Case, ...], folder: Path) -> list[Extra]:
    few = list(extras(cases, folder, QUICK_TRIALS))
    return [extra for extra in few if extra.name in ("study-rules", f"bias-500-0-{QUICK_TRIALS}")]


def compute(plan: Plan, runner: Runner, others: Sequence[Extra]) -> None:
    """Compute what is not there yet: first one seed of one protocol, then what is beside the cells, then the rest."""
    telling = (plan.seeds[0], plan.protocols[0])
    first, later = (
        [runner.job(cell) for cell in plan.cells() if ((cell.seed, cell.protocol) == telling) is wanted]
        for wanted in (True, False)
    )
    jobs = [*first, *(extra.job(runner.results) for extra in others), *later]
    for number, (name, job) in enumerate(jobs, start=1):
        began = perf_counter()
        if job():
            print(f"{number} of {len(jobs)}, {name}: {perf_counter() - began:.1f} s", flush=True)


def _beside(others: Sequence[Extra], results: Results) -> Beside:
    known = [(extra, extra.known(results)) for extra in others]
    there = {
        kind: [(extra.name, found) for extra, found in known if extra.kind == kind and found is not None]
        for kind in ("study", "bias", "growth")
    }
    return Beside(
        {name.removeprefix("study-"): found for name, found in there["study"]},
        [found for _, found in there["bias"]],
        [found for _, found in there["growth"]],
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper", description="Run the paper's experiments.")
    parser.add_argument(
        "--quick", action="store_true", help="a short version, on a few features of the table that ships"
    )
    parser.add_argument("--page", action="store_true", help="compute nothing, write the page from what is there")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=[case.name for case in CASES],
        help="only this table; may be repeated",
    )
    parser.add_argument("--data", help="the folder with the tables")
    parser.add_argument("--results", default=str(FOLDER), help="the folder results are kept in")
    parser.add_argument("--to", help="the page to write; unless told, a run on some of the tables writes to --results")
    return parser
