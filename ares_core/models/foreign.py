"""ForeignModel: a model from elsewhere, matched to a table and read, so that it can be asked like any other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import pandas as pd

from ares_core.models.blackbox import Answers, rows_at_once
from ares_core.models.matching import Matching, match_columns
from ares_core.models.raw import RawModel
from ares_core.models.reading import Margins, Reading, tie_margins


@runtime_checkable
class Remembers(Protocol):
    """A model that keeps answers, which would hide whether it gives the same twice."""

    def without_memory(self) -> RawModel:
        """Return the same model, asked afresh each time."""
        ...


class Level(Protocol):
    """The locks a model runs behind."""

    @property
    def words(self) -> str:
        """Their names, for people and for the run file."""
        ...


@runtime_checkable
class Locked(Protocol):
    """A model that runs behind locks."""

    @property
    def level(self) -> Level:
        """The locks."""
        ...


@runtime_checkable
class Addressed(Protocol):
    """A model somewhere else."""

    @property
    def address(self) -> str:
        """Where it is."""
        ...

    @property
    def call_rows(self) -> int:
        """The most rows that one call holds."""
        ...

    @property
    def rows_left(self) -> int:
        """How many rows it may still be asked about."""
        ...

    def asked_words(self) -> str:
        """Say how much it was asked."""
        ...


@dataclass(frozen=True, slots=True)
class ForeignModel:
    """A model from elsewhere as a black box.

    Parameters
    ----------
    raw
        The model.
    matching
        Which columns it is shown.
    reading
        Which of its answers is favourable.
    """

    raw: RawModel
    matching: Matching
    reading: Reading

    @classmethod
    def fitted(cls, raw: RawModel, frame: pd.DataFrame, reading: Reading, columns: Sequence[str] = ()) -> ForeignModel:
        """Match a model to the table it is asked about.

        Parameters
        ----------
        columns
            The columns of a model that does not name its own, in its order.

        Raises
        ------
        ModelError
            If the table is not what it wants.
        """
        return cls(raw, match_columns(raw.signature, frame, columns), reading)

    @property
    def kind(self) -> str:
        """What sort of model it is, in one word."""
        return self.raw.kind

    @property
    def sha256(self) -> str:
        """Digest of the model, of the columns it is shown and of how its answers are read."""
        reading = self.reading.to_json()
        if self.reading.ties == "higher":  # as every run from before there was a choice
            del reading["ties"]
        parts = [self.raw.sha256, self.matching.to_json(), reading]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()

    @property
    def batch_rows(self) -> int:
        """How many rows to ask about at once."""
        return rows_at_once(self.raw)

    @property
    def call_rows(self) -> int:
        """The most rows that reach the model in one call."""
        return self.raw.call_rows if isinstance(self.raw, Addressed) else self.batch_rows

    @property
    def rows_left(self) -> int | None:
        """How many rows a service may still be asked about; None for a model that runs here."""
        return self.raw.rows_left if isinstance(self.raw, Addressed) else None

    @property
    def sandbox(self) -> str | None:
        """The locks it runs behind; None where it does not run here."""
        return self.raw.level.words if isinstance(self.raw, Locked) else None

    @property
    def asked(self) -> str:
        """How much a service was asked so far, in a sentence; empty for a model that runs here."""
        return self.raw.asked_words() if isinstance(self.raw, Addressed) else ""

    def to_json(self) -> dict[str, Any]:
        """Return where the model runs, how its answers are read and which columns it is shown, for the run file."""
        return {
            "sandbox": self.sandbox,
            "address": self.raw.address if isinstance(self.raw, Addressed) else None,
            "reading": self.reading.to_json(),
            "columns": self.matching.to_json(),
        }

    def predict(self, frame: pd.DataFrame) -> Answers:
        """Return 1 (favourable) or 0 for each row, shape (n,)."""
        answers = self.raw.answer(self.matching.apply(frame), self.reading.output)
        return self.reading.read(answers, len(frame), self.raw.signature.classes)

    def predict_with_margins(self, frame: pd.DataFrame) -> tuple[Answers, Margins | None]:
        """Return the answers, and how far the scores are from the cut-off; None where labels are read."""
        said, classes = self.raw.answer(self.matching.apply(frame), self.reading.output), self.raw.signature.classes
        return self.reading.read(said, len(frame), classes), self.reading.margins(said, len(frame), classes)

    def tie_margins(self, frame: pd.DataFrame) -> Margins | None:
        """Return how far the scores behind the labels are from a tie; None where the model gives no such scores."""
        if "score" not in self.raw.signature.outputs:
            return None
        return tie_margins(self.raw.answer(self.matching.apply(frame), "score"), len(frame))

    def without_memory(self) -> ForeignModel:
        """Return the same model, asked afresh each time."""
        return replace(self, raw=self.raw.without_memory()) if isinstance(self.raw, Remembers) else self
