"""The next question: linked at once, then what tells most, with a few repeats and no tired feature."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from ares_core.costs import (
    Answer,
    Asked,
    Belief,
    Comparison,
    Seen,
    answers_left,
    bradley_terry_expert,
    components,
    information_gain,
    next_question,
)
from ares_core.errors import CostError

NAMES = tuple(f"feature {number:02}" for number in range(60))
BUSY = 3
"""How many times as long work may take beside other work on the same cores."""
Expert = Callable[[Asked], Answer | None]


def walk(features: int, most: int, *, seed: int = 0, answer: Expert = lambda _: Answer.HARDER) -> list[Seen]:
    """Answer one question after the other by drawn difficulties, where the answer says which is harder."""
    rng = np.random.default_rng(seed)
    beta = dict(zip(NAMES[:features], rng.normal(0, 2.2, features).tolist(), strict=True))
    seen: list[Seen] = []
    while len(seen) < most and (asked := next_question(NAMES[:features], seen, seed=seed)):
        (said,) = bradley_terry_expert(beta, [(asked.left, asked.right)], rng)
        seen.append(Seen(said.first, said.second, answer(asked), asked.left))
    return seen


def linked(seen: list[Seen], features: int) -> bool:
    """Tell whether answers link everything."""
    fitted = [comparison for one in seen if (comparison := one.comparison())]
    return len(components(fitted, NAMES[:features])) == 1


@settings(max_examples=15)
@given(st.integers(2, 14), st.integers(0, 10**6))
def test_one_answer_less_than_features_links_them(features: int, seed: int) -> None:
    """After n − 1 answers nothing is left apart."""
    assert linked(walk(features, features - 1, seed=seed), features)


@settings(max_examples=10)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_every_pair_comes_and_few_come_twice(features: int, seed: int) -> None:
    """All pairs are asked; at most one question in seven is a repeat, at least six later and the other way round."""
    seen = walk(features, 200, seed=seed)
    every = features * (features - 1) // 2
    assert len({one.pair for one in seen}) == every
    assert len(seen) - every <= 1 + len(seen) / 7
    for place, one in enumerate(seen):
        before = [number for number, other in enumerate(seen[:place]) if other.pair == one.pair]
        assert len(before) <= 1
        for number in before:
            assert place - number >= 6
            assert seen[number].left != one.left


@pytest.mark.parametrize("seed", range(3))
def test_no_feature_comes_three_times_running(seed: int) -> None:
    """Of 10 features none is in three questions in a row, to the very last pair."""
    seen = walk(10, 200, seed=seed)
    assert len(seen) > 45
    assert not any(a.pair & b.pair & c.pair for a, b, c in zip(seen, seen[1:], seen[2:], strict=False))


def test_about_every_eighth_question_is_a_repeat() -> None:
    """Of 60 questions about 12 features 5 to 8 were asked before."""
    seen = walk(12, 60)
    assert 5 <= len(seen) - len({one.pair for one in seen}) <= 8


def test_the_same_answers_lead_to_the_same_question() -> None:
    """Seed and answers decide; over many seeds either side is as likely."""
    seen = walk(8, 12)
    assert next_question(NAMES[:8], seen, seed=3) == next_question(NAMES[:8], seen, seed=3)
    asked = [next_question(NAMES[:2], [], seed=seed) for seed in range(200)]
    assert 70 < sum(one == Asked(NAMES[0], NAMES[1], "link") for one in asked) < 130


def test_what_nobody_can_judge_is_not_asked_again_and_what_was_skipped_once() -> None:
    """Every pair is seen once if nothing can be said of any, twice if all are skipped, and then there is an end."""
    refused = walk(6, 100, answer=lambda _: Answer.CANNOT_SAY)
    assert len(refused) == len({one.pair for one in refused}) == 15
    skipped = walk(6, 100, answer=lambda _: None)
    assert len(skipped) == 30
    assert {one.pair for one in skipped[:15]} == {one.pair for one in skipped[15:]}


def test_a_feature_nobody_can_judge_does_not_stop_the_others() -> None:
    """Where one feature cannot be compared with any other, the rest is still linked and asked about."""
    hard = NAMES[2]
    seen = walk(6, 100, answer=lambda one: Answer.CANNOT_SAY if hard in (one.left, one.right) else Answer.HARDER)
    fitted = [one.comparison() for one in seen if one.answer is Answer.HARDER]
    groups = components([one for one in fitted if one], NAMES[:6])
    assert [len(group) for group in groups] == [5, 1]
    assert {one.pair for one in seen} == {frozenset((a, b)) for a in NAMES[:6] for b in NAMES[:6] if a < b}


def test_the_question_asked_tells_most() -> None:
    """Once all is linked the pair with the largest gain among the new and rested ones is asked."""
    seen = walk(6, 6)
    asked = next_question(NAMES[:6], seen, seed=0)
    assert asked is not None
    assert asked.why == "inform"
    gain = information_gain(Belief.fit(NAMES[:6], seen))
    tired, old = seen[-1].pair & seen[-2].pair, {one.pair for one in seen}
    pairs = [{NAMES[i], NAMES[j]} for i, j in zip(*np.triu_indices(6, 1), strict=True)]
    open_pairs = [n for n, pair in enumerate(pairs) if frozenset(pair) not in old and not pair & tired]
    assert {asked.left, asked.right} == pairs[max(open_pairs, key=lambda n: gain[n])]


def test_the_gain_is_the_mutual_information() -> None:
    """Twelve nodes agree with a million draws within 2 %; a pair without doubt tells nothing."""
    belief = Belief.fit("abc", [Comparison("a", "b"), Comparison("a", "b")])
    chance = expit(np.random.default_rng(0).normal(*belief.difference("a", "c"), 1_000_000))

    def entropy(p: np.ndarray) -> np.ndarray:
        return -p * np.log(p) - (1 - p) * np.log(1 - p)

    expected = entropy(chance.mean()) - entropy(chance).mean()
    assert information_gain(belief)[1] == pytest.approx(expected, rel=0.02)
    certain = Belief(("a", "b"), np.zeros(2), np.zeros(2), np.zeros((2, 2)))
    assert information_gain(certain) == pytest.approx(0)


def test_a_belief_of_many_experts_may_choose_the_question() -> None:
    """With a given belief its gains decide, in whatever order it has the features."""
    known = [Comparison(a, b) for a in "ab" for b in "cd"] * 30
    belief = Belief.fit("dcba", known)
    asked = next_question("abcd", [], seed=1, belief=belief)
    assert asked is not None
    assert {asked.left, asked.right} in ({"a", "b"}, {"c", "d"})


def test_nothing_is_asked_about_fewer_than_two_features() -> None:
    """And questions about features that are gone are passed over."""
    assert next_question("a", [], seed=0) is None
    asked = next_question("ab", [Seen("a", "gone", Answer.HARDER, "a")], seed=0)
    assert asked is not None
    assert {asked.left, asked.right} == {"a", "b"}
    with pytest.raises(CostError, match="showed 'c' on the left"):
        Seen("a", "b", None, "c")


def test_progress_goes_down_as_answers_come() -> None:
    """The estimate falls with every few answers, is 0 once the belief is precise, and near what was really needed."""
    seen = walk(12, 74)
    left = [answers_left(Belief.fit(NAMES[:12], seen[:n]), seen[:n]) for n in range(0, 73, 4)]
    assert all(now <= before for before, now in pairwise(left))
    assert left[-1] == 0
    needed = 4 * left.index(0)
    assert needed * 0.8 <= left[0] <= needed * 1.6


def test_progress_ends_where_questions_end() -> None:
    """With nothing left to ask nothing is left to answer, however wide the intervals; nor is more than the cap."""
    one = Seen("a", "b", Answer.HARDER, "a")
    assert answers_left(Belief.fit("ab", [one]), [one]) == 0
    assert answers_left(Belief.prior(NAMES), most=50) == 50
    assert answers_left(Belief.prior("abc"), precision=10) == 0


def best(work: Callable[[], object]) -> float:
    """Return the least processor time of a few runs."""
    times = []
    for _ in range(15):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize(("features", "budget"), [(20, 3e-3), (60, 30e-3)])
def test_a_question_is_found_while_nobody_notices(features: int, budget: float) -> None:
    """Within 3 ms for 20 features and 30 ms for 60, the fit included; more on a busy machine."""
    rng = np.random.default_rng(0)
    pairs = [rng.choice(features, 2, replace=False) for _ in range(120 if features == 60 else 80)]
    seen = [Seen(NAMES[i], NAMES[j], Answer.HARDER, NAMES[i]) for i, j in pairs]
    assert best(lambda: next_question(NAMES[:features], seen, seed=0)) < budget * BUSY


def test_progress_takes_five_milliseconds() -> None:
    """For 20 features, before any answer, when the plan is longest; more on a busy machine."""
    belief = Belief.prior(NAMES[:20])
    assert best(lambda: answers_left(belief)) < 5e-3 * BUSY
