"""ForeignModel: a model from elsewhere, matched to a table and read, so that it can be asked like any other."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import pandas as pd

from ares_core.models.blackbox import Answers
from ares_core.models.matching import Matching, match_columns
from ares_core.models.raw import RawModel
from ares_core.models.reading import Reading


@runtime_checkable
class Remembers(Protocol):
    """A model that keeps answers, which would hide whether it gives the same twice."""

    def without_memory(self) -> RawModel:
        """Return the same model, asked afresh each time."""
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
    def fitted(cls, raw: RawModel, frame: pd.DataFrame, reading: Reading) -> ForeignModel:
        """Match a model to the table it is asked about.

        Raises
        ------
        ModelError
            If the table is not what it wants.
        """
        return cls(raw, match_columns(raw.signature, frame), reading)

    @property
    def kind(self) -> str:
        """What sort of model it is, in one word."""
        return self.raw.kind

    @property
    def sha256(self) -> str:
        """Digest of the model, of the columns it is shown and of how its answers are read."""
        parts = [self.raw.sha256, self.matching.to_json(), self.reading.to_json()]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()

    def predict(self, frame: pd.DataFrame) -> Answers:
        """Return 1 (favourable) or 0 for each row, shape (n,)."""
        answers = self.raw.answer(self.matching.apply(frame), self.reading.output)
        return self.reading.read(answers, len(frame), self.raw.signature.classes)

    def without_memory(self) -> ForeignModel:
        """Return the same model, asked afresh each time."""
        return replace(self, raw=self.raw.without_memory()) if isinstance(self.raw, Remembers) else self
