"""What the tests of costs share: a file to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and return its path."""

    def file(content: str | bytes) -> Path:
        path = tmp_path / "file.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return file
