"""Compare a model asked through the sandbox, on a matched table, with the same model asked by its own library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.matching import match_columns
from ares_core.models.raw import Output, Signature
from tests.models.hostile.cells import Cell

RANDOM = np.random.default_rng(17)
ROWS = 240
TABLE = pd.DataFrame(
    {
        "income": RANDOM.normal(3_000, 800, ROWS).round(2),
        "children": RANDOM.integers(0, 3, ROWS),
        "job": RANDOM.choice(["none", "clerk", "nurse"], ROWS),
        "region": RANDOM.integers(3, 7, ROWS),
        "post": RANDOM.choice(["01", "02", "10"], ROWS),
        "card": RANDOM.random(ROWS) < 0.5,
        "branch": "only",
    }
)
WORTH = TABLE["income"] + 900 * (TABLE["job"] == "nurse") - 300 * TABLE["children"] + 500 * TABLE["card"]
OUTCOMES = (WORTH + 400 * (TABLE["region"] == 5) + 300 * (TABLE["post"] == "02") > 3_300).astype(int).to_numpy()


def emptied(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a table as the reader gives it, with every fifth cell of some columns empty."""
    made = table.copy()
    for place, name in enumerate(columns):
        cells = made[name].astype("boolean") if made[name].dtype == bool else made[name]
        made[name] = cells.mask((np.arange(len(made)) + place) % 5 == 0)
    return made


def trained_on(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table as pandas reads it from CSV: true, false and empty cells are objects with NaN."""
    made = table.copy()
    for name in made.columns[[isinstance(dtype, pd.BooleanDtype) for dtype in made.dtypes]]:
        made[name] = made[name].astype(object).where(made[name].notna(), np.nan)
    return made


def through_the_sandbox(cell: Cell, content: bytes, table: pd.DataFrame, output: Output) -> NDArray[Any]:
    """Ask a model about a table as an audit does."""
    signature = cell.load(content)
    return cell.answer(content, match_columns(signature, table).apply(table), output)


def kinds(signature: Signature) -> dict[str, str]:
    """Return what each column is sent as."""
    return {column.name: column.kind for column in signature.columns}
