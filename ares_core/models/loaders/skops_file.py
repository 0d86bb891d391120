"""Load a skops file: a zip whose `schema.json` names every part, each of which must be of a type on our list."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import skops.io

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.estimator import EstimatorModel
from ares_core.models.loaders.skops_types import ALLOWED, WAYS

_SCHEMA = "schema.json"


def load(content: bytes) -> Loaded:
    """Read a scikit-learn estimator.

    Raises
    ------
    Refusal
        If the file is not of skops, or a part is of a type that is not on the list.
    """
    _check_types(_schema(content))
    return EstimatorModel(skops.io.loads(content, trusted=sorted(ALLOWED)))


def _schema(content: bytes) -> Any:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return json.loads(archive.read(_SCHEMA))
    except KeyError as error:
        raise Refusal("damaged", f"it is a zip file without {_SCHEMA}") from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        raise Refusal("damaged", str(error) or "it is cut off") from error


def _check_types(schema: Any) -> None:
    for part in _parts(schema):
        name = f"{part['__module__']}.{part.get('__class__')}"
        if name not in ALLOWED:
            raise Refusal("type", name)
        if part.get("__loader__") not in WAYS:
            raise Refusal("type", f"{name} by {part.get('__loader__')}")


def _parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every part of a file, however deep, without recursion: a file may be deeper than our stack."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if "__module__" in node:
                yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
