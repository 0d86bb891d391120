"""Agreement: how far a model's answers agree with the outcomes of the same people, and whether chance agrees more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.01  # of the one-sided test that answers agree with outcomes less than chance would


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcome of each person, and how the table writes the two.

    Parameters
    ----------
    values
        1 for a favourable outcome, else 0, shape (people,).
    favourable, unfavourable
        The two values of the outcome column.
    """

    values: NDArray[np.int8]
    favourable: str
    unfavourable: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of people by outcome and answer.

    Parameters
    ----------
    good, good_accepted
        People with a favourable outcome, and those of them whom the model accepts.
    bad, bad_refused
        People with the other outcome, and those of them whom the model refuses.
    """

    good: int
    good_accepted: int
    bad: int
    bad_refused: int

    @classmethod
    def of(cls, accepted: NDArray[Any], outcomes: NDArray[Any]) -> Agreement:
        """Count answers (1 accepted) and outcomes (1 favourable), both of shape (people,)."""
        yes, good = np.asarray(accepted) == 1, np.asarray(outcomes) == 1
        return cls(int(good.sum()), int((good & yes).sum()), int((~good).sum()), int((~good & ~yes).sum()))

    @property
    def people(self) -> int:
        """How many people were counted."""
        return self.good + self.bad

    @property
    def right(self) -> int:
        """How many answers agree with the outcome."""
        return self.good_accepted + self.bad_refused

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the shares that agree among people with each outcome; 0.5 if only one outcome occurs."""
        if not self.good or not self.bad:
            return 0.5
        return (self.good_accepted / self.good + self.bad_refused / self.bad) / 2

    @property
    def p_below_chance(self) -> float:
        """The p-value of Fisher's exact test, one-sided: so few agree if answers have nothing to do with outcomes."""
        from scipy.stats import hypergeom  # slow to import, and most who import models need none

        accepted = self.good_accepted + self.bad - self.bad_refused
        return float(hypergeom.cdf(self.good_accepted, self.people, self.good, accepted))

    @property
    def is_above_chance(self) -> bool:
        """Whether the answers agree with the outcomes more than chance would, one-sided at 1 %."""
        return Agreement(
            self.good, self.good - self.good_accepted, self.bad, self.bad - self.bad_refused
        ).is_below_chance

    @property
    def is_below_chance(self) -> bool:
        """Whether the answers agree with the outcomes less than chance would, one-sided at 1 %."""
        return self.balanced_accuracy < 0.5 and self.p_below_chance <= LEVEL

    @property
    def warning(self) -> str:
        """Why the reading may be the wrong way round, in sentences; empty if nothing speaks against it."""
        if not self.is_below_chance:
            return ""
        return (
            f"The model {self.words()}, which is worse than chance. Its favourable answer may be the other one; then "
            "every figure here is about the wrong people."
        )

    def words(self) -> str:
        """Say how many outcomes the model agrees with: 'agrees with 75 of 500 outcomes, balanced accuracy 0.15'."""
        return f"{self.short_words()}, balanced accuracy {self.balanced_accuracy:.2f}"

    def short_words(self) -> str:
        """Say how many outcomes the model agrees with: 'agrees with 75 of 500 outcomes'."""
        return f"agrees with {self.right:,} of {self.people:,} outcomes"

    def to_json(self) -> dict[str, Any]:
        """Return the counts for machines."""
        return {
            "people": self.people,
            "right": self.right,
            "balanced_accuracy": self.balanced_accuracy,
            "p_below_chance": self.p_below_chance,
            "below_chance": self.is_below_chance,
        }
