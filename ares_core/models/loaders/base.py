"""What every loader gives back, and how it refuses; this runs behind the sandbox's locks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import pandas as pd

from ares_core.models.raw import Kind, Label, Output, Signature

Reason = Literal[
    "damaged",
    "type",
    "memory",
    "failed",
    "forbidden",
    "answer",
    "output",
    "label",
    "class",
    "categories",
    "version",
    "package",
    "booster",
    "search",
]


class Refusal(Exception):
    """A model cannot be read or asked.

    Parameters
    ----------
    reason
        What went wrong, in one word; the parent has the sentence.
    detail
        What the sentence should name.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True)
class Held:
    """What one part knows of an input column.

    Parameters
    ----------
    kind
        What the column held.
    values
        Its categories, without missing ones.
    missing
        The categories contain None, so missing values were None and not NaN.
    coded
        The part wants the column in pandas' category type, with exactly these categories in this order.
    closed
        The part must not see other categories than these.
    blanks
        Whether blank cells are among the categories, or are filled before; None where the part does not say.
    """

    kind: Kind
    values: tuple[Label, ...] = ()
    missing: bool = False
    coded: bool = False
    closed: bool = False
    blanks: bool | None = None


class Loaded(Protocol):
    """A model that was read and can be asked."""

    @property
    def signature(self) -> Signature:
        """What it says of itself."""
        ...

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        ...
