"""Coverage: whom the chosen rules cover, for whom they work, and which rule decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The rules over all affected people.

    Parameters
    ----------
    covers, works
        (rules, affected people); "covered but failed" is covers without works.
    accuracy
        (rules,) the share helped among the covered people the rules were chosen on: it decides between rules.
    """

    covers: Mask
    works: Mask
    accuracy: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.covers.shape != self.works.shape or (self.works & ~self.covers).any():
            raise ValueError("works must be a part of covers")
        if len(self.accuracy) != len(self.covers):
            raise ValueError(f"{len(self.covers)} rules need as many accuracies. Got {len(self.accuracy)} instead.")

    @classmethod
    def of(cls, covers: Mask, works: Mask, learn: Places) -> Coverage:
        """Measure the accuracy on the people the rules were chosen on."""
        covered = covers[:, learn].sum(axis=1)
        helped = (covers & works)[:, learn].sum(axis=1)
        return cls(covers, covers & works, np.where(covered > 0, helped / np.maximum(covered, 1), 0.0))

    def deciding(self) -> Places:
        """Return for each person the rule that decides, or -1: the most accurate, the first among equals."""
        if not len(self.accuracy):
            return np.full(self.covers.shape[1], -1)
        scores = np.where(self.covers, self.accuracy[:, None], -1.0)
        return np.where(self.covers.any(axis=0), scores.argmax(axis=0), -1)

    def helped(self) -> Mask:
        """Say for each person whether the rule that decides works for them."""
        chosen = self.deciding()
        if not len(self.accuracy):
            return np.zeros(self.covers.shape[1], dtype=bool)
        return np.asarray((chosen >= 0) & self.works[chosen.clip(min=0), np.arange(len(chosen))])
