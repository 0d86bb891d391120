"""Asking a black box."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import Cancelled, ModelError
from ares_core.models import BlackBox, FunctionModel, ask

PEOPLE = pd.DataFrame({"income": [1, 5, 3]}, index=[7, 7, 2])


def rich(frame: pd.DataFrame) -> Any:
    return frame["income"] > 2


def test_answers_come_row_by_row_whatever_the_index() -> None:
    """A function of a table becomes a model that answers each row with 0 or 1."""
    model: BlackBox = FunctionModel(rich)
    answers = ask(model, PEOPLE)
    assert answers.tolist() == [0, 1, 1]
    assert answers.dtype == np.int8


def test_predict_is_called_exactly_once() -> None:
    """All rows go to the model in one call."""
    sizes: list[int] = []
    ask(FunctionModel(lambda frame: sizes.append(len(frame)) or np.ones(len(frame))), PEOPLE)
    assert sizes == [3]


def test_nobody_to_ask_about_asks_nobody() -> None:
    """An empty table is answered without calling the model, which might not accept it."""

    def fail(frame: pd.DataFrame) -> Any:
        raise AssertionError

    assert ask(FunctionModel(fail), PEOPLE.iloc[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([1, 0], "shape (2,) for 3 rows"),
        ([[1], [0], [1]], "shape (3, 1) for 3 rows"),
        (1, "shape () for 3 rows"),
        ([0, 2, 1], "answered 2 for number 2 of 3 rows"),
        ([0.0, 1.0, 0.5], "answered 0.5 for number 3 of 3 rows"),
        ([np.nan, 1, 0], "answered nan for number 1 of 3 rows"),
        (["yes", "no", "no"], "not with numbers"),
        ([None, 1, 0], "not with numbers"),
    ],
)
def test_other_answers_are_refused(answers: Any, words: str) -> None:
    """One 0 or 1 for each row is an answer; anything else is named and refused, with a hint."""
    with pytest.raises(ModelError) as caught:
        ask(FunctionModel(lambda frame: answers), PEOPLE)
    assert words in caught.value.problem
    assert caught.value.hint.endswith(".")


def test_a_failing_model_is_named_with_its_reason() -> None:
    """An exception of the model becomes a sentence that says how many rows it failed on, and why."""
    with pytest.raises(ModelError, match=r"The model failed on 3 rows: KeyError: 'wealth'\.") as caught:
        ask(FunctionModel(lambda frame: frame["wealth"]), PEOPLE)
    assert isinstance(caught.value.__cause__, KeyError)


def test_cancelling_passes_through() -> None:
    """What the user stopped is not reported as a failure of the model."""

    def stop(frame: pd.DataFrame) -> Any:
        raise Cancelled

    with pytest.raises(Cancelled):
        ask(FunctionModel(stop), PEOPLE)


def test_the_digest_tells_functions_apart() -> None:
    """Different functions or kinds have different digests, the same function the same."""
    digests = {
        FunctionModel(rich).sha256,
        FunctionModel(rich, kind="other").sha256,
        FunctionModel(test_cancelling_passes_through).sha256,
    }
    assert len(digests) == 3
    assert FunctionModel(rich).sha256 in digests
