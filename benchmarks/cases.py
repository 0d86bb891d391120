"""Cases: the three tables of the paper's experiments, and where they are found."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.audit import People
from ares_core.people import Change, Schema, read_csv, schema_for
from ares_core.people.schema import FORMAT, VERSION

TOP = Path(__file__).resolve().parent.parent
NEARBY = TOP.parent / "shared" / "data"
VARIABLE = "ARES_BENCH_DATA"
FAMILIES = ("lr", "rf", "gbt", "dnn3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A table to measure on.

    Parameters
    ----------
    name, title, file
        For the command line, for readers, and in the data folder.
    target, favourable
        The outcome's column and its favourable value.
    protected
        The features that may not change.
    interest
        The features subgroups are made of.
    others
        Another choice of features of interest, to change to.
    dropped
        Columns the model does not see.
    missing
        A number that stands for "missing" in the table.
    """

    name: str
    title: str
    file: str
    target: str
    favourable: str
    protected: tuple[str, ...]
    interest: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]
    dropped: tuple[str, ...] = ()
    missing: float | None = None

    def people(self, folder: Path, times: int = 1) -> People:
        """Read the table, `times` as long as it is."""
        frame = read_csv(folder / self.file).frame.drop(columns=list(self.dropped))
        frame = enlarged(frame, times, self.target, self.missing)
        return People.of(frame, self.target, self.favourable, self._schema)

    def _schema(self, frame: pd.DataFrame) -> Schema:
        """Describe the columns; a cell that stands for "missing" is declared so wherever it occurs."""
        marked = frame.columns[(frame == self.missing).any()] if self.missing is not None else ()
        entries = [{"name": column, "missing": [self.missing]} for column in marked]
        schema = schema_for(frame, {"format": FORMAT, "version": VERSION, "features": entries})
        # What is guessed from names may grow; what is measured stays what the case says.
        return schema.with_change(schema.names, Change.FREE).with_change(self.protected, Change.FROZEN)


CASES = (
    Case(
        name="german",
        title="German Credit",
        file="german_credit_paper_features.csv",
        target="GoodCustomer",
        favourable="1",
        protected=("Gender", "ForeignWorker", "Age", "Single"),
        interest=("Gender", "ForeignWorker"),
        others=(("Gender",), ("Gender", "ForeignWorker", "Single")),
    ),
    Case(
        name="compas",
        title="COMPAS",
        file="compas.csv",
        target="two_year_recid",
        favourable="0",
        protected=("sex", "race", "age"),
        interest=("race",),
        others=(("sex",), ("race", "sex")),
        dropped=("risk",),
    ),
    Case(
        name="bail",
        title="Bail",
        file="bail.csv",
        target="RECID",
        favourable="0",
        protected=("WHITE", "MALE", "AGE"),
        interest=("WHITE", "MALE"),
        others=(("WHITE",), ("WHITE", "MALE", "AGE")),
        missing=-9,
    ),
)


def case_of(name: str) -> Case:
    """Return the case of a name."""
    return next(case for case in CASES if case.name == name)


def data_folder(given: str | None = None) -> Path:
    """Return where the tables are: as told, as the environment says, or beside the project."""
    return Path(given or os.environ.get(VARIABLE) or NEARBY)


def available(folder: Path, only: Sequence[str] = ()) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases whose table is there, and a sentence for each of the others."""
    wanted = [case for case in CASES if not only or case.name in only]
    there = tuple(case for case in wanted if (folder / case.file).is_file())
    gone = tuple(
        f"{case.title} is left out: the data folder has no file {case.file!r}. "
        f"Name another folder with --data or {VARIABLE}."
        for case in wanted
        if case not in there
    )
    return there, gone


def enlarged(frame: pd.DataFrame, times: int, target: str, missing: float | None) -> pd.DataFrame:
    """Repeat everybody, each time with half of their numbers moved to the next value somebody has.

    Columns of two values, the target and cells that stand for "missing" stay as they are.
    """
    if times == 1:
        return frame
    random = np.random.default_rng(0)
    copies = pd.concat([frame] * times, ignore_index=True)
    for column in frame.columns:
        numeric = pd.api.types.is_numeric_dtype(frame[column].dtype)
        if column != target and numeric and frame[column].nunique() > 2:
            copies[column] = _jittered(copies[column].to_numpy(), missing, random)
    return copies


def _jittered(numbers: NDArray[np.float64], missing: float | None, random: np.random.Generator) -> NDArray[np.float64]:
    known = np.flatnonzero(numbers != missing) if missing is not None else np.arange(len(numbers))
    values, places = np.unique(numbers[known], return_inverse=True)
    steps = random.choice([-1, 0, 0, 1], len(known))
    moved = numbers.copy()
    moved[known] = values[(places + steps).clip(0, len(values) - 1)]
    return moved
