"""The ladder: found at run time, lowered by an operator, never raised; without a level no file is opened."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ares_core.errors import ModelError
from ares_core.models.sandbox import ladder, level_in_force, levels_in_force, open_model
from ares_core.models.sandbox.ladder import BUBBLEWRAP, LADDER, LANDLOCK, VARIABLE
from tests.models.hostile.files import honest_xgboost


def having(monkeypatch: pytest.MonkeyPatch, *levels: ladder.Level) -> None:
    """Let the machine have these levels."""
    monkeypatch.setattr(ladder, "_CHECKS", {level: lambda level=level: level in levels for level in LADDER})


@pytest.mark.parametrize(
    ("asked", "has", "found"),
    [
        (None, LADDER, LADDER),
        (None, (LANDLOCK,), (LANDLOCK,)),
        (None, (), ()),
        ("bubblewrap", (LANDLOCK,), (LANDLOCK,)),
        ("landlock", LADDER, (LANDLOCK,)),
        ("landlock", (), ()),
        ("none", LADDER, ()),
        ("bublewrap", LADDER, ()),
        ("", LADDER, ()),
    ],
)
def test_an_operator_lowers_and_never_raises(
    asked: str | None, has: tuple[ladder.Level, ...], found: tuple[ladder.Level, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in force is at most what the operator names and what the machine has; a typing error is "none"."""
    having(monkeypatch, *has)
    monkeypatch.delenv(VARIABLE, raising=False)
    if asked is not None:
        monkeypatch.setenv(VARIABLE, asked)
    assert levels_in_force() == found
    assert level_in_force() == (found[0] if found else None)


@pytest.mark.parametrize(("asked", "words"), [("none", VARIABLE), ("bubblewrap", "no landlock or no seccomp")])
def test_without_a_level_no_file_is_opened(asked: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no locks, the user is told so, and no process is started."""
    having(monkeypatch)
    monkeypatch.setattr(ladder, "_supported", lambda: True)
    monkeypatch.setenv(VARIABLE, asked)
    monkeypatch.setattr("ares_core.models.sandbox.model.ModelProcess", None)
    with pytest.raises(ModelError, match="No model file can be opened on this machine") as caught:
        open_model(honest_xgboost(), "model.json")
    assert words in caught.value.problem


def test_another_system_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine the locks were not made for, the sentence says which it is."""
    having(monkeypatch)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(ladder, "_supported", lambda: False)
    with pytest.raises(ModelError, match="needs Linux on x86-64, and this is "):
        ladder.require_level()


def test_levels_have_names_for_people() -> None:
    """What the page and the run file say is a list of the locks."""
    assert BUBBLEWRAP.words == "bubblewrap, landlock, seccomp and limits"
    assert LANDLOCK.words == "landlock, seccomp and limits"


def test_without_the_program_there_is_no_bubblewrap() -> None:
    """A machine without bubblewrap on its path has at most the level below."""
    code = "from ares_core.models.sandbox import level_in_force as f; print(getattr(f(), 'name', None))"
    environment = {**os.environ, "PATH": "", VARIABLE: "bubblewrap"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("landlock", "None")
