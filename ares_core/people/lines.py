"""Lines: where the rows of a table stand in their file, so that whoever opens it finds the row a sentence names.

Blank lines and cells that span several lines part the rows of a file from the lines they begin on. Such a frame has
the lines for labels, which stay with the rows whatever is left out of it. In any other frame the header is line 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LABEL = "line of the file"  # what the labels of a frame are called when they are lines
FIRST_ROW = 2  # where the first person stands below a header of one line


def with_lines(frame: pd.DataFrame, lines: NDArray[np.int64]) -> pd.DataFrame:
    """Return a frame that knows the lines its rows begin on; where they simply follow the header, nothing is kept."""
    if (lines == np.arange(FIRST_ROW, FIRST_ROW + len(lines))).all():
        return frame
    return frame.set_axis(pd.Index(lines, name=LABEL))


def lines_of(labels: pd.Index[Any], rows: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the line each row begins on.

    Parameters
    ----------
    labels
        Those of the frame, its index, shape (n,).
    rows
        Which rows of the file they are, counted from 0 without the header, shape (n,).
    """
    return labels.to_numpy(dtype=np.int64) if labels.name == LABEL else rows.astype(np.int64) + FIRST_ROW


def row_text(labels: pd.Index[Any], place: int) -> str:
    """Name a row of a frame with these labels by its line, and say how lines are counted."""
    if labels.name == LABEL:
        return f"row {labels[place]} (the first line of the file is row 1)"
    return f"row {place + FIRST_ROW} (the header is row 1)"
