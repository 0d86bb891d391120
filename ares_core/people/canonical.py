"""Put people and levels in an order that depends on what they are, not on the file or on names.

Colour refinement: a person's colour is made of the colours of their levels, a category's colour of the
colours of the people at it. After a few rounds people who differ have different colours, whatever their
categories are called and in whatever order rows and columns stand. Seeded splits and ties between equally
good rules follow this order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.feature import Feature, Kind
from ares_core.people.levels import Missing, holds_truths

Colours = NDArray[np.uint64]
ROUNDS = 4


def canonical_order(people: Colours, frame: pd.DataFrame) -> NDArray[np.intp]:
    """Sort people by colour, those of one colour by their values, so that the file's order never counts."""
    contents = np.zeros(len(frame), dtype=np.uint64)
    for column in frame.columns:
        contents += mix(_hashes(frame[column]) ^ _salt(str(column)))
    return np.lexsort((contents, people))


def mix(colours: Colours) -> Colours:
    """Scramble 64-bit colours (the finaliser of splitmix64)."""
    mixed = colours + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def canonical_colours(
    features: Sequence[Feature], codes: NDArray[np.int16], frame: pd.DataFrame, outcomes: NDArray[Any] | None = None
) -> tuple[Colours, list[Colours]]:
    """Return a colour for each person and, for each feature, one for each level."""
    own = _own_colours(features, frame)
    if outcomes is not None:
        own += mix(outcomes.astype(np.uint64))
    salts = [_salt(feature.name) for feature in features]
    levels = [_first_colours(feature) for feature in features]
    people = own
    for _ in range(ROUNDS):
        people = own.copy()
        for column, (salt, colours) in enumerate(zip(salts, levels, strict=True)):
            people += mix(colours[codes[:, column]] ^ salt)
        people = mix(people)
        levels = [_refined(colours, codes[:, column], people) for column, colours in enumerate(levels)]
    return people, levels


def _salt(name: str) -> np.uint64:
    return np.uint64(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little"))


def _first_colours(feature: Feature) -> Colours:
    """Ordered levels start with their rank; categories all alike, but missing is never just another one."""
    ranks = list(range(1, len(feature.levels) + 1))
    if feature.kind is Kind.CATEGORY:
        ranks = [2 if isinstance(level, Missing) else 1 for level in feature.levels]
    return mix(np.array(ranks, dtype=np.uint64))


def _refined(colours: Colours, codes: NDArray[np.int16], people: Colours) -> Colours:
    sums = np.zeros(len(colours), dtype=np.uint64)
    np.add.at(sums, codes, people)
    return mix(sums ^ colours)


def _own_colours(features: Sequence[Feature], frame: pd.DataFrame) -> Colours:
    """Colour people by their exact numbers, and by the columns no feature speaks of."""
    named = {column for feature in features for column in feature.columns}
    exact = [feature.name for feature in features if feature.kind is Kind.NUMBER]
    exact += [str(column) for column in frame.columns if column not in named]
    own = np.zeros(len(frame), dtype=np.uint64)
    for column in sorted(exact):
        own += mix(_hashes(frame[column]) ^ _salt(column))
    return own


def _hashes(cells: pd.Series[Any]) -> Colours:
    if holds_truths(cells):
        cells = cells.astype("str")
    elif pd.api.types.is_numeric_dtype(cells.dtype):
        cells = cells.astype(float)
    return np.asarray(pd.util.hash_pandas_object(cells, index=False), dtype=np.uint64)
