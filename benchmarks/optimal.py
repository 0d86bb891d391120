"""Optimal: the gap each search proves at the paper's limits, with greedy and local search beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from ares_core.audit import subject
from ares_core.costs import Costs
from ares_core.recourse import Learned, learn, prepare
from ares_core.settings import Settings
from benchmarks.cases import FAMILIES, Case
from benchmarks.planted import Planted, recover
from benchmarks.report import Check, Grid, Section, at_most

LARGEST_GAP = 0.1  # percent
BESIDE = ("greedy", "local")
BESIDE_SECONDS = 10.0
PLANTED = ((4000, 0), (4000, 3), (4000, 7))
COLUMNS = (
    ("table", ""),
    ("model", ""),
    ("affected", "people the model refuses"),
    ("candidates", "rules the certificate speaks of"),
    ("rules", "size of the best set"),
    ("gain", "its value above that of the empty set, in people"),
    ("gap", "how much more any set within the limits can gain, in percent, as proven"),
    ("seconds", "of that search"),
    ("greedy", "what always adding the best rule gains, in percent of the optimum"),
    ("local", f"what the paper's local search gains within {BESIDE_SECONDS:.0f} seconds, in percent of the optimum"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exact search on one table and model, and what the others reach of its gain."""

    name: str
    family: str
    affected: int
    best: Learned
    seconds: float
    shares: tuple[float, ...]

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        proof = self.best.certificate
        return (
            self.name,
            self.family,
            f"{self.affected:,}",
            f"{proof.candidates:,}",
            f"{len(self.best.rules)}",
            f"{proof.gain:.2f}",
            f"{100 * proof.gap:.3f} %",
            f"{self.seconds:.2f}",
            *(f"{100 * share:.1f} %" for share in self.shares),
        )


def run(cases: Sequence[Case], folder: Path, left_out: tuple[str, ...]) -> Section:
    """Search on every table and model, and on the planted population."""
    outcomes = [outcome for case in cases for outcome in _outcomes(case, folder)]
    planted = [(seed, recover(people, seed)) for people, seed in PLANTED]
    says = (
        "The limits are the paper's: 20 rules, 7 conditions in a rule, 10 subgroups; support 1 %, conditions up to 3 "
        "wide, up to 2 changes, protected attributes frozen, unit costs, robust selection.",
    )
    grids = (Grid(COLUMNS, tuple(outcome.row() for outcome in outcomes)),) if outcomes else ()
    checks = (*_gaps(outcomes), *(_planted(seed, back) for seed, back in planted))
    return Section("optimal", "Optimal", says, grids, checks, left_out)


def _gaps(outcomes: Sequence[Outcome]) -> Iterator[Check]:
    gaps = [(f"{each.name}, {each.family}", 100 * each.best.certificate.gap) for each in outcomes]
    if gaps:
        yield at_most(f"gap of at most {LARGEST_GAP} % proven on every table and model", gaps, LARGEST_GAP, " %")


def _planted(seed: int, back: Planted) -> Check:
    measured = (
        f"{back.same} of {back.planted} planted rules among {back.found} found, "
        f"{100 * back.accuracy:.1f} % of the checked people helped"
    )
    return Check(f"planted bias, seed {seed}: exactly the planted rules, and they help everybody", measured, back.exact)


def _outcomes(case: Case, folder: Path) -> Iterator[Outcome]:
    people = case.people(folder)
    settings = Settings()
    for family in FAMILIES:
        model, table, _ = subject(people, family, settings.seed)
        bench = prepare(model, table, settings, case.interest)
        costs = Costs.unit(table.schema.names)
        began = perf_counter()
        best = learn(bench, settings, costs, case.interest)
        seconds = perf_counter() - began
        others = (replace(settings, search=method, time_limit=BESIDE_SECONDS) for method in BESIDE)
        gains = [learn(bench, other, costs, case.interest).certificate.gain for other in others]
        shares = tuple(gain / best.certificate.gain for gain in gains)
        yield Outcome(case.title, family, len(bench.affected), best, seconds, shares)
