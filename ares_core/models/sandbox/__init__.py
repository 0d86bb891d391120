"""Sandbox: a model file from elsewhere is inspected, loaded and run in a locked process, never in this one.

    level_in_force()                    which locks this machine has: a `Level`, or None if there are too few
    level_in_force().words              "bubblewrap, landlock, seccomp and limits", for people and the run file
    detect(content)                     what a file is, by its content: "skops", "onnx", "xgboost", "lightgbm", "pickle"
                                        or "rules" (JSON of ours, which needs no process); ModelError if it is none
    with open_model(content, name) as model:    a `SandboxedModel`, which is a `RawModel`; ModelError if it is refused
        model.kind, model.sha256, model.signature, model.level
        model.signature.lacking         columns whose categories the file does not hold: open it again with
                                        open_model(content, name, categories={"job": ("clerk", "nurse")})
        model.answer(frame, "label")    the frame's columns as the model wants them, in its order

`open_model` starts the process, locks it, and loads the model, some seconds; every `answer` uses the same warm process.
A call that takes too long, crashes the process or is interrupted (`Cancelled`, Ctrl-C) ends the process; the next call
starts another. `close`, the end of the `with` block, or nobody holding the model any more ends it for good.
Nothing here may be called in the process that serves pages; `detect` and `level_in_force` may.
"""

from ares_core.models.formats import FORMATS, RULES, detect
from ares_core.models.sandbox.ladder import Level, level_in_force, levels_in_force
from ares_core.models.sandbox.limits import LIMITS, Limits
from ares_core.models.sandbox.model import SandboxedModel, open_model

__all__ = [
    "FORMATS",
    "LIMITS",
    "RULES",
    "Level",
    "Limits",
    "SandboxedModel",
    "detect",
    "level_in_force",
    "levels_in_force",
    "open_model",
]
