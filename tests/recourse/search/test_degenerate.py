"""Problems with nothing in them, and problems that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ares_core.recourse.search import Effort, Limits, Problem, Solution, frontier, solve

NOTHING = Solution((), 0.0, 0.0, True)


def tiny(**changes: Any) -> Problem:
    """Return two people, one group, two conditions, with some arrays replaced."""
    parts: dict[str, Any] = {
        "people": np.array([1.0, 2.0]),
        "groups": np.ones((1, 2), dtype=bool),
        "conditions": np.array([[True, False], [True, True]]),
        "penalty": np.array([[0.5, 1.0]]),
        "reward": 1.0,
    }
    return Problem(**{**parts, **changes})


@pytest.mark.parametrize("method", ["exact", "local", "greedy"])
@pytest.mark.parametrize(
    ("problem", "limits"),
    [
        (tiny(reward=0.0), Limits(2, 1)),
        (tiny(), Limits(0, 1)),
        (tiny(), Limits(2, 0)),
        (tiny(penalty=np.full((1, 2), np.inf)), Limits(2, 1)),
        (tiny(penalty=np.full((1, 2), 3.0)), Limits(2, 1)),
        (tiny(groups=np.zeros((1, 2), dtype=bool)), Limits(2, 1)),
        (tiny(conditions=np.zeros((0, 2), dtype=bool), penalty=np.zeros((1, 0))), Limits(2, 1)),
        (tiny(groups=np.zeros((0, 2), dtype=bool), penalty=np.zeros((0, 2))), Limits(2, 1)),
        (
            tiny(people=np.zeros(0), groups=np.zeros((1, 0), dtype=bool), conditions=np.zeros((2, 0), dtype=bool)),
            Limits(2, 1),
        ),
    ],
    ids=["reward 0", "no rule", "no group", "no candidate", "dear", "empty", "no conditions", "no groups", "nobody"],
)
def test_nothing_to_gain(problem: Problem, limits: Limits, method: str) -> None:
    """Where nothing can be gained the empty set is optimal and proven, by every method."""
    assert solve(problem, limits, method=method) == NOTHING


@pytest.mark.parametrize("method", ["exact", "greedy"])
@pytest.mark.parametrize("reward", [1e-320, 5e-324, 1e300])
def test_a_reward_at_the_end_of_all_numbers_is_one(reward: float, method: str) -> None:
    """However little or much covering is worth, the best set is found and its gain stays a number."""
    found = solve(tiny(reward=reward, penalty=np.zeros((1, 2))), Limits(1, 1), method=method)
    assert (found.rules, found.gain) == (((0, 1),), 3 * reward)


def test_nothing_to_gain_at_any_size() -> None:
    """The frontier of a problem without candidates is flat at 0."""
    assert frontier(tiny(penalty=np.full((1, 2), np.inf)), [1, 2], Limits(2, 1)) == (NOTHING, NOTHING)


def test_of_equal_rules_the_lightest_is_chosen() -> None:
    """Rules of the same group and people differ only in penalty; the lightest wins, then the first."""
    same = np.ones((3, 2), dtype=bool)
    problem = tiny(conditions=same, penalty=np.array([[1.0, 0.25, 0.25]]))
    assert solve(problem, Limits(3, 1)).rules == ((0, 1),)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"people": np.array([1.0, 0.0])}, "'people'"),
        ({"people": np.array([1.0, np.nan])}, "'people'"),
        ({"people": np.array([[1.0, 2.0]])}, "'people'"),
        ({"groups": np.ones((1, 3), dtype=bool)}, "'groups'"),
        ({"groups": np.ones((1, 2))}, "'groups'"),
        ({"conditions": np.ones((2, 3), dtype=bool)}, "'conditions'"),
        ({"penalty": np.ones((2, 1))}, "'penalty'"),
        ({"penalty": np.array([[1.0, np.nan]])}, "'penalty'"),
        ({"penalty": np.array([[1.0, -0.1]])}, "'penalty'"),
        ({"reward": -1.0}, "'reward'"),
        ({"reward": np.inf}, "'reward'"),
    ],
)
def test_malformed_problems_are_refused(changes: dict[str, Any], said: str) -> None:
    """A problem that exists is well formed; the error names the part that is not."""
    with pytest.raises(ValueError, match=said):
        tiny(**changes)


def test_malformed_limits_effort_and_method_are_refused() -> None:
    """Negative limits and efforts, and methods nobody wrote, are refused by name."""
    with pytest.raises(ValueError, match="'max_rules'"):
        Limits(-1, 1)
    with pytest.raises(ValueError, match="'max_groups'"):
        Limits(1, -1)
    with pytest.raises(ValueError, match="'time_limit'"):
        Effort(time_limit=float("nan"))
    with pytest.raises(ValueError, match="'relative_gap'"):
        Effort(relative_gap=-0.1)
    with pytest.raises(ValueError, match="'method'"):
        solve(tiny(), Limits(1, 1), method="magic")
