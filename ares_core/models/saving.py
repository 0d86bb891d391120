"""Saving: a model trained here as a skops file, which can be brought back as a model from elsewhere."""

from __future__ import annotations

from ares_core.errors import ModelError
from ares_core.models.formats import FORMATS, require_reader
from ares_core.models.training import TrainedModel


def check_saving(name: str) -> None:
    """Check, before the work for it begins, that a model can be saved under a name.

    Raises
    ------
    ModelError
        If the name says that the file holds something else, or the package that writes it is not installed.
    """
    if not name.endswith(".skops"):
        raise ModelError(f"The model is saved as a skops file, which {name!r} is no name for.", "End it in '.skops'.")
    require_reader("skops", name)


def to_skops(model: object) -> bytes:
    """Return a model trained here as the bytes of a skops file.

    Raises
    ------
    ModelError
        If it was not trained here.
    """
    if not isinstance(model, TrainedModel):
        raise ModelError(f"Only a model trained here is saved as {FORMATS['skops'].words}.", "Train one.")
    from skops.io import dumps  # slow to import, and only some need it

    return bytes(dumps(model.pipeline))
