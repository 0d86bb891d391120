"""What is searched, within which limits, with how much effort, and what comes back."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rule = tuple[int, int]
"""A candidate rule: the index of its group and the index of its condition."""

Rules = tuple[Rule, ...]

TOLERANCE = 1e-9
"""Two gains closer than this, relative to their size, are the same gain."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A weighted coverage problem whose rules are pairs (group, condition).

    Rule (g, c) covers the people of ``groups[g] & conditions[c]``. The gain of a set of rules is
    ``reward * (weight of the people covered by any of them) - (their penalties)``.

    Parameters
    ----------
    people
        Shape (n,): the weight of each distinct person, above 0.
    groups
        Shape (G, n): who is in each group.
    conditions
        Shape (C, n): who is in each condition.
    penalty
        Shape (G, C): what rule (g, c) costs, at least 0; infinite where the pair is not a candidate.
    reward
        The value of covering a person of weight 1, at least 0.
    """

    people: NDArray[np.float64]
    groups: NDArray[np.bool_]
    conditions: NDArray[np.bool_]
    penalty: NDArray[np.float64]
    reward: float

    def __post_init__(self) -> None:
        """Check shapes and ranges: a problem that exists is well formed."""
        self._check_shapes()
        if not (np.isfinite(self.people).all() and (self.people > 0).all()):
            raise ValueError("Every entry of 'people' must be finite and above 0.")
        # min() is NaN when any entry is NaN, and makes no copy of a table of millions of pairs.
        if self.penalty.size and not self.penalty.min() >= 0:
            raise ValueError("Every entry of 'penalty' must be a number of at least 0.")
        if not (math.isfinite(self.reward) and self.reward >= 0):
            raise ValueError(f"'reward' must be finite and at least 0. Got {self.reward!r} instead.")
        # Masks are read by rows, many times; rows scattered in memory make a search several times slower.
        object.__setattr__(self, "groups", np.ascontiguousarray(self.groups))
        object.__setattr__(self, "conditions", np.ascontiguousarray(self.conditions))

    def _check_shapes(self) -> None:
        if self.people.ndim != 1:
            raise ValueError(f"'people' must be a vector. Got shape {self.people.shape!r} instead.")
        n = len(self.people)
        for name, masks in (("groups", self.groups), ("conditions", self.conditions)):
            if masks.ndim != 2 or masks.shape[1] != n or masks.dtype != np.bool_:
                raise ValueError(f"'{name}' must be boolean with {n} columns. Got {masks.dtype} {masks.shape!r}.")
        expected = (len(self.groups), len(self.conditions))
        if self.penalty.shape != expected:
            raise ValueError(f"'penalty' must have shape {expected!r}. Got {self.penalty.shape!r} instead.")

    def covers(self, rule: Rule) -> NDArray[np.bool_]:
        """Return who the rule covers, shape (n,)."""
        group, condition = rule
        covered: NDArray[np.bool_] = self.groups[group] & self.conditions[condition]
        return covered

    def gain(self, rules: Iterable[Rule]) -> float:
        """Return ``reward * weight covered - penalties``, rounded once so that order does not matter."""
        chosen = list(rules)
        covered = np.zeros(len(self.people), dtype=bool)
        for rule in chosen:
            covered |= self.covers(rule)
        penalties = [-float(self.penalty[rule]) for rule in chosen]
        return math.fsum([self.reward * math.fsum(self.people[covered]), *penalties])


@dataclass(frozen=True, slots=True)
class Limits:
    """How many rules a solution may hold, and in how many distinct groups.

    Parameters
    ----------
    max_rules
        At most this many rules, at least 0.
    max_groups
        Rules of at most this many groups, at least 0.
    """

    max_rules: int
    max_groups: int

    def __post_init__(self) -> None:
        """Check that neither limit is negative."""
        for name in ("max_rules", "max_groups"):
            if getattr(self, name) < 0:
                raise ValueError(f"'{name}' must be at least 0. Got {getattr(self, name)!r} instead.")

    def bind_groups(self, groups: int) -> bool:
        """Say whether the limit on groups can exclude a set of at most ``max_rules`` rules."""
        return self.max_groups < min(groups, self.max_rules)


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to search, and how close to the optimum is close enough.

    Parameters
    ----------
    time_limit
        Seconds. When they are over, the best solution so far is returned with its true gap.
    relative_gap
        Stop when ``(upper bound - gain) / gain`` is at most this.
    patience
        But look into this many branches first: counted, not timed, so that the answer does not depend on the machine.
    most_branches
        Give up after this many, with the true gap.
    """

    time_limit: float = 30.0
    relative_gap: float = 0.0
    patience: int = 0
    most_branches: float = math.inf

    def __post_init__(self) -> None:
        """Check that all are numbers of at least 0."""
        for name in ("time_limit", "relative_gap", "patience", "most_branches"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"'{name}' must be at least 0. Got {getattr(self, name)!r} instead.")

    def gap_after(self, branches: int) -> float:
        """Return the relative gap that is good enough after some branches."""
        return self.relative_gap if branches >= self.patience else 0.0


@dataclass(frozen=True, slots=True)
class Solution:
    """A set of rules with its certificate.

    Parameters
    ----------
    rules
        The chosen rules (group, condition), sorted.
    gain
        Their gain.
    upper_bound
        No set of rules within the limits gains more.
    proven
        Whether the gain equals the upper bound, up to rounding.
    pool
        Rules worth starting from when the same problem is solved with other weights or limits.
    """

    rules: Rules
    gain: float
    upper_bound: float
    proven: bool
    pool: Rules = ()

    @property
    def gap(self) -> float:
        """The distance to the upper bound, relative to the gain; 1 if nothing was found and the bound is above 0."""
        if self.upper_bound <= self.gain:
            return 0.0
        return (self.upper_bound - self.gain) / self.gain if self.gain > 0 else 1.0


def certify(problem: Problem, rules: Iterable[Rule], upper_bound: float, pool: Rules = ()) -> Solution:
    """Join a set of rules and a bound to a solution, after removing rules that add nothing.

    Parameters
    ----------
    problem
        What was searched.
    rules
        The set found, within the limits.
    upper_bound
        A bound on the gain of every set within the limits, up to rounding.
    pool
        Rules for a warm start.
    """
    kept = prune(problem, rules)
    gain = problem.gain(kept)
    proven = upper_bound <= gain + TOLERANCE * max(abs(gain), abs(upper_bound))
    return Solution(kept, gain, gain if proven else upper_bound, proven, pool)


def prune(problem: Problem, rules: Iterable[Rule]) -> Rules:
    """Remove, heaviest and then narrowest first, each rule whose removal does not lower the gain."""
    kept = sorted(set(rules))
    times = np.zeros(len(problem.people), dtype=np.int64)
    for rule in kept:
        times += problem.covers(rule)
    for rule in sorted(kept, key=lambda rule: (-problem.penalty[rule], problem.covers(rule).sum(), rule)):
        mask = problem.covers(rule)
        added = problem.reward * math.fsum(problem.people[mask & (times == 1)])
        if added <= problem.penalty[rule] * (1 + 1e-12):
            kept.remove(rule)
            times -= mask
    return tuple(kept)
