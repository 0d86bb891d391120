"""Choices: columns that encode one choice are found, named, and their levels ordered."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ares_core.people.choice_names import heads_of, option_names, stem_of
from ares_core.people.choices import FEWEST_ROWS, propose_choices
from ares_core.people.feature import Kind
from tests.people.flags import ROWS, check, flags, ladder, one_hot, shown


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["job_clerk", "job_nurse", "job_smith"], {"job": ["clerk", "nurse", "smith"]}),
        (["job=clerk", "job=nurse"], {"job": ["clerk", "nurse"]}),
        (["job: clerk", "job: nurse"], {"job": ["clerk", "nurse"]}),
        (["job.self employed", "job.skilled"], {"job": ["self employed", "skilled"]}),
        (["JobClerk", "JobNurse", "JobSmith"], {"Job": ["Clerk", "Nurse", "Smith"]}),
        (["region1", "region2", "region12"], {"region": ["1", "2", "12"]}),
        (["zip_01", "zip_1", "zip_²"], {"zip": ["01", "1", "²"]}),
        (["color_red", "color_rose", "color_rust"], {"color": ["red", "rose", "rust"]}),
        (["job_type_a", "job_type_b"], {"job_type": ["a", "b"]}),
        (["Single", "Married", "Widowed"], {"Single / Married / Widowed": ["Single", "Married", "Widowed"]}),
        (["a", "b", "c", "d", "e"], {"a / b / c / …": ["a", "b", "c", "d", "e"]}),
        (["own_house", "rent_house"], {"house": ["own", "rent"]}),
        (["job", "job_nurse"], {"job / job_nurse": ["job", "job_nurse"]}),
    ],
)
def test_one_hot_columns_are_found_however_they_are_named(names: list[str], expected: dict[str, list[str]]) -> None:
    """The feature is named by what the names share in whole words, the levels by the rest."""
    frame = pd.DataFrame(one_hot(names))
    found = propose_choices(frame)
    check(frame, found)
    assert shown(found) == expected
    assert found[0].kind is Kind.CATEGORY


@pytest.mark.parametrize(
    ("no", "yes"),
    [
        ("no", "yes"),
        ("No", "Yes"),
        ("False", "True"),
        ("0", "1"),
        ("N", "Y"),
        (0.0, 1.0),
        (False, True),
        ("f", "t"),
    ],
)
def test_yes_and_no_may_be_written_in_many_ways(no: Any, yes: Any) -> None:
    """Flags are flags as numbers, decimals, truth values or words."""
    frame = pd.DataFrame(one_hot(["job_clerk", "job_nurse"], yes=yes, no=no))
    found = propose_choices(frame)
    check(frame, found)
    assert shown(found) == {"job": ["clerk", "nurse"]}


def test_several_one_hots_with_one_first_word_are_told_apart() -> None:
    """job_type_… and job_place_… are two choices though all begin with job."""
    frame = pd.DataFrame(
        {
            **one_hot(["job_type_a", "job_type_b", "job_type_c"], seed=1),
            **one_hot(["job_place_x", "job_place_y"], seed=2),
        }
    )
    found = propose_choices(frame)
    check(frame, found)
    assert shown(found) == {"job_type": ["a", "b", "c"], "job_place": ["x", "y"]}


def test_many_one_hots_without_a_common_word_are_told_apart() -> None:
    """Fifty choices of three nameless columns each come back as they were made."""
    made = [one_hot([f"{letter}{group}q" for letter in "xyz"], rows=500, seed=group) for group in range(50)]
    frame = pd.DataFrame({name: cells for group in made for name, cells in group.items()})
    found = propose_choices(frame)
    check(frame, found)
    assert {frozenset(feature.columns) for feature in found} == {frozenset(group) for group in made}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"x_geq_0": (">=", 0), "x_geq_200": (">=", 200)}, ["below 0", "0 to below 200", "200 or more"]),
        ({"x_lt_1": ("<", 1), "x_geq_4": (">=", 4)}, ["below 1", "1 to below 4", "4 or more"]),
        ({"x>=10": (">=", 10), "x>=20": (">=", 20)}, ["below 10", "10 to below 20", "20 or more"]),
        ({"x < 10": ("<", 10), "x < 20": ("<", 20)}, ["below 10", "10 to below 20", "20 or more"]),
        ({"x_at_least_5": (">=", 5), "x_under_0": ("<", 0)}, ["below 0", "0 to below 5", "5 or more"]),
        ({"x_over_5": (">", 5), "x_over_9": (">", 9)}, ["up to 5", "over 5, up to 9", "over 9"]),
        ({"x_leq_5": ("<=", 5), "x_geq_9": (">=", 9)}, ["up to 5", "over 5, below 9", "9 or more"]),
        ({"x_geq_5": (">=", 5), "x_gt_9": (">", 9)}, ["below 5", "5 to 9", "over 9"]),
        ({"x_lt_5": ("<", 5), "x_leq_5": ("<=", 5)}, ["below 5", "5", "over 5"]),
        ({"x_geq_-5.5": (">=", -5.5), "x_geq_0": (">=", 0)}, ["below -5.5", "-5.5 to below 0", "0 or more"]),
    ],
)
def test_ladders_are_found_and_their_levels_ordered(names: dict[str, tuple[str, float]], expected: list[str]) -> None:
    """Thresholds on one stem, upward or downward, strict or not, are one ordered feature from low to high."""
    numbers = np.random.default_rng(3).integers(-20, 300, ROWS)
    numbers[:24] = np.arange(-10, 14)
    frame = pd.DataFrame(ladder(names, numbers))
    found = propose_choices(frame)
    check(frame, found)
    assert shown(found) == {"x": expected}
    assert found[0].kind is Kind.ORDERED
    heights = [numbers[level.mask(frame, "")] for level in found[0].levels]
    assert all(low.max() < high.min() for low, high in pairwise(heights))


def test_camel_case_thresholds_are_a_ladder() -> None:
    """AgeOver60 and AgeUnder25 speak of one thing."""
    numbers = np.arange(18, 90)
    frame = pd.DataFrame(ladder({"AgeOver60": (">", 60), "AgeUnder25": ("<", 25)}, numbers))
    assert shown(propose_choices(frame)) == {"Age": ["below 25", "25 to 60", "over 60"]}


def test_a_ladder_names_only_levels_somebody_is_at() -> None:
    """A rung nobody stands on is no level."""
    frame = pd.DataFrame(
        ladder({"x_geq_1": (">=", 1), "x_geq_5": (">=", 5), "x_geq_9": (">=", 9)}, np.array([0, 6, 10] * 20))
    )
    assert shown(propose_choices(frame)) == {"x": ["below 1", "5 to below 9", "9 or more"]}


@pytest.mark.parametrize(
    ("names", "feature", "levels"),
    [
        (("OwnsHouse", "RentsHouse"), "House", ["Owns", "Rents", "none of these"]),
        (("loan_car", "loan_boat"), "loan", ["car", "boat", "none of these"]),
        (("HasOtherLoan", "HasOtherCredit"), "HasOther", ["Loan", "Credit", "none of these"]),
    ],
)
def test_exclusive_flags_that_share_a_word_are_found(names: tuple[str, ...], feature: str, levels: list[str]) -> None:
    """Two flags that never meet, though chance would have them meet, are one choice with 'none of these'."""
    frame = pd.DataFrame(one_hot([*names, "rest"])).drop(columns="rest")
    frame["noise"] = np.random.default_rng(0).integers(0, 2, ROWS)
    found = propose_choices(frame)
    check(frame, found)
    assert shown(found) == {feature: levels}


def test_an_option_may_be_called_as_the_level_for_none() -> None:
    """A column called 'none of these' does not break the proposal."""
    frame = pd.DataFrame(one_hot(["x_none of these", "x_car", "rest"])).drop(columns="rest")
    found = propose_choices(frame)
    check(frame, found)
    assert [level.name for level in found[0].levels] == ["none of these", "car", "none of these (2)"]


def test_one_rare_option_does_not_hide_an_exclusive_choice() -> None:
    """A rare flag is judged by how often it should have met all the others together."""
    rng = np.random.default_rng(5)
    picks = rng.choice(4, 2000, p=[0.3, 0.3, 0.02, 0.38])
    frame = pd.DataFrame(
        {f"loan_{name}": (picks == place).astype(int) for place, name in enumerate(("a", "b", "rare"))}
    )
    assert shown(propose_choices(frame)) == {"loan": ["a", "b", "rare", "none of these"]}


def test_the_name_of_a_choice_is_no_other_feature() -> None:
    """With a column House, or two groups of one stem, the names still differ."""
    frame = pd.DataFrame(
        {
            "House": np.arange(ROWS),
            **one_hot(["OwnsHouse", "RentsHouse"]),
            **one_hot(["x_a", "x_b"], seed=2),
            **ladder({"x_geq_1": (">=", 1), "x_geq_2": (">=", 2)}, np.arange(ROWS) % 3),
        }
    )
    found = propose_choices(frame, taken=["OwnsHouse / RentsHouse"])
    check(frame, found)
    assert sorted(shown(found)) == ["OwnsHouse / RentsHouse (2)", "x", "x_a / x_b"]


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(FEWEST_ROWS, 60),
    st.integers(2, 9),
    st.sampled_from([0.05, 0.2, 0.5]),
)
def test_whatever_is_proposed_fits_every_row(seed: int, rows: int, columns: int, rate: float) -> None:
    """On random flags with awkward names every proposal is disjoint, newly named, and parts the rows."""
    pool = (
        "a_b",
        "a_c",
        "a_b_c",
        "ab",
        "House",
        "OwnsHouse",
        "RentsHouse",
        "x_geq_1",
        "x_lt_1",
        "x_geq_01",
        "x_gt_1",
    )
    names = np.random.default_rng(seed).permutation(pool)[:columns]
    frame = flags(rows, len(names), rate, seed=seed).set_axis(names.tolist(), axis=1)
    if seed % 2:
        frame.iloc[:, -1] = 1 - frame.iloc[:, 0]
    check(frame, propose_choices(frame))


def test_the_order_of_rows_and_columns_changes_no_group() -> None:
    """The same columns are grouped wherever they stand."""
    frame = pd.DataFrame(
        {
            **one_hot(["Single", "Married", "Widowed"], seed=1),
            **one_hot(["job_a", "job_b"], seed=2),
            **one_hot(["p", "q"], seed=3),
        }
    )
    groups = {frozenset(feature.columns) for feature in propose_choices(frame)}
    shuffled = frame.sample(frac=1, random_state=0)[sorted(frame.columns, reverse=True)].reset_index(drop=True)
    assert {frozenset(feature.columns) for feature in propose_choices(shuffled)} == groups
    assert len(groups) == 3


def test_names_are_read_as_words() -> None:
    """What names share ends where a word ends, and something is always left of each."""
    assert stem_of(["color_red", "color_rose"]) == "color"
    assert option_names(["job", "job_nurse"]) == ["job", "job_nurse"]
    assert option_names(["a_x", "a__x"]) == ["a_x", "a__x"]
    assert heads_of("_job_type: clerk") == ["job", "job_type"]
    assert heads_of("job") == []
