"""Load LightGBM's own file, which is text."""

from __future__ import annotations

import re
from typing import Any

import lightgbm
import pandas as pd

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.columns import categories, refuse_text
from ares_core.models.raw import Output, Signature, Wanted

_INFOS = re.compile(r"^feature_infos=(.*)$", re.MULTILINE)
_UNNAMED = re.compile(r"Column_\d+")
_OF_NUMBERS = ("[", "none")  # how what is known of a column of numbers begins; else it is a list of categories


def load(content: bytes) -> Loaded:
    """Read a booster."""
    try:
        text = content.decode("utf-8")
        return LightgbmModel(lightgbm.Booster(model_str=text), text)
    except (UnicodeDecodeError, lightgbm.basic.LightGBMError) as error:
        raise Refusal("damaged", str(error)) from error


class LightgbmModel:
    """A booster that can be asked for scores."""

    def __init__(self, booster: Any, text: str) -> None:
        self._booster = booster
        names = booster.feature_name()
        found = _INFOS.search(text)
        infos = found[1].split() if found else []
        chosen = [name for name, info in zip(names, infos, strict=False) if not info.startswith(_OF_NUMBERS)]
        # The categories of columns that were text, in the order of those columns; none were if the list is empty.
        self._known: dict[str, list[Any]] = dict(zip(chosen, booster.pandas_categorical or [], strict=False))
        named = not all(_UNNAMED.fullmatch(name) for name in names)
        self.signature = Signature(tuple(map(self._wanted, names)) if named else (), (), ("score",))

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output != "score":
            raise Refusal("output", "labels")
        coded = frame.copy(deep=False)
        for name, known in self._known.items():
            coded[name] = categories(frame[name], known)
        refuse_text(coded)
        return self._booster.predict(coded, num_threads=1, validate_features=bool(self.signature.columns))

    def _wanted(self, name: str) -> Wanted:
        known = self._known.get(name)
        return Wanted(name, "number") if known is None else Wanted(name, "any", tuple(map(str, known)))
