"""Hostile model files, each a small change to an honest one."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from functools import cache
from typing import Any

import joblib
import lightgbm
import numpy as np
import pandas as pd
import skops.io
import xgboost
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.models.hostile.cells import evaluates

Json = dict[str, Any]
FRAME = pd.DataFrame({"a": np.linspace(-1, 1, 60), "b": np.arange(60) % 7})
LABELS = (FRAME["a"] + 0.1 * FRAME["b"] > 0).to_numpy().astype(int)


# ---------------------------------------------------------------- pickles


def when_opened(expression: str) -> Callable[[], bytes]:
    """Return what makes a pickle that evaluates an expression."""
    return lambda: evaluates(expression)


def deep_pickle() -> bytes:
    """Return a pickle of tuples in tuples, deeper than any stack."""
    return b"\x80\x04N" + b"\x85" * 200_000 + b"."


@cache
def compressed_pickle() -> bytes:
    """Return a small joblib file that grows to half a gigabyte."""
    file = io.BytesIO()
    joblib.dump(bytes(600_000_000), file, compress=("zlib", 1))
    return file.getvalue()


# ---------------------------------------------------------------- skops


@cache
def honest_skops() -> bytes:
    """Return a decision tree."""
    return skops.io.dumps(DecisionTreeClassifier(max_depth=3).fit(FRAME, LABELS))


@cache
def honest_boosting() -> bytes:
    """Return boosted trees."""
    return skops.io.dumps(HistGradientBoostingClassifier(max_iter=3).fit(FRAME, LABELS))


def rewritten(content: bytes, change: Callable[[Json, dict[str, bytes]], None]) -> bytes:
    """Return a skops file whose schema and members were changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(members.pop("schema.json"))
    change(schema, members)
    return zipped({**members, "schema.json": json.dumps(schema).encode()})


def zipped(members: dict[str, bytes]) -> bytes:
    """Return a zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_part(**part: Any) -> Callable[[], bytes]:
    """Return what makes a skops file with one attribute replaced by a part."""

    def change(schema: Json, _: dict[str, bytes]) -> None:
        schema["content"]["content"]["max_depth"] = part

    return lambda: rewritten(honest_skops(), change)


def pickle_inside() -> bytes:
    """Return a skops file whose arrays are pickles."""

    def change(_: Json, members: dict[str, bytes]) -> None:
        file = io.BytesIO()
        np.save(file, np.array([Opened()], dtype=object), allow_pickle=True)
        for name in members:
            members[name] = file.getvalue()

    return rewritten(honest_skops(), change)


class Opened:
    """Something whose pickle leaves the process when it is opened."""

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, ("__import__('os')._exit(7)",)


def pickle_called_skops() -> bytes:
    """Return a zip file with a pickle beside a schema that names it."""
    schema = {"__module__": "builtins", "__class__": "bytes", "__loader__": "BytesNode", "file": "model.pkl"}
    return zipped({"model.pkl": pickle.dumps(Opened()), "schema.json": json.dumps({**schema, "protocol": 2}).encode()})


@cache
def zip_bomb() -> bytes:
    """Return a zip file whose schema grows to half a gigabyte."""
    file = io.BytesIO()
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with archive, archive.open("schema.json", "w") as member:
        for _ in range(600):
            member.write(b" " * 1_000_000)
    return file.getvalue()


def deep_schema() -> bytes:
    """Return a skops file with a schema of lists in lists."""
    return zipped({"schema.json": b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}"})


def huge_array() -> bytes:
    """Return a skops file with an array that says it is of terabytes."""

    def change(_: Json, members: dict[str, bytes]) -> None:
        head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (800000000000,), }".ljust(117) + b"\n"
        for name in members:
            members[name] = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head

    return rewritten(honest_skops(), change)


def tree_out_of_range() -> bytes:
    """Return a tree whose first node leads to one that is not there."""
    return rewritten(honest_skops(), lambda _, members: _lead_astray(members, "left_child"))


def boosting_out_of_range() -> bytes:
    """Return boosted trees whose nodes lead to some that are not there."""
    return rewritten(honest_boosting(), lambda _, members: _lead_astray(members, "left"))


def _lead_astray(members: dict[str, bytes], field: str) -> None:
    for name, content in members.items():
        array = np.load(io.BytesIO(content), allow_pickle=False)
        if array.dtype.names and field in array.dtype.names:
            array = array.copy()
            array[field] = 2_000_000_000
            array["is_leaf" if field == "left" else "right_child"] = 0 if field == "left" else 2_000_000_000
            file = io.BytesIO()
            np.save(file, array)
            members[name] = file.getvalue()


def no_model() -> bytes:
    """Return a skops file with a dictionary in it."""
    return skops.io.dumps({"weights": [1, 2, 3]})


def clusters() -> bytes:
    """Return an estimator of scikit-learn that is not on the list."""
    return skops.io.dumps(KMeans(2, n_init=1).fit(FRAME))


# ---------------------------------------------------------------- XGBoost


@cache
def honest_xgboost(form: str = "json") -> bytes:
    """Return XGBoost's trees."""
    model = xgboost.XGBClassifier(n_estimators=3, max_depth=3, n_jobs=1).fit(FRAME, LABELS)
    return bytes(model.get_booster().save_raw(form))


def tampered_xgboost(field: str, value: int) -> Callable[[], bytes]:
    """Return what makes trees in which a field of every node has another value."""

    def make() -> bytes:
        model = json.loads(honest_xgboost())
        for tree in model["learner"]["gradient_booster"]["model"]["trees"]:
            tree[field] = [value] * len(tree[field])
        return json.dumps(model).encode()

    return make


def endless_xgboost() -> bytes:
    """Return XGBoost's binary form with a text that says it is longer than all memory."""
    return b"{L" + struct.pack(">q", 7) + b"learner" + b"SL" + struct.pack(">q", 1 << 50) + b"x"


# ---------------------------------------------------------------- LightGBM


@cache
def honest_lightgbm() -> bytes:
    """Return LightGBM's trees."""
    model = lightgbm.LGBMClassifier(n_estimators=3, min_child_samples=2, n_jobs=1, verbose=-1).fit(FRAME, LABELS)
    return bytes(model.booster_.model_to_string().encode())


def tampered_lightgbm(field: str, value: str) -> Callable[[], bytes]:
    """Return what makes trees in which a line of every tree has another value in all places."""

    def make() -> bytes:
        lines = honest_lightgbm().decode().split("\n")
        for place, line in enumerate(lines):
            name, _, values = line.partition("=")
            if name == field:
                lines[place] = f"{name}={' '.join([value] * len(values.split()))}"
        return "\n".join(lines).encode()

    return make
