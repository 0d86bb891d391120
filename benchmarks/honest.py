"""Honest: what the summaries do for people they were not chosen on, robust selection against plain counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ares_core.audit import People, subject
from ares_core.costs import Costs
from ares_core.recourse import Learned, Workbench, learn, prepare
from ares_core.settings import Settings
from benchmarks.cases import Case
from benchmarks.report import Check, Grid, Section

FAMILIES = ("lr", "rf", "gbt")
SPLITS = {"german": 10}
OTHER_SPLITS = 3
AT_LEAST = {"lr": 0.85, "rf": 0.78, "gbt": 0.70}
BETTER = {"rf": 10.0}  # points
WORSE = 1.0  # points
COLUMNS = (
    ("table", ""),
    ("model", ""),
    ("splits", "seeds of the model, of its training half, and of learn and check people"),
    ("affected", "mean number of people the model refuses; half of them choose the rules, half check them"),
    ("plain, learn", "recourse accuracy of the plain optimum on the people it was chosen on"),
    ("plain, check", "the same on the others"),
    ("robust, learn", "recourse accuracy of robust selection"),
    ("robust, check", "the same on the others"),
    ("± ", "standard error of that mean over the splits, in points"),
    ("robust − plain", "on the check people, in points"),
    ("covered", "share of check people under a robust rule"),
    ("plain rules", "mean size of the plain sets"),
    ("robust rules", "and of the robust ones"),
)


@dataclass(frozen=True, slots=True)
class Means:
    """Means over the splits; shares from 0 to 1."""

    case: Case
    family: str
    splits: int
    affected: float
    plain: tuple[float, float]
    robust: tuple[float, float]
    error: float
    covered: float
    sizes: tuple[float, float]

    @property
    def points(self) -> float:
        """How much better robust selection is on people not seen, in points."""
        return 100 * (self.robust[1] - self.plain[1])

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        shares = (f"{share:.3f}" for share in (*self.plain, *self.robust))
        return (
            self.case.title,
            self.family,
            f"{self.splits}",
            f"{self.affected:.0f}",
            *shares,
            f"{100 * self.error:.1f}",
            f"{self.points:+.1f}",
            f"{self.covered:.3f}",
            *(f"{size:.1f}" for size in self.sizes),
        )


def run(cases: Sequence[Case], folder: Path, left_out: tuple[str, ...]) -> Section:
    """Compare both selections on every table."""
    means = [mean for case in cases for mean in _compare(case, folder)]
    says = (
        "Recourse accuracy is the share of all affected people whose deciding rule works; who is under no rule counts "
        "as not helped. Both selections choose from the same candidates on the same people; plain is "
        "`--selection paper`, robust the default.",
    )
    if not means:
        return Section("honest", "Honest", says, (), (), left_out)
    grid = Grid(COLUMNS, tuple(mean.row() for mean in means))
    checks = tuple(check for mean in means for check in _checks(mean))
    return Section("honest", "Honest", says, (grid,), checks, left_out)


def _compare(case: Case, folder: Path) -> Iterator[Means]:
    people = case.people(folder)
    splits = SPLITS.get(case.name, OTHER_SPLITS)
    for family in FAMILIES:
        table = np.array([_split(case, people, family, seed) for seed in range(splits)])
        means = [float(number) for number in table.mean(axis=0)]
        error = float(table[:, 4].std(ddof=1) / np.sqrt(splits))
        yield Means(
            case,
            family,
            splits,
            means[0],
            (means[1], means[2]),
            (means[3], means[4]),
            error,
            means[5],
            (means[6], means[7]),
        )


def _split(case: Case, people: People, family: str, seed: int) -> tuple[float, ...]:
    """Return affected, plain learn and check, robust learn and check, coverage, and both sizes."""
    settings = Settings(seed=seed)
    model, table, _ = subject(people, family, seed)
    bench = prepare(model, table, settings, case.interest)
    costs = Costs.unit(table.schema.names)
    plain = learn(bench, replace(settings, selection="paper"), costs, case.interest)
    robust = learn(bench, settings, costs, case.interest)
    covered = robust.coverage.covers[:, bench.split.check].any(axis=0).mean()
    return (
        len(bench.affected),
        *_accuracies(bench, plain),
        *_accuracies(bench, robust),
        float(covered),
        len(plain.rules),
        len(robust.rules),
    )


def _accuracies(bench: Workbench, found: Learned) -> tuple[float, float]:
    helped = found.coverage.helped()
    return float(helped[bench.split.learn].mean()), float(helped[bench.split.check].mean())


def _checks(mean: Means) -> Iterator[Check]:
    where, better = f"{mean.case.title}, {mean.family}", f"{mean.points:+.1f} points"
    if mean.case.name != "german":
        yield Check(
            f"{where}: robust never worse than plain by more than {WORSE:.0f} point", better, mean.points >= -WORSE
        )
        return
    least = AT_LEAST[mean.family]
    yield Check(
        f"{where}: held-out recourse accuracy at least {least:.2f}", f"{mean.robust[1]:.3f}", mean.robust[1] >= least
    )
    if mean.family in BETTER:
        yield Check(
            f"{where}: at least {BETTER[mean.family]:.0f} points better than plain",
            better,
            mean.points >= BETTER[mean.family],
        )
