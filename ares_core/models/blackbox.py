"""BlackBox: anything that answers yes or no about people, and the one way to ask it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import AresError, ModelError

T = TypeVar("T")
Answers = NDArray[np.int8]
BATCH_ROWS = 100_000


class BlackBox(Protocol):
    """A model seen from outside.

    Attributes
    ----------
    kind
        What sort of model it is, in one word.
    sha256
        A digest that changes when the model does.
    """

    @property
    def kind(self) -> str:
        """What sort of model it is, in one word."""
        ...

    @property
    def sha256(self) -> str:
        """A digest that changes when the model does."""
        ...

    def predict(self, frame: pd.DataFrame) -> Answers:
        """Return 1 (favourable) or 0 for each row of a table with the raw columns, shape (n,)."""
        ...


@runtime_checkable
class Paced(Protocol):
    """A model that is slow, and so is asked about fewer rows at once: whoever waits sees how far it is."""

    @property
    def batch_rows(self) -> int:
        """How many rows to ask about at once."""
        ...


def rows_at_once(model: object) -> int:
    """Return how many rows to ask a model about in one call, where there are many."""
    return model.batch_rows if isinstance(model, Paced) else BATCH_ROWS


@dataclass(frozen=True, slots=True)
class FunctionModel:
    """A plain function as a black box, for tests and experiments.

    Parameters
    ----------
    function
        Takes a table of n rows and returns n answers, 1 or True for favourable.
    kind
        What to call it.
    """

    function: Callable[[pd.DataFrame], Any]
    kind: str = "function"

    @property
    def sha256(self) -> str:
        """Digest of the kind and the function's full name: a function has no lasting bytes of its own."""
        name = getattr(self.function, "__qualname__", type(self.function).__qualname__)
        return hashlib.sha256(f"{self.kind}\n{self.function.__module__}\n{name}".encode()).hexdigest()

    def predict(self, frame: pd.DataFrame) -> Answers:
        """Return 1 (favourable) or 0 for each row, shape (n,)."""
        return checked(self.function(frame), len(frame))


def ask(model: BlackBox, frame: pd.DataFrame) -> Answers:
    """Ask a model about people in one call, and check what it answers.

    Parameters
    ----------
    model
        The black box.
    frame
        The raw columns, n rows; with no rows the model is not called.

    Returns
    -------
    1 (favourable) or 0 for each row, shape (n,).

    Raises
    ------
    ModelError
        If the model fails, or answers anything but one 0 or 1 for each row.
    """
    if not len(frame):
        return np.zeros(0, dtype=np.int8)
    return checked(call_model(lambda: model.predict(frame), len(frame)), len(frame))


def call_model(call: Callable[[], T], rows: int) -> T:
    """Return what a call to a model returns.

    Raises
    ------
    ModelError
        If the model fails; the sentence names how many rows it was asked about.
    """
    try:
        return call()
    except AresError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".rstrip(".")
        raise ModelError(
            f"The model failed on {rows:,} rows: {reason}.",
            "Check that it was made for tables with these columns.",
        ) from error


def checked(answers: Any, rows: int) -> Answers:
    """Return answers as int8 if there is one 0 or 1 for each row.

    Raises
    ------
    ModelError
        If there is not.
    """
    array = np.asarray(answers)
    if array.shape != (rows,):
        raise ModelError(
            f"The model answered with shape {array.shape} for {rows:,} rows.",
            "Make it return one answer for each row, in one dimension.",
        )
    if array.dtype.kind not in "biuf":
        raise ModelError(
            f"The model answered with {array.dtype} values such as {array[0]!r:.40}, not with numbers.",
            "Make it return 1 for a favourable answer and 0 for any other.",
        )
    strange = np.flatnonzero((array != 0) & (array != 1))
    if len(strange):
        raise ModelError(
            f"The model answered {array[strange[0]]!s:.40} for number {strange[0] + 1} of {rows:,} rows, not 0 or 1.",
            "Make it return 1 for a favourable answer and 0 for any other.",
        )
    return array.astype(np.int8)
