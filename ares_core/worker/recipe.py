"""Recipes: what names a table, a model, an evaluation and a wish, in full, so that any worker can make it again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ares_core.costs import Costs
from ares_core.models import Reading
from ares_core.models.endpoint import USUAL_BUDGET
from ares_core.models.expected import ExpectedAnswers
from ares_core.recourse import Certificate, Triple
from ares_core.settings import Settings


@dataclass(frozen=True, slots=True)
class Source:
    """A table and how to read it.

    Parameters
    ----------
    sha256
        Of the file's content, which the worker is given once.
    name
        What the file is called, for messages.
    target, favourable
        The column of outcomes and its favourable value; both empty where the table has no outcome.
    schema
        The content of a schema file as JSON text; empty when everything is to be inferred.
    expected
        The column of answers that the model is known to give, which is no feature; empty without one.
    """

    sha256: str
    name: str
    target: str
    favourable: str
    schema: str = ""
    expected: str = ""


@dataclass(frozen=True, slots=True)
class TrainHere:
    """A model trained on one half of the people; the other half is audited."""

    family: str


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule model, by the digest of its JSON file."""

    sha256: str
    name: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file from elsewhere, by the digest of its content, which only a sandbox ever opens.

    `categories` are those of columns for a file that lacks them, as a JSON object of lists; empty otherwise.
    """

    sha256: str
    name: str
    categories: str = ""


@dataclass(frozen=True, slots=True)
class ServiceAt:
    """A model behind an address, and how many rows it may be asked about.

    Parameters
    ----------
    description
        What the model wants and gives, as JSON; empty where the service says so itself.
    """

    url: str
    budget: int = USUAL_BUDGET
    description: str = ""


Origin = ModelFile | ServiceAt


@dataclass(frozen=True, slots=True)
class Brought:
    """A model from elsewhere, and how its answers are read.

    Parameters
    ----------
    columns
        The columns of a model that does not name its own, in its order.
    expected
        Answers it is known to give, from a file; None without one.
    """

    origin: Origin
    reading: Reading
    columns: tuple[str, ...] = ()
    expected: ExpectedAnswers | None = None


ModelSpec = TrainHere | RuleFile | Brought


@dataclass(frozen=True, slots=True)
class Subject:
    """People and the model they face."""

    source: Source
    model: ModelSpec
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A subject whose model was asked everything.

    Parameters
    ----------
    settings
        Only what decides the candidates counts; limits, weights and the way of searching are set to their defaults,
        so that moving those never asks the model again.
    strata
        Features within whose levels the split into learn and check people is even.
    """

    subject: Subject
    settings: Settings
    strata: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        plain = Settings()
        fixed = replace(
            self.settings,
            max_rules=plain.max_rules,
            max_width=plain.max_width,
            max_subgroups=plain.max_subgroups,
            weights=plain.weights,
            search=plain.search,
            time_limit=plain.time_limit,
            seed=self.subject.seed,
        )
        object.__setattr__(self, "settings", fixed)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the summary should be like: weights and limits, costs, and the features that describe subgroups."""

    settings: Settings
    costs: Costs
    interest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryKey:
    """The summary on screen, as every question about it names it.

    It holds the rules themselves, not how to search for them. So no answer can be about other rules, even where a
    search would find others by now.

    Parameters
    ----------
    wish
        What was asked for; `settings.max_rules` is the size chosen.
    triples
        The rules, by their numbers in the evaluation.
    """

    evaluated: Evaluated
    wish: Wish
    triples: tuple[Triple, ...]
    certificate: Certificate
