"""A warm process for each kind of model file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ares_core.models.sandbox import level_in_force
from tests.models.hostile.cells import Cell


@pytest.fixture(scope="session")
def warm_cell() -> Iterator[Cell]:
    """Return a cell behind the strongest locks there are."""
    level = level_in_force()
    if level is None:
        pytest.skip("this machine has no sandbox")
    made = Cell(level)
    yield made
    made.close()
