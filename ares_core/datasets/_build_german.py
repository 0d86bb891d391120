"""Rebuild german_credit.csv from the original file, with the corrected meanings of its codes.

    python -m ares_core.datasets._build_german GERMAN.DATA OUT.csv

The original is the space-separated `german.data` of Statlog (German Credit Data), without a header. Its rows
keep their order and nothing but names and words changes. The README beside this file names the sources.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pandas as pd

from ares_core.errors import DataError
from ares_core.people.writing import write_csv

ORIGINAL_SHA256 = "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871"

# Each column in file order with the meanings of its codes; None: a number that stays as it is.
MEANINGS: dict[str, dict[str, str] | None] = {
    "status": {
        "A11": "no checking account",
        "A12": "below 0 DM",
        "A13": "0 to 200 DM",
        "A14": "200 DM or more, or salary for at least 1 year",
    },
    "duration": None,
    "credit_history": {
        "A30": "delay in paying off in the past",
        "A31": "critical account or other credits elsewhere",
        "A32": "no credits taken or all paid back duly",
        "A33": "existing credits paid back duly till now",
        "A34": "all credits at this bank paid back duly",
    },
    "purpose": {
        "A40": "others",
        "A41": "car (new)",
        "A42": "car (used)",
        "A43": "furniture or equipment",
        "A44": "radio or television",
        "A45": "domestic appliances",
        "A46": "repairs",
        "A48": "vacation",
        "A49": "retraining",
        "A410": "business",
    },
    "amount": None,
    "savings": {
        "A61": "unknown or none",
        "A62": "below 100 DM",
        "A63": "100 to 500 DM",
        "A64": "500 to 1000 DM",
        "A65": "1000 DM or more",
    },
    "employment_duration": {
        "A71": "unemployed",
        "A72": "below 1 year",
        "A73": "1 to 4 years",
        "A74": "4 to 7 years",
        "A75": "7 years or more",
    },
    "installment_rate": {"1": "35 % or more", "2": "25 to 35 %", "3": "20 to 25 %", "4": "below 20 %"},
    "personal_status_sex": {
        "A91": "male, divorced or separated",
        "A92": "female non-single or male single",
        "A93": "male, married or widowed",
        "A94": "female, single",
    },
    "other_debtors": {"A101": "none", "A102": "co-applicant", "A103": "guarantor"},
    "present_residence": {
        "1": "below 1 year",
        "2": "1 to 4 years",
        "3": "4 to 7 years",
        "4": "7 years or more",
    },
    "property": {
        "A121": "unknown or none",
        "A122": "car or other",
        "A123": "building society savings or life insurance",
        "A124": "real estate",
    },
    "age": None,
    "other_installment_plans": {"A141": "bank", "A142": "stores", "A143": "none"},
    "housing": {"A151": "for free", "A152": "rent", "A153": "own"},
    "number_credits": {"1": "one", "2": "two or three", "3": "four or five", "4": "six or more"},
    "job": {
        "A171": "unemployed or unskilled, non-resident",
        "A172": "unskilled, resident",
        "A173": "skilled employee or official",
        "A174": "manager, self-employed or highly qualified",
    },
    "people_liable": {"1": "0 to 2", "2": "3 or more"},
    "telephone": {"A191": "no", "A192": "yes"},
    "foreign_worker": {"A201": "no", "A202": "yes"},
    "credit_risk": {"1": "good", "2": "bad"},
}


def readable(original: bytes) -> str:
    """Return the table as CSV with readable names and values.

    Raises
    ------
    DataError
        If these are not the bytes of the original file.
    """
    digest = hashlib.sha256(original).hexdigest()
    if digest != ORIGINAL_SHA256:
        raise DataError(
            f"The file has the SHA-256 {digest}, so it is not the original German Credit table.",
            f"Give the file whose SHA-256 is {ORIGINAL_SHA256}.",
        )
    rows = [line.split() for line in original.decode("ascii").splitlines()]
    columns = zip(MEANINGS.items(), zip(*rows, strict=True), strict=True)
    table = {
        name: list(cells) if meaning is None else [meaning[cell] for cell in cells]
        for (name, meaning), cells in columns
    }
    return write_csv(pd.DataFrame(table)).replace("\r\n", "\n")  # so that no tool rewrites the ends of lines


if __name__ == "__main__":
    source, destination = map(Path, sys.argv[1:])
    destination.write_bytes(readable(source.read_bytes()).encode("utf-8"))
