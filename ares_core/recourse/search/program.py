"""The linear program of one branch, over the rules that became known and are alive in it."""

from __future__ import annotations

import numpy as np

from ares_core.recourse.search.branch import Branch
from ares_core.recourse.search.ground import Floats, Ground, Integers
from ares_core.recourse.search.master import Master, Relaxed
from ares_core.recourse.search.problem import Limits

_NOISE = 1e-6  # less of a rule than this is rounding noise

Used = tuple[Integers, Floats]
"""Indices of the rules a relaxation uses, and how much of each."""


class Program:
    """The relaxation of a branch over some rules.

    Parameters
    ----------
    ground
        The candidate rules.
    limits
        How many rules and groups.
    branch
        The part of the search space.
    rules
        Indices of the rules to begin with; those that are not alive in the branch are left out.

    Attributes
    ----------
    rules
        Indices of the rules that take part.
    loose
        Whether the limit on groups is left out, because it cannot bind or was not given: that makes it much smaller.
    """

    def __init__(self, ground: Ground, limits: Limits, branch: Branch, rules: Integers) -> None:
        self.rules: Integers = np.zeros(0, dtype=np.int64)
        self._ground = ground
        value = np.where(branch.covered, 0.0, ground.value)
        self.loose = not limits.bind_groups(len(ground.problem.groups))
        self._master = Master(value, branch.room(limits), None if self.loose else branch.entered)
        self.add(rules[branch.alive[rules]])

    def add(self, rules: Integers) -> None:
        """Let more rules take part."""
        ground = self._ground
        if len(rules):
            self.rules = np.concatenate([self.rules, rules])
            self._master.add(ground.masks(rules), ground.weight[rules], ground.group[rules])

    def drop(self, branch: Branch) -> None:
        """Take out the rules that are no longer alive in the branch."""
        self._master.drop(np.flatnonzero(~branch.alive[self.rules]))

    def solve(self, seconds: float) -> tuple[Relaxed, Used] | None:
        """Solve to optimality, and say which rules are used; None when the seconds do not suffice."""
        relaxed = self._master.solve(seconds)
        if relaxed is None:
            return None
        some = relaxed.usage > _NOISE
        return relaxed, (self.rules[some], relaxed.usage[some])
