"""Expected answers: what a model is known to answer about some people, compared with what it answers here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import DataError, ModelError
from ares_core.models.foreign import ForeignModel
from ares_core.models.labels import find_label, is_same_label
from ares_core.models.raw import Output
from ares_core.models.reading import are_scores, label_text, score_columns
from ares_core.people import Table, read_csv
from ares_core.people.names import quote
from ares_core.wording import counted

TOLERANCE = 1e-5  # by which scores may differ, absolutely and relative to the expected one: libraries use float32
SHOWN = 5  # differences kept
FORM = "Give a CSV file with the columns row (counted from 0) and answer, or row and score."


@dataclass(frozen=True, slots=True)
class ExpectedAnswers:
    """Answers a model is known to give.

    Parameters
    ----------
    rows
        Rows of the table, counted from 0.
    values
        The answer to each: labels as text, scores as numbers.
    output
        Whether these are labels or scores; None where only the model can tell.
    column
        The column of the table that holds them; empty if a file does.
    """

    rows: tuple[int, ...]
    values: tuple[str | float, ...]
    output: Output | None = None
    column: str = ""

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> ExpectedAnswers:
        """Read back what `dataclasses.asdict` and JSON made of expected answers."""
        return cls(**{**body, "rows": tuple(body["rows"]), "values": tuple(body["values"])})


@dataclass(frozen=True, slots=True)
class Difference:
    """A person about whom the model answers something else; `row` counts from 0, `line` is the line of the file."""

    row: int
    line: int
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class ExpectedCheck:
    """What came of comparing a model with the answers it is known to give.

    Parameters
    ----------
    compared, differ
        How many answers were compared, and how many differ.
    differences
        The first of those that differ.
    column
        The column of the table that holds the expected answers; empty if a file does.
    """

    compared: int
    differ: int
    differences: tuple[Difference, ...] = ()
    column: str = ""

    def words(self) -> str:
        """Say in a sentence what came of it."""
        if not self.differ:
            return f"The model gives all {counted(self.compared, 'expected answer')}."
        return f"The model differs from {self.differ:,} of {counted(self.compared, 'expected answer')}."

    def require_same(self) -> None:
        """Raise a ModelError that names the first differences, if there is one."""
        if not self.differ:
            return
        shown = "; ".join(f"row {each.row}: expected {each.expected}, got {each.got}" for each in self.differences)
        more = ", …" if self.differ > len(self.differences) else ""
        raise ModelError(
            f"{self.words().rstrip('.')} ({shown}{more}).",
            "See that the table holds what the model was asked then, in the same types, and that the right score is "
            "read; or leave out --expected.",
        )

    def to_json(self) -> dict[str, Any]:
        """Return the counts for machines."""
        return {"compared": self.compared, "differ": self.differ, "column": self.column or None}


def read_expected(content: bytes, name: str) -> ExpectedAnswers:
    """Read expected answers from a CSV file with the columns row and answer, or row and score.

    Raises
    ------
    DataError
        If it is no such file, or a cell is not what its column holds.
    """
    subject, frame = f"The file of expected answers {name!r}", read_csv(content, name=name).frame
    kinds: dict[frozenset[str], Output] = {frozenset(("row", "answer")): "label", frozenset(("row", "score")): "score"}
    output = kinds.get(frozenset(map(str, frame.columns)))
    if output is None:
        shown = ", ".join(quote(str(column)) for column in frame.columns[:6])
        raise DataError(f"{subject} has the columns {shown}, not row and answer or score.", FORM)
    rows, values = frame["row"], frame["score" if output == "score" else "answer"]
    if not pd.api.types.is_integer_dtype(rows.dtype) or bool((rows < 0).any()):
        raise DataError(f"{subject} holds rows that are not whole numbers from 0 on.", FORM)
    if rows.duplicated().any():
        raise DataError(f"{subject} names row {rows[rows.duplicated()].iloc[0]} twice.", "Give one answer for a row.")
    if values.isna().any():
        raise DataError(f"{subject} has no {values.name} for row {rows[values.isna()].iloc[0]}.", FORM)
    if output == "score" and not pd.api.types.is_numeric_dtype(values.dtype):
        raise DataError(f"{subject} holds scores that are not numbers.", FORM)
    return ExpectedAnswers(tuple(rows.tolist()), _values(values, output), output)


def expected_column(cells: pd.Series[Any]) -> ExpectedAnswers:
    """Take expected answers from a column of the table; empty cells expect nothing.

    Raises
    ------
    DataError
        If every cell is empty.
    """
    given = np.flatnonzero(cells.notna())
    if not len(given):
        raise DataError(f"The column {quote(str(cells.name))} holds no expected answers.", "Fill some of its cells.")
    held = cells.iloc[given]
    output: Output | None = None if pd.api.types.is_numeric_dtype(held.dtype) else "label"
    if output is None and are_scores(held.to_numpy(dtype=np.float64)):
        output = "score"
    return ExpectedAnswers(tuple(given.tolist()), _values(held, output), output, str(cells.name))


def compare_expected(model: ForeignModel, table: Table, expected: ExpectedAnswers) -> ExpectedCheck:
    """Ask a model about the people whose answers are known, and compare: labels exactly, scores within a tolerance.

    Raises
    ------
    DataError
        If a row is not in the table.
    ModelError
        If the model gives no answers of the kind that is expected.
    """
    places = _places(table, expected.rows)
    frame = table.frame.iloc[places]
    if _output(model, expected) == "score":
        numbers = [float(value) for value in expected.values]
        scores = _scores(model, frame)
        same = np.isclose(scores, numbers, rtol=TOLERANCE, atol=TOLERANCE).tolist()
        pairs = [(f"{one:.9g}", f"{other:.9g}") for one, other in zip(numbers, scores.tolist(), strict=True)]
    else:
        pairs = list(zip(map(label_text, expected.values), _labels(model, frame), strict=True))
        same = [is_same_label(*pair) for pair in pairs]
    wrong = [number for number, each in enumerate(same) if not each]
    lines = table.lines[places]
    shown = tuple(Difference(expected.rows[each], int(lines[each]), *pairs[each]) for each in wrong[:SHOWN])
    return ExpectedCheck(len(pairs), len(wrong), shown, expected.column)


def _values(cells: pd.Series[Any], output: Output | None) -> tuple[str | float, ...]:
    if output == "label":
        return tuple(label_text(value) for value in cells.tolist())
    return tuple(float(value) for value in cells.tolist())


def _places(table: Table, rows: Sequence[int]) -> list[int]:
    known = {int(row): place for place, row in enumerate(table.rows)}
    strange = next((row for row in rows if row not in known), None)
    if strange is not None:
        raise DataError(
            f"An answer is expected for row {strange}, counted from 0, which the table does not have.",
            f"Give rows from 0 to {max(known)}.",
        )
    return [known[row] for row in rows]


def _output(model: ForeignModel, expected: ExpectedAnswers) -> Output:
    if expected.output is not None:
        return expected.output
    return "label" if "label" in model.raw.signature.outputs else "score"


def _labels(model: ForeignModel, frame: pd.DataFrame) -> list[str]:
    outputs = model.raw.signature.outputs
    answers = model.raw.answer(model.matching.apply(frame), "label") if "label" in outputs else None
    if answers is None or are_scores(answers):
        raise ModelError("Labels are expected, but the model gives scores.", "Give the scores it is known to give.")
    return [label_text(answer) for answer in np.asarray(answers).tolist()]


def _scores(model: ForeignModel, frame: pd.DataFrame) -> Any:
    """Return the score that is read of each row; of labels that are read, the score of the favourable one."""
    signature = model.raw.signature
    if "score" not in signature.outputs:
        raise ModelError("Scores are expected, but the model gives labels.", "Give the labels it is known to give.")
    answers = model.raw.answer(model.matching.apply(frame), "score")
    columns = score_columns(answers, len(frame), [label_text(label) for label in signature.classes])
    name = "" if len(columns) == 1 else find_label(list(columns), model.reading.favourable)
    if name is None:
        raise ModelError(
            f"Scores are expected, but the model gives several ({', '.join(map(quote, columns))}) and none is read.",
            "Say which is read with --threshold and --score.",
        )
    return columns[name]
