"""Readings: labels and scores become favourable or not, and whatever is neither is told."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import ModelError
from ares_core.models.labels import plain_label
from ares_core.models.reading import Reading, label_text

NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("answers", "favourable"),
    [
        (np.array(["good", "bad", "good"]), "good"),
        (np.array([1, 0, 1], dtype=np.int8), "1"),
        (np.array([1.0, 0.0, 1.0]), "1"),
        (np.array([True, False, True]), "1"),
        (np.array([1, 2, 1]), "1"),
        (np.array(["yes", 0, "yes"], dtype=object), "yes"),
    ],
)
def test_labels_are_read_whatever_their_type(answers: Any, favourable: str) -> None:
    """Text, whole numbers, floats and booleans are labels, written as the table writes outcomes."""
    assert Reading(favourable).read(answers, 3).tolist() == [1, 0, 1]


@given(st.lists(NUMBERS, min_size=1), NUMBERS)
def test_the_two_directions_are_each_other_s_opposite(scores: list[float], threshold: float) -> None:
    """Every score is favourable in exactly one direction, and at the threshold in the upper one."""
    answers = np.array(scores)
    above = Reading("", threshold).read(answers, len(scores))
    below = Reading("", threshold, above=False).read(answers, len(scores))
    assert (above + below == 1).all()
    assert above.tolist() == [int(score >= threshold) for score in scores]


@given(st.lists(st.sampled_from([0.25, 0.5, 0.75]), min_size=1), st.booleans())
def test_a_score_at_the_threshold_is_on_the_side_that_is_said(scores: list[float], above: bool) -> None:
    """Counted as lower, a score at the threshold changes sides, and no other does."""
    answers = np.array(scores)
    higher, lower = (Reading("", 0.5, above, ties).read(answers, len(scores)) for ties in ("higher", "lower"))
    assert ((higher != lower) == (answers == 0.5)).all()
    assert (higher[answers == 0.5] == int(above)).all()


@given(st.lists(NUMBERS, min_size=1), NUMBERS, NUMBERS)
def test_a_higher_threshold_never_accepts_more(scores: list[float], one: float, other: float) -> None:
    """Raising the threshold refuses people, and accepts nobody who was refused."""
    low, high = sorted((one, other))
    answers = np.array(scores)
    assert (Reading("", high).read(answers, len(scores)) <= Reading("", low).read(answers, len(scores))).all()


@given(
    st.sampled_from(
        [Reading("good"), Reading("1", 0.25), Reading("", -3.5, above=False), Reading("", 0.5, True, "lower")]
    )
)
def test_a_reading_survives_json(reading: Reading) -> None:
    """What is written of a reading is all there is."""
    assert Reading.from_json(reading.to_json()) == reading


def test_a_reading_kept_before_there_was_a_choice_counts_ties_as_higher() -> None:
    """Links and runs made earlier mean what they meant."""
    assert Reading.from_json({"favourable": "", "threshold": 0.5, "above": False}) == Reading("", 0.5, above=False)


BAD: dict[str, tuple[Reading, Any, str]] = {
    "three classes": (Reading("a"), np.array(["a", "b", "c"]), r"3 different labels \('a', 'b', 'c'\), not two"),
    "neither label": (Reading("good"), np.array(["a", "b", "a"]), "answers 'a' and 'b', never 'good'"),
    "NaN as a label": (Reading("1"), np.array([1.0, math.nan, 0.0]), "no answer .* for number 2 of 3 rows"),
    "None as a label": (Reading("1"), np.array([1, None, 0], dtype=object), "no answer .* for number 2 of 3 rows"),
    "too few labels": (Reading("1"), np.array([1, 0]), r"shape \(2,\) for 3 rows"),
    "one label": (Reading("1"), np.array(1), r"shape \(\) for 3 rows"),
    "scores as labels": (Reading("1"), np.array([[0.1, 0.9]] * 3), r"shape \(3, 2\) for 3 rows"),
    "text as scores": (Reading("", 0.5), np.array(["good"] * 3), "text such as 'good', not with scores"),
    "NaN as a score": (Reading("", 0.5), np.array([0.1, math.nan, 0.2]), "not a finite number for number 2 of 3"),
    "no end to a score": (Reading("", 0.5), np.array([0.1, 0.2, math.inf]), "not a finite number for number 3 of 3"),
    "too few scores": (Reading("", 0.5), np.array([0.1]), r"shape \(1,\) for 3 rows"),
    "a cube of scores": (Reading("", 0.5), np.zeros((3, 2, 2)), r"shape \(3, 2, 2\) for 3 rows"),
    "no columns": (Reading("", 0.5), np.zeros((3, 0)), r"shape \(3, 0\) for 3 rows"),
    "a score of nobody": (Reading("ugly", 0.5), np.zeros((3, 2)), "no score for 'ugly'"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_told_in_a_sentence(name: str) -> None:
    """One sentence says what came and what was due, and a hint what to do."""
    reading, answers, words = BAD[name]
    with pytest.raises(ModelError, match=words) as caught:
        reading.read(answers, 3)
    assert str(caught.value).endswith(".")
    assert caught.value.hint.endswith(".")


def test_a_third_class_is_told_even_before_anybody_gets_it() -> None:
    """A model that may answer three labels is refused though it gave these people two."""
    with pytest.raises(ModelError, match="3 different labels"):
        Reading("a").read(np.array(["a", "b"]), 2, classes=("a", "b", "c"))


def test_scores_have_the_names_of_their_classes() -> None:
    """Where the classes are known a score is named by its class, else by its number."""
    answers = np.array([[0.2, 0.8], [0.6, 0.4]])
    assert Reading("good", 0.5).read(answers, 2, classes=("bad", "good")).tolist() == [1, 0]
    assert Reading("score 2", 0.5).read(answers, 2).tolist() == [1, 0]
    assert Reading("", 0.5).read(answers[:, 1:], 2).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("favourable", "labels", "accepted"),
    [
        ("True", [True, False], [1, 0]),
        ("true", [1, 0], [1, 0]),
        ("1.0", ["1", "0"], [1, 0]),
        ("0", ["False", "True"], [1, 0]),
        ("1", [1.0, 0.0], [1, 0]),
    ],
)
def test_numbers_and_truths_are_the_same_however_they_are_written(
    favourable: str, labels: list[Any], accepted: list[int]
) -> None:
    """1, 1.0 and True are one label, also of a batch in which only one label occurs."""
    reading = Reading(favourable)
    assert reading.read(np.array(labels), 2).tolist() == accepted
    assert [reading.read(np.array([label]), 1).item() for label in labels] == accepted


def test_words_are_never_taken_for_each_other() -> None:
    """A batch that holds only the label 'GOOD' of a model that also says 'good' is read as it is with both."""
    assert Reading("good").read(np.array(["GOOD"]), 1).tolist() == [0]
    assert Reading("good").read(np.array(["GOOD", "good"]), 2).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("reading", "options"),
    [
        (Reading("not so bad"), "--favourable-answer 'not so bad'"),
        (Reading("", 0.5), "--threshold 0.5"),
        (Reading("", 0.5, above=False), "--threshold 0.5 --below"),
        (Reading("approved", 0.25), "--threshold 0.25 --score approved"),
        (Reading("", 23465.125, ties="lower"), "--threshold 23465.125 --ties lower"),
    ],
)
def test_readings_name_their_options(reading: Reading, options: str) -> None:
    """What the command line is told to repeat asks for this reading."""
    assert reading.options() == options


def test_readings_that_mean_nothing_are_refused() -> None:
    """A favourable label must be named, and a threshold must be a number."""
    with pytest.raises(ModelError, match="which answer"):
        Reading()
    with pytest.raises(ModelError, match="threshold is nan"):
        Reading("", math.nan)
    with pytest.raises(ModelError, match="counts as 'both'"):
        Reading("", 0.5, ties="both")  # type: ignore[arg-type]


def test_readings_are_said_in_words() -> None:
    """A reader sees from where on a score is good, or which label is."""
    assert Reading("good").words() == "The answer 'good' is favourable."
    assert Reading("", 0.5).words() == "A score of 0.5 or more is favourable."
    assert Reading("bad", 0.25, above=False).words() == "A score for 'bad' below 0.25 is favourable."
    assert Reading("", 0.5, ties="lower").words() == "A score above 0.5 is favourable."
    assert Reading("", 1234567.5, False, "lower").words() == "A score of 1234567.5 or less is favourable."
    assert label_text(np.float64(2.0)) == "2"


@pytest.mark.parametrize("wanted", ["True", "False"])
@pytest.mark.parametrize("answers", [[True, False], [1, 0], [1.0, 0.0], ["True", "False"], ["true", "false"]])
def test_labels_are_compared_with_a_true_or_false_outcome(answers: list[Any], wanted: str) -> None:
    """However a model writes true and false, the reading takes the label that means the favourable outcome."""
    label = plain_label([label_text(each) for each in answers], wanted, "False" if wanted == "True" else "True")
    assert label is not None
    assert Reading(label).read(np.array(answers), 2).tolist() == ([1, 0] if wanted == "True" else [0, 1])
