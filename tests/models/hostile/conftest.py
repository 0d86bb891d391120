"""Every level of the ladder this machine has, with a cell and a hostile model behind its locks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ares_core.models.formats import PICKLE_VARIABLE
from ares_core.models.sandbox import Level, SandboxedModel, levels_in_force, open_model
from ares_core.models.sandbox.ladder import LADDER
from tests.models.hostile.cells import PATIENT, Cell, hostile_model


@pytest.fixture(scope="module", params=LADDER, ids=[level.name for level in LADDER])
def level(request: pytest.FixtureRequest) -> Level:
    """Return a level of locks that works here."""
    if request.param not in levels_in_force():
        pytest.skip(f"this machine has no level {request.param.words!r}")
    return request.param


@pytest.fixture(scope="module", autouse=True)
def pickles_allowed() -> Iterator[None]:
    """Open pickles: that is how a test gets any code it likes behind the locks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PICKLE_VARIABLE, "1")
        patch.setenv("ARES_SECRET", "of the server")
        yield


@pytest.fixture(scope="module")
def cell(level: Level) -> Iterator[Cell]:
    """Return a cell for loading files."""
    made = Cell(level)
    yield made
    made.close()


@pytest.fixture(scope="module")
def hostile(level: Level) -> Iterator[SandboxedModel]:
    """Return a model that does what its rows say."""
    with open_model(hostile_model(), "hostile", limits=PATIENT, level=level) as model:
        yield model
