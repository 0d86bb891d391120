"""What is no choice is left alone, and looking for choices takes no longer than it should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.people.choices import FEWEST_ROWS, MOST_LEVELS, propose_choices
from tests.calls import count_calls
from tests.people.flags import ROWS, flags, ladder, one_hot


def test_words_inside_words_are_no_thresholds() -> None:
    """Sale_1 is not 'Sa, at most 1' and admin_2 is not 'ad, at least 2', even when the columns are nested."""
    numbers = np.arange(ROWS) % 4
    names = {"Sale_1": (">=", 1), "Sale_2": (">=", 2), "admin_1": (">=", 1), "admin_2": (">=", 2)}
    assert propose_choices(pd.DataFrame(ladder(names, numbers))) == []


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("name", "rate"), [("f{}", 0.5), ("f_{}", 0.2), ("Has{}House", 0.1), ("f{}", 0.03)])
def test_independent_flags_are_left_alone(name: str, rate: float, seed: int) -> None:
    """Flags drawn independently are never called a choice, whatever words they share."""
    assert propose_choices(flags(300, 30, rate, name, seed)) == []


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", ["x_{}", "x{}", "a{}House", "HasBig{}"])
def test_rare_flags_that_never_meet_by_chance_are_left_alone(name: str, seed: int) -> None:
    """Flags of one person in a hundred hardly ever meet, which shows nothing."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name.format(place): np.zeros(ROWS, dtype=int) for place in range(3)})
    for place, row in enumerate(rng.permutation(ROWS)[:6]):
        frame.iloc[row, place % 3] = 1
    assert propose_choices(frame) == []


@pytest.mark.parametrize("rate", [0.02, 0.05, 0.1])
def test_many_flags_on_few_rows_form_no_group_by_accident(rate: float) -> None:
    """Among 2,000 flags some always part 40 rows between them; that is no choice."""
    assert propose_choices(flags(40, 2000, rate)) == []


@pytest.mark.parametrize(
    "columns",
    [
        one_hot(["job_clerk", "job_nurse", "job_smith"]),
        one_hot(["Single", "Married"]),
        ladder({"x_geq_1": (">=", 1), "x_geq_2": (">=", 2)}, np.arange(ROWS) % 3),
        {name: cells for name, cells in one_hot(["OwnsHouse", "RentsHouse", "rest"]).items() if name != "rest"},
    ],
)
def test_one_row_breaks_a_choice(columns: dict[str, Any]) -> None:
    """A row at two options, or one that skips a rung, shows that there is no choice; without it there is."""
    frame = pd.DataFrame(columns)
    assert len(propose_choices(frame)) == 1
    first, last = frame.columns[0], frame.columns[-1]
    frame.loc[7, [first, last]] = (0, 1) if first.startswith("x") else (1, 1)
    assert not any({first, last} <= set(feature.columns) for feature in propose_choices(frame))


def test_a_row_without_any_option_breaks_a_nameless_one_hot() -> None:
    """Without a common word, every row must have exactly one."""
    frame = pd.DataFrame(one_hot(["Single", "Married"]))
    frame.loc[3, ["Single", "Married"]] = 0
    assert propose_choices(frame) == []


def test_small_tables_show_nothing() -> None:
    """Below twenty rows no pattern is proposed; at twenty it is."""
    assert propose_choices(pd.DataFrame(one_hot(["job_a", "job_b"], rows=FEWEST_ROWS - 1))) == []
    assert len(propose_choices(pd.DataFrame(one_hot(["job_a", "job_b"], rows=FEWEST_ROWS)))) == 1


def test_columns_with_empty_cells_are_no_flags() -> None:
    """A flag says yes or no in every row."""
    frame = pd.DataFrame(one_hot(["job_a", "job_b"]), dtype=float)
    frame.loc[0, "job_a"] = np.nan
    assert propose_choices(frame) == []
    assert propose_choices(pd.DataFrame({"a": pd.array(["yes", "no", None] * 20, dtype="str")})) == []


def test_an_identifier_spread_over_columns_is_no_choice() -> None:
    """A choice has fewer options than a feature may have levels."""
    size = MOST_LEVELS + 1
    assert propose_choices(pd.DataFrame(np.eye(size, dtype=int), columns=[f"id_{i}" for i in range(size)])) == []


@pytest.mark.parametrize(("name", "rate"), [("f_{}", 0.1), ("f{}", 0.5), ("f{}", 0.02), ("f{}House", 0.3)])
def test_work_grows_with_the_number_of_columns(name: str, rate: float) -> None:
    """Twice as many flags take twice as many calls, not four times, and no choice is seen in them."""

    def calls(columns: int) -> int:
        frame = flags(50, columns, rate, name)
        assert propose_choices(frame) == []
        return count_calls(lambda: propose_choices(frame))

    assert calls(10_000) < 2.5 * calls(5_000)
