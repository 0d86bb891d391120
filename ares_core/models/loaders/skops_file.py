"""Load a skops file: a zip whose `schema.json` names every part, each of which must be of a type on our list."""

from __future__ import annotations

import sys
from typing import Any

import sklearn
import skops.io

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.skops_schema import parts, prune, read_schema, versions, with_schema
from ares_core.models.loaders.skops_types import ALLOWED, WAYS
from ares_core.models.loaders.versioned import VersionedModel, version_words
from ares_core.models.raw import Categories

_LIBRARIES = ("lightgbm", "xgboost")


def load(content: bytes, _: Categories) -> Loaded:
    """Read an estimator of scikit-learn.

    Raises
    ------
    Refusal
        If the file is not of skops, a part is of a type that is not on the list, or another version made it.
    """
    schema = read_schema(content)
    made_with = version_words(versions(schema), sklearn.__version__)
    if prune(schema):
        content = with_schema(content, schema)
        schema = read_schema(content)  # what is checked is what is loaded
    _check_types(schema)
    return VersionedModel.opened(lambda: skops.io.loads(content, trusted=sorted(ALLOWED)), made_with)


def _check_types(schema: Any) -> None:
    for part in parts(schema):
        name = f"{part['__module__']}.{part.get('__class__')}"
        if name not in ALLOWED:
            raise Refusal("type", name)
        if part.get("__loader__") not in WAYS:
            raise Refusal("type", f"{name} by {part.get('__loader__')}")
        library = name.partition(".")[0]
        if library in _LIBRARIES and library not in sys.modules:
            raise Refusal("package", library)
