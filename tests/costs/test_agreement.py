"""Experts together: agreement, disputes, groups, what each changes, and pooled costs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, spearmanr

from ares_core.costs import (
    Answer,
    Belief,
    Comparison,
    Concordance,
    Dispute,
    bradley_terry_expert,
    by_expert,
    components,
    concordance,
    disputes,
    fit_costs,
    leave_one_out,
    like_minded,
    likenesses,
    missing_link,
    pool,
    random_pairs,
)
from ares_core.errors import CostError

LETTERS = "abcdef"
answers = st.lists(
    st.tuples(st.permutations(LETTERS), st.sampled_from(Answer), st.sampled_from(["Ada", "Ben", "Cy"])).map(
        lambda drawn: Comparison(*drawn[0][:2], drawn[1], drawn[2])
    ),
    min_size=1,
    max_size=25,
)


def ordered(order: str, expert: str) -> tuple[Comparison, ...]:
    """Answer every pair by one order, the hardest first."""
    return tuple(Comparison(*pair, expert=expert) for pair in combinations(order, 2))


def simulated(experts: int, count: int = 30) -> dict[str, tuple[Comparison, ...]]:
    """Let experts with the same difficulties answer random pairs."""
    rng = np.random.default_rng(0)
    beta = dict(zip(LETTERS, rng.normal(0, 1.5, 6).tolist(), strict=True))
    return {
        name: bradley_terry_expert(beta, random_pairs(LETTERS, count, rng), rng, expert=name)
        for name in (f"expert {number}" for number in range(experts))
    }


def test_answers_are_sorted_by_who_gave_them() -> None:
    """Experts come in the order of their names, their answers in the order given."""
    mixed = [*ordered("ab", "Ben"), *ordered("cd", "Ada"), *ordered("ba", "Ben")]
    assert by_expert(mixed) == {"Ada": ordered("cd", "Ada"), "Ben": (mixed[0], mixed[2])}


def test_who_ranks_alike_has_a_concordance_of_one() -> None:
    """Three experts of one order agree in full, two of opposite orders not at all."""
    alike = {name: ordered(LETTERS, name) for name in ("Ada", "Ben", "Cy")}
    assert concordance(alike, LETTERS) == Concordance(pytest.approx(1.0), 3, 6)
    against = {"Ada": ordered(LETTERS, "Ada"), "Ben": ordered(LETTERS[::-1], "Ben")}
    assert concordance(against, LETTERS) == Concordance(pytest.approx(0.0), 2, 6)


def test_concordance_is_friedman_s_statistic_scaled() -> None:
    """W = χ² / (m·(n − 1)), ties included."""
    experts = simulated(4, 12)
    experts["tied"] = (Comparison("a", "b", Answer.TIE), *ordered("acdef", "tied")[:4])
    found = concordance(experts, LETTERS)
    assert found is not None
    assert (found.experts, found.features) == (5, 6)
    modes = np.array([Belief.fit(LETTERS, own).mode.round(9) for own in experts.values()])
    assert found.w == pytest.approx(friedmanchisquare(*modes.T).statistic / (5 * 5))


def test_concordance_leaves_out_who_judged_little() -> None:
    """An expert of two features does not take part; without two experts there is nothing to compare."""
    experts = {"Ada": ordered(LETTERS, "Ada"), "Ben": ordered("abcde", "Ben"), "Cy": ordered("fa", "Cy")}
    assert concordance(experts, LETTERS) == Concordance(pytest.approx(1.0), 2, 5)
    assert concordance({"Ada": ordered(LETTERS, "Ada")}, LETTERS) is None
    ties = {name: (Comparison("a", "b", Answer.TIE),) for name in ("Ada", "Ben")}
    assert concordance(ties, "ab") is None


def test_two_experts_are_compared_pair_by_pair() -> None:
    """Common pairs, how many of them have the same answer, and the correlation of difficulties."""
    ada = ordered("abcd", "Ada")
    ben = (*ordered("abdc", "Ben"), Comparison("e", "f", Answer.TIE), Comparison("a", "f", Answer.CANNOT_SAY))
    (found,) = likenesses({"Ada": ada, "Ben": ben}, LETTERS)
    assert (found.common, found.same, found.share) == (6, 5, pytest.approx(5 / 6))
    modes = [Belief.fit(LETTERS, own).mode[:4].round(9) for own in (ada, ben)]
    assert found.correlation == pytest.approx(spearmanr(*modes).statistic)
    (strangers,) = likenesses({"Ada": ordered("ab", "Ada"), "Ben": ordered("cd", "Ben")}, LETTERS)
    assert (strangers.share, strangers.correlation) == (None, None)


def test_the_most_evenly_split_pair_is_listed_first() -> None:
    """With who says what; pairs of one opinion are not listed, and a later answer replaces an earlier one."""
    experts = by_expert(
        [
            *(Comparison("a", "b", expert=name) for name in ("Ada", "Ben", "Cy")),
            Comparison("b", "a", expert="Di"),
            Comparison("c", "d", expert="Ada"),
            Comparison("d", "c", Answer.TIE, "Ben"),
            Comparison("e", "f", expert="Ada"),
            Comparison("f", "e", expert="Ben"),
            Comparison("e", "f", expert="Ben"),
        ]
    )
    found = disputes(experts)
    assert found == (Dispute("c", "d", ("Ada",), (), ("Ben",)), Dispute("a", "b", ("Ada", "Ben", "Cy"), ("Di",), ()))
    assert [one.split for one in found] == [0.5, 0.25]


def test_like_minded_experts_form_groups() -> None:
    """Two camps of opposite orders and one expert nobody can be compared with."""
    up, down = "abcdef", "fedcba"
    experts = {"1": ordered(up, "1"), "2": ordered(down, "2"), "3": ordered("bacdef", "3"), "4": ordered(up, "4")}
    experts |= {"5": ordered("fedcab", "5"), "6": (Comparison("a", "b", expert="6"),)}
    assert like_minded(likenesses(experts, LETTERS)) == (("1", "3", "4"), ("2", "5"), ("6",))
    assert like_minded(()) == ()


def test_the_expert_who_changes_most_is_listed_first() -> None:
    """Leaving out the one who disagrees moves the costs most, by the difference of the fits."""
    experts = {name: ordered(LETTERS, name) for name in ("Ada", "Ben", "Cy")} | {"odd": ordered("fedcba", "odd")}
    found = leave_one_out(experts, None, LETTERS)
    assert found[0].expert == "odd"
    every = [one for own in experts.values() for one in own]
    with_all, without = fit_costs(every, LETTERS), fit_costs([one for one in every if one.expert != "odd"], LETTERS)
    for name in LETTERS:
        assert found[0].moves[name] == pytest.approx(without.of(name) - with_all.of(name), abs=1e-5)
    assert abs(found[0].most) == max(abs(move) for move in found[0].moves.values())
    assert leave_one_out({}, None, LETTERS) == ()


@settings(max_examples=15)
@given(answers, st.sampled_from([None, 1.0, 2.5]))
def test_equal_weights_are_the_published_fit(comparisons: list[Comparison], weight: float | None) -> None:
    """Pooled costs of experts of equal weight are those of choix on all answers."""
    experts = by_expert(comparisons)
    weights = None if weight is None else dict.fromkeys(experts, weight)
    assert pool(experts, weights, LETTERS) == fit_costs(comparisons, LETTERS)


def test_weights_are_relative_and_never_count_an_answer_twice() -> None:
    """2 to 1 is 1 to one half; half an expert twice is one; a weight of 0 leaves an expert out."""
    experts = simulated(2)
    one, other = experts
    assert pool(experts, {one: 2, other: 1}, LETTERS) == pool(experts, {one: 1, other: 0.5}, LETTERS)
    assert pool(experts, {other: 0}, LETTERS) == fit_costs(experts[one], LETTERS)
    doubled = experts | {other: experts[other] * 2}
    halves, whole = pool(doubled, {other: 0.5}, LETTERS), fit_costs([*experts[one], *experts[other]], LETTERS)
    for name in LETTERS:
        assert halves[name].cost == pytest.approx(whole[name].cost, abs=1e-6)
        assert halves[name].high - halves[name].low == pytest.approx(whole[name].high - whole[name].low, rel=0.06)


def test_odd_weights_are_refused() -> None:
    """Unknown experts, weights below 0 and nothing but zeros each have a sentence."""
    experts = {"Ada": ordered("abc", "Ada"), "Ben": ordered("abc", "Ben")}
    with pytest.raises(CostError, match="weight is given for 'Bem'") as caught:
        pool(experts, {"Bem": 1}, LETTERS)
    assert "Did you mean 'Ben'? The experts are" in caught.value.hint
    with pytest.raises(CostError, match="'Ada' has the weight -1"):
        pool(experts, {"Ada": -1}, LETTERS)
    with pytest.raises(CostError, match="Every expert has the weight 0"):
        pool(experts, {"Ada": 0, "Ben": 0}, LETTERS)


@given(answers)
def test_the_missing_link_connects(comparisons: list[Comparison]) -> None:
    """Comparing the two named features leaves one group less, and nothing is missing once all is linked."""
    known = list(comparisons)
    groups = len(components(known, LETTERS))
    while link := missing_link(known, LETTERS):
        known.append(Comparison(*link))
        assert len(components(known, LETTERS)) == groups - 1
        groups -= 1
    assert groups == 1


def test_the_missing_link_avoids_what_nobody_could_compare() -> None:
    """Of the pairs between two groups one that was not refused is named, of features compared often."""
    comparisons = [*ordered("abc", ""), Comparison("d", "e"), Comparison("a", "d", Answer.CANNOT_SAY)]
    link = missing_link(comparisons, "abcde")
    assert link is not None
    assert set(link) != {"a", "d"}
