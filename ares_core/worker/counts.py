"""Counts: how many people are at each level of each feature, and which columns have two values."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.audit.intervals import Share
from ares_core.people import RawTable, Table, plain

Mask = NDArray[np.bool_]
Counts = tuple[tuple[int, ...], ...]


def level_counts(table: Table, mask: Mask | None = None) -> Counts:
    """Count people, or those of a mask, for each feature in the schema's order and for each of its levels."""
    chosen = table.codes if mask is None else table.codes[mask]
    columns = ((chosen[:, table.position(one.name)], len(one.levels)) for one in table.schema.features)
    return tuple(tuple(np.bincount(codes, minlength=levels).tolist()) for codes, levels in columns)


def level_shares(table: Table, mask: Mask) -> tuple[tuple[str, tuple[tuple[str, Share], ...]], ...]:
    """Return for each feature its name, and for each level its name and who of the people there is in the mask."""
    counted = zip(table.schema.features, level_counts(table, mask), level_counts(table), strict=True)
    return tuple(
        (
            feature.name,
            tuple(
                (level.name, Share(count, total))
                for level, count, total in zip(feature.levels, counts, totals, strict=True)
            ),
        )
        for feature, counts, totals in counted
    )


def two_valued(raw: RawTable) -> tuple[tuple[str, tuple[str, str]], ...]:
    """Return the columns with exactly two values and none missing, each with its values in order."""
    found = []
    for name in raw.frame.columns:
        values = raw.frame[name].unique()
        if len(values) == 2 and not pd.isna(values).any():
            low, high = sorted(str(plain(value)) for value in values)
            found.append((str(name), (low, high)))
    return tuple(found)
