"""What every loader gives back, and how it refuses; this runs behind the sandbox's locks."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import pandas as pd

from ares_core.models.raw import Output, Signature

Reason = Literal["damaged", "type", "memory", "failed", "forbidden", "answer", "output", "label", "class"]


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


class Loaded(Protocol):
    """A model that was read and can be asked."""

    @property
    def signature(self) -> Signature:
        """What it says of itself."""
        ...

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        ...
