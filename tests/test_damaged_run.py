"""A damaged run file: whatever is wrong with it, `person` answers or says in a sentence where it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.commands import AUDIT, PERSON, RULES, Captured, people, run
from tests.test_bad_input import check_refusal

READ_BACK = ("format", "version", "data", "model", "settings", "rules", "costs", "schema")
READING = {"output": "score", "favourable": "1", "threshold": 0.5, "above": True}
LONGEST = 300
REMOVED = object()
Place = tuple[str | int, ...]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table, a model, and the part of their run that is read back."""
    folder = tmp_path_factory.mktemp("audited")
    (folder / "people.csv").write_text(people(90), "utf-8")
    (folder / "rules.json").write_text(json.dumps(RULES), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(*AUDIT, "--quiet", "--subgroup", "town", "--json", "whole.json") == 0
    whole = json.loads((folder / "whole.json").read_text("utf-8"))
    whole["model"]["reading"] = READING  # a rule model needs none, but another's run has one to be damaged
    (folder / "good.json").write_text(json.dumps({key: whole[key] for key in READ_BACK}), "utf-8")
    return folder


@pytest.fixture
def good(audited: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the good run, in its folder."""
    monkeypatch.chdir(audited)
    content: dict[str, Any] = json.loads((audited / "good.json").read_text("utf-8"))
    return content


def damaged(document: dict[str, Any], place: Place, value: Any) -> str:
    """Return a run file's text with another value in one place, or with nothing there."""
    changed: Any = deepcopy(document)
    inner = changed
    for step in place[:-1]:
        inner = inner[step]
    if value is REMOVED:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return json.dumps(changed)


def answer(text: str, capsys: Captured) -> str:
    """Ask for a refused person with this run file; return the refusal, empty if there was an answer."""
    Path("run.json").write_text(text, "utf-8")
    code = run(*PERSON, "--row", "3")
    out, err = capsys.readouterr()
    if code == 0:
        assert out.startswith("Row 5 of the file (its first line is row 1; --row 3 on the command line): the model")
        return ""
    told = check_refusal(code, out, err)
    assert all(len(line) <= LONGEST for line in told.splitlines()), told
    return told


def nested(depth: int) -> Any:
    """Return a list in a list in a list."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def test_what_is_read_back_is_enough(good: dict[str, Any], capsys: Captured) -> None:
    """A person is answered from the parts this file damages, so that each refusal below has its own reason."""
    assert answer(json.dumps(good), capsys) == ""
    assert answer(Path("whole.json").read_text("utf-8"), capsys) == ""


def test_a_run_without_a_reading_is_one_of_a_model_made_here(good: dict[str, Any], capsys: Captured) -> None:
    """Runs from before models were brought from elsewhere say nothing of a reading, and are still answered from."""
    assert answer(damaged(good, ("model", "reading"), REMOVED), capsys) == ""
    assert answer(damaged(good, ("model", "reading"), None), capsys) == ""


RULE: Place = ("rules", 0)
HUGE = 10**400
DAMAGED: dict[str, tuple[Place, Any, str]] = {
    "no digest of the data": (("data", "sha256"), REMOVED, "no text at 'data.sha256'"),
    "a number for a target": (("data", "target"), 7, "no text at 'data.target'"),
    "half a character": (("data", "favourable"), "\ud800", "no text at 'data.favourable'"),
    "no data": (("data",), None, "no object at 'data'"),
    "a list for the data": (("data",), [1], "no object at 'data'"),
    "another table": (("data", "sha256"), "0" * 64, "The table is not the one"),
    "a target the table lacks": (("data", "target"), "y" * 900, "'data' or 'schema' was altered"),
    "no model": (("model",), REMOVED, "no object at 'model'"),
    "no digest of the model": (("model", "sha256"), None, "no text at 'model.sha256'"),
    "a huge threshold": (("model", "reading", "threshold"), HUGE, "no number at 'model.reading.threshold'"),
    "a threshold in words": (("model", "reading", "threshold"), "half", "no number at 'model.reading.threshold'"),
    "no threshold": (("model", "reading", "threshold"), REMOVED, "no number at 'model.reading.threshold'"),
    "a side in words": (("model", "reading", "above"), "yes", "no true or false at 'model.reading.above'"),
    "a reading of nothing": (
        ("model", "reading"),
        {"favourable": "", "threshold": None, "above": True},
        "no way to read answers at 'model.reading'",
    ),
    "no settings": (("settings",), {}, "no whole number at 'settings.seed'"),
    "half a seed": (("settings", "seed"), 1.5, "no whole number at 'settings.seed'"),
    "true for a seed": (("settings", "seed"), True, "no whole number at 'settings.seed'"),
    "a huge seed": (("settings", "seed"), HUGE, "no whole number at 'settings.seed'"),
    "a seed beyond the largest": (("settings", "seed"), 2**32, "no allowed seed at 'settings.seed'"),
    "many changes": (("settings", "max_changes"), 99, "no allowed number of changes at 'settings.max_changes'"),
    "no rules": (("rules",), None, "no list at 'rules'"),
    "an object for rules": (("rules",), {}, "no list at 'rules'"),
    "a word for a rule": (RULE, "job", "no object at 'rules[0]'"),
    "a huge accuracy": ((*RULE, "learn", "accuracy"), HUGE, "no number at 'rules[0].learn.accuracy'"),
    "no accuracy": ((*RULE, "learn", "accuracy"), REMOVED, "no number at 'rules[0].learn.accuracy'"),
    "no figures": ((*RULE, "learn"), None, "no object at 'rules[0].learn'"),
    "no condition": ((*RULE, "before"), REMOVED, "no list at 'rules[0].before'"),
    "a condition of nothing": ((*RULE, "before", 0), None, "no predicate at 'rules[0].before[0]'"),
    "a condition without a level": ((*RULE, "before", 0, "equals"), None, "no predicate at 'rules[0].before[0]'"),
    "a feature twice": (
        (*RULE, "subgroup"),
        [{"feature": "town", "equals": word} for word in "ab"],
        "no predicates on different features at 'rules[0].subgroup'",
    ),
    "a rule that changes nothing": ((*RULE, "after", 0, "equals"), "no", "no rule at 'rules[0]'"),
    "an unknown feature": (
        (*RULE, "subgroup"),
        [{"feature": "y" * 900, "equals": 1}],
        "which is not a feature of the schema",
    ),
    "an unknown level": ((*RULE, "after", 0, "equals"), "king", "a level of 'job'"),
    "no costs": (("costs",), None, "no object at 'costs'"),
    "a cost of a feature left out": (("costs", "job"), REMOVED, "'job' has no cost"),
    "a huge cost": (("costs", "job", "cost"), HUGE, "no cost at 'costs.job'"),
    "a negative cost": (("costs", "job", "low"), -1, "no cost at 'costs.job'"),
    "a cost from nowhere": (("costs", "job", "source"), [], "no cost at 'costs.job'"),
    "a cost of a long name": (("costs", "y" * 900), 0, f"no cost at 'costs.{'y' * 73}…'"),
    "a list for the schema": (("schema",), [], "no object at 'schema'"),
    "no schema": (("schema",), {}, "'data' or 'schema' was altered"),
    "a schema of another table": (("schema", "features", 0, "name"), "z", "'data' or 'schema' was altered"),
    "depth where nobody looks": (("notes",), nested(400), "is nested deeper than any run"),
    "depth in a level": ((*RULE, "before", 0, "equals"), nested(400), "is nested deeper than any run"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_run_is_refused_with_its_place(name: str, good: dict[str, Any], capsys: Captured) -> None:
    """The sentence names the key that is missing or holds something else, whatever it holds."""
    place, value, words = DAMAGED[name]
    assert words in answer(damaged(good, place, value), capsys).splitlines()[0]


SPOILT: dict[str, tuple[Callable[[str], str], str]] = {
    "nothing": (lambda _: "", "is not JSON"),
    "a file cut short": (lambda text: text[:-20], "is not JSON"),
    "NaN": (lambda text: text.replace("0.5", "NaN"), "is not JSON"),
    "a number beyond the largest": (
        lambda text: text.replace("0.5", "1e999"),
        "no number at 'model.reading.threshold'",
    ),
    "a number of 9,999 digits": (lambda text: text.replace("0.5", "9" * 9_999), "is not JSON"),
    "no end of nesting": (lambda _: "[" * 99_999, "is not JSON"),
    "a list": (lambda text: f"[{text}]", "is not a run of version 1"),
    "a rule model": (lambda _: json.dumps(RULES), "is not a run of version 1"),
    "another version": (lambda text: text.replace('"version": 1', '"version": 2', 1), "is not a run of version 1"),
    "a key twice": (lambda text: text[:-1] + ', "rules": null}', "The run file 'run.json'"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_file_that_is_no_run_is_refused(name: str, good: dict[str, Any], capsys: Captured) -> None:
    """What is not JSON, or not a run, is told apart from a run that is damaged."""
    spoil, words = SPOILT[name]
    assert words in answer(spoil(json.dumps(good)), capsys).splitlines()[0]


REPLACEMENTS = {
    "removed": REMOVED,
    "null": None,
    "true": True,
    "negative": -1,
    "fraction": 1.5,
    "no float reaches it": HUGE,
    "no table holds it": 10**300,
    "no text": "",
    "long text": "y" * 900,
    "half a character": "\ud800",
    "empty list": [],
    "list of null": [None],
    "empty object": {},
    "object of null": {"x": None},
}


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """Yield the place of everything in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield (*here, step)
        yield from places(part, (*here, step))


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_damage_anywhere_is_survived(name: str, good: dict[str, Any], capsys: Captured) -> None:
    """Whatever stands in whichever place, a person is answered, or refused in a short sentence without Python in it."""
    everywhere = list(places(good))
    told = [answer(damaged(good, place, REPLACEMENTS[name]), capsys) for place in everywhere]
    assert len(everywhere) > 100
    assert sum(map(bool, told)) > len(everywhere) / 3
