"""What cannot be: values of the recourse room that contradict themselves are never built."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ares_core.recourse.coverage import Coverage
from ares_core.recourse.options import Options
from ares_core.recourse.prepare import prepare
from ares_core.recourse.split import Split
from ares_core.settings import Settings
from tests.recourse.worlds import random_world

YES, NO = np.ones((1, 2), dtype=bool), np.zeros((1, 2), dtype=bool)


def test_nobody_learns_and_checks_unless_everybody_does() -> None:
    """A person in both parts would be measured on rules chosen for them."""
    with pytest.raises(ValueError, match="nobody may be in both"):
        Split(np.array([0, 1]), np.array([1, 2]))
    assert Split(np.array([0, 1]), np.array([0, 1])).same_people


def test_a_rule_works_only_for_whom_it_covers() -> None:
    """Uncovered is not helped, and every rule has an accuracy."""
    with pytest.raises(ValueError, match="part of covers"):
        Coverage(NO, YES, np.zeros(1))
    with pytest.raises(ValueError, match="as many accuracies"):
        Coverage(YES, NO, np.zeros(2))


def test_options_stand_condition_by_condition() -> None:
    """Looking the options of a condition up needs them side by side."""
    two, flags = np.zeros(2, dtype=np.int32), np.zeros(2, dtype=bool)
    with pytest.raises(ValueError, match="condition by condition"):
        Options(np.array([1, 0], dtype=np.int32), two, two, flags)
    with pytest.raises(ValueError, match="all four parts"):
        Options(two, two[:1], two, flags)


def test_a_workbench_has_an_answer_for_every_subject() -> None:
    """Fewer subjects than affected people, or answers about others, are refused."""
    found = random_world(1)
    bench = prepare(found.model, found.table, Settings(selection="paper"))
    with pytest.raises(ValueError, match="about every subject"):
        replace(bench, levels=bench.levels[1:])
