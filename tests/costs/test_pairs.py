"""The next pair: connected at once, even handed, and the same for everybody who asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.costs import Answer, Comparison, Pair, components, next_pair

NAMES = [f"feature {number}" for number in range(12)]
several = st.lists(st.text("abcxyz ", min_size=1).filter(str.strip), min_size=2, max_size=9, unique=True)


def walk(features: list[str], steps: int, answer: Answer = Answer.HARDER) -> list[Pair]:
    """Answer one pair after the other, always that the first is harder, and return the pairs."""
    given: list[Comparison] = []
    pairs = []
    for _ in range(steps):
        pair = next_pair(features, given)
        if pair is None:
            break
        pairs.append(pair)
        given.append(Comparison(*pair, answer))
    return pairs


@given(several)
def test_as_many_answers_as_features_link_them_all(features: list[str]) -> None:
    """After one answer for each feature nothing is left apart, and nothing was asked twice."""
    pairs = walk(features, len(features) if len(features) > 2 else 1)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert len(components([Comparison(*pair) for pair in pairs], features)) == 1


@given(several)
def test_every_pair_comes_once_and_then_the_other_way_round(features: list[str]) -> None:
    """All pairs are asked before any comes again, and then its sides are changed; after that nothing is asked."""
    every = len(features) * (len(features) - 1) // 2
    pairs = walk(features, 3 * every)
    first, second = pairs[:every], pairs[every:]
    assert len({frozenset(pair) for pair in first}) == every
    assert {pair[::-1] for pair in first} == set(second)
    assert len(pairs) == 2 * every


def test_no_feature_comes_three_times_running() -> None:
    """Of 12 features none is in three questions in a row, and all are compared about as often."""
    pairs = walk(NAMES, 66)
    assert not any(
        set(one) & set(two) & set(three) for one, two, three in zip(pairs, pairs[1:], pairs[2:], strict=False)
    )
    counts = [sum(name in pair for pair in pairs[:30]) for name in NAMES]
    assert max(counts) - min(counts) <= 1


def test_the_order_of_the_features_does_not_matter() -> None:
    """The same features in another order lead to the same questions, and other features to others."""
    assert walk(NAMES, 20) == walk(NAMES[::-1], 20)
    assert walk(NAMES, 1) != walk([*NAMES, "another"], 1)


def test_neither_side_is_preferred() -> None:
    """Names that come early in the alphabet stand on the left about as often as on the right."""
    left = sum(first < second for first, second in walk(NAMES, 66))
    assert 20 <= left <= 46


def test_what_nobody_can_say_is_linked_another_way() -> None:
    """When a feature's neighbours on the ring cannot be judged, the next questions link it through others."""
    start = walk(NAMES, 12)
    lost = start[0][0]
    given = [Comparison(*pair, Answer.CANNOT_SAY if lost in pair else Answer.HARDER) for pair in start]
    assert len(components(given, NAMES)) == 2
    assert lost in (next_pair(NAMES, given) or ())


@pytest.mark.parametrize("features", [[], ["alone"]])
def test_fewer_than_two_features_cannot_be_compared(features: list[str]) -> None:
    """There is no question to ask."""
    assert next_pair(features, []) is None


def test_answers_about_other_features_are_passed_over() -> None:
    """An answer that names what is no feature any more changes nothing."""
    given = [Comparison("gone", NAMES[0]), Comparison("gone", "lost")]
    assert next_pair(NAMES[:4], given) == next_pair(NAMES[:4], [])
