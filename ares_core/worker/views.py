"""Views: answers small enough to travel, and complete enough that a page computes nothing.

A person's row is the line of the file it begins on, so that whoever opens the file finds them: the header is usually
row 1. Files for machines count from 0 without the header.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ares_core.audit.figures import RuleFigures, Totals
from ares_core.audit.intervals import Share
from ares_core.audit.moves import MoveFigures
from ares_core.audit.person import PersonRecourse
from ares_core.audit.subgroups import SubgroupFigures
from ares_core.models.agreement import Agreement
from ares_core.people import Conjunction, Schema
from ares_core.people.suspects import Suspect
from ares_core.recourse import Certificate, Recheck, RecourseRule
from ares_core.settings import Settings
from ares_core.worker.recipe import SummaryKey


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """What is in a file.

    Parameters
    ----------
    rows
        How many people.
    columns
        Their names, in the file's order.
    head
        The first rows, as they are.
    two_valued
        Columns with exactly two values, which can be the target, and these values.
    notes
        What reading the file changed or left alone, in sentences.
    """

    rows: int
    columns: tuple[str, ...]
    head: pd.DataFrame
    two_valued: tuple[tuple[str, tuple[str, str]], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Description:
    """The features of a table; `people` counts for each feature, level by level, who is there.

    `rows` is how many people there are. `suspects` are cells that may mean that no value is known; `favoured` counts,
    like `people`, those who had the favourable outcome. Without outcomes it counts nobody, and `favourable` is None.
    """

    schema: Schema
    people: tuple[tuple[int, ...], ...]
    rows: int
    favourable: Share | None
    head: pd.DataFrame
    notes: tuple[str, ...]
    suspects: tuple[Suspect, ...] = ()
    favoured: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """What asking the model everything came to.

    `stand_ins` are invented people who help to choose rules; `moves` is how many different moves were tried, and
    `model_rows` how many rows the model was asked. `recheck` is whether it repeats its answers in other batches, and
    `agreement` how far it agrees with the outcomes; both None for a model made here.
    """

    people: int
    affected: int
    learn: int
    check: int
    same_people: bool
    stand_ins: int
    moves: int
    model_rows: int
    without_recourse: Share
    seconds: float
    recheck: Recheck | None = None
    agreement: Agreement | None = None


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule and its figures."""

    rule: RecourseRule
    figures: RuleFigures


@dataclass(frozen=True, slots=True)
class Lists:
    """Rows of the file, each list increasing, of the people every figure is measured on.

    Parameters
    ----------
    helped
        The rule that decides for them works.
    failed
        Under some rule, but the rule that decides for them fails.
    uncovered
        Under no rule.
    conflicts
        Under more than one rule.
    without_recourse
        No candidate move works.
    """

    helped: tuple[int, ...]
    failed: tuple[int, ...]
    uncovered: tuple[int, ...]
    conflicts: tuple[int, ...]
    without_recourse: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SummaryView:
    """A two level recourse set with everything said about it.

    `rules` of one subgroup stand together; `learn` are the figures on the people rules were chosen on, `check` those
    on the others, which are shown first; `lists` names the people behind `check`; `key` names it in questions.
    """

    key: SummaryKey
    rules: tuple[RuleView, ...]
    learn: Totals
    check: Totals
    same_people: bool
    certificate: Certificate
    settings: Settings
    min_people: int
    stand_ins: int
    lists: Lists


@dataclass(frozen=True, slots=True)
class StabilityView:
    """How stable rules are under the uncertainty of the costs.

    Parameters
    ----------
    rules
        The rules spoken of, in the order of the summary.
    shares
        Of each of them: the share of the draws it stays in.
    unchanged
        The share of the draws in which no rule changes.
    draws
        How many draws of the costs.
    """

    rules: tuple[RecourseRule, ...]
    shares: tuple[float, ...]
    unchanged: float
    draws: int


@dataclass(frozen=True, slots=True)
class GroupsView:
    """How recourse differs between groups: their figures, and each move of the summary across them.

    `everybody`, `mean_changes`, the mean number of features changed by a person helped, and `mean_need`, the mean cost
    of the cheapest move that works, are what each group's figures are held against.
    """

    groups: tuple[SubgroupFigures, ...]
    moves: tuple[MoveFigures, ...]
    everybody: Totals
    mean_changes: float | None
    mean_need: float | None


@dataclass(frozen=True, slots=True, eq=False)
class PeopleView:
    """Some people: their rows of the file, their cells with level names for people to read, the model's answers.

    `found` is how many there are in all; `frame` has one row for each shown, one column for each feature's label.
    """

    rows: tuple[int, ...]
    frame: pd.DataFrame
    accepted: tuple[bool, ...]
    found: int


@dataclass(frozen=True, slots=True)
class PersonView:
    """One person: their levels, what they can do, and which levels the schema lets them move to.

    Parameters
    ----------
    levels
        Feature by feature, in the schema's order: the name of the level the person is at.
    cells
        Likewise what the file says.
    open_levels
        Likewise the names of the levels the schema allows them to move to.
    held
        Likewise the names of the levels somebody audited is at, without which nothing can be tried; never the missing
        one.
    part
        "learn" or "check", or "" for people the model accepts.
    """

    recourse: PersonRecourse
    levels: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, str], ...]
    open_levels: tuple[tuple[str, tuple[str, ...]], ...]
    held: tuple[tuple[str, tuple[str, ...]], ...]
    part: str


@dataclass(frozen=True, slots=True)
class WhatIfView:
    """The model's answer about a person changed by hand; `against` are changes the schema does not allow."""

    accepted: bool
    changes: Conjunction
    against: tuple[str, ...]
