"""What several tests of the command line work on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.commands import RULES, people

# A deadline is a timed test, and so is the health check for slow examples.
settings.register_profile("ares", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ares")
pytest_plugins = ["pytester"]
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reports on its use, even in tests, unless told not to


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the dashboard stores during tests away from the working directory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARES_STORE", f"sqlite:///{tmp_path_factory.mktemp('store') / 'ares.sqlite3'}")
        yield


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder we work in, with people and a model."""
    (tmp_path / "people.csv").write_text(people(90), "utf-8")
    (tmp_path / "rules.json").write_text(json.dumps(RULES), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
