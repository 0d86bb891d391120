"""Figures of a summary and of subgroups, on cases worked out by hand."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ares_core.audit.figures import people_figures, rule_figures, totals
from ares_core.audit.intervals import Share
from ares_core.audit.subgroup_text import rank, subgroups_text
from ares_core.audit.subgroups import Need, SubgroupFigures, compare_subgroups
from ares_core.people import Conjunction, Feature, Kind, Predicate, Schema, Value
from ares_core.recourse.coverage import Coverage

# Eight refused people, three rules. Person 5 is under rules 0 and 2, and 0 decides; 6 and 7 are under none.
COVERS = np.array([[1, 1, 1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0]], dtype=bool)
WORKS = np.array([[1, 1, 0, 0, 0, 1, 0, 1], [0, 0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0]], dtype=bool)
MOVES = (((0, 1),), ((0, 1), (1, 1)), ((2, 0),))
COSTS = np.array([1.5, 4.0, 9.0])
NEED = np.array([1.5, 1.5, np.inf, 4.0, 4.0, 1.5, 9.0, 1.5])  # the cheapest of the moves that work
TOWN = Feature("town", Kind.CATEGORY, ("town",), (Value("a", "a"), Value("b", "b")), label="Home town")


@pytest.fixture
def bench() -> Any:
    """Return what figures ask of a workbench: moves, who has recourse, the split, and names of subgroups."""
    options = SimpleNamespace(move=np.array([0, 1, 2]), magnitude=np.array([1, 3, 2]))
    return SimpleNamespace(
        candidates=SimpleNamespace(options=options, moves=MOVES),
        recourse=WORKS.any(axis=0),
        split=SimpleNamespace(learn=np.array([0, 3]), check=np.array([1, 2, 4, 5, 6, 7])),
        predicates=lambda itemset: dict([divmod(int(itemset[0]), 10)]),
        described=lambda groups, _max_width: groups.masks.any(axis=0),
        conjunction=lambda levels: Conjunction.of(Predicate("town", TOWN.levels[level]) for level in levels.values()),
    )


@pytest.fixture
def learned() -> Any:
    """Return what figures ask of a summary; town a are the first four people."""
    masks = np.array([[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]], dtype=bool)
    return SimpleNamespace(
        triples=tuple(SimpleNamespace(subgroup=0, option=option) for option in range(3)),
        coverage=Coverage(COVERS, COVERS & WORKS, np.array([0.75, 1.0, 0.0])),
        rules=SimpleNamespace(max_width=3, subgroups=("a", "b"), __len__=None),
        groups=SimpleNamespace(itemsets=np.array([[0], [1]]), masks=masks),
        settings=SimpleNamespace(max_width=4),
        min_people=5,
    )


class Rules(tuple[int, ...]):
    """Rules that know their widths and subgroups."""

    max_width = 3
    subgroups = ("a", "b")


def test_every_person_has_the_figures_of_the_rule_that_decides(bench: Any, learned: Any) -> None:
    """The most accurate rule decides; who has none pays nothing; any working move is recourse."""
    figures = people_figures(bench, learned, COSTS)
    assert figures.deciding.tolist() == [0, 0, 0, 1, 1, 0, -1, -1]
    assert figures.helped.tolist() == [True, True, False, True, True, True, False, False]
    assert figures.cost.tolist() == [1.5, 1.5, 1.5, 4.0, 4.0, 1.5, 0.0, 0.0]
    assert figures.changes.tolist() == [1, 1, 1, 2, 2, 1, 0, 0]
    assert figures.rules.tolist() == [1, 1, 1, 1, 1, 2, 0, 0]
    assert figures.failures.tolist() == [0, 0, 1, 0, 0, 1, 0, 0]
    assert figures.recourse.tolist() == [True, True, False, True, True, True, True, True]


def test_totals_add_up(bench: Any, learned: Any) -> None:
    """Five of eight are helped, six covered, and the mean cost is over those helped alone."""
    learned.rules = Rules((0, 1, 2))
    total = totals(people_figures(bench, learned, COSTS), learned, np.arange(8))
    assert (total.accuracy, total.coverage) == (Share(5, 8), Share(6, 8))
    assert total.mean_fcost == pytest.approx((1.5 + 1.5 + 4 + 4 + 1.5) / 5)
    assert (total.conflicts, total.incorrect, total.no_recourse) == (1, 2, 1)
    assert (total.size, total.max_width, total.subgroups) == (3, 3, 2)
    nobody = totals(people_figures(bench, learned, COSTS), learned, np.zeros(0, dtype=np.intp))
    assert (nobody.accuracy.value, nobody.mean_fcost) == (None, None)


def test_each_rule_is_counted_on_both_parts(bench: Any, learned: Any) -> None:
    """A rule's people are told apart into those it was chosen on and the others."""
    first, second, third = rule_figures(bench, learned, COSTS)
    assert (first.learn, first.check) == (Share(1, 1), Share(2, 3))
    assert (second.learn, second.check) == (Share(1, 1), Share(1, 1))
    assert (third.learn, third.check) == (Share(0, 0), Share(0, 1))
    assert [rule.feature_cost for rule in (first, second, third)] == [1.5, 4.0, 9.0]
    assert [rule.feature_change for rule in (first, second, third)] == [1, 3, 2]


