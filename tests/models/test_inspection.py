"""Inspection: what a model answers about everybody, and what each way of reading it would come to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import ModelError
from ares_core.models.inspection import Inspection, ScoreSpread, inspect_model
from ares_core.models.raw import Output, Signature
from ares_core.models.reading import Reading
from tests.models.raws import PlainRaw

TABLE = pd.DataFrame({"income": [10, 20, 30, 40]})


class Both:
    """A raw model that gives labels and scores."""

    kind, sha256 = "both", "0" * 64
    signature = Signature(classes=("bad", "good"), outputs=("label", "score"))

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return labels, or the chances of each class."""
        chance = frame["income"].to_numpy() / 50
        return np.where(chance > 0.5, "good", "bad") if output == "label" else np.column_stack([1 - chance, chance])


def found(answers: Any, **signature: Any) -> Inspection:
    """Inspect a model that gives these answers."""
    return inspect_model(PlainRaw(lambda frame: answers, Signature(**signature)), TABLE, "good")


def test_labels_and_scores_are_found() -> None:
    """A model that gives both can be read both ways, and its own labels are suggested."""
    view = inspect_model(Both(), TABLE, "good")
    assert view.labels == (("bad", 2), ("good", 2))
    assert [spread.name for spread in view.spreads] == ["bad", "good"]
    assert view.suggested == Reading("good")
    assert (view.kind, view.people) == ("both", 4)


def test_labels_nobody_gets_are_listed() -> None:
    """A label the model may answer stands there though nobody gets it."""
    assert found(["a", "a", "b", "a"], classes=("a", "b")).labels == (("a", 3), ("b", 1))
    assert found([1, 1, 1, 1], classes=(0, 1)).labels == (("1", 4), ("0", 0))


def test_a_service_that_does_not_say_is_told_apart_by_what_it_answers() -> None:
    """Numbers that are not whole are scores, whole ones and text are labels."""
    both = ("label", "score")
    assert found([0.1, 0.2, 0.3, 0.9], outputs=both).labels == ()
    assert found([0.1, 0.2, 0.3, 0.9], outputs=both).suggested == Reading("", 0.5)
    assert found([0, 1, 1, 0], outputs=both).spreads == ()
    assert found(["x", "y", "x", "x"], outputs=both).spreads == ()


def test_answers_that_are_nothing_are_told() -> None:
    """Too few, missing or neither labels nor scores end in a sentence."""
    for answers in ([1, 0], [None, 1, 0, 1], [0.1, float("nan"), 0.2, 0.3]):
        with pytest.raises(ModelError):
            found(np.array(answers))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(-1e6, 1e6), st.booleans())
def test_the_effect_of_a_threshold_is_what_reading_does(scores: list[float], threshold: float, above: bool) -> None:
    """The count shown is the number of people that reading with this threshold refuses."""
    spread = ScoreSpread("", np.sort(np.array(scores)))
    read = Reading("", threshold, above).read(np.array(scores), len(scores))
    assert spread.refused(threshold, above=above) == int((read == 0).sum())


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_the_curve_rises_or_falls_from_end_to_end(scores: list[float]) -> None:
    """A higher threshold refuses no fewer people, or no more where lower scores are better."""
    spread = ScoreSpread("", np.sort(np.array(scores)))
    up, down = spread.curve(above=True)[1], spread.curve(above=False)[1]
    assert up == sorted(up)
    assert down == sorted(down, reverse=True)
    assert up[0] == 0
