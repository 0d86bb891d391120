"""German Credit: a thousand loans of the 1970s, with the corrected meanings of the codes."""

from __future__ import annotations

from ares_core.datasets.dataset import Dataset, bundled, bundled_json, described

TARGET = "credit_risk"
CITATION = (
    "Statlog (German Credit Data), H. Hofmann, UCI Machine Learning Repository, 1994, doi 10.24432/C5NC77, "
    "CC BY 4.0. Meanings of the codes corrected after U. Grömping, South German Credit, UCI Machine Learning "
    "Repository, 2019, doi 10.24432/C5X89F."
)
CAVEATS = (
    "The loans were granted by one bank in southern Germany from 1973 to 1975, not today.",
    "Bad loans were sampled more often than they occurred: 300 of the 1,000 are bad.",
    "Sex cannot be recovered: one value of 'personal_status_sex' holds single men and non-single women.",
    "The amounts are a monotone transform of the real ones: their order is right, their size in DM is not.",
    "Only 37 of the 1,000 people are foreign workers, so figures about them are uncertain.",
    "Everybody in the table was granted a loan; people who were turned away are missing.",
)


def load_german() -> Dataset:
    """Return German Credit: 1,000 people, 20 features, 700 good and 300 bad loans."""
    csv_bytes = bundled("german_credit.csv")
    frame, schema = described(csv_bytes, bundled_json("german_credit.schema.json"), TARGET)
    return Dataset(
        "german_credit",
        "German Credit (1973 to 1975)",
        csv_bytes,
        frame,
        schema,
        TARGET,
        "good",
        CAVEATS,
        CITATION,
    )
