"""Subject: the people of an audit and the model they face."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import DataError, ModelError
from ares_core.models import BlackBox, split_half, train
from ares_core.models.agreement import Outcomes
from ares_core.people import (
    RawTable,
    Schema,
    Table,
    free_notes,
    plain,
    read_numbers,
    schema_for,
    suspect_notes,
)
from ares_core.people.cells import number
from ares_core.people.levels import holds_numbers, holds_truths, truth
from ares_core.people.lines import row_text, with_lines
from ares_core.people.table import Indices
from ares_core.wording import counted

FEWEST_ROWS = 2


@dataclass(frozen=True, slots=True)
class People:
    """The people of an audit: the table the model sees, and the outcome each had.

    Parameters
    ----------
    outcomes
        1 for a favourable outcome, else 0, shape (people,); None where no outcome is known.
    target, favourable, unfavourable
        The column of outcomes and its two values; empty where no outcome is known.
    """

    table: Table
    outcomes: NDArray[np.int8] | None
    target: str
    favourable: str
    sha256: str
    unfavourable: str = ""

    @property
    def known_outcomes(self) -> Outcomes | None:
        """The outcomes with the two values they are written as; None where no outcome is known."""
        if self.outcomes is None:
            return None
        return Outcomes(self.outcomes, self.favourable, self.unfavourable)

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        target: str,
        favourable: str,
        schema_of: Callable[[pd.DataFrame], Schema],
        sha256: str = "",
    ) -> People:
        """Separate the outcome from what the model sees, and describe the rest.

        Parameters
        ----------
        target, favourable
            The column of outcomes and the one people want; both empty where the table has no outcome.
        schema_of
            Makes the schema from the columns without the target.
        """
        if len(frame) < FEWEST_ROWS:
            raise DataError(
                f"The table has {counted(len(frame), 'row')}.",
                f"An audit needs at least {FEWEST_ROWS} people; add rows.",
            )
        if not target:
            table = Table.build(frame, schema_of(frame))
            return cls(table, None, "", "", sha256)
        favourable = _as_read(frame, target, favourable)
        outcomes, unfavourable = _outcomes(frame, target, favourable)
        seen = frame.drop(columns=[target])
        if not len(seen.columns):
            raise DataError(
                f"The table has no column beside the target {target!r}.", "Add what is known of the people."
            )
        table = Table.build(seen, schema_of(seen), outcomes=outcomes)
        return cls(table, outcomes[table.rows], target, favourable, sha256, unfavourable)


def without_column(raw: RawTable, column: str) -> RawTable:
    """Return a table without a column that is no feature, such as expected answers; an empty name leaves it as it is.

    Raises
    ------
    DataError
        If there is no such column.
    """
    if not column:
        return raw
    if column not in raw.frame.columns:
        raise DataError(f"The table has no column {column!r}.", "Name one of its columns.")
    return replace(raw, frame=raw.frame.drop(columns=[column]))


def described(
    raw: RawTable,
    target: str,
    favourable: str,
    document: Mapping[str, Any] | None = None,
    adapt: Callable[[Schema], Schema] = lambda schema: schema,
) -> tuple[People, tuple[str, ...]]:
    """Return the people of a file, and notes for a careful reader.

    Parameters
    ----------
    document
        The content of a schema file, which says nothing of the target. Without one the schema is inferred, and a
        note names what to check of it.
    adapt
        Changes the schema before it is used.
    """
    if document is None:
        people = People.of(raw.frame, target, favourable, lambda seen: adapt(Schema.infer(seen)), raw.sha256)
        to_check = free_notes(people.table.schema.features)
    else:
        frame = read_numbers(raw.frame, document)
        people = People.of(frame, target, favourable, lambda seen: adapt(schema_for(seen, document)), raw.sha256)
        to_check = ()
    return people, (*to_check, *table_notes(raw, people.table.frame, people.table.schema))


def table_notes(raw: RawTable, frame: pd.DataFrame, schema: Schema) -> tuple[str, ...]:
    """Say what a careful reader should know: of the file, of numbers that look like codes, of the schema."""
    return (*raw.notes, *suspect_notes(frame, schema), *schema.notes())


def _as_read(frame: pd.DataFrame, target: str, favourable: str) -> str:
    """Return the favourable value as the table was read: '1' for '1.0', 'True' for 'true'; text stays as it is."""
    if target not in frame.columns:
        return favourable
    spelled: bool | float | None = None
    if holds_truths(frame[target]):
        spelled = truth(favourable)
    elif holds_numbers(frame[target]):
        spelled = number(favourable)
    return favourable if spelled is None else str(plain(spelled))


def _outcomes(frame: pd.DataFrame, target: str, favourable: str) -> tuple[NDArray[np.int8], str]:
    """Return each person's outcome, 1 if favourable, and how the other outcome is written."""
    if target not in frame.columns:
        raise DataError(
            f"There is no column {target!r} to be the target.",
            f"The table's columns: {', '.join(map(str, frame.columns[:12]))}.",
        )
    cells = frame[target]
    empty = np.flatnonzero(cells.isna())
    if len(empty):
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        raise DataError(
            f"The target {target!r} is empty in {row_text(cells.index, int(empty[0]))}{more}.",
            "Leave out the people whose outcome is not known.",
        )
    values = sorted({str(plain(value)) for value in cells.unique()})
    if len(values) != 2:
        shown = ", ".join(map(repr, values[:5])) + (", …" if len(values) > 5 else "")
        held = "the same value everywhere" if len(values) == 1 else f"{len(values)} different values"
        raise DataError(
            f"The target {target!r} holds {held} ({shown}), not two.",
            "Choose a target with two outcomes, one of them favourable.",
        )
    if favourable not in values:
        raise DataError(
            f"The favourable value {favourable!r} does not occur in the target {target!r}.",
            f"Use {values[0]!r} or {values[1]!r}.",
        )
    other = next(value for value in values if value != favourable)
    return np.array([str(plain(value)) == favourable for value in cells], dtype=np.int8), other


def subject(people: People, model: BlackBox | str, seed: int) -> tuple[BlackBox, Table, Indices]:
    """Return the model, the people it is audited on, and the rows it was trained on here.

    A model given by its family is trained on one half of the people and audited on the other.
    """
    table = people.table
    if not isinstance(model, str):
        return model, table, np.zeros(0, dtype=np.intp)
    if people.outcomes is None:
        raise DataError(
            "The table has no outcome, so no model can be trained on it.",
            "Name the column of outcomes, or audit a model of your own.",
        )
    to_train, to_audit = split_half(people.outcomes, seed)
    if not len(to_audit):
        raise DataError(
            f"Of {len(table)} people all are needed to train a model, and nobody is left to audit.",
            "Add people, or audit a finished model.",
        )
    try:
        trained = train(model, table.frame.iloc[to_train], table.schema, people.outcomes[to_train], seed)
    except ValueError as error:
        raise ModelError(
            f"No {model!r} model can be trained on this table: {str(error).splitlines()[0].rstrip('.')}.",
            "Choose another family, or look for columns that do not belong there.",
        ) from error
    audited = Table.build(
        with_lines(table.frame.iloc[to_audit], table.lines[to_audit]),
        table.schema,
        table.rows[to_audit],
        people.outcomes[to_audit],
    )
    return trained, audited, np.sort(table.rows[to_train])
