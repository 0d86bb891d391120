"""Exchange: make a set of rules better one rule at a time, where candidates are few and time is short."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ares_core.recourse.search.problem import TOLERANCE, Limits, Problem, Rules

Floats = NDArray[np.float64]
Chosen = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Few:
    """A few candidate rules whose weights change from one search to the next.

    Parameters
    ----------
    value
        Shape (n,): what covering each person is worth.
    masks
        Shape (m, n): who each rule covers.
    listed
        The same as a sparse matrix: a product of small dense ones wakes every core, which takes longer.
    group
        Shape (m,): the group of each rule.
    """

    value: Floats
    masks: NDArray[np.bool_]
    listed: sparse.csr_matrix
    group: NDArray[np.intp]

    @classmethod
    def of(cls, problem: Problem, rules: Rules) -> Few:
        """List who some rules of a problem cover."""
        group = np.array([group for group, _ in rules], dtype=np.intp)
        condition = np.array([condition for _, condition in rules], dtype=np.intp)
        masks = problem.groups[group] & problem.conditions[condition]
        return cls(problem.reward * problem.people, masks, sparse.csr_matrix(masks, dtype=np.float64), group)

    def worth(self, chosen: Chosen) -> float:
        """Return what covering the people of some rules is worth."""
        return float(self.value[self.masks[list(chosen)].any(axis=0)].sum())

    def exchanges(self, chosen: Chosen, weights: Floats, limits: Limits) -> Floats:
        """Return what a set would gain after every exchange within the limits.

        Parameters
        ----------
        chosen
            The set, within the limits, as indices of rules.
        weights
            Shape (m,): what each rule costs.

        Returns
        -------
        gains
            Shape (len(chosen) + 1, m + 1): row 0 leaves the set as it is, the others leave one of its rules out; each
            rule is then added by its column, and nothing by the last one.
        """
        own = self.masks[list(chosen)]
        times = own.sum(axis=0, dtype=np.int64)
        open_value = (np.vstack([times, times - own]) == 0) * self.value
        saved = np.concatenate([[0.0], weights[list(chosen)]])
        without = self.value.sum() - open_value.sum(axis=1) - saved.sum() + saved
        added = np.asarray(self.listed @ open_value.T).T - weights
        added[~self._allowed(chosen, limits)] = -np.inf
        gains: Floats = without[:, None] + np.column_stack([added, np.zeros(len(without))])
        return gains

    def _allowed(self, chosen: Chosen, limits: Limits) -> NDArray[np.bool_]:
        """Return (len(chosen) + 1, m): whether the limits let a rule in when one or none is left out."""
        groups = self.group[list(chosen)].tolist()
        allowed = np.zeros((len(chosen) + 1, len(self.group)), dtype=bool)
        for row in range(len(allowed)):
            rest = groups if not row else groups[: row - 1] + groups[row:]
            if len(rest) < limits.max_rules:
                allowed[row] = len(set(rest)) < limits.max_groups or np.isin(self.group, rest)
        return allowed

    def improve(self, chosen: Chosen, weights: Floats, limits: Limits) -> Chosen:
        """Make the best exchange until none makes the set better; sorted."""
        best = tuple(sorted(chosen))
        while True:
            gains = self.exchanges(best, weights, limits)
            row, column = np.unravel_index(np.argmax(gains), gains.shape)
            now = gains[0, -1]
            if gains[row, column] <= now + TOLERANCE * max(1.0, abs(now)):
                return best
            left = {rule for place, rule in enumerate(best, start=1) if place != row}
            best = tuple(sorted(left if column == len(weights) else {*left, int(column)}))
