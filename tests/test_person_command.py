"""The command that answers one person, and the tables, models and rows it refuses; tests/test_damaged_run.py: runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import AUDIT, PERSON, RULES, Captured, people, refusal, run


def test_one_person_is_answered(folder: Path, capsys: Captured) -> None:
    """A refused person hears their rule and cheapest move, an accepted one that there is nothing to do."""
    assert run(*AUDIT, "--quiet", "--subgroup", "town", "--json", "run.json") == 0
    capsys.readouterr()
    assert run(*PERSON, "--row", "3", "--json", "answer.json") == 0
    assert "The cheapest move that works, at cost 1: **job = yes**." in capsys.readouterr().out
    assert json.loads((folder / "answer.json").read_text("utf-8"))["row"] == 3
    assert run(*PERSON, "--row", "1") == 0
    assert "the model accepts this person.\nThere is nothing to change.\n" in capsys.readouterr().out


def rewrite(text: str) -> Callable[[Path], None]:
    """Return what replaces a whole file."""
    return lambda path: path.write_text(text, "utf-8") and None


PEOPLE_FILE, RULES_FILE = "people.csv", "rules.json"
BAD_PERSON: dict[str, tuple[str, Callable[[Path], None], list[str], str]] = {
    "another table": (PEOPLE_FILE, rewrite(people(91)), ["3"], "not the one the run was made from"),
    "another model": (RULES_FILE, rewrite(json.dumps(RULES) + "\n"), ["3"], "The model is not the one"),
    "row beyond the end": ("", rewrite(""), ["90"], "Row 90, counted from 0, is not among the 90 people"),
    "row below 0": ("", rewrite(""), ["-1"], "was audited: 0, 1, 2, 3, 4 or another"),
    "a row in words": ("", rewrite(""), ["first"], "'--row' is 'first', not a whole number"),
}


@pytest.mark.parametrize("name", BAD_PERSON)
def test_a_person_cannot_be_answered_from_the_wrong_files(name: str, folder: Path, capsys: Captured) -> None:
    """A run, table, model or row that do not belong together are told apart, each in a sentence."""
    changed, change, row, words = BAD_PERSON[name]
    assert run(*AUDIT, "--quiet", "--json", "run.json") == 0
    capsys.readouterr()
    if changed:
        change(folder / changed)
    assert words in refusal(run(*PERSON, f"--row={row[0]}"), capsys)
