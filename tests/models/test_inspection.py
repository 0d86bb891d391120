"""Inspection: what a model answers about everybody, and what each way of reading it would come to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import ModelError
from ares_core.models.agreement import Agreement, Outcomes
from ares_core.models.inspection import Inspection, ScoreSpread, inspect_model
from ares_core.models.raw import Output, Signature
from ares_core.models.reading import Reading
from tests.models.raws import PlainRaw

TABLE = pd.DataFrame({"income": [10, 20, 30, 40]})
PAIRS = [[0.2, 0.8], [0.9, 0.1], [0.4, 0.6], [0.5, 0.5]]
KNOWN = Outcomes(np.array([0, 0, 1, 1], dtype=np.int8), "good", "bad")


class Both:
    """A raw model that gives labels and scores."""

    kind, sha256 = "both", "0" * 64
    signature = Signature(classes=("bad", "good"), outputs=("label", "score"), by_name=True)

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return labels, or the chances of each class."""
        chance = frame["income"].to_numpy() / 50
        return np.where(chance > 0.5, "good", "bad") if output == "label" else np.column_stack([1 - chance, chance])


def found(answers: Any, **signature: Any) -> Inspection:
    """Inspect a model that gives these answers."""
    return inspect_model(PlainRaw(lambda frame: answers, Signature(**signature, by_name=True)), TABLE, KNOWN)


def test_labels_and_scores_are_found() -> None:
    """A model that gives both can be read both ways, and its own labels are suggested."""
    view = inspect_model(Both(), TABLE, KNOWN)
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
    assert len(found([0.1, 0.2, 0.3, 0.9], outputs=both).spreads) == 1
    assert found([0, 1, 1, 0], outputs=both).spreads == ()
    assert found(["x", "y", "x", "x"], outputs=both).spreads == ()


@pytest.mark.parametrize(
    ("answers", "classes", "named", "readings"),
    [
        (["good", "bad", "good", "good"], (), Reading("good"), (Reading("good"), Reading("bad"))),
        ([1, 0, 1, 1], (), None, (Reading("1"), Reading("0"))),
        ([0.2, 0.9, 0.1, 0.3], (), None, (Reading("", 0.5), Reading("", 0.5, above=False))),
        ([-3.2, 4.1, 0.0, 1.0], (), None, (Reading("", 0.0), Reading("", 0.0, above=False))),
        (PAIRS, ("good", "bad"), Reading("good", 0.5), (Reading("good", 0.5), Reading("bad", 0.5))),
        (PAIRS, (0, 1), None, (Reading("0", 0.5), Reading("1", 0.5))),
        (PAIRS, (), None, (Reading("score 1", 0.5), Reading("score 2", 0.5))),
    ],
)
def test_a_reading_is_named_only_if_names_make_it_plain(
    answers: Any, classes: Any, named: Reading | None, readings: tuple[Reading, ...]
) -> None:
    """0 and 1, a single score and scores of no named class are not plain; each reading is then one to choose."""
    outputs = ("score",) if np.ndim(answers) == 2 else ("label", "score")
    view = found(np.array(answers), classes=classes, outputs=outputs)
    assert view.named == named
    assert set(view.readings) == set(readings)


def test_a_named_reading_that_outcomes_contradict_is_not_suggested() -> None:
    """A model that says 'good' of everybody whose outcome was bad is not read by that name."""
    frame = pd.DataFrame({"income": range(20)})
    known = Outcomes(np.array([0, 1] * 10, dtype=np.int8), "good", "bad")
    raw = PlainRaw(lambda frame: np.array(["good", "bad"] * 10), Signature(by_name=True))
    view = inspect_model(raw, frame, known)
    assert (view.named, view.suggested) == (Reading("good"), None)
    assert view.figures(Reading("good")).agreement == Agreement(10, 0, 10, 0)
    assert inspect_model(raw, frame).suggested == Reading("good")
    assert inspect_model(raw, frame).figures(Reading("good")).agreement is None


@given(st.lists(st.tuples(st.floats(-1, 1), st.booleans()), min_size=1), st.floats(-1, 1), st.booleans())
def test_figures_are_those_of_reading(pairs: list[tuple[float, bool]], threshold: float, above: bool) -> None:
    """What a threshold comes to is what reading with it gives, refused and agreeing, with ties as with none."""
    scores, good = (np.array([pair[place] for pair in pairs]) for place in (0, 1))
    order = np.argsort(scores, kind="stable")
    spread = ScoreSpread("", scores[order], good[order].astype(np.int8))
    accepted = Reading("", threshold, above).read(scores, len(scores))
    assert spread.agreement(threshold, above=above) == Agreement.of(accepted, good)


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
