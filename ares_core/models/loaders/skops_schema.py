"""The schema of a skops file, without the parts that are used in training and never to predict.

What is left out is never loaded, whatever its type. What is left in is checked and loaded from the same bytes.
"""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from ares_core.models.loaders.base import Refusal

_SCHEMA = "schema.json"
_SEARCHES = ("GridSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV", "RandomizedSearchCV")
_SEARCH_MODULES = ("sklearn.model_selection._search", "sklearn.model_selection._search_successive_halving")
# Where older versions of scikit-learn kept what is elsewhere now, and a list they wrapped to warn about it.
_MOVED = {"_loss": "sklearn._loss._loss"}
_WRAPPED_LIST = ("sklearn.compose._column_transformer", "_RemainderColsList")
# Attributes of scikit-learn's estimators that choose among candidates and play no part in predictions.
_OF_TRAINING = ("cv", "scorer_", "scorers_", "scoring", "_scorer")
_NOTHING = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": "null", "is_json": True}
_ONE = {**_NOTHING, "content": "1"}  # no thread can be started behind the locks


def read_schema(content: bytes) -> Any:
    """Return the schema of a skops file.

    Raises
    ------
    Refusal
        If there is none, or it cannot be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return json.loads(archive.read(_SCHEMA))
    except KeyError as error:
        raise Refusal("damaged", f"it is a zip file without {_SCHEMA}") from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        raise Refusal("damaged", str(error) or "it is cut off") from error


def with_schema(content: bytes, schema: Any) -> bytes:
    """Return a skops file with another schema; the last member of a name counts, so it is appended."""
    file = io.BytesIO(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # there are two members of that name now
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(_SCHEMA, json.dumps(schema))
    return file.getvalue()


def prune(schema: Any) -> bool:
    """Replace each search by its best estimator, and what only training uses by nothing; say if anything changed.

    Names of older versions of scikit-learn become those of today.

    Raises
    ------
    Refusal
        If a search was not refitted, so that it has no best estimator.
    """
    changed = False
    for part in parts(schema):
        while (inner := _instead(part)) is not None:
            kept = {name: part[name] for name in ("protocol", "_skops_version") if name in part}
            part.clear()
            part.update(inner, **kept)
            changed = True
        if part["__module__"] in tuple(_MOVED):
            part["__module__"] = _MOVED[part["__module__"]]
            changed = True
        attributes = _attributes(part)
        for name in _replaced(part, attributes):
            attributes[name] = dict(_ONE if name == "n_jobs" else _NOTHING)
            changed = True
    return changed


def _instead(part: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the part that is loaded instead of another: of a search its best estimator, of a wrapped list the list."""
    module, name = part["__module__"], part.get("__class__")
    if (module, name) == _WRAPPED_LIST:
        data = _attributes(part).get("data")
        return data if isinstance(data, dict) and "__module__" in data else None
    if name not in _SEARCHES or module not in _SEARCH_MODULES:
        return None
    attributes = _attributes(part)
    best = attributes.get("best_estimator_")
    if best is None and "cv_results_" not in attributes:  # a parameter of another estimator, which fits copies of it
        best = attributes.get("estimator")
    if not isinstance(best, dict) or "__module__" not in best:
        raise Refusal("search", str(name))
    return best


def _replaced(part: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[str]:
    module = str(part["__module__"]).partition(".")[0]
    if module in ("xgboost", "lightgbm"):
        return [name for name in attributes if name == "n_jobs"]
    if module != "sklearn":
        return []
    return [name for name in _OF_TRAINING if isinstance(attributes.get(name), dict) and not _is_plain(attributes[name])]


def _is_plain(part: Mapping[str, Any]) -> bool:
    return part.get("__loader__") == "JsonNode"


def _attributes(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of an object, by name; empty for any other part."""
    held = part.get("content") if part.get("__loader__") == "ObjectNode" else None
    content = held.get("content") if isinstance(held, dict) and held.get("__loader__") == "DictNode" else None
    return content if isinstance(content, dict) else {}


def parts(schema: Any) -> Iterator[dict[str, Any]]:
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


def versions(schema: Any) -> list[str]:
    """Return the versions of scikit-learn that the parts of a file were made with."""
    found = (_attributes(part).get("_sklearn_version") for part in parts(schema))
    texts = (each.get("content") for each in found if isinstance(each, dict))
    return sorted({text.strip('"')[:20] for text in texts if isinstance(text, str)})
