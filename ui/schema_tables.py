"""Tables about a schema: all features, and the levels of one."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from ares_core.people import Change, Choice, Feature, Kind, Level, Missing, Schema, Value
from ares_core.worker import Description
from ui.schema_text import cuts_text

KINDS = {
    Kind.CATEGORY: "Category, no order",
    Kind.ORDERED: "Levels in order",
    Kind.NUMBER: "Number, cut into ranges",
}
CHANGES = {
    Change.FREE: "Either way",
    Change.INCREASE: "Only up",
    Change.DECREASE: "Only down",
    Change.FROZEN: "Never",
}
ROW = 35  # pixels
SHOWN_LEVELS = 200  # characters of the overview's list of levels


def titles(schema: Schema) -> dict[str, str]:
    """Return what to call each feature by name; where two have one label, the name stands behind it."""
    often = Counter(feature.title for feature in schema.features)
    return {
        feature.name: feature.title if often[feature.title] == 1 else f"{feature.title} · {feature.name}"
        for feature in schema.features
    }


def table_height(rows: int, most: int) -> int:
    """Return the height in pixels at which a table shows all its rows, or the most it may take."""
    return min(ROW * (rows + 1) + 3, most)


def overview(described: Description) -> pd.DataFrame:
    """Return a table with a row for each feature."""
    rows = [
        {
            "Feature": feature.title + (f" ({feature.unit})" if feature.unit else ""),
            "Can it change": CHANGES[feature.change],
            "Kind": KINDS[feature.kind].split(",")[0],
            "Levels": _few([level.name for level in feature.levels]),
            "Not known": counts[feature.missing] if feature.missing is not None else 0,
            "Columns": ", ".join(feature.columns),
        }
        for feature, counts in zip(described.schema.features, described.people, strict=True)
    ]
    return pd.DataFrame(rows)


def levels(feature: Feature, counts: tuple[int, ...]) -> pd.DataFrame:
    """Return a table with a row for each level: its name, what the file says where that differs, and who is there."""
    columns = {"Level": [level.name for level in feature.levels]}
    told = [in_file(level) for level in feature.levels]
    if told != columns["Level"]:
        columns["In the file"] = told
    return pd.DataFrame({**columns, "People": counts})


def in_file(level: Level) -> str:
    """Say what the cells of people at a level hold."""
    match level:
        case Value():
            return str(level.value)
        case Choice():
            return ", ".join(f"{column} = {value}" for column, value in level.assignment)
        case Missing():
            return ", ".join(["empty", *map(str, level.values)])
    low, high = level.low, level.high
    return (
        " and ".join(
            [
                *([f"at least {cuts_text([low])}"] if low is not None else []),
                *([f"below {cuts_text([high])}"] if high is not None else []),
            ]
        )
        or "any number"
    )


def _few(names: list[str]) -> str:
    text = " · ".join(names)
    return text if len(text) <= SHOWN_LEVELS else text[: SHOWN_LEVELS - 1] + "…"
