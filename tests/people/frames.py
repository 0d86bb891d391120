"""Tables for tests: strategies that draw awkward ones, features built by hand, people of every kind."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from ares_core.people.feature import Change, Feature, Kind
from ares_core.people.levels import Cell, Choice, Interval, Missing, Value
from ares_core.people.schema import Schema
from ares_core.people.schema_file import schema_for
from ares_core.people.table import Table

NAMES = (
    "a",
    "b",
    "sex",
    "Age",
    "job_clerk",
    "job_nurse",
    "OwnsHouse",
    "RentsHouse",
    "House",
    "x_geq_1",
    "x_geq_2",
    "x",
    "not known",
    "Größe",
    "a b",
    "1",
    "has.dog",
)
WORDS = (
    "yes",
    "no",
    "A",
    "B",
    "",
    "NA",
    "not known",
    "none of these",
    "1",
    "01",
    " ",
    "ß",
    "1.0",
    "any number",
)
ROUND = st.integers(-3, 12)
WHOLE = st.integers(-(2**53), 2**53)
REAL = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.sampled_from([1.0000001, 1.00000011, 1.00000012, 1.00000013, 1.00000014, 0.1, 0.30000000000000004])


def _column(draw: st.DrawFn, rows: int) -> Any:
    """Draw one column as a file would give it: whole numbers, or decimals, truths or text with gaps."""
    kind = draw(
        st.sampled_from(["round", "whole", "real", "near", "holes", "text", "free text", "flag", "truth", "empty"])
    )
    numbers = {"round": ROUND, "whole": WHOLE, "real": REAL, "near": NEAR, "flag": st.integers(0, 1)}
    if kind in numbers:
        return np.array(draw(st.lists(numbers[kind], min_size=rows, max_size=rows)))
    if kind == "holes":
        return np.array(draw(st.lists(st.one_of(ROUND, st.none()), min_size=rows, max_size=rows)), dtype=float)
    if kind == "truth":
        truths = draw(st.lists(st.sampled_from([True, False, None]), min_size=rows, max_size=rows))
        return pd.array(truths, dtype="boolean" if None in truths else "bool")
    if kind == "empty":
        return pd.array([None] * rows, dtype="str")
    words = st.sampled_from(WORDS) if kind == "text" else st.text(max_size=4)
    cells = draw(st.lists(st.one_of(words, st.none()), min_size=rows, max_size=rows))
    return pd.array([cell or None for cell in cells], dtype="str")


@st.composite
def frames(draw: st.DrawFn, most_rows: int = 30, most_columns: int = 5) -> pd.DataFrame:
    """Draw a table; long ones repeat a few rows, as real tables do."""
    rows = draw(st.integers(1, 12))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=most_columns, unique=True))
    frame = pd.DataFrame({name: _column(draw, rows) for name in names})
    picks = draw(st.lists(st.integers(0, rows - 1), min_size=1, max_size=most_rows))
    return frame.iloc[picks].reset_index(drop=True)


def category(name: str, *values: Cell, missing: tuple[Cell, ...] | None = None, **rest: Any) -> Feature:
    """Build a category of one column."""
    levels = [Value(str(value), value) for value in values]
    last = [] if missing is None else [Missing(values=missing)]
    return Feature(name, rest.pop("kind", Kind.CATEGORY), (name,), (*levels, *last), **rest)


def number(name: str, *cuts: float, missing: tuple[Cell, ...] | None = None, **rest: Any) -> Feature:
    """Build a number cut at `cuts`."""
    edges = [None, *cuts, None]
    excluded = tuple(value for value in missing or () if not isinstance(value, str))
    spans = [Interval(f"[{low}, {high})", low, high, excluded) for low, high in pairwise(edges)]
    last = [] if missing is None else [Missing(values=missing)]
    return Feature(name, Kind.NUMBER, (name,), (*spans, *last), **rest)


def house(change: Change = Change.FREE) -> Feature:
    """Build a choice of two columns."""
    options = {"owns": (1, 0), "rents": (0, 1), "neither": (0, 0)}
    levels = tuple(Choice(name, (("Owns", owns), ("Rents", rents))) for name, (owns, rents) in options.items())
    return Feature("House", Kind.CATEGORY, ("Owns", "Rents"), levels, change=change)


def people(seed: int, rows: int = 40) -> tuple[pd.DataFrame, Schema]:
    """Draw a table with every kind of feature, gaps, a declared missing number, and ignored columns."""
    rng = np.random.default_rng(seed)
    home = rng.integers(0, 3, rows)
    gaps = np.where(rng.random(rows) < 0.2, np.nan, rng.normal(0, 50, rows).round(1))
    jobs = pd.array(rng.choice(["clerk", "nurse", "smith"], rows), dtype="str")
    jobs[rng.random(rows) < 0.1] = None
    frame = pd.DataFrame(
        {
            "income": np.where(rng.random(rows) < 0.1, -9, rng.integers(-20, 500, rows)),
            "ratio": gaps,
            "job": jobs,
            "rate": rng.integers(1, 5, rows),
            "whole": rng.integers(0, 3, rows).astype(float),
            "small": rng.integers(0, 200, rows).astype(np.int16),
            "bool": rng.random(rows) < 0.5,
            "Owns": (home == 0).astype(int),
            "Rents": (home == 1).astype(int),
            "free": (home == 2).astype(int),
            "id": pd.array([f"p{place}" for place in range(rows)], dtype="str"),
            "same": 1.5,
        }
    )
    choice = {
        "name": "House",
        "columns": ["Owns", "Rents"],
        "levels": [
            {"name": level.name, "columns": dict(level.assignment)}
            for level in house().levels
            if isinstance(level, Choice)
        ],
    }
    entries = [choice, {"name": "income", "missing": [-9]}, {"name": "free"}]
    return frame, schema_for(frame, {"format": "ares-schema", "version": 1, "features": entries})


def built(columns: dict[str, Any], *features: Feature) -> Table:
    frame = pd.DataFrame(columns)
    named = {column for feature in features for column in feature.columns}
    return Table.build(frame, Schema(features, tuple((name, "") for name in frame.columns if name not in named)))
