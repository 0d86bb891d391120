"""Runs that several tests read; made once."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from ares_core.cli import main
from tests.contract.tables import FAVOURABLE, RULES, SCHEMA, TARGET, make_rows, write_table


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the demo and return its run file; what it printed stands beside it in a text file."""
    path = tmp_path_factory.mktemp("demo") / "run.json"
    with redirect_stdout(StringIO()) as printed:
        assert main(["demo", "--json", str(path)]) == 0
    path.with_suffix(".txt").write_text(printed.getvalue(), "utf-8")
    return path


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A table, a schema, a rule model, comparisons, and the run of an audit with them."""
    folder = tmp_path_factory.mktemp("files")
    found = {name: folder / name for name in ("schema.json", "model.json", "pairs.csv", "run.json")}
    found["people.csv"] = write_table(folder / "people.csv", make_rows(61, 200))
    found["schema.json"].write_text(json.dumps(SCHEMA), "utf-8")
    found["model.json"].write_text(json.dumps({"format": "ares-rules", "rules": RULES}), "utf-8")
    found["pairs.csv"].write_text("harder,easier\nincome,debts\nincome,home\nhome,debts\n", "utf-8")
    code = main(
        [
            "audit",
            str(found["people.csv"]),
            "--target",
            TARGET,
            "--favourable",
            FAVOURABLE,
            "--subgroup",
            "sex",
            "--schema",
            str(found["schema.json"]),
            "--model",
            str(found["model.json"]),
            "--support",
            "0.05",
            "--comparisons",
            str(found["pairs.csv"]),
            "--json",
            str(found["run.json"]),
        ]
    )
    assert code == 0
    return found
