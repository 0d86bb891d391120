"""Write a table as CSV that a spreadsheet shows and never runs."""

from __future__ import annotations

import csv
import io
from typing import Any

import pandas as pd

from ares_core.people.cells import number

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escape_cell(value: str) -> str:
    """Return the cell with an apostrophe in front if a spreadsheet would take it for a formula.

    Parameters
    ----------
    value
        The cell; plain numbers such as '-5' are left alone.
    """
    return f"'{value}" if value.startswith(_FORMULA) and number(value) is None else value


def write_csv(frame: pd.DataFrame) -> str:
    """Return the table as comma-separated text, lines ended by CR LF, missing cells empty, text escaped."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([escape_cell(str(name)) for name in frame.columns])
    writer.writerows(zip(*(map(_cell, frame[name].tolist()) for name in frame.columns), strict=True))
    return text.getvalue()


def _cell(value: Any) -> Any:
    if pd.isna(value):
        return ""
    return escape_cell(value) if isinstance(value, str) else value
