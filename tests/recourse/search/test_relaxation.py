"""The relaxation of a branch: what it divides into, what hints spare, and what it offers."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.recourse.search import Effort, Limits, relaxation, solve
from ares_core.recourse.search.branch import Branch
from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.incumbent import Clock, Incumbent
from ares_core.recourse.search.relaxation import Relaxation
from tests.recourse.search.brute import NEAR, best_with, larger, problems

NONE = np.zeros(0, dtype=np.int64)


def holds(branch: Branch, chosen: set[int]) -> bool:
    """Say whether a set of rules belongs to a branch."""
    forced = set(branch.forced.tolist())
    return forced <= chosen and chosen - forced <= set(np.flatnonzero(branch.alive).tolist())


@pytest.mark.parametrize("limits", [Limits(5, 6), Limits(7, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_every_set_is_in_one_part(seed: int, limits: Limits) -> None:
    """The parts of a branch share no set, and together hold every set of the branch within the limits."""
    ground, random = Ground.of(larger(seed)), np.random.default_rng(seed)
    whole = Branch.root(ground, np.inf)
    settled = Relaxation(ground, limits, NONE).settle(whole, Incumbent(ground), Clock(Effort()))
    assert settled.parts is not None
    assert len(settled.parts) > 1
    alive = np.flatnonzero(settled.branch.alive)
    used = np.concatenate([part.forced for part in settled.parts])
    for turn in range(300):
        some = np.union1d(random.choice(alive, 4), random.choice(used, turn % 2) if len(used) else NONE)
        if len(set(ground.group[some].tolist())) <= limits.max_groups:
            # Where a group may be entered, sets that do without it belong to the other part too.
            inside = sum(holds(part, set(some.tolist())) for part in settled.parts)
            assert inside == 1 if len(used) else inside >= 1


@pytest.mark.parametrize("seed", range(6))
def test_hints_spare_nothing_that_is_better(seed: int) -> None:
    """Whatever prices a branch is bounded with, what is a little better than the set known stays in it."""
    random = np.random.default_rng(seed)
    for problem, limits in problems(60, seed):
        ground = Ground.of(problem)
        if not len(ground) or not limits.max_rules or not limits.max_groups:
            continue
        for branch in Branch.root(ground, np.inf).split(ground, limits, int(random.integers(len(ground)))):
            best = ground.scale * best_with(problem, limits, ground, branch)
            incumbent = Incumbent(ground)
            incumbent.floor = max(0.0, 0.99 * best)
            hints = [2 * ground.value * random.random(len(ground.value)) for _ in range(4)]
            no_time = Clock(Effort(time_limit=0.0))  # so nothing but the hints is used
            hinted = Relaxation(ground, limits, NONE).settle(branch, incumbent, no_time, hints).branch
            assert hinted.upper >= best - NEAR
            assert best <= 0 or ground.scale * best_with(problem, limits, ground, hinted) >= best - NEAR


def test_renewals_find_better_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is divided, the first set is often better with renewals and never worse; the bound holds."""
    hard = [(larger(seed, 8, 80, 150), Limits(12, 6)) for seed in range(6)]
    renewed = [solve(*one, Effort(most_branches=0)) for one in hard]
    monkeypatch.setattr(relaxation, "_VAIN", 0)
    plain = [solve(*one, Effort(most_branches=0)) for one in hard]
    assert all(one.gain >= other.gain for one, other in zip(renewed, plain, strict=True))
    assert sum(one.gain > other.gain for one, other in zip(renewed, plain, strict=True)) > 1
    assert all(one.upper_bound >= other.gain for one, other in zip(plain, renewed, strict=True))
