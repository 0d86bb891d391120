"""The search by hand: every set of rules, one after the other, and small problems to try it on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ares_core.recourse.search import Limits, Problem, Rule
from ares_core.recourse.search.branch import Branch
from ares_core.recourse.search.ground import Ground

NEAR = 1e-9


def best_gains(problem: Problem, max_groups: int, largest: int, holding: Rule | None = None) -> list[float]:
    """Return the best gain of at most 0, 1, … ``largest`` rules in at most ``max_groups`` groups.

    With ``holding``, only sets that hold that rule count; where there are none the gain is minus infinity.
    """
    pairs = [(g, c) for g in range(len(problem.groups)) for c in range(len(problem.conditions))]
    rules = [rule for rule in pairs if np.isfinite(problem.penalty[rule])]
    covers = {rule: sum(1 << int(x) for x in np.flatnonzero(problem.covers(rule))) for rule in rules}
    worth = [
        problem.reward * sum(float(w) for x, w in enumerate(problem.people) if people >> x & 1)
        for people in range(1 << len(problem.people))
    ]
    best = [0.0 if holding is None else -np.inf]
    for size in range(1, largest + 1):
        sets = (chosen for chosen in itertools.combinations(rules, size) if holding is None or holding in chosen)
        allowed = (chosen for chosen in sets if len({group for group, _ in chosen}) <= max_groups)
        best.append(max([best[-1], *(_gain(problem, chosen, covers, worth) for chosen in allowed)]))
    return best


def _gain(problem: Problem, chosen: tuple[Rule, ...], covers: dict[Rule, int], worth: list[float]) -> float:
    people = 0
    for rule in chosen:
        people |= covers[rule]
    return worth[people] - sum(float(problem.penalty[rule]) for rule in chosen)


def best_with(problem: Problem, limits: Limits, ground: Ground, branch: Branch) -> float:
    """Return the best gain of any set of the branch, by trying them all."""
    forced, free = ground.rules(branch.forced), ground.rules(np.flatnonzero(branch.alive))
    best = problem.gain(forced)
    for size in range(1, limits.max_rules - len(forced) + 1):
        for chosen in itertools.combinations(free, size):
            if len({group for group, _ in (*forced, *chosen)}) <= limits.max_groups:
                best = max(best, problem.gain((*forced, *chosen)))
    return best


def problems(count: int, seed: int) -> Iterator[tuple[Problem, Limits]]:
    """Yield random small problems: ties, zero and infinite penalties, empty groups, real and whole weights."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        people, groups, conditions = rng.integers(1, 9), rng.integers(1, 4), rng.integers(1, 7)
        if groups * conditions > 12:
            conditions = 12 // groups
        penalty = 3 * rng.random((groups, conditions))
        penalty = penalty.round() if rng.random() < 0.5 else penalty
        penalty[rng.random(penalty.shape) < 0.15] = np.inf
        penalty[rng.random(penalty.shape) < 0.1] = 0.0
        weights = rng.integers(1, 4, people).astype(float) if rng.random() < 0.6 else 0.1 + rng.random(people)
        member = rng.random((groups, people)) < rng.choice([0.4, 0.8])
        holds = rng.random((conditions, people)) < rng.choice([0.3, 0.6])
        reward = float(rng.choice([0.0, 0.5, 1.0, 1.0, 3.0]))
        yield Problem(weights, member, holds, penalty, reward), Limits(int(rng.integers(0, 5)), int(rng.integers(0, 4)))


def larger(seed: int, groups: int = 6, conditions: int = 30, people: int = 40) -> Problem:
    """Return a problem too large to enumerate, whose relaxation is not whole."""
    rng = np.random.default_rng(seed)
    member = rng.random((groups, people)) < 0.5
    holds = rng.random((conditions, people)) < 0.2
    size = (member.astype(float) @ holds.T).round()
    penalty = 0.3 * size * rng.random((groups, conditions)) + 0.2
    return Problem(rng.integers(1, 3, people).astype(float), member, holds, penalty, 1.0)
