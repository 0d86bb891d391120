"""State: where an audit stands. Values and pure changes of them; nothing here knows of Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from ares_core.costs import Costs
from ares_core.settings import Settings
from ares_core.worker import Evaluated, ModelSpec, Subject, Wish
from ui.shelf import Setup


class Step(StrEnum):
    """The steps of an audit, in order; each needs those before it."""

    DATA = "data"
    MODEL = "model"
    COSTS = "costs"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class View:
    """What is looked at: features of interest, limits and weights.

    Parameters
    ----------
    settings
        Those that decide the candidates are asked of the model; the others are arithmetic.
    strata
        The features of interest when the model was asked; None before.
    size
        The point chosen on the accuracy-against-size plot; None for the best summary.
    slide
        The slide shown in a meeting; None while working.
    row
        The person looked at, by the line of the file, the header being 1; None before one is chosen.
    """

    interest: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    strata: tuple[str, ...] | None = None
    size: int | None = None
    slide: int | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class AuditState:
    """One audit, as far as it has come."""

    setup: Setup | None = None
    model: ModelSpec | None = None
    view: View = field(default_factory=View)

    @property
    def subject(self) -> Subject | None:
        """People and model, once both are there."""
        if self.setup is None or self.model is None:
            return None
        return Subject(self.setup.source, self.model, self.view.settings.seed)

    @property
    def evaluated(self) -> Evaluated | None:
        """What the model is to be asked, once people and model are there."""
        if self.subject is None:
            return None
        strata = self.view.interest if self.view.strata is None else self.view.strata
        return Evaluated(self.subject, self.view.settings, strata)

    def wish(self, costs: Costs) -> Wish:
        """Return what the summary should be like."""
        return Wish(self.view.settings, costs, self.view.interest)

    def done(self, step: Step) -> bool:
        """Say whether a step is done; costs are never needed, so they are done once anybody said something."""
        return {
            Step.DATA: self.setup is not None,
            Step.MODEL: self.subject is not None,
            Step.COSTS: self.setup is not None and _priced(self.setup),
            Step.RULES: self.subject is not None and self.view.strata is not None,
        }[step]

    def with_setup(self, setup: Setup | None) -> tuple[AuditState, str]:
        """Change the data; return the new state and a sentence on what was cleared, empty if nothing was."""
        if self.setup is not None and setup is not None and setup.source == self.setup.source:
            return replace(self, setup=setup), ""  # only costs changed, which everything below reads anew
        if self.setup is not None and setup is not None and _same_table(self.setup, setup):
            cleared = "The schema changed, so the model will be asked again." if self.model else ""
            return replace(self, setup=setup, view=View(settings=self.view.settings)), cleared
        cleared = "The data changed, so the model and the rules were cleared." if self.model else ""
        return AuditState(setup=setup), cleared

    def with_model(self, model: ModelSpec | None) -> tuple[AuditState, str]:
        """Change the model; return the new state and a sentence on what was cleared, empty if nothing was."""
        if model == self.model:
            return self, ""
        cleared = "The model changed, so it will be asked again." if self.view.strata is not None else ""
        return replace(
            self, model=model, view=replace(self.view, strata=None, size=None, slide=None, row=None)
        ), cleared

    def with_view(self, view: View) -> AuditState:
        """Change what is looked at."""
        return replace(self, view=view)


def _priced(setup: Setup) -> bool:
    return bool(setup.comparisons or setup.direct or setup.study or setup.cost_set)


def _same_table(one: Setup, other: Setup) -> bool:
    first, second = one.source, other.source
    return (first.sha256, first.target, first.favourable) == (second.sha256, second.target, second.favourable)
