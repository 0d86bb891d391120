"""The skeleton around the package: what must be there, and what guards the architecture."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.patience import PATIENCE

TOP = Path(__file__).resolve().parent.parent
REQUIREMENT_FILES = ("requirements.txt", "requirements-models.txt", "requirements-dev.txt")
EXPECTED = (
    ".ci/run",
    ".gitignore",
    ".streamlit/config.toml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "app.py",
    "ares_core/__init__.py",
    "ares_core/__main__.py",
    "assets/icon.png",
    "benchmarks/__main__.py",
    "benchmarks/paper/__main__.py",
    "constraints.txt",
    "docs/architecture.md",
    "docs/decisions/README.md",
    "docs/glossary.md",
    "pyproject.toml",
    "requirements-dev.txt",
    "requirements-models.txt",
    "requirements.txt",
)
MADE_HERE = {".git", ".venv", ".hypothesis", "__pycache__", "build", "dist"}
# Import-linter has no module to run with -m, only this function behind its script.
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint()"
CHECKS = {
    "ruff": ("-m", "ruff", "check", "--no-cache", "."),
    "format": ("-m", "ruff", "format", "--check", "--no-cache", "."),
    "mypy": ("-m", "mypy"),
    "lint-imports": ("-c", LINT_IMPORTS, "--no-cache", "--no-logo"),
    "codespell": ("-m", "codespell_lib"),
}
# Written so that this file does not contain what it looks for.
REGISTRY_HOST = re.compile(r"py" r"pi\.org|python" r"hosted\.org|index[-_]url", re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.~/-])/(?:work|tmp|root|home|opt|Users)/")
BANNED_WORDS = re.compile(r"\b(?:debias\w*|unbiased)\b", re.IGNORECASE)


def project_texts() -> Iterator[tuple[str, str]]:
    """Yield the relative path and text of every file of the project that is text."""
    for folder, folders, files in os.walk(TOP):
        folders[:] = [f for f in folders if f not in MADE_HERE and not f.endswith(("_cache", ".egg-info"))]
        for path in (Path(folder, name) for name in sorted(files)):
            content = path.read_bytes()
            if b"\0" not in content:
                yield path.relative_to(TOP).as_posix(), content.decode("utf-8", errors="replace")


def lines_matching(pattern: re.Pattern[str], suffixes: tuple[str, ...] = ("",)) -> list[str]:
    """List ``path:line: text`` for every line of the project that the pattern finds."""
    return [
        f"{path}:{number}: {line.strip()[:100]}"
        for path, text in project_texts()
        if path.endswith(suffixes)
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def requirement_lines(name: str) -> list[tuple[Requirement, str]]:
    """Split each line of a requirement file into the requirement and its comment."""
    lines = [line for line in (TOP / name).read_text("utf-8").splitlines() if line.strip()]
    split = [line.partition("#") for line in lines if not line.startswith("#")]
    return [(Requirement(requirement), reason.strip()) for requirement, _, reason in split]


def pins() -> dict[str, str]:
    """Read the exact versions of the constraints file by canonical package name."""
    lines = (TOP / "constraints.txt").read_text("utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def run(*command: str, at: Path = TOP) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, at the top of the project unless told otherwise."""
    return subprocess.run(command, cwd=at, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("path", EXPECTED)
def test_the_project_is_complete(path: str) -> None:
    """Every file a newcomer is sent to exists and is not empty."""
    assert (TOP / path).is_file()
    assert (TOP / path).stat().st_size > 0


def test_ci_runs_what_a_developer_runs() -> None:
    """Continuous integration is one executable script that calls `make test`."""
    script = TOP / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text("utf-8").splitlines()[-1] == "make test"


@pytest.mark.parametrize(
    "target", ["setup", "setup-dev", "run", "test", "test-long", "check", "bench", "bench-paper", "clean"]
)
def test_make_lists_its_targets(target: str) -> None:
    """`make` alone names every promised target."""
    assert re.search(rf"^  make {target} ", run("make").stdout, re.MULTILINE)


def test_make_refuses_an_old_python_in_words(tmp_path: Path) -> None:
    """With a Python that is too old, set-up stops before it makes anything and says which one it needs."""
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.8.1" && exit 0\nexit 1\n', "utf-8")
    old.chmod(0o755)
    done = run("make", "setup", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.8.1" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("pattern", [REGISTRY_HOST, MACHINE_PATH], ids=["registry host", "machine path"])
def test_nothing_depends_on_one_machine(pattern: re.Pattern[str]) -> None:
    """No file names a package registry or a place on somebody's machine."""
    assert lines_matching(pattern) == []


def test_the_product_passes_no_verdict_on_models() -> None:
    """No sentence the product can show uses the words CONTRIBUTING bans."""
    shown = [line for line in lines_matching(BANNED_WORDS, (".py", ".json")) if not line.startswith("tests/")]
    assert shown == []


@pytest.mark.parametrize("name", REQUIREMENT_FILES)
def test_every_requirement_has_a_range_and_a_reason(name: str) -> None:
    """Whoever reads a requirement sees which versions will do and why it is there."""
    lines = requirement_lines(name)
    assert lines
    for requirement, reason in lines:
        assert requirement.specifier, f"{requirement.name} has no range"
        assert len(reason.split()) >= 3, f"{requirement.name} has no reason"


@pytest.mark.parametrize("name", REQUIREMENT_FILES)
def test_every_requirement_is_pinned_within_its_range(name: str) -> None:
    """The exact set in the constraints file satisfies the ranges."""
    versions = pins()
    for requirement, _ in requirement_lines(name):
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), requirement


def test_what_a_requirement_needs_is_pinned_too() -> None:
    """Two machines get the same packages: whatever the requirements pull in has an exact version."""
    waiting = [requirement.name for name in REQUIREMENT_FILES for requirement, _ in requirement_lines(name)]
    seen: set[str] = set()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in seen:
            seen.add(name)
            needs = [Requirement(line) for line in distribution(name).requires or ()]
            waiting += [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    assert len(seen) > 30
    assert seen - set(pins()) == set()


def test_every_decision_is_in_the_index() -> None:
    """The index of decisions links each note, and each note says what was given up."""
    folder = TOP / "docs/decisions"
    notes = sorted(folder.glob("0*.md"))
    index = (folder / "README.md").read_text("utf-8")
    assert [note.name for note in notes] == sorted(re.findall(r"\((0[\w-]+\.md)\)", index))
    for note in notes:
        text = note.read_text("utf-8")
        missing = [part for part in ("Context.", "Decision.", "What we gave up.") if f"**{part}**" not in text]
        assert missing == [], note.name


def test_the_dashboard_stays_on_this_machine() -> None:
    """The dashboard listens on this machine only, sends no statistics and asks nothing at its start."""
    config = tomllib.loads((TOP / ".streamlit/config.toml").read_text("utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["showEmailPrompt"] is False
    assert config["browser"]["gatherUsageStats"] is False


@pytest.mark.parametrize("tool", CHECKS)
def test_checks_pass(tool: str) -> None:
    """Lint, format, strict types, the architecture's contracts and spelling hold for the whole tree."""
    done = run(sys.executable, *CHECKS[tool])
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_search_knows_nothing_of_recourse() -> None:
    """The search imports from this project only itself and the errors."""
    graph = grimp.build_graph("ares_core", cache_dir=None)
    search = "ares_core.recourse.search"
    modules = {search} | graph.find_descendants(search)
    imported = {target for module in modules for target in graph.find_modules_directly_imported_by(module)}
    assert imported - modules <= {"ares_core.errors"}


def test_only_the_locked_process_reads_model_files() -> None:
    """No module but the one that runs behind the locks imports what loads a model, so none loads one by mistake."""
    graph = grimp.build_graph("ares_core", cache_dir=None)
    room = "ares_core.models.loaders"
    loaders = {room} | graph.find_descendants(room)
    importers = {source for module in loaders for source in graph.find_modules_that_directly_import(module)}
    assert importers - loaders == {"ares_core.models.sandbox.__main__"}


def test_lint_can_fail(tmp_path: Path) -> None:
    """Streamlit, a print or a seventh argument in the core is reported by its rule."""
    bad = tmp_path / "ares_core" / "bad.py"
    bad.parent.mkdir()
    bad.write_text("import streamlit\n\n\ndef f(a, b, c, d, e, g, h):\n    print(a)\n", "utf-8")
    config = f"--config={TOP / 'pyproject.toml'}"
    done = run(sys.executable, "-m", "ruff", "check", "--no-cache", config, str(bad))
    assert {"TID251", "T201", "PLR0913"} <= set(re.findall(r"^([A-Z]+\d+)", done.stdout, re.MULTILINE))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("people", "import ares_core.audit"),
        ("arguments", "import ares_core.cli"),
        ("recourse", "import ares_core.datasets"),
        ("audit", "import streamlit"),
        ("recourse/search", "import ares_core.people"),
    ],
)
def test_contracts_can_fail(module: str, line: str, tmp_path: Path) -> None:
    """An upward import, a chart package in the core or a room in the search breaks exactly one contract."""
    rooms = ["", "arguments", "audit", "cli", "costs", "datasets", "models", "people", "recourse", "recourse/search"]
    for room in rooms:
        (tmp_path / "ares_core" / room).mkdir()
        (tmp_path / "ares_core" / room / "__init__.py").write_text(line if room == module else "", "utf-8")
    (tmp_path / "pyproject.toml").write_bytes((TOP / "pyproject.toml").read_bytes())
    done = run(sys.executable, *CHECKS["lint-imports"], at=tmp_path)
    assert done.returncode == 1
    assert "2 kept, 1 broken" in done.stdout
