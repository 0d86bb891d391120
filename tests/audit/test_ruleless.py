"""A group for which no rule could be written: no figure of the rules, no gap, no p-value, and the reason."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ares_core.audit import run_to_json, summary_text
from ares_core.audit.subgroup_text import mirrors, rank
from ares_core.audit.subgroups import SubgroupFigures, compare_subgroups, gaps_tested, needs_tested
from ares_core.files import dump_json
from tests.ruleless import WHY, audit

SHARES = ("helped", "accuracy", "interval", "coverage", "coverage_interval")
MEANS = ("mean_fcost", "fcost_interval", "mean_changes", "changes_interval")
RATIOS = ("cost_ratio", "cost_ratio_interval", "changes_ratio", "changes_ratio_interval")
NULL = (*SHARES, *MEANS, *RATIOS, "gap", "gap_interval", "gap_confidence", "p_holm")


def group(level: str) -> SubgroupFigures:
    """The figures of one group."""
    return next(each for each in audit().subgroups if [part.level.name for part in each.subgroup] == [level])


def test_a_group_too_small_for_a_rule_has_no_figure_of_the_rules() -> None:
    """Four learn people are too few: nothing is claimed of the four measured but what concerns the model."""
    few = group("Asian")
    assert few.why_none == WHY
    assert (few.accuracy, few.coverage, few.gap, few.gap_interval, few.p_holm) == (None,) * 5
    assert (few.affected, few.without_recourse.value, few.need.mean, few.small) == (4, 0.0, 1.0, True)
    assert not few.helped_less


def test_the_other_groups_are_tested_without_it() -> None:
    """Holm counts the groups that have a figure; need is compared for all three."""
    assert gaps_tested(audit().subgroups) == 2
    assert needs_tested(audit().subgroups) == 3
    assert {group(level).gap_level for level in ("Black", "White")} <= {0.0125, 0.025}
    assert all(not group(level).why_none for level in ("Black", "White"))


def test_the_run_file_has_nulls_and_the_reason() -> None:
    """Every figure of the rules is null, what concerns the model stays, and only this group has a reason."""
    run = json.loads(dump_json(run_to_json(audit())))
    (entry,) = [each for each in run["subgroups"] if each["subgroup"][0]["equals"] == "Asian"]
    assert [entry[key] for key in NULL] == [None] * len(NULL)
    assert (entry["why_none"], entry["affected"], entry["without_recourse"]) == (WHY, 4, 0.0)
    assert sum("why_none" in each for each in run["subgroups"]) == 1


def test_the_text_gives_the_reason_and_no_figure() -> None:
    """The row refers to the reason below the table, and no sentence calls its gap the largest."""
    text = summary_text(audit())
    (row,) = [line for line in text.splitlines() if "race = Asian *" in line]
    assert "see below" in row and "0 of 4" not in text and "(p " in text
    assert f"race = Asian: {WHY}" in " ".join(text.split())
    assert "The largest gap: the rules help" in text and "people with race = Asian" not in text


def test_a_group_without_figures_mirrors_nobody_and_comes_behind() -> None:
    """It shares no card with the rest of everybody, and of groups as unsure it is the last."""
    order = sorted(audit().subgroups, key=rank)
    assert order[-1].why_none == WHY
    assert all(not order[place].why_none for place in mirrors(order))


def test_people_under_a_rule_of_another_group_have_figures() -> None:
    """With two features of interest a rule for those who pay rent describes some of the small group: it is measured."""
    found = audit(interest=("race", "rent"))
    small = [each for each in found.subgroups if [part.level.name for part in each.subgroup] == ["Asian"]]
    assert [(each.why_none, each.accuracy is None) for each in small] == [("", False)]


def test_nobody_is_compared_with_people_no_rule_could_be_written_for() -> None:
    """If everybody else is the group without rules, a group has its figures, but no gap to them."""
    found = audit()
    bench, groups = found.bench, found.learned.groups
    names = [str(bench.conjunction(bench.predicates(items)).to_json()) for items in groups.itemsets]
    black = next(mask for name, mask in zip(names, groups.masks, strict=True) if "Black" in name)
    people = bench.split.check[~black[bench.split.check]]
    need = bench.need(found.move_costs)
    compared = compare_subgroups(bench, found.learned, found.figures, need, people)
    white = next(each for each in compared if "White" in str(each.subgroup.to_json()))
    assert white.accuracy is not None and white.accuracy.value == 1.0 and white.others == 4
    assert (white.gap, white.gap_interval, white.p_holm, white.why_none) == (None, None, None, "")
    nobody = next(each for each in compared if "Black" in str(each.subgroup.to_json()))
    assert nobody.why_none == "None of the people measured are in this group."
    assert (nobody.accuracy, nobody.gap, nobody.need.ratio) == (None, None, None)


@pytest.mark.parametrize("max_width", [1, 4])
def test_rules_that_may_not_be_so_wide_describe_nobody(max_width: int) -> None:
    """A rule names its group and where a change starts, so one feature is never enough."""
    found = audit()
    described = found.bench.described(found.learned.groups, max_width)
    assert described.any() == (max_width > 1)
    assert len(described) == len(found.bench.affected)
    assert described.dtype == np.bool_
