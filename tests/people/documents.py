"""A table and the parts of schema files that tests describe it with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

ROWS = 30
FRAME = pd.DataFrame(
    {
        "income": np.arange(ROWS) * 100 - 9,
        "job": pd.array(["clerk", "nurse", None] * 10, dtype="str"),
        "rate": [1, 2, 3] * 10,
        "Owns": [1, 0, 0] * 10,
        "Rents": [0, 1, 0] * 10,
        "sex": pd.array(["f", "m"] * 15, dtype="str"),
        "same": [7] * ROWS,
    }
)
OPTIONS = [
    {"name": "owns", "columns": {"Owns": 1, "Rents": 0}},
    {"name": "rents", "columns": {"Owns": 0, "Rents": 1}},
    {"name": "neither", "columns": {"Owns": 0, "Rents": 0}},
]
HOUSE = {"name": "House", "columns": ["Owns", "Rents"], "levels": OPTIONS}


def document(*features: Any, **rest: Any) -> dict[str, Any]:
    return {"format": "ares-schema", "version": 1, "features": list(features), **rest}
