"""People who want loans, and what a service says of them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ares_core.models.foreign import ForeignModel
from ares_core.models.reading import Reading

PEOPLE = pd.DataFrame(
    {
        "income": [float(number * 37 % 90) for number in range(60)],
        "debts": [number % 4 for number in range(60)],
        "job": [None if number % 13 == 0 else ("none", "casual", "steady")[number % 3] for number in range(60)],
    }
)
COLUMNS = {"income": "FP64", "debts": "INT64", "job": "BYTES"}


def labels(frame: pd.DataFrame) -> list[int]:
    """Return 1 for people with income enough for their debts, and for those whose job is steady."""
    return [int(row.income > 20 * row.debts or row.job == "steady") for row in frame.itertuples()]


def scores(frame: pd.DataFrame) -> list[list[float]]:
    """Return the chances of a refusal and of its opposite."""
    return [[1 - row.income / 90, row.income / 90] for row in frame.itertuples()]


def black_box(raw: Any, reading: Reading) -> ForeignModel:
    """Return a service as a black box about these people."""
    return ForeignModel.fitted(raw, PEOPLE, reading)
