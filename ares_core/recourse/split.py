"""Split the affected people: rules are chosen on one part and measured on the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Split:
    """Places among the affected people; with the paper's protocol both parts are everybody."""

    learn: Places
    check: Places

    def __post_init__(self) -> None:
        if not self.same_people and len(np.intersect1d(self.learn, self.check)):
            raise ValueError("learn and check people must be the same, or nobody may be in both")

    @property
    def same_people(self) -> bool:
        """Whether rules are measured on the people they were chosen on."""
        return len(self.learn) == len(self.check) and bool((self.learn == self.check).all())


def split_people(strata: NDArray[np.int64], holdout: float, seed: int) -> Split:
    """Set a share of the people of every stratum aside, at random.

    Parameters
    ----------
    strata
        (people,) a number for each person; people with the same number are divided evenly.
    holdout
        The share set aside; 0 means that everybody learns and everybody checks.
    """
    everyone = np.arange(len(strata))
    if holdout == 0:
        return Split(everyone, everyone)
    part = fold_numbers(strata, seed)
    check = part >= 1 - holdout
    return Split(everyone[~check], everyone[check])


def fold_numbers(strata: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    """Give each person a number in [0, 1), evenly spread within each stratum, at random.

    Strata follow one another on the circle, so that small ones do not all round the same way.
    """
    shuffled = np.random.default_rng(seed).permutation(len(strata))
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    numbers = np.empty(len(strata))
    golden = (np.sqrt(5) - 1) / 2
    numbers[order] = np.arange(1, len(strata) + 1) * golden % 1.0
    return numbers


def strata_of(codes: NDArray[np.int16]) -> NDArray[np.int64]:
    """Give equal rows of level codes the same number, in order of first appearance.

    People stand in canonical order, so the numbers depend on neither the names nor the order of levels.
    """
    if codes.shape[1] == 0 or not len(codes):
        return np.zeros(len(codes), dtype=np.int64)
    _, first, inverse = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse.reshape(-1)].astype(np.int64)
