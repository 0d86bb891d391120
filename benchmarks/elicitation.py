"""Elicitation: how many answers each way of choosing questions needs, from simulated experts of known difficulties."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from ares_core.costs import (
    Belief,
    Comparison,
    Seen,
    bradley_terry_expert,
    fit_costs,
    next_question,
    random_pairs,
    round_robin,
)
from benchmarks.cases import TOP, Case
from benchmarks.curves import Panel, drawing
from benchmarks.report import Check, Grid, Section

PICTURE = TOP / "docs" / "images" / "elicitation.svg"
SIZES = (8, 12, 20)
EXPERTS = {8: 300, 12: 150, 20: 70}
PUBLISHED = 20
PRIOR_SPREAD, NARROW_SPREAD = 5**0.5, 1.3
PER_FEATURE = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0)
CLAIMED = 3.0
SHOWN = (2.0, 3.0, 4.0, 5.0, 6.0)
COLUMNS = (
    ("features", ""),
    ("spread", "standard deviation of the true difficulties; 2.24 is that of the prior"),
    ("answers", "given, whichever way the questions were chosen"),
    ("random", "error with random pairs: root mean square of the difficulties, each less the mean of all"),
    ("round robin", "error with every pair once, in random order, and again"),
    ("informative", "error with the most informative question; – where its questions have ended"),
    ("saved", "how many fewer answers the most informative questions need for the error of random pairs"),
    ("ranks", "Spearman's correlation with the truth: random pairs, round robin, most informative"),
    ("in interval", "share of true difficulties inside the 90 % interval, most informative questions"),
)
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Curves:
    """Means over experts for one number of features: arrays (ways, marks, figures), and the marks in answers.

    Ways are random, round robin, informative; figures are error, rank correlation, share in the interval.
    """

    features: int
    spread: float
    marks: Array
    means: Array

    def saved(self, mark: int) -> float:
        """Return the share of answers saved at the error of random pairs at a mark; NaN if it is not reached."""
        error, ours = self.means[0, mark, 0], self.means[2, :, 0]
        reached = ~np.isnan(ours)
        # Errors fall, so they are turned round for the interpolation.
        needed = np.interp(-error, -ours[reached], self.marks[reached], left=np.nan, right=np.nan)
        return float(1 - needed / self.marks[mark])


def run(_cases: Sequence[Case], _folder: Path, _left_out: tuple[str, ...]) -> Section:
    """Simulate, draw the picture, and return the section."""
    wide = [_curves(size, PRIOR_SPREAD, EXPERTS[size]) for size in SIZES]
    narrow = _curves(SIZES[1], NARROW_SPREAD, EXPERTS[SIZES[1]])
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(drawing([_panel(curves) for curves in wide], "answers for each feature", "error"), "utf-8")
    rows = tuple(row for curves in (*wide, narrow) for row in _rows(curves))
    checks = (*(_saving(curves) for curves in wide), *(_covered(curves) for curves in wide), _published(), _quick())
    return Section("elicitation", "Elicitation", _says(), (Grid(COLUMNS, rows),), checks)


def _says() -> tuple[str, ...]:
    experts = ", ".join(f"{EXPERTS[size]} with {size} features" for size in SIZES)
    return (
        f"Simulated Bradley-Terry experts ({experts}) whose difficulties are drawn from the prior answer three ways "
        "of choosing questions; figures are means over experts. The most informative questions include a reversed "
        "repeat in eight and end when every pair was asked. Needs no table.",
        "Where difficulties lie closer together than the prior expects (the lines with a spread of 1.3) the most "
        "informative questions win ranks at best: they go after differences the prior takes for large, so the error "
        "is not smaller than with random pairs, and the intervals hold less often.",
        "![Error against answers for each feature, for random pairs, round robin and the most informative "
        f"questions](images/{PICTURE.name})",
    )


def _curves(features: int, spread: float, experts: int) -> Curves:
    names = tuple(f"feature {number:02}" for number in range(features))
    marks = [round(features * share) for share in PER_FEATURE]
    figures = [_expert(names, spread, seed, marks) for seed in range(experts)]
    return Curves(features, spread, np.array(marks, dtype=float), np.mean(figures, axis=0))


def _expert(names: tuple[str, ...], spread: float, seed: int, marks: Sequence[int]) -> list[list[Sequence[float]]]:
    """Return the figures of one expert for each way and mark; NaN where the questions have ended."""
    rng = np.random.default_rng(seed)
    beta = dict(zip(names, rng.normal(0, spread, len(names)).tolist(), strict=True))
    ways = (
        bradley_terry_expert(beta, random_pairs(names, marks[-1], rng), rng),
        bradley_terry_expert(beta, list(_rounds(names, marks[-1], rng)), rng),
        [Comparison(one.first, one.second) for one in informed(beta, marks[-1], seed, rng)],
    )
    return [[_figures(beta, way[:mark]) if mark <= len(way) else (np.nan,) * 3 for mark in marks] for way in ways]


def informed(beta: dict[str, float], most: int, seed: int, rng: np.random.Generator) -> list[Seen]:
    """Let an expert of known difficulties answer the most informative questions."""
    seen: list[Seen] = []
    while len(seen) < most and (asked := next_question(tuple(beta), seen, seed=seed)):
        (said,) = bradley_terry_expert(beta, [(asked.left, asked.right)], rng)
        seen.append(Seen(said.first, said.second, said.answer, asked.left))
    return seen


def _rounds(names: tuple[str, ...], count: int, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    every = round_robin(names)
    while count > 0:
        for place in rng.permutation(len(every))[:count]:
            yield every[place]
        count -= len(every)


def _figures(beta: dict[str, float], answers: Sequence[Comparison]) -> tuple[float, float, float]:
    belief = Belief.fit(tuple(beta), answers)
    truth = np.array(list(beta.values()))
    truth, found = truth - truth.mean(), belief.mean - belief.mean.mean()
    wide = 1.6449 * np.sqrt(belief.centred().diagonal())
    error = float(np.sqrt(np.mean((truth - found) ** 2)))
    return error, float(spearmanr(truth, belief.mode).statistic), float(np.mean(np.abs(truth - found) <= wide))


def _rows(curves: Curves) -> Iterator[tuple[str, ...]]:
    for share in SHOWN:
        mark = PER_FEATURE.index(share)
        error, ranks, inside = curves.means[:, mark].T
        yield (
            str(curves.features),
            f"{curves.spread:.2f}",
            f"{curves.marks[mark]:.0f}",
            *map(_number, error),
            _percent(curves.saved(mark)),
            " / ".join(map(_number, ranks)),
            _number(inside[2]),
        )


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _percent(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.0%}".replace("%", " %")


def _panel(curves: Curves) -> Panel:
    ways = ("random pairs", "round robin", "most informative")
    lines = {way: curves.means[place, :, 0].tolist() for place, way in enumerate(ways)}
    return Panel(f"{curves.features} features", PER_FEATURE, lines)


def _saving(curves: Curves) -> Check:
    saved = curves.saved(PER_FEATURE.index(CLAIMED))
    return Check(
        f"{curves.features} features: at least 20 % fewer answers than random pairs need for the error they have after "
        f"{CLAIMED:.0f} answers for each feature",
        f"{_percent(saved)} fewer",
        saved >= 0.2,
    )


def _covered(curves: Curves) -> Check:
    inside = curves.means[2, :, 2]
    inside = inside[~np.isnan(inside)]
    return Check(
        f"{curves.features} features: 90 % intervals hold 85 to 95 % of true difficulties after any number of answers",
        f"{_percent(inside.min())} to {_percent(inside.max())}",
        bool(inside.min() >= 0.85 and inside.max() <= 0.95),
    )


def _published() -> Check:
    """Check the intervals of published costs, which choix makes, on the answers to the most informative questions."""
    inside = [share for size in SIZES for seed in range(PUBLISHED) for share in _inside(size, seed)]
    share = float(np.mean(inside))
    return Check(
        "90 % intervals of published costs hold 85 to 95 % of the true costs after 3 answers for each feature",
        _percent(share),
        0.85 <= share <= 0.95,
    )


def _inside(size: int, seed: int) -> list[bool]:
    rng = np.random.default_rng([seed, size])
    names = tuple(f"feature {number:02}" for number in range(size))
    beta = dict(zip(names, rng.normal(0, PRIOR_SPREAD, size).tolist(), strict=True))
    seen = informed(beta, 3 * size, seed, rng)
    costs = fit_costs([Comparison(one.first, one.second) for one in seen], names)
    easiest = min(beta.values())
    return [costs[name].low <= 1 + beta[name] - easiest <= costs[name].high for name in names]


def _quick() -> Check:
    rng = np.random.default_rng(0)
    names = tuple(f"feature {number:02}" for number in range(20))
    beta = dict(zip(names, rng.normal(0, PRIOR_SPREAD, 20).tolist(), strict=True))
    seen = informed(beta, 60, 0, rng)
    seconds = _processor_seconds(lambda: next_question(names, seen, seed=0))
    return Check(
        "the next of 20 features' questions, after 60 answers, within 3 ms of processor time",
        f"{1000 * seconds:.1f} ms",
        seconds <= 0.003,
    )


def _processor_seconds(work: Callable[[], object]) -> float:
    """Return the median of 20 runs."""
    times = []
    for _ in range(20):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return float(np.median(times))
