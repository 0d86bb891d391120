"""FACE: the shortest path through people close to one another, from a person to somebody the model accepts.

Poyiadzi and others, FACE: Feasible and Actionable Counterfactual Explanations, 2020. People are joined to their
nearest neighbours among those with the same frozen features. An edge is as long as the square of the distance, so
many short steps through dense data are shorter than one step across a gap.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import dijkstra
from sklearn.neighbors import NearestNeighbors

from ares_core.models import ask
from ares_core.people import Change
from ares_core.people.table import Indices, Table
from ares_core.recourse.split import strata_of
from benchmarks.paper.advice import Outcome, judged
from benchmarks.paper.scene import Scene
from benchmarks.paper.surrogates import coding

Floats = NDArray[np.float64]
NEIGHBOURS = 20
SHORTEST = 1e-9  # people who are alike are still a step apart: a length of 0 is no edge in a sparse matrix


def follow(scene: Scene, people: Indices) -> Outcome:
    """Let each person become whoever the shortest path leads to, as far as features may change.

    That is somebody real, so every feature whose value differs changes, also within a level, and is paid for.
    """
    table = scene.table
    frozen = [place for place, feature in enumerate(table.features) if feature.change is Change.FROZEN]
    edges = neighbours(coding(table)(table.frame), strata_of(table.codes[:, frozen]))
    ends = destinations(edges, np.flatnonzero(ask(scene.model, table.frame)))[people]
    going = ends >= 0
    if not going.any():
        return Outcome(len(people), 0, 0, None)
    after, changed = _become(table, people[going], ends[going])
    return judged(scene, len(people), after, changed)


def _become(table: Table, people: Indices, ends: Indices) -> tuple[pd.DataFrame, list[list[int]]]:
    """Return people with the values of others, and for each the features that changed."""
    frame, other = (table.frame.iloc[who].reset_index(drop=True) for who in (people, ends))
    changed: list[list[int]] = [[] for _ in people]
    for place, feature in enumerate(table.features):
        columns = list(feature.columns)
        known = ~np.isin(table.codes[[people, ends], place], [-1 if feature.missing is None else feature.missing])
        differs = (frame[columns].to_numpy() != other[columns].to_numpy()).any(axis=1)
        moved = np.flatnonzero(differs & known.all(axis=0) & (feature.change is not Change.FROZEN))
        for column in columns:
            frame[column] = frame[column].where(~np.isin(np.arange(len(frame)), moved), other[column])
        for person in moved:
            changed[person].append(place)
    return frame, changed


def neighbours(rows: Floats, together: NDArray[np.int64], count: int = NEIGHBOURS) -> csr_array:
    """Join each person with their nearest among those of the same stratum; lengths are squared distances."""
    starts, ends, lengths = [], [], []
    for stratum in np.unique(together):
        mine = np.flatnonzero(together == stratum)
        near = NearestNeighbors(n_neighbors=min(count + 1, len(mine))).fit(rows[mine])
        distance, place = near.kneighbors(rows[mine])
        starts.append(np.repeat(mine, place.shape[1]))
        ends.append(mine[place.ravel()])
        lengths.append(np.maximum(distance.ravel() ** 2, SHORTEST))
    start, end, length = (np.concatenate(parts) for parts in (starts, ends, lengths))
    apart = start != end
    size = (len(rows), len(rows))
    return csr_array(coo_array((length[apart], (start[apart], end[apart])), shape=size))


def destinations(edges: csr_array, accepted: Indices) -> Indices:
    """Return for each person the accepted one at the end of the shortest path, -1 where there is none.

    Edges are walked in both directions: one of two people being among the nearest of the other is enough.
    """
    found = np.full(edges.shape[0], -1, dtype=np.intp)
    if len(accepted):
        distance, _, source = dijkstra(edges, False, accepted, return_predecessors=True, min_only=True)
        reached = np.isfinite(distance)
        found[reached] = source[reached]
    return found
