"""SandboxedModel: a model file from elsewhere as a raw model, which answers from a locked process."""

from __future__ import annotations

import hashlib
import threading
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.files import refuse_large
from ares_core.models.formats import RULES, Format, detect, require_reader
from ares_core.models.labels import refuse_wide_labels
from ares_core.models.raw import NO_CATEGORIES, Categories, Output, Signature
from ares_core.models.sandbox.answers import checked_answer
from ares_core.models.sandbox.ladder import Level, require_level
from ares_core.models.sandbox.limits import LIMITS, MOST_ROWS, Limits
from ares_core.models.sandbox.messages import (
    ANSWERED,
    DESCRIBED,
    LOAD,
    QUESTIONS,
    GarbledError,
    dump_rows,
    load_array,
    load_signature,
)
from ares_core.models.sandbox.process import ModelProcess
from ares_core.models.sandbox.trouble import Subject, Trouble


def open_model(
    content: bytes,
    name: str = "model",
    *,
    categories: Categories = NO_CATEGORIES,
    limits: Limits = LIMITS,
    level: Level | None = None,
) -> SandboxedModel:
    """Open a model file in a process of its own.

    Parameters
    ----------
    content
        The bytes of the file; the process gets them through its pipe, and no file.
    name
        What sentences call it; it decides nothing.
    categories
        Categories of columns for a file that does not hold them, see `Signature.lacking`.
    limits
        What the file and its process may take.
    level
        The locks to use, the strongest there are if None.

    Raises
    ------
    ModelError
        If there are no locks, it is too large, is not a model, or cannot be loaded within the limits.
    """
    refuse_large(content, f"The model file {name!r}", limits.file_bytes, ModelError, "Save a smaller model.")
    kind = detect(content, name)
    if kind == RULES:
        raise ModelError(f"The file {name!r} is JSON, but no model of XGBoost's.", "Open it as a rule model.")
    form = require_reader(kind, name)
    if categories:
        raise ModelError(f"The file {name!r} is {form.words}, which needs no categories.", "Leave them out.")
    return SandboxedModel(content, form, level or require_level(), Subject(name, form.words, limits))


class SandboxedModel:
    """A model that answers from a locked process; see `open_model`.

    Attributes
    ----------
    kind, sha256, signature
        As every raw model has them; the digest is that of the file.
    level
        The locks it runs behind.
    """

    def __init__(self, content: bytes, form: Format, level: Level, subject: Subject) -> None:
        self.kind = form.kind
        self.sha256 = hashlib.sha256(content).hexdigest()
        self.level = level
        self._content, self._subject, self._limits = content, subject, subject.limits
        self._lock = threading.RLock()
        self._closed = False
        self._process: ModelProcess | None = None
        try:
            self.signature: Signature = load_signature(self._warm_up())
        except GarbledError as error:
            self.close()
            raise subject.error(Trouble("garbled", str(error))) from error
        except BaseException:
            self.close()
            raise

    def answer(self, frame: pd.DataFrame, output: Output) -> NDArray[Any]:
        """Return what the model says of each row, checked for shape and type and otherwise unread.

        Parameters
        ----------
        frame
            The columns the model wants, in its order, n rows.
        output
            Labels or scores.

        Returns
        -------
        Labels, shape (n,); or scores as floats, shape (n,) or (n, classes).

        Raises
        ------
        ModelError
            If the model fails, takes too much, or answers with something else. The next call works again.
        """
        with self._lock:
            parts = [self._ask(frame.iloc[begin : begin + MOST_ROWS], output) for begin in _beginnings(len(frame))]
        if len({part.shape[1:] for part in parts}) > 1:
            raise self._subject.error(Trouble("answer", "as many scores for some rows as for no others"))
        if output == "label":
            refuse_wide_labels(len(frame), max(_characters(part) for part in parts))
        return np.concatenate(parts)

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._closed = True
            self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, frame: pd.DataFrame, output: Output) -> NDArray[Any]:
        rows = dump_rows(frame)
        if self._process is None or not self._process.alive:
            self._warm_up()
        content = self._exchange(QUESTIONS[output], rows, self._limits.answer_seconds, ANSWERED)
        try:
            return checked_answer(load_array(content), len(frame), output)
        except GarbledError as error:
            self._let_go()
            raise self._subject.error(Trouble("garbled", str(error))) from error

    def _warm_up(self) -> memoryview:
        """Start a process, have it load the model, and return what the model says of itself."""
        if self._closed:
            raise RuntimeError("the model is closed")
        self._let_go()
        try:
            self._process = ModelProcess(self.kind, self.level, self._limits)
        except Trouble as trouble:
            raise self._subject.error(trouble) from trouble
        return self._exchange(LOAD, self._content, self._limits.load_seconds, DESCRIBED)

    def _exchange(self, letter: bytes, content: bytes | memoryview, seconds: float, wanted: bytes) -> memoryview:
        assert self._process is not None
        try:
            return self._process.ask(letter, content, seconds, wanted)
        except Trouble as trouble:
            raise self._subject.error(trouble) from trouble

    def _let_go(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


def _characters(labels: NDArray[Any]) -> int:
    """Return for how many characters an array has room in each label; none if it holds numbers."""
    return labels.dtype.itemsize // np.dtype("U1").itemsize if labels.dtype.kind == "U" else 0


def _beginnings(rows: int) -> range:
    return range(0, max(rows, 1), MOST_ROWS)
