"""Behaviour: models that misbehave are found out, each in its own way, and honest ones are not accused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.models import ForeignModel, FunctionModel, Reading, Signature
from ares_core.models.behaviour import PEOPLE, ROUNDS, Behaviour, check_behaviour
from tests.models.raws import PlainRaw

TABLE = pd.DataFrame({"income": np.arange(1000) * 37 % 101})
OUTCOMES = (TABLE["income"] > 40).to_numpy().astype(np.int8)


def honest(frame: pd.DataFrame) -> Any:
    """Accept everybody with an income above 50."""
    return (frame["income"] > 50).to_numpy()


def checked(function: Callable[[pd.DataFrame], Any], rows: int = 1000) -> Behaviour:
    """Check the behaviour of a function on some people."""
    return check_behaviour(FunctionModel(function), TABLE.head(rows), OUTCOMES[:rows])


def judged(found: Behaviour) -> list[bool | None]:
    """Return what is said of being deterministic, stateless, independent of the batch, and telling people apart."""
    return [finding.good for finding in found.findings()[:4]]


def test_an_honest_model_has_nothing_against_it() -> None:
    """It is asked about some people, five times each, and agrees with itself and mostly with the outcomes."""
    asked: list[int] = []

    def counting(frame: pd.DataFrame) -> Any:
        asked.append(len(frame))
        return honest(frame)

    found = checked(counting)
    assert judged(found) == [True, True, True, True]
    assert sum(asked) == PEOPLE * ROUNDS
    assert found.people / 2 < found.right < found.people
    assert found.rows_per_second > 0


def test_a_random_model_is_found_out() -> None:
    """What a model that rolls dice would say of order and memory cannot be told."""
    dice = np.random.default_rng(1)
    found = checked(lambda frame: dice.random(len(frame)) > 0.5)
    assert judged(found) == [False, None, None, True]
    assert "answered differently about" in found.findings()[0].words


def test_a_model_that_remembers_is_found_out() -> None:
    """One that answers anew whenever the question is another one, but repeats itself at once, has a state."""
    last: list[pd.DataFrame] = []
    turns = itertools.count()

    def remembers(frame: pd.DataFrame) -> Any:
        if not last or not last[-1].equals(frame):
            last.append(frame)
            next(turns)
        return honest(frame) ^ (len(last) > 3)

    found = checked(remembers)
    assert judged(found)[:3] == [True, False, None]
    assert "After other questions" in found.findings()[1].words
    assert "remembers" in found.findings()[2].words


@pytest.mark.parametrize(
    "function",
    [
        lambda frame: frame["income"] > frame["income"].mean() + 3,
        lambda frame: np.arange(len(frame)) % 2 == 0,
        lambda frame: (frame["income"] > 50) & (len(frame) > 200),
    ],
    ids=["relative to the others", "by place", "by size"],
)
def test_a_model_that_depends_on_the_batch_is_found_out(function: Callable[[pd.DataFrame], Any]) -> None:
    """Who else is asked about, where one stands among them, or how many they are must not matter."""
    assert judged(checked(function))[:3] == [True, True, False]


def scored(error: float) -> Behaviour:
    """Check a model whose scores have an error that depends on the batch; some people are at the cut-off."""
    raw = PlainRaw(
        lambda frame: frame["income"] / 100 + error * np.cos(len(frame)), Signature(outputs=("score",), by_name=True)
    )
    return check_behaviour(ForeignModel.fitted(raw, TABLE, Reading("", 0.5)), TABLE, OUTCOMES)


def test_rounding_is_counted_apart() -> None:
    """Scores that flip within rounding of the cut-off are reported, and not held against the model."""
    found = scored(1e-9)
    assert (found.parts, found.batch_free, found.rounding) == (0, True, 4)
    words = "4 of 400 answers flip because their score is within rounding of the cut-off."
    assert [finding.good for finding in found.findings() if finding.words == words] == [None]


def test_larger_errors_are_no_rounding() -> None:
    """An error of a thousandth flips the same people and is reported as what it is."""
    found = scored(1e-3)
    assert (found.parts, found.batch_free, found.rounding) == (4, False, 0)


@pytest.mark.parametrize(("answer", "word"), [(0, "refuses all"), (1, "accepts all")])
def test_a_constant_model_is_found_out(answer: int, word: str) -> None:
    """A model that says the same of everybody cannot be audited, and the list says so."""
    found = checked(lambda frame: np.full(len(frame), answer))
    assert judged(found) == [True, True, True, False]
    assert word in found.findings()[3].words


@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_few_people_are_enough(rows: int) -> None:
    """With fewer people than parts nothing fails, and nobody is asked about twice in a round."""
    found = checked(honest, rows)
    assert found.people == rows
    assert judged(found)[:3] == [True, True, True]


def test_the_time_of_the_audit_is_told() -> None:
    """From the speed and the rows to ask, in words a person plans by."""
    found = Behaviour(400, 0, 0, 0, 0, 100, 300, seconds=1.6)
    assert found.findings()[-1].words == "About 1,000 rows a second."
    for rows, words in ((500, "less than a second"), (30_000, "about 30 seconds"), (600_000, "about 10 minutes")):
        assert found.findings(rows)[-1].words.endswith(f"asks about up to {rows:,} rows: {words}.")
    assert found.findings(36_000_000)[-1].words.endswith("about 10 hours.")


def test_the_record_holds_no_time() -> None:
    """The same model and people give the same record, however busy the machine."""
    one, other = checked(honest), checked(honest)
    assert one.to_json() == other.to_json()
    assert set(one.to_json()) == {"people", "again", "later", "parts", "shuffled", "rounding", "refused", "right"}
