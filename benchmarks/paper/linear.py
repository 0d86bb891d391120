"""AR: the cheapest allowed changes that a linear score accepts, by integer programming, person by person.

Ustun, Spangher and Liu, Actionable Recourse in Linear Classification, 2019. With a score that adds up over features,
a person needs `need` more of it, and each single change (feature, level) adds its `gain` at its `price`:

    min Σ price_s·z_s   subject to   Σ gain_s·z_s ≥ need,   Σ_{s of one feature} z_s ≤ 1,   z binary
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from ares_core.people.table import Indices, Move, Substitution, Table

Floats = NDArray[np.float64]
MARGIN = 1e-5  # beyond the threshold, so that rounding does not undo a recourse
SHARE_LEFT = 0.01  # of people above the highest level, so that its logarithm is finite


@dataclass(frozen=True, slots=True)
class Steps:
    """Every single change that is allowed to some people.

    Parameters
    ----------
    people
        Places in the table.
    person, feature, level
        For each step whose it is (a place in `people`), which feature it changes, and to which level.
    before, after
        The people as they are, and after each step.
    """

    table: Table
    people: Indices
    person: Indices
    feature: Indices
    level: Indices
    before: pd.DataFrame
    after: pd.DataFrame

    @classmethod
    def of(cls, table: Table, people: Indices) -> Steps:
        """List the steps; a target is a level that somebody in the table is at."""
        found = [
            (place, position, level)
            for place, person in enumerate(people)
            for position, (feature, held) in enumerate(zip(table.features, table.held, strict=True))
            for level in held
            if feature.allows(int(table.codes[person, position]), level)
        ]
        person, feature, level = (np.array(column, dtype=np.intp) for column in zip(*found, strict=True))
        moves = [(((position, target),), np.array([place])) for place, position, target in found]
        after = Substitution(table, people).frame(moves)
        return cls(table, people, person, feature, level, table.frame.iloc[people].reset_index(drop=True), after)


def advise(steps: Steps, need: Floats, gain: Floats, price: Floats) -> list[Move | None]:
    """Solve the integer program of every person; None where no allowed change reaches the threshold.

    Parameters
    ----------
    need
        For each person how much score they lack.
    gain, price
        For each step how much score it adds, and what it costs.
    """
    found = []
    for place in range(len(steps.people)):
        mine = np.flatnonzero(steps.person == place)
        chosen = cheapest(need[place], gain[mine], price[mine], steps.feature[mine])
        found.append(None if chosen is None else _move(steps, mine[chosen]))
    return found


def _move(steps: Steps, chosen: Indices) -> Move:
    return tuple((int(steps.feature[step]), int(steps.level[step])) for step in chosen)


def cheapest(need: float, gain: Floats, price: Floats, feature: Indices) -> Indices | None:
    """Return the places of the cheapest steps, at most one of each feature, that add at least `need`."""
    if need <= 0:
        return np.zeros(0, dtype=np.intp)
    if not len(gain):
        return None
    features = np.unique(feature)
    once = LinearConstraint((feature == features[:, None]).astype(float), ub=1)
    enough = LinearConstraint(gain[None, :], lb=need + MARGIN)
    solved = milp(price, constraints=[once, enough], integrality=np.ones(len(gain), dtype=np.intp), bounds=Bounds(0, 1))
    return np.flatnonzero(solved.x > 0.5) if solved.x is not None else None


def percentile_shift(steps: Steps) -> Floats:
    """Price a step as AR's authors do: |log((1 − Q(after)) / (1 − Q(before)))|, Q the percentile of a level."""
    table = steps.table
    start = table.codes[steps.people[steps.person], steps.feature]
    price = np.empty(len(steps.level))
    for position in np.unique(steps.feature):
        mine = steps.feature == position
        left = _left(table, int(position))
        price[mine] = np.abs(np.log(left[steps.level[mine]] / left[start[mine]]))
    return price


def _left(table: Table, position: int) -> Floats:
    """Return for each level the share of people above it, at least SHARE_LEFT."""
    ranks = table.ranks[position]
    counts = np.bincount(ranks[table.codes[:, position]], minlength=len(ranks))
    left: Floats = np.maximum(1 - np.cumsum(counts) / counts.sum(), SHARE_LEFT)
    return left[ranks]
