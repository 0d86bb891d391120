"""The linear relaxation over the rules known so far, kept warm from round to round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from ares_core.recourse.search.ground import Floats, Integers, Masks
from ares_core.recourse.search.problem import Limits

_FREE = highspy.kHighsInf
_OPTIMAL, _LATE = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit


def solver() -> Any:
    """Return a silent, seeded, single-threaded solver, so that the same input gives the same output."""
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
        highs.setOptionValue(option, setting)
    return highs


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """An optimum of the relaxation over the known rules.

    Parameters
    ----------
    value
        Its objective: the linear relaxation over all rules is at least this.
    prices
        Shape (n,): the value of having each person covered.
    rent
        The value of one more place for a rule.
    entrance
        The value of one more group.
    usage
        Shape (known rules,): how much of each rule is chosen, in the order they were added.
    presence
        Shape (G,): how much of each group is used; empty where the limit on groups does not bind.
    """

    value: float
    prices: Floats
    rent: float
    entrance: float
    usage: Floats
    presence: Floats


class Master:
    """The dual of the relaxation of a branch: prices of people, one row per known rule.

    Minimise ``sum(value - prices) + K * rent + M * entrance`` subject to
    ``rent + surplus[r] >= prices of the people of r - weight[r]`` for each known rule and
    ``entrance >= sum of surplus over the rules of g`` for each group. Rules of a group that is used anyway have no
    surplus, and where the limit on groups does not bind there is no entrance either. Rows, not people, make the basis,
    so it stays small; a new rule is a new row, after which the dual simplex method continues where it stopped. For
    another branch another program is made: going on from the basis of a parent saves no steps, and the rows of rules
    that are out of the question in the branch would make each of them dearer.

    Parameters
    ----------
    value
        Shape (n,): what covering each person is worth; 0 for those who are covered.
    room
        How many more rules, and more groups.
    entered
        Shape (G,): groups that are used anyway; None where the limit on groups does not bind.
    """

    def __init__(self, value: Floats, room: Limits, entered: Masks | None) -> None:
        self._people = len(value)
        self._entered = entered
        self._first = 0 if entered is None else len(entered)  # the row of the first rule
        self._highs = solver()
        self._highs.setOptionValue("presolve", "off")
        size = self._people + 2
        cost = np.concatenate([-np.ones(self._people), [room.max_rules, room.max_groups]]).astype(float)
        upper = np.concatenate([value, [_FREE, 0.0 if entered is None else _FREE]])
        self._highs.addCols(size, cost, np.zeros(size), upper, 0, np.zeros(size, np.int32), _NO_INDEX, _NO_VALUE)
        self._highs.changeObjectiveOffset(float(value.sum()))
        if self._first:
            rows, entrance = np.arange(self._first, dtype=np.int32), np.full(self._first, size - 1, np.int32)
            free, ones = np.full(self._first, _FREE), np.ones(self._first)
            self._highs.addRows(self._first, np.zeros(self._first), free, self._first, rows, entrance, ones)

    def drop(self, at: Integers) -> None:
        """Take known rules out, given in the order they were added."""
        free = np.full(len(at), _FREE)
        self._highs.changeRowsBounds(len(at), (at + self._first).astype(np.int32), -free, free)

    def add(self, masks: Masks, weight: Floats, group: Integers) -> None:
        """Make some more rules known."""
        count = len(masks)
        rows, people = np.nonzero(masks)
        surplus, columns = self._add_surplus(group)
        every = np.concatenate([rows, np.arange(count), surplus])
        order = np.argsort(every, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(every, minlength=count))[:-1]]).astype(np.int32)
        index = np.concatenate([people, np.full(count, self._people), columns])[order].astype(np.int32)
        entries = np.where(index < self._people, -1.0, 1.0)
        self._highs.addRows(count, -weight, np.full(count, _FREE), len(index), starts, index, entries)

    def _add_surplus(self, group: Integers) -> tuple[Integers, Integers]:
        """Give each new rule of a group that is not used anyway a surplus, charged to the group's row.

        Returns
        -------
        Which of the rules have one, and its column.
        """
        with_one = np.zeros(0, np.int64) if self._entered is None else np.flatnonzero(~self._entered[group])
        count, first = len(with_one), self._highs.getNumCol()
        starts, rows = np.arange(count, dtype=np.int32), group[with_one].astype(np.int32)
        nothing, free = np.zeros(count), np.full(count, _FREE)
        self._highs.addCols(count, nothing, nothing, free, count, starts, rows, -np.ones(count))
        return with_one, np.arange(first, first + count)

    def solve(self, seconds: float) -> Relaxed | None:
        """Solve to optimality, or return None when the seconds do not suffice."""
        for _ in range(2):
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(seconds, 0.0))
            self._highs.run()
            status = self._highs.getModelStatus()
            if status in (_OPTIMAL, _LATE):
                break
            self._highs.clearSolver()  # a basis that came to be numerically singular is forgotten
        if status != _OPTIMAL:
            return None
        solution = self._highs.getSolution()
        columns = np.maximum(solution.col_value, 0.0)
        duals = np.array(solution.row_dual)
        value = self._highs.getInfo().objective_function_value
        rent, entrance = columns[self._people : self._people + 2].tolist()
        return Relaxed(value, columns[: self._people], rent, entrance, duals[self._first :], duals[: self._first])


_NO_INDEX = np.zeros(0, np.int32)
_NO_VALUE = np.zeros(0)
