"""Named answers: columns of labels and scores that a service returns under names of its own."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.endpoint.answers import MOST_CLASSES, SHAPE_HINT, as_array
from ares_core.models.raw import Label
from ares_core.people.names import quote

LONGEST_NAME = 200
ONE_LABEL_HINT = "Have the service return one label for each row, a score for each class, or both."


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a service's answers hold what.

    Parameters
    ----------
    label
        The column of labels; None where there is none.
    scores
        The columns of scores, in the order of `classes` where these are known.
    classes
        The class each score is of; empty where that is not known.
    """

    label: str | None = None
    scores: tuple[str, ...] = ()
    classes: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a service said of some rows.

    Parameters
    ----------
    labels
        Shape (rows,); None where it gave scores only.
    scores
        Shape (rows,) or (rows, classes); None where it gave labels only.
    layout
        The columns they were found in.
    """

    labels: NDArray[Any] | None = None
    scores: NDArray[Any] | None = None
    layout: Layout = Layout()

    @classmethod
    def unnamed(cls, values: Any, rows: int, classes: Sequence[Label] = ()) -> Answer:
        """Return a list of labels or numbers, or of lists of scores, one for each row."""
        found = as_array(values, rows)
        if found.ndim == 1:
            return cls(labels=found)
        return cls(scores=found, layout=Layout(classes=tuple(classes) if len(classes) == found.shape[1] else ()))

    @property
    def has_score_of_label(self) -> bool:
        """Whether the only score is that of each row's label: then no threshold tells the two labels apart."""
        if self.labels is None or self.scores is None or self.scores.ndim != 1:
            return False
        groups = [self.scores[self.labels == label] for label in set(self.labels.tolist())]
        if len(groups) != 2:
            return False
        one, other = groups
        return bool(one.max() > other.min() and other.max() > one.min())

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """Return the label and the score or scores of each row; None stands for what was not given."""
        both = [None if part is None else part.tolist() for part in (self.labels, self.scores)]
        rows = len(next(part for part in both if part is not None))
        return zip(*(part or [None] * rows for part in both), strict=True)


def columns_of(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Turn records, one for each row, into columns.

    Raises
    ------
    ModelError
        If they do not all have the same names.
    """
    names = list(records[0])
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict) or record.keys() != records[0].keys():
            raise ModelError(
                f"The service's answer to row {number:,} does not name the same things as that to row 1.", SHAPE_HINT
            )
    check_names(names)
    return {name: [record[name] for record in records] for name in names}


def check_names(names: Sequence[str]) -> None:
    """Raise unless there are names to show: not too many, not too long, and printable."""
    if not 1 <= len(names) <= MOST_CLASSES:
        raise ModelError(f"The service gave {len(names):,} named answers for each row.", SHAPE_HINT)
    strange = next((name for name in names if not name.isprintable() or not 1 <= len(name) <= LONGEST_NAME), None)
    if strange is not None:
        raise ModelError(
            f"The service names an answer {quote(strange)}, which is empty, cannot be printed or is longer than "
            f"{LONGEST_NAME} characters.",
            SHAPE_HINT,
        )


def read_columns(columns: Mapping[str, list[Any]], rows: int, known: Layout | None) -> Answer:
    """Tell labels from scores by what columns hold, or read them as they were told before.

    Parameters
    ----------
    known
        The layout of the service's earlier answers; None for its first.

    Raises
    ------
    ModelError
        If several columns hold labels, or the columns are not those of earlier answers.
    """
    if len(columns) == 1:
        return Answer.unnamed(next(iter(columns.values())), rows)
    layout = known or _layout(columns, rows)
    if {layout.label, *layout.scores} - {None} != set(columns):
        raise ModelError(
            f"The service named its answers {_listed(columns)}, and differently before.",
            "Have it return the same columns every time.",
        )
    labels = None if layout.label is None else as_array(columns[layout.label], rows)
    if layout.label is not None and known is None:
        layout = replace(layout, classes=_classes(layout.scores, as_array(columns[layout.label], rows)))
    return Answer(labels, _scores({name: as_array(columns[name], rows) for name in layout.scores}), layout)


def _scores(columns: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
    """Return columns of scores side by side; one that is alone may hold a list for each row."""
    most = 2 if len(columns) == 1 else 1
    wrong = next((name for name, cells in columns.items() if cells.dtype.kind not in "if" or cells.ndim > most), None)
    if wrong is not None:
        raise ModelError(f"The service's scores {quote(wrong)} hold other things than numbers.", SHAPE_HINT)
    found = list(columns.values())
    return (found[0] if len(found) == 1 else np.column_stack(found)).astype(np.float64)


def _layout(columns: Mapping[str, list[Any]], rows: int) -> Layout:
    """Tell columns apart: text, true and false are labels, and so are whole numbers beside fractions."""
    kinds = {name: as_array(cells, rows).dtype.kind for name, cells in columns.items()}
    bools = {name for name, cells in columns.items() if all(isinstance(cell, bool) for cell in cells)}
    texts = [name for name, kind in kinds.items() if kind not in "if" or name in bools]
    whole = [name for name, kind in kinds.items() if kind == "i"]
    if not texts and len(whole) == 1:
        texts = whole
    if len(texts) > 1:
        raise ModelError(f"The service gave several columns of labels: {_listed(texts)}.", ONE_LABEL_HINT)
    label = texts[0] if texts else None
    scores = tuple(name for name in columns if name != label)
    return Layout(label, scores, () if label else scores)


def _classes(names: Sequence[str], labels: NDArray[Any]) -> tuple[str, ...]:
    """Return the label each score is of, by its name, or its name without what all names share; else nothing."""
    seen = {str(label) for label in labels.tolist()}
    if len(names) < 2:
        return ()
    start, end = _shared(names), _shared([name[::-1] for name in names])
    for found in (list(names), [name[start:] for name in names], [name[: len(name) - end] for name in names]):
        if seen <= set(found) and len(set(found)) == len(names) and all(found):
            return tuple(found)
    return ()


def _shared(names: Sequence[str]) -> int:
    """Return how many characters all names start with alike."""
    alike = (len(set(signs)) == 1 for signs in zip(*names, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, alike))


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(map(quote, shown[:4])) + (", …" if len(shown) > 4 else "")
