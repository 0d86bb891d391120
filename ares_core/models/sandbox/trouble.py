"""Trouble: whatever goes wrong with a model's process, as one sentence for the user and one that says what to do."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import dataclass

from ares_core.errors import ModelError
from ares_core.models.labels import MOST_LABEL, SHORT_HINT
from ares_core.models.sandbox.limits import Limits
from ares_core.models.sandbox.messages import plain

OVER_HTTP = "or let AReS Audit ask it over HTTP, where it runs"
_SENTENCES: dict[str, tuple[str, str]] = {
    # From the process; the detail is the model's word, not ours.
    "damaged": ("cannot be read as {form}: {detail}.", "Save the model again, and check that the file is whole."),
    "type": (
        "holds a part of the type {detail!r}, which is not among those that are opened here.",
        f"Save a pipeline of scikit-learn's usual encoders and classifiers, {OVER_HTTP}.",
    ),
    "memory": ("takes more memory than the {memory} it may.", f"Save a smaller model, {OVER_HTTP}."),
    "failed": ("failed: {detail}.", "Check that it was made for tables with these columns and values."),
    "forbidden": (
        "tried something a model may not do (files, network, processes, threads): {detail}.",
        f"Use a model that only computes, {OVER_HTTP}.",
    ),
    "answer": (
        "answered with {detail}, which is not one number or text for each row.",
        "Make it return one label for each row, or its scores.",
    ),
    "label": (f"answered {{detail}}; at most {MOST_LABEL} are allowed.", SHORT_HINT),
    "class": (
        f"has a class whose name has {{detail}} characters; at most {MOST_LABEL} are allowed.",
        "Give the class a shorter name where the model was made.",
    ),
    "output": ("gives no {detail}.", "Ask for what it does give: see the Model page, or the help of `--model`."),
    "categories": (
        "cannot be asked: {detail}.",
        "Give the categories of those columns in the order they had in training, or the table it was trained on.",
    ),
    "version": (
        "was made with {detail}.",
        f"Save it again with the version that is installed here, {OVER_HTTP}.",
    ),
    "package": ("needs the package {detail}, which is not installed here.", f"Install it, {OVER_HTTP}."),
    "search": (
        "holds a {detail} that was not refitted, so it has no best estimator to ask.",
        "Search with refit=True, or fit an estimator with the best parameters and save that.",
    ),
    "booster": (
        "holds a model of XGBoost or LightGBM that does not say {detail}.",
        "Save that model in its library's own form, with model.get_booster().save_model('model.json') or "
        "model.booster_.save_model('model.txt'), and give its categories.",
    ),
    # From the parent.
    "late": ("took longer than the {detail} seconds it may, and was ended.", f"Use a faster model, {OVER_HTTP}."),
    "crashed": ("ended its process: {detail}.", f"Check the model where it was made, and save it again, {OVER_HTTP}."),
    "long": ("answered with more than the {answer} it may.", "Make it return one label or score for each row."),
    "garbled": ("answered in a way that cannot be read: {detail}.", "Check the model where it was made."),
    "start": ("cannot be opened, because its process did not start: {detail}.", "Ask whoever runs this server."),
}
_SOURCE = re.compile(r"\[\d\d:\d\d:\d\d\] /\S+:\d+: ")  # the time, and where in its own source a library failed
_CRASHES = {
    signal.SIGSEGV: "it reached for memory that is not there",
    signal.SIGBUS: "it reached for memory that is not there",
    signal.SIGABRT: "it gave up on its own data",
    signal.SIGKILL: "it was killed, as happens when memory or processor time runs out",
    signal.SIGXCPU: "it used up its processor time",
    signal.SIGSYS: "it made a call that is not allowed",
    signal.SIGFPE: "it divided a number by zero",
}


class Trouble(Exception):
    """Something is wrong with a model's process.

    Parameters
    ----------
    reason
        A key of the sentences above.
    detail
        What the sentence should name.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sentence is about: the model's name, what its file is, and its limits."""

    name: str
    form: str
    limits: Limits

    def error(self, trouble: Trouble) -> ModelError:
        """Return trouble as an error with its two sentences."""
        problem, hint = _SENTENCES[trouble.reason]
        worded = problem.format(
            form=self.form,
            detail=plain(_SOURCE.sub("", trouble.detail.partition("Stack trace:")[0])).rstrip(".") or "nothing",
            memory=_size(self.limits.memory_bytes),
            answer=_size(self.limits.answer_bytes),
        )
        # What was cut ends with an ellipsis, which needs no full stop.
        return ModelError(f"The model {self.name!r} {worded.replace('….', '…')}", hint)


def refusal(content: memoryview) -> Trouble:
    """Read what the process says is wrong; nothing in it is trusted but that it is text."""
    try:
        reason, detail = json.loads(bytes(content[:100_000]))
    except (ValueError, TypeError, RecursionError):
        return Trouble("garbled", "not even its error could be read")
    if not isinstance(reason, str) or reason not in _SENTENCES:
        return Trouble("garbled", "an error of an unknown kind")
    return Trouble(reason, str(detail))


def crash(status: int) -> Trouble:
    """Say in words how a process ended, from its exit status or that of bubblewrap around it."""
    number = -status if status < 0 else status - 128
    try:
        ended_by = signal.Signals(number)
    except ValueError:
        return Trouble("crashed", f"it left with the status {status}")
    return Trouble("crashed", _CRASHES.get(ended_by, f"it was ended by {ended_by.name}"))


def _size(count: int) -> str:
    return f"{count / 1e9:g} GB" if count >= 1e9 else f"{count / 1e6:g} MB"
