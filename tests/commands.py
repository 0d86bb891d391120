"""A small table, a rule model for it, and how to run commands on them in this process."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ares_core.cli import main

Captured = pytest.CaptureFixture[str]
RULES = {
    "format": "ares-rules",
    "rules": [{"before": [{"feature": "job", "equals": "no"}], "after": [{"feature": "job", "equals": "yes"}]}],
}
AUDIT = ["audit", "people.csv", "--target", "good", "--favourable", "1", "--model", "rules.json"]
PERSON = ["person", "run.json", "people.csv", "--model", "rules.json"]


def people(count: int, job: Callable[[int], bool] = lambda number: number % 3 > 0) -> str:
    """Return a table in which the rule model refuses everybody without a job; a quarter lives in town b."""
    rows = [
        f"{number % 7 * 100},{'yes' if job(number) else 'no'},{'baaa'[number % 4]},{number % 2}"
        for number in range(count)
    ]
    return "\n".join(["income,job,town,good", *rows]) + "\n"


def run(*arguments: str) -> int:
    """Run a command in this process."""
    return main(list(arguments))


def refusal(code: int, capsys: Captured) -> str:
    """Check that a command was refused in two lines, and return them."""
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert re.fullmatch(r"(?:.*(?:…|%.*)\n)*error: \S.*[.?]\nhint: \S.*[.?]\n", err), err
    return err
