"""Objective: the one place that says what a rule pays (Table 1 and Eqn 1 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ares_core.settings import Weights

Floats = NDArray[np.float64]
Amount = Any  # a number, or an array with one number for each rule


@dataclass(frozen=True, slots=True)
class Prices:
    """The weights of the objective, the cost of every move, and how much one counted person weighs."""

    weights: Weights
    move_costs: Floats
    person_weight: float = 1.0

    @property
    def reward(self) -> float:
        """Return the value of covering one counted person: λ2, scaled by the person's weight."""
        return self.weights.coverage * self.person_weight

    def penalty(self, failures: Amount, cost: Amount, magnitude: Amount) -> Any:
        """Return λ1·failures + λ3·cost + λ4·magnitude for one rule or for an array of rules.

        Parameters
        ----------
        failures
            How many counted people a rule covers and does not help.
        cost, magnitude
            The cost of the features a rule changes, and the number of levels it crosses.
        """
        weights = self.weights
        people = weights.correctness * self.person_weight * failures
        return people + weights.feature_cost * cost + weights.feature_change * magnitude
