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
from ares_core.models.inspection import Inspection, ScoreSpread, inspect_model, usual_step, usual_threshold
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


def numbered(people: int) -> Inspection:
    """Inspect a model whose 1 and 0 agree with the outcomes 1 and 0 of all but every fourth person."""
    outcomes = np.arange(people) % 2
    answers = np.where(np.arange(people) % 4 == 3, 1 - outcomes, outcomes)
    known = Outcomes(outcomes.astype(np.int8), "1", "0")
    return inspect_model(PlainRaw(lambda frame: answers), pd.DataFrame({"income": range(people)}), known)


def test_numbers_are_taken_for_outcomes_only_if_the_outcomes_bear_it_out() -> None:
    """1 and 0 are named alike, but of a few people nobody can tell whether they mean the same."""
    assert numbered(12).named == numbered(200).named == Reading("1")
    assert (numbered(12).suggested, numbered(200).suggested) == (None, Reading("1"))


def test_true_and_false_are_shown_as_such() -> None:
    """A model that answers true and false is not said to answer 1 and 0, however its classes come."""
    assert found([True, False, True, True]).labels == (("True", 3), ("False", 1))
    assert found([1, 0, 1, 1], classes=(False, True)).labels == (("True", 3), ("False", 1))
    scores = found(np.array(PAIRS), classes=(False, True), outputs=("score",))
    assert [spread.name for spread in scores.spreads] == ["False", "True"]
    assert scores.figures(Reading("1", 0.5)).refused == scores.figures(Reading("True", 0.5)).refused


def test_a_model_of_three_labels_is_read_by_its_scores() -> None:
    """Labels cannot be read where there are three, but the score of each of them can."""

    class Three(Both):
        signature = Signature(classes=("a", "b", "c"), outputs=("label", "score"), by_name=True)

        def answer(self, frame: pd.DataFrame, output: Output) -> Any:
            scores = np.array([[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2]])
            return scores if output == "score" else np.array(list("abca"))

    view = inspect_model(Three(), TABLE, KNOWN)
    assert [each.favourable for each in view.readings] == ["a", "b", "c"]
    assert {each.threshold for each in view.readings} == {0.5}


@pytest.mark.parametrize(
    ("scores", "threshold", "step"),
    [
        ([0.0125, 0.4, 0.977], 0.5, 0.02),
        ([-3.2, 4.1, 0.5], 0.0, 0.2),
        ([16812.4, 23456.5, 45391.2], 23000.0, 1000.0),
        ([300.0, 700.0, 650.0], 640.0, 20.0),
        ([7.0, 7.0], 7.0, 0.2),
    ],
)
def test_a_threshold_begins_among_the_scores(scores: list[float], threshold: float, step: float) -> None:
    """Between shares at 0.5, around 0 at 0, else near the median; a step moves it by a few hundredths of the range."""
    spread = ScoreSpread("", np.sort(np.array(scores)))
    assert (usual_threshold([spread]), usual_step(spread.scores)) == (threshold, step)


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
