"""Views of models: what a worker says of a model, how it behaves, and what it answers before anybody reads it."""

from __future__ import annotations

from dataclasses import dataclass

from ares_core.audit.intervals import Share
from ares_core.models import Behaviour, ModelQuality
from ares_core.models.agreement import Agreement
from ares_core.models.expected import ExpectedCheck
from ares_core.models.inspection import Inspection


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model, how good it is on people it has not seen, and whom it refuses.

    Parameters
    ----------
    quality
        On the audited people; None where the table has no outcome.
    refused
        Of the people audited.
    by_level
        For each feature, in the schema's order, and each of its levels: who is refused of the people there.
    trained_on
        How many people it was trained on here.
    favourable
        Who of the people audited had the favourable outcome; None where the table has no outcome.
    told
        Of a model from elsewhere: how its answers are read, where it runs, and how columns were matched.
    agreement
        How far a model from elsewhere agrees with the outcomes; None for one made here, or without outcomes.
    expected
        How a model from elsewhere compares with the answers it is known to give; None if nobody gave any.
    """

    kind: str
    sha256: str
    quality: ModelQuality | None
    refused: Share
    by_level: tuple[tuple[str, tuple[tuple[str, Share], ...]], ...]
    trained_on: int
    favourable: Share | None
    told: tuple[str, ...] = ()
    agreement: Agreement | None = None
    expected: ExpectedCheck | None = None

    @property
    def right(self) -> Share | None:
        """Whom of the people audited it predicts rightly; None where the table has no outcome."""
        return None if self.quality is None else Share(round(self.quality.accuracy * self.quality.n), self.quality.n)

    @property
    def always(self) -> Share | None:
        """Who would be predicted rightly by the more frequent outcome for everybody; None without outcomes."""
        if self.favourable is None:
            return None
        had, total = self.favourable.count, self.favourable.total
        return Share(max(had, total - had), total)


@dataclass(frozen=True, slots=True, eq=False)
class InspectionView:
    """What a model from elsewhere says; `sandbox` are the locks it runs behind, empty for a service."""

    found: Inspection
    sandbox: str


@dataclass(frozen=True, slots=True)
class BehaviourView:
    """How a model from elsewhere behaves; None for a model made here.

    Parameters
    ----------
    rows
        How many the audit will ask about at most, 0 if unknown.
    asked
        How much a service was asked so far, in words; empty for a model that runs here.
    left
        How many rows a service may still be asked about; None for a model that runs here.
    """

    behaviour: Behaviour | None
    rows: int
    asked: str = ""
    left: int | None = None

    @property
    def too_few_left(self) -> bool:
        """Whether the budget may not last for the audit."""
        return self.left is not None and self.rows > self.left
