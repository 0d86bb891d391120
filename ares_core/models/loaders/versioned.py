"""An estimator in a file that another version of scikit-learn may have made: the user hears of it, whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import pandas as pd

from ares_core.models.loaders.base import Refusal
from ares_core.models.loaders.estimator import EstimatorModel
from ares_core.models.raw import Output


def version_words(made_with: Sequence[str], here: str) -> str:
    """Return in words that other versions of scikit-learn made a file than the one here; empty if none did."""
    others = [version for version in made_with if version != here]
    return f"scikit-learn {' and '.join(others)} and is read with {here}" if others else ""


class VersionedModel(EstimatorModel):
    """An estimator whose errors name both versions if they differ."""

    def __init__(self, estimator: Any, made_with: str) -> None:
        self._made_with = made_with
        note = f"The model file was made with {made_with}, so compare some of its answers with ones you know."
        super().__init__(estimator, (note,) if made_with else ())

    @classmethod
    def opened(cls, load: Callable[[], Any], made_with: str) -> Self:
        """Return the estimator that a function loads.

        Raises
        ------
        Refusal
            If it cannot be loaded; with both versions if they differ.
        """
        try:
            return cls(load(), made_with)
        except (MemoryError, PermissionError, Refusal):
            raise
        except Exception as error:
            raise _refusal(error, made_with) from error

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        try:
            return super().answer(frame, output)
        except (MemoryError, PermissionError, Refusal):
            raise
        except Exception as error:
            raise _refusal(error, self._made_with) from error


def _refusal(error: Exception, made_with: str) -> Exception:
    if not made_with:
        return error
    return Refusal("version", f"{made_with}, where it fails: {type(error).__name__}: {error}")
