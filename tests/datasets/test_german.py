"""German Credit as it ships."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.datasets import Dataset, load_german
from ares_core.datasets._build_german import MEANINGS, readable
from ares_core.errors import DataError
from ares_core.people.feature import Change, Kind
from ares_core.people.table import Table


@pytest.fixture(scope="module")
def german() -> Dataset:
    return load_german()


def bad_shares(german: Dataset, column: str) -> list[float]:
    meanings = MEANINGS[column] or {}
    return [float(1 - german.labels[(german.frame[column] == value).to_numpy()].mean()) for value in meanings.values()]


def test_everybody_is_there(german: Dataset) -> None:
    """1,000 people, 20 features and the target, 700 good and 300 bad."""
    assert german.frame.shape == (1000, 21)
    assert german.people.shape == (1000, 20)
    assert german.labels.sum() == 700
    assert (german.target, german.favourable) == ("credit_risk", "good")


def test_columns_have_the_types_of_a_file(german: Dataset) -> None:
    """Three columns are whole numbers, all others text, and nothing is missing."""
    numbers = {"duration", "amount", "age"}
    assert {name for name in german.frame.columns if german.frame[name].dtype == np.int64} == numbers
    assert all(str(german.frame[name].dtype) == "str" for name in german.frame.columns if name not in numbers)
    assert not german.frame.isna().any().any()


def test_the_first_rows_are_those_of_the_original(german: Dataset) -> None:
    """Spot checks by hand against the first two lines of the original file."""
    first, second = german.frame.iloc[0], german.frame.iloc[1]
    assert (first["status"], first["duration"], first["amount"], first["age"]) == (
        "no checking account",
        6,
        1169,
        67,
    )
    assert (first["savings"], first["purpose"], first["housing"]) == (
        "1000 DM or more",
        "furniture or equipment",
        "rent",
    )
    assert (second["status"], second["duration"], second["credit_risk"]) == ("below 0 DM", 48, "bad")
    assert second["installment_rate"] == "25 to 35 %"


@pytest.mark.parametrize(
    ("column", "value", "count"),
    [
        ("foreign_worker", "no", 963),
        ("foreign_worker", "yes", 37),
        ("housing", "rent", 713),
        ("people_liable", "0 to 2", 845),
        ("status", "200 DM or more, or salary for at least 1 year", 394),
        ("personal_status_sex", "female, single", 92),
        ("job", "skilled employee or official", 630),
        ("number_credits", "six or more", 6),
    ],
)
def test_values_occur_as_often_as_known(german: Dataset, column: str, value: str, count: int) -> None:
    """Counts of the corrected meanings."""
    assert int((german.frame[column] == value).sum()) == count


def test_the_meanings_are_the_corrected_ones(german: Dataset) -> None:
    """Who delayed payments or has no account fails most, who paid all back duly or has savings least."""
    history = bad_shares(german, "credit_history")
    assert history[0] > 0.6
    assert history[4] == min(history)
    status = bad_shares(german, "status")
    assert status == sorted(status, reverse=True)


def test_every_value_has_a_meaning(german: Dataset) -> None:
    """The table holds the names and words of the builder's code table, and no others."""
    assert list(german.frame.columns) == list(MEANINGS)
    for column, meaning in MEANINGS.items():
        assert meaning is None or set(german.frame[column]) <= set(meaning.values())


def test_only_the_original_can_be_rebuilt_from() -> None:
    """The builder refuses any other file."""
    with pytest.raises(DataError, match="not the original"):
        readable(b"A11 6 A34\n")


def test_the_schema_describes_every_column(german: Dataset) -> None:
    """Everybody is at a level of every feature, no level is empty, every feature has a label."""
    assert set(german.schema.names) == set(german.people.columns)
    assert not german.schema.ignored
    for feature in german.schema.features:
        assert feature.label, feature.name
        counts = np.bincount(feature.codes(german.people), minlength=len(feature.levels))
        assert counts.min() > 0, feature.name
    assert len(Table.build(german.people, german.schema)) == 1000


def test_nobody_is_advised_to_change_what_they_cannot(german: Dataset) -> None:
    """Who one is and what one did in the past is frozen; numbers have units and readable cuts."""
    frozen = {feature.name for feature in german.schema.features if feature.change is Change.FROZEN}
    assert frozen == {
        "age",
        "personal_status_sex",
        "foreign_worker",
        "people_liable",
        "credit_history",
        "purpose",
    }
    assert [level.name for level in german.schema["duration"].levels] == [
        "below 12 months",
        "12 to 17 months",
        "18 to 23 months",
        "24 to 35 months",
        "36 months or more",
    ]
    assert german.schema["amount"].unit == "DM"


def test_directions_are_those_of_a_loan_manager(german: Dataset) -> None:
    """More savings and not less, a smaller loan and not a larger one, an overdrawn account never."""
    savings, amount, status = (german.schema[name] for name in ("savings", "amount", "status"))
    assert savings.kind is Kind.ORDERED
    assert savings.allows(0, 4)
    assert not savings.allows(4, 0)
    assert amount.allows(4, 0)
    assert not amount.allows(0, 4)
    assert status.allows(0, 2)
    assert not status.allows(0, 1)
    assert not german.schema["other_installment_plans"].allows(2, 0)


def test_the_origin_is_told(german: Dataset) -> None:
    """Citation and caveats name the source, the licence, the correction and what the table cannot say."""
    for words in ("10.24432/C5NC77", "CC BY 4.0", "10.24432/C5X89F", "Grömping"):
        assert words in german.citation
    told = " ".join(german.caveats)
    for words in ("Sex cannot be recovered", "monotone transform", "1973", "37 of the 1,000"):
        assert words in told
    assert len(german.sha256) == 64


def test_a_dataset_has_its_favourable_outcome(german: Dataset) -> None:
    """A dataset whose favourable value never occurs cannot exist."""
    with pytest.raises(ValueError, match="excellent"):
        Dataset(
            german.name,
            german.title,
            german.csv_bytes,
            german.frame,
            german.schema,
            german.target,
            "excellent",
            (),
            "",
        )
