"""Tables that ship with the product, each with its schema, its caveats and where it comes from."""

from __future__ import annotations

from ares_core.datasets.bail_like import planted_bias
from ares_core.datasets.dataset import Dataset
from ares_core.datasets.german import load_german

__all__ = ["Dataset", "load_german", "planted_bias"]
