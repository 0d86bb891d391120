"""What several tests of the command line work on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import RULES, people


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder we work in, with people and a model."""
    (tmp_path / "people.csv").write_text(people(90), "utf-8")
    (tmp_path / "rules.json").write_text(json.dumps(RULES), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
