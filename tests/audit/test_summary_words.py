"""What is said of a summary: true reasons, one and many, and nothing that seems to contradict itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from ares_core.audit import Audit, People, Request, run_audit, summary_text
from ares_core.audit.blockers import Blockers
from ares_core.audit.figures import Totals
from ares_core.audit.summary_words import blocker_words, left_out, no_rule_words, trust_words
from ares_core.costs import Costs
from ares_core.models import FunctionModel
from ares_core.people import Change, Schema
from ares_core.recourse import Learned
from ares_core.settings import Settings

LONE = (
    "No rule can be offered: {!r} alone may change and alone describes subgroups, but a rule describes its subgroup by "
    "one feature and changes another. Choose another feature of interest, or free or add a feature."
)
FEW = "No rule can be offered: no change that is allowed speaks to at least {} people among the {} refused it would"


def loans(rows: int = 120) -> pd.DataFrame:
    """Return people with an income, a job and a town, all spread evenly."""
    return pd.DataFrame(
        {
            "income": [10 * (n % 6) for n in range(rows)],
            "job": [("none", "some")[n // 6 % 2] for n in range(rows)],
            "town": ["abc"[n // 12 % 3] for n in range(rows)],
            "good": ["yes" if n % 2 else "no" for n in range(rows)],
        }
    )


def audited(frame: pd.DataFrame, *interest: str, change: dict[str, Change] | None = None, **fields: Any) -> Audit:
    """Audit a model that accepts incomes from 30 on."""

    def described(seen: pd.DataFrame) -> Schema:
        schema = Schema.infer(seen)
        for name, way in (change or {}).items():
            schema = schema.with_change([name], way)
        return schema

    people = People.of(frame, "good", "yes", described)
    return run_audit(
        Request(
            people=people,
            model=FunctionModel(lambda seen: seen["income"] >= 30),
            settings=Settings(**fields),
            costs=Costs.unit(people.table.schema.names),
            interest=interest,
        )
    )


def only_income() -> Audit:
    """One feature in all."""
    return audited(loans()[["income", "good"]])


def of_interest() -> Audit:
    """The only feature that may change is the one subgroups are made of."""
    return audited(loans(), "income", change=dict.fromkeys(("job", "town"), Change.FROZEN))


def few_people() -> Audit:
    """Nothing describes so many."""
    return audited(loans(), "job", min_people=1000)


def no_way() -> Audit:
    """Whoever is refused has no way to go: incomes may only fall, and the lowest are accepted never."""
    frame = loans()
    frame["income"] = frame["income"].clip(lower=20)
    return audited(frame, "town", change={"income": Change.DECREASE, "job": Change.FROZEN, "town": Change.FROZEN})


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (only_income, LONE.format("income")),
        (of_interest, LONE.format("income")),
        (few_people, FEW.format("1,000", 30)),
        (no_way, FEW.format(5, 30)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_why_there_is_no_rule_is_the_true_reason(found: Callable[[], Audit], words: str) -> None:
    """A feature that would have to be on both sides is not told as too few people, nor the other way round."""
    text = " ".join(summary_text(found()).split())
    assert words in text


def test_one_more_feature_on_either_side_is_enough() -> None:
    """With another feature to describe subgroups by, or another that may change, there are rules."""
    assert len(audited(loans(), "job", change={"town": Change.FROZEN, "job": Change.FROZEN}).learned.rules)
    beside = audited(loans(), "income", change={"town": Change.FROZEN})
    assert beside.learned.certificate.candidates > 0 and not beside.learned.certificate.lone


@pytest.mark.parametrize(
    ("affected", "without", "words"),
    [
        (17, 0, "for each of the 17 measured on, some candidate move works"),
        (17, 1, "for 1 of the 17 measured on, no candidate move works"),
        (1495, 1384, "for 1,384 of the 1,495 measured on, no candidate move works"),
        (1, 0, "for the only person measured on, some candidate move works"),
        (1, 1, "for the only person measured on, no candidate move works"),
    ],
)
def test_who_has_no_move_is_said_of_those_measured_on(affected: int, without: int, words: str) -> None:
    """Beside the sentence on all refused, which counts others too, no reader sees a contradiction."""
    assert left_out(Totals(affected, 0, 0, None, 0, 0, without, 0, 0, 0)) == words
    blockers = Blockers(people=without + 1, looked_at=without + 1, rare=0, locked=(), further=0)
    assert blocker_words(Schema(()), blockers, 2000).startswith("Of all 2,000 refused, ")


@pytest.mark.parametrize(("count", "words"), [(1, "1 person has no candidate"), (2, "2 people have no candidate")])
def test_blocked_people_are_one_or_many(count: int, words: str) -> None:
    """One person has, people have."""
    assert words in blocker_words(Schema(()), Blockers(count, count, 0, (), 0), 9)


@pytest.mark.parametrize(
    ("learn", "invented", "words"),
    [
        (1, 299, "Because 1 person teaches little, 299 people were invented"),
        (59, 1, "Because 59 people teach little, 1 person was invented"),
    ],
)
def test_stand_ins_are_one_or_many(learn: int, invented: int, words: str) -> None:
    """Verbs follow their numbers."""
    learned: Learned = replace(of_interest().learned, stand_ins=invented)
    some = replace(learned, certificate=replace(learned.certificate, candidates=3))
    assert words in " ".join(trust_words(some, learn))
    assert no_rule_words(learned, learn) == LONE.format("income")
