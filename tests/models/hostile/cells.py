"""Cells: real processes behind real locks, kept warm between the cases of a file since each costs seconds to start."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from ares_core.models.formats import FORMATS, detect, extra_packages
from ares_core.models.raw import Output, Signature
from ares_core.models.sandbox import SandboxedModel
from ares_core.models.sandbox.ladder import Level
from ares_core.models.sandbox.limits import Limits
from ares_core.models.sandbox.messages import (
    ANSWERED,
    DESCRIBED,
    LOAD,
    QUESTIONS,
    dump_rows,
    load_array,
    load_signature,
)
from ares_core.models.sandbox.process import ModelProcess
from ares_core.models.sandbox.trouble import Subject, Trouble
from tests.models.hostile import acts
from tests.patience import PATIENCE

PATIENT = Limits(memory_bytes=500_000_000, load_seconds=PATIENCE, answer_seconds=PATIENCE, answer_bytes=8_000_000)
# Only for models that hang: anything else may take as long as a busy machine needs.
HURRIED = replace(PATIENT, load_seconds=4.0, answer_seconds=3.0)


class Cell:
    """Loads one model file after the other, as `open_model` does, but in a process for each kind that stays."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._processes: dict[tuple[str, tuple[str, ...]], ModelProcess] = {}

    def load(self, content: bytes, seconds: float = PATIENCE) -> Signature:
        """Have a file loaded, and return what the model says of itself."""
        return load_signature(self._ask(content, LOAD, content, seconds, DESCRIBED))

    def answer(self, content: bytes, frame: pd.DataFrame, output: Output, seconds: float = PATIENCE) -> NDArray[Any]:
        """Have a file loaded and asked."""
        self.load(content)
        return load_array(self._ask(content, QUESTIONS[output], dump_rows(frame), seconds, ANSWERED))

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.end()

    def _ask(self, model: bytes, letter: bytes, content: bytes | memoryview, *rest: Any) -> memoryview:
        kind = detect(model)
        packages = extra_packages(model, kind)
        process = self._processes.get((kind, packages))
        if process is None or not process.alive:
            process = self._processes[kind, packages] = ModelProcess(kind, self.level, PATIENT, packages)
        try:
            return process.ask(letter, content, *rest)
        except Trouble as trouble:
            raise Subject("hostile", FORMATS[kind].words, HURRIED).error(trouble) from trouble


@contextmanager
def hurried(model: SandboxedModel) -> Iterator[None]:
    """Give a model that hangs only a few seconds for each answer."""
    subject = model._subject
    model._subject, model._limits = replace(subject, limits=HURRIED), HURRIED
    try:
        yield
    finally:
        model._subject, model._limits = subject, subject.limits


class _Carrier:
    """Whatever a pickle of this is opened by evaluates an expression."""

    def __init__(self, expression: str) -> None:
        self._expression = expression

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, (self._expression,)


def evaluates(expression: str) -> bytes:
    """Return a pickle that evaluates an expression when it is opened."""
    return pickle.dumps(_Carrier(expression))


def hostile_model() -> bytes:
    """Return a pickle that becomes a `Hostile` model, with all its acts, where nothing of the tests can be imported."""
    sources = [inspect.getsource(module) for module in acts.MODULES]
    made = f"(lambda names: ([exec(source, names) for source in {sources!r}], names['Hostile']())[1])"
    return evaluates(f"{made}({{'__name__': 'hostile'}})")
