"""Load LightGBM's own file, which is text."""

from __future__ import annotations

import re
from typing import Any

import lightgbm
import pandas as pd

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.columns import matrix
from ares_core.models.loaders.lightgbm_categories import assign_categories
from ares_core.models.raw import Categories, Output, Signature, Wanted

_UNNAMED = re.compile(r"Column_\d+")
_OF_CHANCES = re.compile(r"^objective=binary\b", re.MULTILINE)  # whose classifier answers 1 above 0.5, and 0 at it


def load(content: bytes, categories: Categories) -> Loaded:
    """Read a booster."""
    try:
        text = content.decode("utf-8")
        return LightgbmModel(lightgbm.Booster(model_str=text), text, categories)
    except (UnicodeDecodeError, lightgbm.basic.LightGBMError) as error:
        raise Refusal("damaged", str(error)) from error


class LightgbmModel:
    """A booster that can be asked for scores.

    Parameters
    ----------
    booster, text
        The trees, and the file they were read from.
    categories
        Those of its columns, where the file does not say which columns its categories belong to.

    Raises
    ------
    Refusal
        If other categories are given than the file holds.
    """

    def __init__(self, booster: Any, text: str, categories: Categories) -> None:
        self._booster = booster
        self._names = booster.feature_name()
        assigned = assign_categories(text, self._names, booster.pandas_categorical or [], categories)
        self._known = assigned.known
        if categories and not self._known:
            raise Refusal("categories", "its columns have no categories, and some were given")
        named = not all(_UNNAMED.fullmatch(name) for name in self._names)
        columns = tuple(map(self._wanted, self._names)) if named else ()
        first_wins = _OF_CHANCES.search(text) is not None
        self.signature = Signature(columns, (), ("score",), len(self._names), assigned.lacking, first_wins=first_wins)

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output != "score":
            raise Refusal("output", "labels")
        if self.signature.lacking:
            raise Refusal("categories", "its file does not say which columns its categories belong to")
        ordered = frame[self._names] if self.signature.columns else frame
        return self._booster.predict(matrix(ordered, self._known), num_threads=1)

    def _wanted(self, name: str) -> Wanted:
        # A column of whole numbers may be missing and need not be known, so it is a column of numbers.
        return Wanted(name, "any", self._known[name]) if name in self._known else Wanted(name, "number")
