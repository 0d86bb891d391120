"""The run that is read back from a run file: the same rules, costs and settings as were written."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from ares_core.audit import people_of_run, read_run
from ares_core.errors import DataError
from ares_core.models import Reading
from ares_core.people import read_csv
from tests.commands import AUDIT, run


@pytest.fixture
def written(folder: Path) -> dict[str, Any]:
    """Return the content of the run file in the folder."""
    assert run(*AUDIT, "--quiet", "--subgroup", "town", "--seed", "7", "--max-changes", "1", "--json", "run.json") == 0
    content: dict[str, Any] = json.loads(Path("run.json").read_text("utf-8"))
    return content


def test_a_run_is_read_back_as_it_was_written(written: dict[str, Any]) -> None:
    """Rules, accuracies, costs, schema, digests and settings are those of the file."""
    found = read_run(Path("run.json"))
    assert [{**rule.to_json(), "accuracy": accuracy} for rule, accuracy in found.ranked] == [
        {**{part: rule[part] for part in ("subgroup", "before", "after")}, "accuracy": rule["learn"]["accuracy"]}
        for rule in written["rules"]
    ]
    assert found.costs.to_json() == written["costs"]
    assert found.schema == written["schema"]
    assert (found.data_sha256, found.model_sha256) == (written["data"]["sha256"], written["model"]["sha256"])
    assert (found.target, found.favourable) == ("good", "1")
    assert (found.seed, found.max_changes, found.reading) == (7, 1, None)


def test_a_reading_is_read_back(written: dict[str, Any]) -> None:
    """Labels and scores come back as they were read, whichever side of the threshold is favourable."""
    for reading in (Reading("yes"), Reading("", 0.25), Reading("good", 3, above=False)):
        written["model"]["reading"] = reading.to_json()
        Path("run.json").write_text(json.dumps(written), "utf-8")
        assert read_run(Path("run.json")).reading == reading


def test_a_rule_nobody_was_learned_from_comes_last(written: dict[str, Any]) -> None:
    """An accuracy of null, which is nobody's, ranks below every share."""
    written["rules"][0]["learn"]["accuracy"] = None
    Path("run.json").write_text(json.dumps(written), "utf-8")
    assert read_run(Path("run.json")).ranked[0][1] == -math.inf


def test_the_people_of_a_run_are_those_of_its_table(written: dict[str, Any]) -> None:
    """The run's own table is described by the run's schema; the same people in another file are refused."""
    found = read_run(Path("run.json"))
    assert people_of_run(found, read_csv(Path("people.csv"))).table.schema.to_json() == written["schema"]
    with pytest.raises(DataError, match="not the one the run was made from"):
        people_of_run(found, read_csv(Path("people.csv").read_bytes() + b"0,no,a,0\n", name="people.csv"))
