"""Raw models for tests: a signature and a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.raw import Output, Signature


@dataclass(frozen=True)
class PlainRaw:
    """A raw model that answers with whatever a function returns."""

    function: Callable[[pd.DataFrame], Any]
    signature: Signature = field(default_factory=lambda: Signature(by_name=True))
    sha256: str = "0" * 64
    kind: str = "plain"

    def answer(self, frame: pd.DataFrame, output: Output) -> NDArray[Any]:
        """Return what the function returns."""
        return np.asarray(self.function(frame))