def test_subgroups_are_compared_with_everybody_else(bench: Any, learned: Any) -> None:
    """Town a: 3 of 4 helped at a mean cost of 7/3; town b: 2 of 4 at 11/4; p-values of score tests, corrected."""
    figures = people_figures(bench, learned, COSTS)
    here, there = compare_subgroups(bench, learned, figures, NEED, np.arange(8))
    assert (here.accuracy, there.accuracy) == (Share(3, 4), Share(2, 4))
    assert (here.coverage, there.coverage) == (Share(4, 4), Share(2, 4))
    assert (here.without_recourse, there.without_recourse) == (Share(1, 4), Share(0, 4))
    assert here.mean_fcost == pytest.approx(7 / 3)
    assert there.mean_fcost == pytest.approx(11 / 4)
    assert (here.mean_changes, there.mean_changes) == (pytest.approx(4 / 3), 1.5)
    assert here.changes_interval == pytest.approx((0.0, 4 / 3 + 4.302653 / 3), abs=1e-6)
    assert here.changes_ratio == pytest.approx((4 / 3) / 1.5)
    assert (here.gap, there.gap) == (0.25, -0.25)
    assert here.cost_ratio == pytest.approx((7 / 3) / (11 / 4))
    assert (here.others, here.small) == (4, True)
    once = math.erfc(math.sqrt(7 * 16 / (16 * 15) / 2))  # the score test: 7 · (3·4 − 2·4)² / (4·4·5·3), as a z²
    assert (here.p_holm, there.p_holm) == (pytest.approx(2 * once), pytest.approx(2 * once))
    assert (here.gap_level, there.gap_level) == (0.0125, 0.0125)
    assert here.gap_interval == pytest.approx((-0.53839, 0.80552), abs=1e-4)
    assert (here.need.mean, there.need.mean) == (pytest.approx(7 / 3), 4.0)  # three and four people with a way
    assert (here.with_recourse, there.with_recourse) == (3, 4)
    assert here.need.ratio == pytest.approx(7 / 12)
    assert here.need.p_holm == there.need.p_holm == pytest.approx(0.82, abs=0.1)


def test_who_is_worse_off_is_told_from_everybody_else() -> None:
    """Helped less, or in need of more, at half of 5 %, because two things are compared; the surest is ranked first."""
    need = Need(2.0, (1.9, 2.1), 2.0, (1.8, 2.2), 0.02, 0.01)
    plain = SubgroupFigures(
        *(Conjunction(()), Share(50, 90), Share(50, 90), Share(0, 90)),
        *(1.0, None, 1.0, None, 0.0, (-1.0, 1.0), 1.0, None, 1.0, None, 1.0, 0.01),
        *(replace(need, ratio=1.0, p_holm=1.0), 90),
    )
    needy, less = replace(plain, need=need), replace(plain, gap=-0.3, p_holm=0.01)
    better = replace(plain, gap=0.3, p_holm=0.01, need=replace(need, ratio=0.5, p_holm=0.001))
    unsure = replace(plain, gap=-0.3, p_holm=0.03, need=replace(need, p_holm=0.03))
    groups = [plain, needy, better, unsure, less]
    assert [group for group in sorted(groups, key=rank) if group.worse_off] == [less, needy]


def test_subgroups_of_some_people_only(bench: Any, learned: Any) -> None:
    """People who are not asked about count nowhere."""
    figures = people_figures(bench, learned, COSTS)
    here, there = compare_subgroups(bench, learned, figures, NEED, np.array([0, 6, 7]))
    assert (here.accuracy, there.accuracy) == (Share(1, 1), Share(0, 2))
    assert there.mean_fcost is None and there.cost_ratio is None and there.mean_changes is None
    assert there.changes_interval is None and here.changes_interval is None and here.changes_ratio is None


def test_the_table_of_subgroups_is_aligned_and_passes_no_verdict(bench: Any, learned: Any) -> None:
    """Columns line up, small groups are starred, nothing is compared twice, nobody is judged."""
    figures = people_figures(bench, learned, COSTS)
    text = subgroups_text(Schema((TOWN,)), compare_subgroups(bench, learned, figures, NEED, np.arange(8)))
    rows = [line for line in text.splitlines() if "Home town" in line]
    assert len({line.index("%") for line in rows}) == 1
    assert all(" = a *" in line or " = b *" in line for line in rows)
    assert "3 of 4: 75 % (30–95 %)" in rows[0]
    assert "+25 (-54 to +81) *" in rows[0]
    assert rows[1].count("see above") == 2
    assert "* Small group: fewer than 30 people" in text
    assert not re.search(r"bias|discriminat|unfair", text)


def enlarged(array: np.ndarray, times: int) -> np.ndarray:
    """Return people many times over."""
    return np.tile(array, (1, times))


def test_the_largest_gap_is_a_sentence(bench: Any, learned: Any) -> None:
    """With enough people the largest gap and the largest ratio of costs are said with their intervals."""
    covers, works = enlarged(COVERS, 50), enlarged(WORKS, 50)
    bench.recourse = works.any(axis=0)
    learned.coverage = Coverage(covers, covers & works, np.array([0.75, 1.0, 0.0]))
    learned.groups.masks = enlarged(learned.groups.masks, 50)
    figures = people_figures(bench, learned, COSTS)
    text = subgroups_text(
        Schema((TOWN,)), compare_subgroups(bench, learned, figures, np.tile(NEED, 50), np.arange(400))
    )
    said = " ".join(text.split())
    assert (
        "The largest gap: the rules help 50 % of people with Home town = b and 75 % of everybody else, a "
        "difference of -25 points (97.5 % interval -35 to -14). Chance alone hardly explains it (p < 0.001, "
        "corrected for 4 comparisons)."
    ) in said
    assert "Recourse costs this group 1.18 times as much (95 % interval 1.04–1.33)." in said
    assert "the cheapest move that works costs people with Home town = b 1.71 times as much as everybody else" in said
    assert "*" not in text
