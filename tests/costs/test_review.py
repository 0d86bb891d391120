"""The review: cycles, surprises and differing repeats, found where they are and nowhere else."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from ares_core.costs import (
    Answer,
    Belief,
    Comparison,
    Cycle,
    Repeat,
    bradley_terry_expert,
    cycles,
    differing_repeats,
    random_pairs,
    review_answers,
    surprises,
)

LETTERS = "abcdef"
answers = st.lists(
    st.tuples(st.permutations(LETTERS), st.sampled_from(Answer)).map(lambda drawn: Comparison(*drawn[0][:2], drawn[1])),
    max_size=25,
)


def said(*pairs: str) -> list[Comparison]:
    """Return an answer for each two letters: the first is harder."""
    return [Comparison(pair[0], pair[1]) for pair in pairs]


def test_the_shortest_cycles_come_first() -> None:
    """A cycle of three before one of four, each from the letter that sorts first, with the places of its answers."""
    found = cycles(said("bc", "cd", "ab", "da", "ca"))
    assert found == (Cycle(("a", "b", "c"), (2, 0, 4)), Cycle(("a", "b", "c", "d"), (2, 0, 1, 3)))
    assert cycles(said("bc", "cd", "ab", "da", "ca"), most=1) == found[:1]


@given(st.permutations(LETTERS))
def test_an_order_has_no_cycle(order: list[str]) -> None:
    """Whoever answers every pair by one order contradicts nothing."""
    assert cycles([Comparison(*pair) for pair in combinations(order, 2)]) == ()


def test_ties_and_direct_contradictions_make_no_cycle() -> None:
    """Two answers that contradict each other are a repeat, not a cycle of two, nor a part of one of three."""
    assert cycles([*said("ab", "bc"), Comparison("c", "a", Answer.TIE)]) == ()
    assert cycles(said("ab", "ba")) == ()
    assert cycles(said("ab", "bc", "ca", "ac")) == ()


@given(answers)
def test_every_step_of_a_cycle_was_answered(comparisons: list[Comparison]) -> None:
    """Each place holds the answer that the step says."""
    for cycle in cycles(comparisons):
        assert len(set(cycle.features)) == len(cycle.features) >= 3
        for number, place in enumerate(cycle.places):
            one = comparisons[place]
            following = cycle.features[(number + 1) % len(cycle.features)]
            assert (one.first, one.second, one.answer) == (cycle.features[number], following, Answer.HARDER)


def test_an_answer_against_all_others_surprises() -> None:
    """One slip among answers in order is found, and nothing else."""
    straight = [Comparison(*pair) for pair in combinations(LETTERS, 2)] * 2
    slip = Comparison("e", "a")
    (found,) = surprises([*straight, slip], Belief.fit(LETTERS, [*straight, slip]))
    assert (found.place, found.harder, found.easier) == (len(straight), "e", "a")
    assert found.probability < 0.1
    assert surprises(straight, Belief.fit(LETTERS, straight)) == ()


@pytest.mark.parametrize("seed", range(3))
def test_the_probability_is_that_without_the_answer(seed: int) -> None:
    """Taking an answer out in one step comes near to fitting all the others anew."""
    rng = np.random.default_rng(seed)
    beta = dict(zip(LETTERS, rng.normal(0, 2, 6).tolist(), strict=True))
    comparisons = bradley_terry_expert(beta, random_pairs(LETTERS, 24, rng), rng)
    for found in surprises(comparisons, Belief.fit(LETTERS, comparisons), limit=1.1):
        others = [one for place, one in enumerate(comparisons) if place != found.place]
        belief = Belief.fit(LETTERS, others)
        draws = rng.normal(*belief.difference(found.harder, found.easier), 20_000)
        assert found.probability == pytest.approx(expit(draws).mean(), abs=0.1)


def test_repeats_that_differ_are_found() -> None:
    """Also a tie after an answer; the same answer again and "cannot say" are no difference."""
    comparisons = [
        *said("ab", "cd", "ba", "cd"),
        Comparison("c", "d", Answer.CANNOT_SAY),
        Comparison("f", "e", Answer.TIE),
        Comparison("e", "f"),
    ]
    assert differing_repeats(comparisons) == (Repeat(("a", "b"), (0, 2)), Repeat(("e", "f"), (5, 6)))


@settings(max_examples=40)
@given(answers)
def test_a_review_never_fails(comparisons: list[Comparison]) -> None:
    """Whatever was answered there is a review, and probabilities are probabilities."""
    found = review_answers(LETTERS, comparisons)
    assert all(0 <= one.probability < 0.1 for one in found.surprises)
    assert len(found.cycles) <= 5
