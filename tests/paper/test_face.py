"""FACE: the shortest paths are those that trying every path finds, and what is frozen stays."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.paper.face import destinations, follow, neighbours
from tests.paper.scenes import small_scene


def nearest_by_relaxing(edges: np.ndarray, accepted: list[int]) -> np.ndarray:
    """Return the length of the shortest path to an accepted person, by relaxing every edge over and over."""
    lengths = np.full(len(edges), np.inf)
    lengths[accepted] = 0.0
    both = np.minimum(edges, edges.T)
    for _ in range(len(edges)):
        lengths = np.minimum(lengths, (both + lengths[None, :]).min(axis=1))
    return lengths


@pytest.mark.parametrize("seed", range(5))
def test_paths_are_the_shortest(seed: int) -> None:
    """Who a path leads to is accepted, and no accepted person is nearer along the edges."""
    rng = np.random.default_rng(seed)
    rows, together = rng.normal(size=(14, 2)), rng.integers(0, 2, 14)
    accepted = [0, 1, 2]
    edges = neighbours(rows, together, count=3)
    plain = np.where(edges.toarray() > 0, edges.toarray(), np.inf)
    lengths = nearest_by_relaxing(plain, accepted)
    ends = destinations(edges, np.array(accepted))
    for person, end in enumerate(ends):
        assert (end < 0) == np.isinf(lengths[person])
        if end >= 0:
            assert int(end) in accepted
            assert nearest_by_relaxing(plain, [int(end)])[person] == pytest.approx(lengths[person])


def test_nobody_accepted_leads_nowhere() -> None:
    """Without an accepted person there is no path."""
    edges = neighbours(np.arange(6.0)[:, None], np.zeros(6, dtype=np.int64), count=2)
    assert (destinations(edges, np.zeros(0, dtype=np.intp)) == -1).all()


def test_strata_are_not_joined() -> None:
    """People with different frozen features are never neighbours, however close."""
    together = np.array([0, 1, 0, 1])
    edges = neighbours(np.zeros((4, 1)), together, count=3).tocoo()
    assert (together[edges.row] == together[edges.col]).all()


def test_everybody_arrives_who_has_a_path_when_nothing_is_frozen() -> None:
    """The end of a path is somebody the model accepts, so who becomes like them is accepted."""
    scene = small_scene("rf", frozen=False)
    outcome = follow(scene, scene.sample(30))
    assert outcome.helped == outcome.advised == outcome.people
    assert outcome.mean_fcost is not None
