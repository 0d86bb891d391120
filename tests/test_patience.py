"""No test passes or fails by the clock, so a slow or busy machine changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

import hypothesis
import pytest

from tests.resume import Recorder, code_digest

HERE = Path(__file__).parent
# Connecting to a port of this machine, and limits that belong to what is tested, are no waits of a test.
SHORT_WAIT = re.compile(r"\b(?:default_timeout|(?<!connect_)timeout|deadline) ?= ?[0-9]|\.(?:wait|join)\([1-9]")
ALLOWED = {"tests/models/hostile/acts/reaching.py", "tests/test_patience.py"}


def test_hypothesis_has_no_deadline() -> None:
    """An example may take as long as the machine needs."""
    assert hypothesis.settings.default is not None
    assert hypothesis.settings.default.deadline is None
    assert hypothesis.HealthCheck.too_slow in hypothesis.settings.default.suppress_health_check


def test_waits_are_long() -> None:
    """Whoever waits for something that must happen waits for `PATIENCE`, not for a number of seconds of their own."""
    found = [
        f"{name}:{number}"
        for path in sorted(HERE.rglob("*.py"))
        if (name := str(path.relative_to(HERE.parent))) not in ALLOWED
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if SHORT_WAIT.search(line)
    ]
    assert found == []


def test_a_long_run_goes_on_where_it_stopped(pytester: pytest.Pytester) -> None:
    """A test that passed is left out of the next run, one that failed is not."""
    pytester.makepyfile("import pathlib\ndef test_good(): pass\ndef test_bad(): assert pathlib.Path('mended').exists()")
    options = ("-p", "tests.resume", "--resume", "passed", "-p", "no:cacheprovider")
    pytester.runpytest(*options).assert_outcomes(passed=1, failed=1)
    pytester.path.joinpath("mended").touch()
    pytester.runpytest(*options).assert_outcomes(passed=1, deselected=1)
    pytester.runpytest(*options).assert_outcomes(deselected=2)


def test_other_code_is_tested_again(tmp_path: Path) -> None:
    """What passed on other code does not count."""
    file = tmp_path / "passed"
    file.write_text(f"{code_digest()}\ntests/a.py::test_good\n", "utf-8")
    assert Recorder(file).passed == ["tests/a.py::test_good"]
    file.write_text("another digest\ntests/a.py::test_good\n", "utf-8")
    assert Recorder(file).passed == []
    assert file.read_text("utf-8") == f"{code_digest()}\n"
