"""Words: everything shown that comes from data or is said twice, safe to put where Streamlit reads markdown."""

from __future__ import annotations

import re

from ares_core.errors import AresError
from ares_core.models import FAMILIES
from ares_core.models.endpoint import Address
from ares_core.worker import ModelFile, ModelSpec, RuleFile, TrainHere

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_BREAKS = re.compile(r"\s+")
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # turn the words around them backwards
# Streamlit makes links, arrows and a logo of these even where they are escaped: a joiner nobody sees keeps them apart.
_AUTOMATIC = re.compile(
    r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=streamlit:)|(?<=-)(?=[->])|(?<=<)(?=-)|(?<=[<>~])(?==)", re.IGNORECASE
)
_JOINER = "\N{WORD JOINER}"


def safe(text: object) -> str:
    """Return text as markdown that shows exactly this text: no picture, link, formula or emphasis comes of it."""
    plain = _TURNS.sub("", _BREAKS.sub(" ", str(text)))
    return _PUNCTUATION.sub(r"\\\1", _AUTOMATIC.sub(_JOINER, plain))


def error_text(error: AresError) -> str:
    """Say what is wrong and what to do, as markdown."""
    return f"**{safe(error.problem.strip())}**  \n{safe(error.hint)}"


def model_name(model: ModelSpec) -> str:
    """Name a model: 'Random forest', its file, or where it is. Not markdown."""
    if isinstance(model, TrainHere):
        return FAMILIES[model.family].description.split(":")[0].rstrip(".")
    if isinstance(model, RuleFile):
        return f"Rules of {model.name}"
    origin = model.origin
    return origin.name if isinstance(origin, ModelFile) else f"Service at {Address.parse(origin.url).host}"


def time_left(seconds: float | None) -> str:
    """Say how much longer something takes: 'about 12 s left'."""
    if seconds is None:
        return ""
    return f"about {max(1, round(seconds))} s left" if seconds < 90 else f"about {round(seconds / 60)} min left"


ROW_NUMBERS = (
    "Rows are numbered as a spreadsheet does: the header is row 1, the first person below it row 2. "
    "Blank lines count, and a cell that spans lines counts as many."
)
STAGES = {
    "": "Starting",
    "model": "Preparing the model",
    "behaviour": "Seeing how the model behaves",
    "evaluate": "Asking the model what would help each person",
    "search": "Searching for the best rules",
    "blockers": "Asking what stands in the way",
}
