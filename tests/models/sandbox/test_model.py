"""A model in its process: warm between calls, started again when it ended, and gone when nobody needs it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import Cancelled, ModelError
from ares_core.models import formats
from ares_core.models.sandbox import Limits, SandboxedModel, level_in_force, levels_in_force, open_model
from ares_core.models.sandbox import model as module
from ares_core.models.sandbox.limits import MOST_ROWS
from tests.models.hostile.cells import hostile_model
from tests.models.hostile.files import FRAME, honest_lightgbm, honest_xgboost
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(level_in_force() is None, reason="this machine has no sandbox")
HERE = Path(__file__).resolve().parents[3]


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for a state."""
    until = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < until
        sleep(0.02)


def process_of(model: SandboxedModel) -> int:
    """Return the number of the process a model answers from."""
    assert model._process is not None
    return model._process._process.pid


def runs(process: int) -> bool:
    """Whether there is a process of that number that has not ended."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text("utf-8")
    except OSError:
        return False


@pytest.fixture(scope="module")
def model() -> Iterator[SandboxedModel]:
    """Return an honest model."""
    with open_model(honest_lightgbm(), "honest") as opened:
        yield opened


def test_a_process_stays_warm(model: SandboxedModel) -> None:
    """Two calls are answered by one process, with the same answers."""
    first = model.answer(FRAME, "score")
    process = process_of(model)
    assert np.array_equal(model.answer(FRAME, "score"), first)
    assert process_of(model) == process


def test_a_process_that_ended_is_replaced(model: SandboxedModel) -> None:
    """When the process was killed from outside, whoever asks next waits a little and gets the same answers."""
    before = model.answer(FRAME, "score")
    killed = process_of(model)
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: not model._process or not model._process.alive)
    assert np.array_equal(model.answer(FRAME, "score"), before)
    assert process_of(model) != killed


def test_a_call_that_is_given_up_leaves_no_answer_behind(
    model: SandboxedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What interrupts a call ends the process, so that its late answer is not taken for that to the next."""
    before = model.answer(FRAME, "score")
    process = process_of(model)

    def give_up(*_: object) -> bytes:
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr("ares_core.models.sandbox.process.read_frame", give_up)
        with pytest.raises(Cancelled):
            model.answer(FRAME[:5], "score")
    assert not runs(process)
    assert np.array_equal(model.answer(FRAME, "score"), before)


def test_what_the_model_does_not_give_is_said(model: SandboxedModel) -> None:
    """LightGBM gives scores; asking for labels is an error, and not a reason to start again."""
    process = process_of(model)
    with pytest.raises(ModelError, match="gives no labels"):
        model.answer(FRAME, "label")
    assert process_of(model) == process


def test_no_rows_are_a_question_too(model: SandboxedModel) -> None:
    """Nobody asked about is nobody answered about, or the library's own reason why not."""
    try:
        assert model.answer(FRAME[:0], "score").shape == (0,)
    except ModelError as error:
        assert "failed" in error.problem


def test_many_rows_are_asked_in_several_calls(model: SandboxedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than one call takes are answered as if they were asked at once."""
    assert MOST_ROWS == 100_000
    whole = model.answer(FRAME, "score")
    monkeypatch.setattr(module, "MOST_ROWS", 7)
    assert np.array_equal(model.answer(FRAME, "score"), whole)


def test_columns_that_are_missing_are_said(model: SandboxedModel) -> None:
    """A model asked about other columns than its own fails with a sentence."""
    with pytest.raises(ModelError, match="failed"):
        model.answer(FRAME.rename(columns={"a": "z"}), "score")


@pytest.mark.parametrize("level", levels_in_force(), ids=lambda level: level.name)
def test_the_process_ends_with_its_parent(level: Any) -> None:
    """When the program is killed, which lets it tidy nothing up, the model's process ends too, busy or not."""
    code = f"""
import os, sys, threading
os.environ["ARES_ALLOW_PICKLE"] = "1"
from ares_core.models.sandbox import open_model
from ares_core.models.sandbox.ladder import LADDER
from tests.models.hostile.cells import hostile_model
import pandas as pd
level = next(level for level in LADDER if level.name == {level.name!r})
made = []
thread = threading.Thread(target=lambda: made.append(open_model(hostile_model(), level=level)))
thread.start()
thread.join()
print(made[0]._process._process.pid, flush=True)
made[0].answer(pd.DataFrame({{"act": ["endless_without_letting_go"], "where": [""]}}), "label")
"""
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        below = descendants(process)
        assert runs(process)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    wait_until(lambda: not any(map(runs, (process, *below))))


def descendants(process: int) -> list[int]:
    """Return the processes a process started, and those that they did."""
    found = []
    for child in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split():
        found += [int(child), *descendants(int(child))]
    return found


def test_a_closed_model_has_no_process() -> None:
    """Closing ends the process, and asking afterwards is a mistake of ours."""
    with open_model(honest_xgboost(), "closed") as model:
        process = process_of(model)
        assert runs(process)
    assert not runs(process)
    with pytest.raises(RuntimeError):
        model.answer(FRAME, "score")


def test_a_model_nobody_holds_has_no_process() -> None:
    """A model that was forgotten takes its process with it."""
    model = open_model(honest_xgboost(), "forgotten")
    process = process_of(model)
    del model
    gc.collect()
    wait_until(lambda: not runs(process))


def test_a_process_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the process ends before it is locked, or takes too long for that, the user is told so."""
    with pytest.raises(ModelError, match="its process did not start: it took longer than 0 seconds"):
        open_model(honest_xgboost(), "slow", limits=Limits(start_seconds=0.0))
    monkeypatch.setattr("ares_core.models.sandbox.process.environment", dict)
    with pytest.raises(ModelError, match="its process did not start: it left with the status 1"):
        open_model(honest_xgboost(), "lost")


def test_processor_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that has used up its processor time is ended before its clock has run out, and the sentence says why."""
    monkeypatch.setenv(formats.PICKLE_VARIABLE, "1")
    busy = pd.DataFrame({"act": ["endless_loop"], "where": [""]})
    model = open_model(hostile_model(), "busy", limits=Limits(cpu_seconds=3))
    with model, pytest.raises(ModelError, match="it used up its processor time"):
        model.answer(busy, "label")


def test_a_large_file_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file over the limit is refused before anything looks into it."""
    monkeypatch.setattr(module, "ModelProcess", None)
    with pytest.raises(ModelError, match="'big' is larger than 1 MB"):
        open_model(bytes(1_000_001), "big", limits=Limits(file_bytes=1_000_000))


@pytest.mark.parametrize("kind", ["skops", "onnx", "xgboost", "lightgbm"])
def test_a_missing_package_names_its_install_line(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package that reads a form, the hint is the line that installs it."""
    form = formats.FORMATS[kind]
    monkeypatch.setattr(formats, "find_spec", lambda name: None if name == form.package else find_spec(name))
    with pytest.raises(ModelError, match="the package that reads it is not installed") as caught:
        formats.require_reader(kind, "model")
    assert caught.value.hint == f"Install it with: pip install '{form.requirement}'"


def test_rows_that_mix_types_are_explained(model: SandboxedModel) -> None:
    """A column of numbers and text is the table's mistake, and the process is not bothered with it."""
    mixed = pd.DataFrame({"a": pd.Series([1, "two"], dtype=object), "b": [1, 2]})
    with pytest.raises(ModelError, match="cannot be sent"):
        model.answer(mixed, "score")
