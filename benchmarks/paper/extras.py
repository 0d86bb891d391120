"""Extras: what is computed beside the cells: planted biases, the study's screens, and growth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.cases import Case
from benchmarks.measure import forget_peak, peak_megabytes
from benchmarks.paper import bias, growing, study
from benchmarks.paper.results import Job, Results, fingerprint

Found = dict[str, Any]
AT_ONCE = 20  # trials in one file, so that an interrupted run loses little
SIZES = (bias.PEOPLE, 500)


@dataclass(frozen=True, slots=True)
class Extra:
    """Something to compute: what it is about, its file, the modules that decide it, and how."""

    kind: str
    name: str
    modules: tuple[str, ...]
    compute: Callable[[], Found]

    def job(self, results: Results) -> Job:
        """Return how to compute it unless it is there."""
        return self.name, lambda: results.get(f"{self.name}.json", fingerprint(self.modules), self.compute)[1]

    def known(self, results: Results) -> Found | None:
        """Return the result if it is there."""
        return results.read(f"{self.name}.json", fingerprint(self.modules))


def extras(cases: tuple[Case, ...], folder: Path, trials: int = bias.TRIALS) -> Iterator[Extra]:
    """Yield everything beside the cells; growth needs the bail table."""
    for kind in study.BLACK_BOXES:
        modules = ("advice", "linear", "surrogates", "flags", "study")
        yield Extra("study", f"study-{kind}", modules, partial(study.screens, kind))
    for people in SIZES:
        for first in range(0, trials, AT_ONCE):
            seeds = range(first, min(first + AT_ONCE, trials))
            name = f"bias-{people}-{seeds.start}-{seeds.stop}"
            yield Extra("bias", name, ("flags", "bias"), partial(tried, people, seeds))
    for case in (case for case in cases if case.name == "bail"):
        for axis, values in growing.AXES.items():
            for value in values:
                compute = partial(measured, case, folder, axis, value)
                yield Extra("growth", f"growth-{axis}-{value:g}", ("growing",), compute)


def tried(people: int, seeds: range) -> Found:
    """Run some trials, with a planted bias and without."""
    pairs = {
        kind: [bias.trial(seed, biased=biased, people=people) for seed in seeds]
        for kind, biased in (("biased", True), ("none", False))
    }
    return {"people": people, **pairs}


def measured(case: Case, folder: Path, axis: str, value: float) -> Found:
    """Let a table grow and note the most memory held."""
    forget_peak()
    found = growing.grown(case, folder, axis, value)
    return {"axis": axis, "value": value, **found, "megabytes": peak_megabytes()}
