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
_BASIC, _AT_LOWER = highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kLower


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
    """The dual of the relaxation: prices of people, one row per known rule.

    Minimise ``sum(value - prices) + K * rent + M * entrance`` subject to
    ``rent + surplus[r] >= prices of the people of r - weight[r]`` for each known rule and
    ``entrance >= sum of surplus over the rules of g`` for each group. Where the limit on groups does not bind
    there is no entrance and no surplus. Rows, not people, make the basis, so it stays small; a new rule is a
    new row, after which the dual simplex method continues where it stopped.
    """

    def __init__(self, value: Floats, limits: Limits, groups: int) -> None:
        self._people = len(value)
        self._linked = limits.bind_groups(groups)
        self._first = groups if self._linked else 0  # the row of the first rule
        self._rules = 0
        self._weight: Floats = np.zeros(0)
        self._lower: Floats = np.zeros(0)
        self._bonus: dict[int, int] = {}  # row of a rule or group -> multiplier of "this is used fully"
        self._highs = solver()
        self._highs.setOptionValue("presolve", "off")
        size = self._people + 2
        cost = np.concatenate([-np.ones(self._people), [limits.max_rules, limits.max_groups]]).astype(float)
        upper = np.concatenate([value, [_FREE, _FREE if self._linked else 0.0]])
        self._highs.addCols(size, cost, np.zeros(size), upper, 0, np.zeros(size, np.int32), _NO_INDEX, _NO_VALUE)
        self._highs.changeObjectiveOffset(float(value.sum()))
        if self._linked:
            rows, entrance = np.arange(groups, dtype=np.int32), np.full(groups, size - 1, np.int32)
            free, ones = np.full(groups, _FREE), np.ones(groups)
            self._highs.addRows(groups, np.zeros(groups), free, groups, rows, entrance, ones)

    def restrict(self, usable: Masks, forced: Integers, entered: Integers) -> None:
        """Restrict the relaxation to a branch of the search.

        Parameters
        ----------
        usable
            Shape (known rules,): which of them may be used.
        forced
            Positions of the known rules that must be used fully.
        entered
            Groups that count as used.
        """
        demanded = {*(self._first + forced).tolist(), *(entered.tolist() if self._linked else [])}
        for row in sorted(demanded - set(self._bonus)):
            self._bonus[row] = self._highs.getNumCol()
            self._highs.addCol(-1.0, 0.0, 0.0, 1, np.array([row], dtype=np.int32), -np.ones(1))
        for row, column in self._bonus.items():
            self._highs.changeColBounds(column, 0.0, _FREE if row in demanded else 0.0)
        lower = np.where(usable, -self._weight, -_FREE)
        lower[forced] = -self._weight[forced]
        changed = np.flatnonzero(lower != self._lower)
        rows, free = (changed + self._first).astype(np.int32), np.full(len(changed), _FREE)
        self._highs.changeRowsBounds(len(changed), rows, lower[changed], free)
        self._lower = lower

    def keep(self) -> Any:
        """Return where the solver stands, to continue from there later."""
        return self._highs.getBasis()

    def resume(self, basis: Any) -> None:
        """Continue from where the solver stood; what became known since does not take part at first."""
        columns, rows = list(basis.col_status), list(basis.row_status)
        columns += [_AT_LOWER] * (self._highs.getNumCol() - len(columns))
        rows += [_BASIC] * (self._highs.getNumRow() - len(rows))
        extended = highspy.HighsBasis()
        extended.col_status, extended.row_status = columns, rows
        extended.valid = True
        self._highs.setBasis(extended)

    def add(self, masks: Masks, weight: Floats, group: Integers) -> None:
        """Make some more rules known."""
        count = len(masks)
        rows, people = np.nonzero(masks)
        extra = [np.arange(count)]
        columns, values = [people, np.full(count, self._people)], [-np.ones(len(people)), np.ones(count)]
        if self._linked:
            extra.append(np.arange(count))
            columns.append(self._add_surplus(group))
            values.append(np.ones(count))
        order = np.argsort(np.concatenate([rows, *extra]), kind="stable")
        sizes = np.bincount(rows, minlength=count) + len(extra)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32)
        index = np.concatenate(columns)[order].astype(np.int32)
        entries = np.concatenate(values)[order]
        self._highs.addRows(count, -weight, np.full(count, _FREE), len(index), starts, index, entries)
        self._weight = np.concatenate([self._weight, weight])
        self._lower = np.concatenate([self._lower, -weight])
        self._rules += count

    def _add_surplus(self, group: Integers) -> Integers:
        """Add the surplus of each new rule, charged to its group's row, and return their columns."""
        count, first = len(group), self._highs.getNumCol()
        starts, rows = np.arange(count, dtype=np.int32), group.astype(np.int32)
        nothing, free = np.zeros(count), np.full(count, _FREE)
        self._highs.addCols(count, nothing, nothing, free, count, starts, rows, -np.ones(count))
        return np.arange(first, first + count)

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
