"""Coverage: who is covered, who is helped, and which rule decides, against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ares_core.recourse import Coverage


@st.composite
def coverages(draw: st.DrawFn) -> tuple[Coverage, list[int]]:
    """Draw rules over some people, and the people they were chosen on."""
    rules, people = draw(st.integers(0, 5)), draw(st.integers(0, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    covers, works = random.random((2, rules, people)) < draw(st.sampled_from([0.2, 0.5, 0.8]))
    learn = [person for person in range(people) if random.random() < 0.5]
    return Coverage.of(covers, works, np.array(learn, dtype=np.intp)), learn


@given(coverages())
def test_accuracy_is_the_share_helped_of_the_covered_learn_people(drawn: tuple[Coverage, list[int]]) -> None:
    """Only learn people count, and a rule that covers none of them has accuracy 0."""
    found, learn = drawn
    for rule, accuracy in enumerate(found.accuracy):
        covered = [person for person in learn if found.covers[rule, person]]
        helped = [person for person in covered if found.works[rule, person]]
        assert accuracy == (len(helped) / len(covered) if covered else 0.0)


@given(coverages())
def test_helped_people_are_covered_people(drawn: tuple[Coverage, list[int]]) -> None:
    """Works is a part of covers, so that failing and not being covered stay apart."""
    found, _ = drawn
    assert not (found.works & ~found.covers).any()


@given(coverages())
def test_the_most_accurate_rule_decides_and_the_first_among_equals(drawn: tuple[Coverage, list[int]]) -> None:
    """For each covered person the first rule of the highest accuracy; for others none, written -1."""
    found, _ = drawn
    expected = []
    for person in range(found.covers.shape[1]):
        mine = [rule for rule in range(len(found.accuracy)) if found.covers[rule, person]]
        expected.append(min(mine, key=lambda rule: (-found.accuracy[rule], rule)) if mine else -1)
    assert found.deciding().tolist() == expected


@given(coverages())
def test_a_person_is_helped_when_the_deciding_rule_works(drawn: tuple[Coverage, list[int]]) -> None:
    """Another rule that would have worked does not count."""
    found, _ = drawn
    expected = [rule >= 0 and bool(found.works[rule, person]) for person, rule in enumerate(found.deciding().tolist())]
    assert found.helped().tolist() == expected


def test_equally_accurate_rules_are_decided_by_their_order() -> None:
    """Two rules right half the time: the first decides for the person under both, and fails them."""
    covers = np.array([[True, True, False], [False, True, True]])
    works = np.array([[True, False, False], [False, True, False]])
    found = Coverage.of(covers, works, np.arange(3))
    assert found.accuracy.tolist() == [0.5, 0.5]
    assert found.deciding().tolist() == [0, 0, 1]
    assert found.helped().tolist() == [True, False, False]


def test_what_works_for_people_not_covered_does_not_count() -> None:
    """A move that would work for somebody outside the rule helps nobody there."""
    found = Coverage.of(np.array([[True, False]]), np.array([[False, True]]), np.arange(2))
    assert found.works.tolist() == [[False, False]]
    assert found.accuracy.tolist() == [0.0]
