"""Bad input on the command line: one sentence, one hint, exit 2, nothing written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ares_core.cli import main
from tests.bad_cases import CASES, FILES, TRAIN, Case
from tests.patience import PATIENCE

TOP = Path(__file__).resolve().parent.parent
RUDE = re.compile(r"[.?:]\.$|please|invalid (?:in|val|ch)|Traceback|Error\b|<class|None\b")


def lay_out(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder."""
    for name, content in files.items():
        (folder / name).write_bytes(content)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check_refusal(code: int, out: str, err: str) -> str:
    """Check the form of a refusal and return its two lines."""
    assert code == 2, err
    assert out == ""
    lines = err.splitlines()
    begin = next(place for place, line in enumerate(lines) if line.startswith("error: "))
    assert len(lines) == begin + 2
    assert lines[-1].startswith("hint: ")
    for line in lines[-2:]:
        assert re.search(r"\w.*[.?]$", line)
        assert not RUDE.search(line), line
    assert not any("error" in line for line in lines[:begin])
    return "\n".join(lines[-2:])


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_bad_input_is_refused_in_a_sentence(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An audit that cannot be made exits 2 with one sentence and one hint, and writes nothing."""
    lay_out(tmp_path, {**FILES, **case.files})
    monkeypatch.chdir(tmp_path)
    before = contents(tmp_path)
    code = main(case.arguments())
    told = check_refusal(code, *capsys.readouterr())
    assert case.words in told.splitlines()[0]
    assert contents(tmp_path) == before


def test_the_good_input_beside_them_is_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without anything bad the same command line makes an audit: each case is refused for its own reason."""
    lay_out(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    assert main(Case("good", "").arguments()) == 0
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["format"] == "ares-run"
    assert main(Case("good", "", model=TRAIN).arguments()) == 0


@pytest.mark.parametrize("name", ["a model that refuses nobody", "an unknown option"])
def test_a_process_tells_it_the_same_way(name: str, tmp_path: Path) -> None:
    """A real process ends with status 2 and the same two lines, without a traceback."""
    case = next(case for case in CASES if case.name == name)
    lay_out(tmp_path, {**FILES, **case.files})
    before = contents(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "ares_core", *case.arguments()],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": str(TOP)},
    )
    assert case.words in check_refusal(done.returncode, done.stdout, done.stderr)
    assert contents(tmp_path) == before
