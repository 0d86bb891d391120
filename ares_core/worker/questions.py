"""Questions: everything a page can ask a worker. Each says in full what it is about, so any worker can answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ares_core.audit.blockers import Blockers
from ares_core.costs import Comparison, Costs, Panel
from ares_core.models.expected import ExpectedCheck
from ares_core.models.raw import Signature
from ares_core.worker.model_views import BehaviourView, InspectionView, ModelView
from ares_core.worker.recipe import Brought, Evaluated, Origin, Source, Subject, SummaryKey, Wish
from ares_core.worker.views import (
    Description,
    EvaluationView,
    GroupsView,
    PeopleView,
    PersonView,
    StabilityView,
    SummaryView,
    TableView,
    WhatIfView,
)

A_co = TypeVar("A_co", covariant=True)


class Question(Generic[A_co]):
    """A question, typed by its answer."""

    __slots__ = ()


@dataclass(frozen=True)
class ReadTable(Question[TableView]):
    """Ask what is in a file."""

    sha256: str
    name: str


@dataclass(frozen=True)
class Describe(Question[Description]):
    """Ask which features people have, and what a careful reader should know."""

    source: Source


@dataclass(frozen=True)
class LearnCosts(Question[Costs]):
    """Ask what it costs to change each feature, from comparisons and from costs typed in directly."""

    features: tuple[str, ...]
    comparisons: tuple[Comparison, ...] = ()
    direct: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class PoolCosts(Question[Costs]):
    """Ask what features cost by several experts' answers, each expert with a weight; costs typed in go before."""

    features: tuple[str, ...]
    answers: tuple[tuple[str, tuple[Comparison, ...]], ...]
    weights: tuple[tuple[str, float], ...] = ()
    direct: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class HearPanel(Question[Panel]):
    """Ask what several experts say together, and how far they agree; who has no weight is left out of the costs."""

    features: tuple[str, ...]
    answers: tuple[tuple[str, tuple[Comparison, ...]], ...]
    weights: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class MeetModel(Question[ModelView]):
    """Ask how good the model is and whom it refuses; trains it if it is to be trained here."""

    subject: Subject


@dataclass(frozen=True)
class DescribeModel(Question[Signature]):
    """Ask what a model from elsewhere wants and gives, by what it says of itself alone."""

    origin: Origin


@dataclass(frozen=True)
class InspectModel(Question[InspectionView]):
    """Ask what a model from elsewhere says of itself and of the people, before anybody says what its answers mean.

    `columns` are those of a model that does not name its own, in its order.
    """

    source: Source
    origin: Origin
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckExpected(Question[ExpectedCheck | None]):
    """Ask how a model from elsewhere compares with the answers it is known to give; None if nobody gave any."""

    source: Source
    model: Brought


@dataclass(frozen=True)
class CheckBehaviour(Question[BehaviourView]):
    """Ask how a model from elsewhere behaves, and how long it will take to ask it everything."""

    evaluated: Evaluated


@dataclass(frozen=True)
class Evaluate(Question[EvaluationView]):
    """Have the model asked everything; long, with progress."""

    evaluated: Evaluated


@dataclass(frozen=True)
class Summarise(Question[SummaryView]):
    """Ask for the best rules, within about a second, or `thorough`: until proven or the time limit is over."""

    evaluated: Evaluated
    wish: Wish
    thorough: bool = False


@dataclass(frozen=True)
class TradeOff(Question[tuple[SummaryView, ...]]):
    """Ask for the best rules of each size, 1 to the most allowed; `best` is the summary of the most allowed."""

    best: SummaryKey


@dataclass(frozen=True)
class CostTradeOff(Question[tuple[SummaryView, ...]]):
    """Ask for the best rules as cost counts for more and more."""

    evaluated: Evaluated
    wish: Wish


@dataclass(frozen=True)
class Stability(Question[StabilityView]):
    """Ask how often each of the best rules stays if features cost what these answers leave possible.

    The rules are those of a thorough `Summarise` with the same `wish`, whose costs come from the same answers, each
    expert's with a weight, and from costs typed in.
    """

    evaluated: Evaluated
    wish: Wish
    answers: tuple[tuple[str, tuple[Comparison, ...]], ...]
    weights: tuple[tuple[str, float], ...] = ()
    direct: tuple[tuple[str, float], ...] = ()
    draws: int = 200


@dataclass(frozen=True)
class CompareGroups(Question[GroupsView]):
    """Ask how recourse differs between groups under the rules of a summary."""

    summary: SummaryKey


@dataclass(frozen=True)
class WhatBlocks(Question[Blockers]):
    """Ask what stands between recourse and the people no candidate move helps."""

    evaluated: Evaluated


@dataclass(frozen=True)
class ListPeople(Question[PeopleView]):
    """Ask to see the people in these rows of the file."""

    subject: Subject
    rows: tuple[int, ...]


@dataclass(frozen=True)
class FindPeople(Question[PeopleView]):
    """Ask who is at all of these levels (feature, level name); `refused` keeps to people the model refuses."""

    subject: Subject
    levels: tuple[tuple[str, str], ...] = ()
    refused: bool = True
    most: int = 200


@dataclass(frozen=True)
class PickPerson(Question[int | None]):
    """Ask for the row of anybody at all of these levels, None if nobody is; another `draw` is another person."""

    subject: Subject
    levels: tuple[tuple[str, str], ...] = ()
    refused: bool = True
    draw: int = 0


@dataclass(frozen=True)
class AskPerson(Question[PersonView]):
    """Ask what the person in this row can do, and which rule of a summary applies to them."""

    summary: SummaryKey
    row: int


@dataclass(frozen=True)
class WhatIf(Question[WhatIfView]):
    """Ask what the model would say were the person in this row at these levels (feature, level name)."""

    subject: Subject
    row: int
    levels: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Export(Question[str]):
    """Ask for the whole audit as the JSON text of a run file.

    Parameters
    ----------
    summary
        The rules to write.
    frontier
        The best rules of each size, as `TradeOff` found them.
    notes
        Sentences to record with it.
    """

    summary: SummaryKey
    frontier: tuple[SummaryKey, ...]
    notes: tuple[str, ...] = ()
