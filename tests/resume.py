"""A pytest plugin: `--resume FILE` leaves out tests that already passed on exactly this code.

The file holds a digest of the code and the names of the tests that passed. Any change to the code starts it again.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--resume", metavar="FILE", help="leave out tests that passed on this code; kept in FILE")


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin; a worker of pytest-xdist is told by the main process what has passed."""
    if config.getoption("--resume") is None:
        return
    told = getattr(config, "workerinput", None)
    plugin = Resumed(told["passed"]) if told is not None else Recorder(Path(config.getoption("--resume")))
    config.pluginmanager.register(plugin)


class Resumed:
    """Leaves out the tests that passed."""

    def __init__(self, passed: list[str]) -> None:
        self.passed = passed

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep the tests that are still to be run."""
        done = [item for item in items if item.nodeid in self.passed]
        config.hook.pytest_deselected(items=done)
        items[:] = [item for item in items if item.nodeid not in self.passed]


class Recorder(Resumed):
    """Writes down each test as it passes."""

    def __init__(self, file: Path) -> None:
        self._file = file
        digest, *passed = [*lines_of(file), ""]
        if digest != code_digest():
            passed = []
            file.write_text(f"{code_digest()}\n", "utf-8")
        super().__init__([name for name in passed if name])

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist what has passed."""
        node.workerinput["passed"] = self.passed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a test that passed to the file."""
        if report.when == "call" and report.passed:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")


def lines_of(file: Path) -> list[str]:
    """Return the lines of a file, none if there is no such file."""
    return file.read_text("utf-8").splitlines() if file.exists() else []


def code_digest() -> str:
    """Return a digest of every file that git knows or would add."""
    digest = hashlib.sha256()
    for path in code_files():
        digest.update(str(path.relative_to(TOP)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def code_files() -> Iterator[Path]:
    """Yield the files of the project in a fixed order."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=True,
    )
    yield from (path for name in sorted(set(listed.stdout.split("\0"))) if name and (path := TOP / name).is_file())
