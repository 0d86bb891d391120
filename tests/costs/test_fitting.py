"""From comparisons to costs: golden cases, laws, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.costs import Answer, Comparison, Costs, fit_costs, fit_posterior
from ares_core.errors import CostError

CASES = json.loads((Path(__file__).parent / "cases" / "by_hand.json").read_text(encoding="utf-8"))
FEATURES = "abcde"
TIE = Answer.TIE

pairs = st.permutations(FEATURES).map(lambda names: (names[0], names[1]))
kinds = st.sampled_from([Answer.HARDER, Answer.HARDER, Answer.TIE, Answer.CANNOT_SAY])
answer_lists = st.lists(st.builds(lambda pair, kind: Comparison(*pair, kind), pairs, kinds), max_size=8)


@pytest.mark.parametrize("case", CASES, ids=[case["desc"][:40] for case in CASES])
def test_costs_solved_by_hand(case: dict[str, Any]) -> None:
    """Cases whose stationary point has a closed form come out to seven digits."""
    answers = [Comparison(first, second, Answer(said)) for first, second, said in case["answers"]]
    costs = fit_costs(answers, case["features"], prior_variance=case["prior_variance"])
    assert list(costs) == case["features"]
    assert {name: entry.cost for name, entry in costs.items()} == pytest.approx(case["costs"], abs=1e-7)
    assert {entry.source for entry in costs.values()} == {"learned"}


@pytest.mark.parametrize("answers", [[], [Comparison("a", "b", Answer.CANNOT_SAY)]])
def test_without_anything_to_fit_every_feature_costs_one(answers: list[Comparison]) -> None:
    """No comparisons at all means unit costs, so that a cost counts changes."""
    assert fit_costs(answers, FEATURES) == Costs.unit(FEATURES)


@settings(max_examples=25)
@given(answer_lists)
def test_costs_start_at_one_and_lie_in_their_intervals(answers: list[Comparison]) -> None:
    """The easiest feature costs exactly 1, and every interval holds its cost and starts at 1 or above."""
    costs = fit_costs(answers, FEATURES)
    assert min(entry.cost for entry in costs.values()) == 1.0
    assert all(1.0 <= entry.low <= entry.cost <= entry.high for entry in costs.values())


@settings(max_examples=15)
@given(answer_lists, st.randoms(use_true_random=False))
def test_order_does_not_matter(answers: list[Comparison], random: Any) -> None:
    """Comparisons, features and the two sides of a tie in any order give the same costs, to the last bit."""
    turned = [Comparison(one.second, one.first, TIE) if one.answer is TIE else one for one in answers]
    random.shuffle(turned)
    assert fit_costs(turned, FEATURES[::-1]) == fit_costs(answers, FEATURES)


@settings(max_examples=25)
@given(answer_lists, pairs)
def test_one_more_answer_never_moves_costs_the_wrong_way(answers: list[Comparison], pair: tuple[str, str]) -> None:
    """Hearing once more that one feature is harder never narrows its lead over the other."""
    first, second = pair
    before = fit_costs(answers, FEATURES)
    after = fit_costs([*answers, Comparison(first, second)], FEATURES)
    assert after.of(first) - after.of(second) >= before.of(first) - before.of(second) - 1e-7


@settings(max_examples=15)
@given(answer_lists)
def test_turning_every_answer_round_mirrors_difficulties(answers: list[Comparison]) -> None:
    """If every expert meant the opposite, every difficulty changes its sign."""
    mirrored = [Comparison(one.second, one.first, one.answer) for one in answers]
    np.testing.assert_allclose(fit_posterior(mirrored).mode, -fit_posterior(answers).mode, atol=1e-7)


@settings(max_examples=15)
@given(answer_lists.filter(lambda some: any(one.answer is not Answer.CANNOT_SAY for one in some)))
def test_a_feature_nobody_compared_changes_no_other(answers: list[Comparison]) -> None:
    """Adding features nobody asked about leaves every other cost and interval alone."""
    narrow, wide = fit_costs(answers, FEATURES), fit_costs(answers, [*FEATURES, "x", "y"])
    assert {name: wide[name] for name in FEATURES} == dict(narrow)
    assert wide["x"] == wide["y"]
    assert wide["x"].low >= 1.0


def test_more_answers_narrow_the_interval() -> None:
    """Ten times the same opinions, for and against, leave less doubt."""
    few = [Comparison("a", "b"), Comparison("a", "b"), Comparison("b", "a")]
    width = [entry.high - entry.low for entry in (fit_costs(few * times, None)["a"] for times in (1, 10))]
    assert width[1] < width[0] / 2


def test_the_easiest_feature_is_uncertain_too() -> None:
    """After a single answer even the feature that costs 1 may well cost more."""
    easiest = fit_costs([Comparison("a", "b")], None)["b"]
    assert (easiest.cost, easiest.low) == (1.0, 1.0)
    assert easiest.high > 1.3


def test_a_large_prior_variance_lets_one_answer_explode() -> None:
    """The figures in the documentation of the default: one answer, and a chain of four."""
    chain = [Comparison(*pair) for pair in ("ab", "bc", "cd", "de")]
    assert fit_costs(chain[:1], None, prior_variance=10_000).of("a") == pytest.approx(8.8, abs=0.05)
    assert fit_costs(chain, None, prior_variance=10_000).of("a") == pytest.approx(26.8, abs=0.05)
    assert fit_costs(chain[:1], None).of("a") == pytest.approx(2.6, abs=0.05)
    assert fit_costs(chain, None).of("a") == pytest.approx(3.8, abs=0.05)


def test_features_come_from_the_comparisons_when_none_are_given() -> None:
    """Every named feature gets a cost, in alphabetical order, even if only "cannot say" names it."""
    costs = fit_costs([Comparison("b", "a"), Comparison("c", "a", Answer.CANNOT_SAY)], None)
    assert list(costs) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("answers", "features", "problem", "hint"),
    [
        (
            [Comparison("income", "car")] * 2 + [Comparison("incme", "car")],
            ["income", "car"],
            "Comparison 3 names 'incme', which is not a feature.",
            "Did you mean 'income'? The features are 'income', 'car'.",
        ),
        (
            [Comparison("car", "zzz", Answer.CANNOT_SAY)],
            ["income", "car"],
            "Comparison 1 names 'zzz', which is not a feature.",
            "The features are 'income', 'car'.",
        ),
        (
            [Comparison("a", "b")],
            [],
            "Comparison 1 names 'a', which is not a feature.",
            "There are no features to name.",
        ),
        ([], ["a", "b", "a"], "Feature 'a' is listed twice.", "Name every feature once."),
        ([], None, "There are no comparisons to learn costs from.", "Add at least one row that names two features."),
    ],
)
def test_bad_input_is_named_with_what_to_do(
    answers: list[Comparison], features: list[str] | None, problem: str, hint: str
) -> None:
    """Each fault has its sentence and its hint."""
    with pytest.raises(CostError) as caught:
        fit_costs(answers, features)
    assert (caught.value.problem, caught.value.hint) == (problem, hint)


def test_a_hint_lists_only_so_many_names() -> None:
    """With a hundred features the hint stays readable."""
    with pytest.raises(CostError) as caught:
        fit_costs([Comparison("column 7", "x")], [f"column {number}" for number in range(100)])
    assert caught.value.hint.endswith("'column 11', ….")
