"""Results: one file for each cell, written whole, computed once, and again when code or settings change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ares_core.files import dump_json, write_whole
from benchmarks.cases import TOP

Found = dict[str, Any]
Job = tuple[str, Callable[[], bool]]
"""Something to compute: its name, and what computes it unless it is there and says whether it did."""
FOLDER = TOP / "benchmarks" / "results"
# What decides figures, beside the modules here that a system names.
CODE = (
    "ares_core/recourse",
    "ares_core/people/table.py",
    "ares_core/people/infer.py",
    "ares_core/people/levels.py",
    "ares_core/models/training.py",
    "ares_core/models/encoding.py",
    "ares_core/costs/experts.py",
    "ares_core/costs/fitting.py",
    "ares_core/costs/posterior.py",
    "ares_core/settings.py",
    "ares_core/audit/comparisons.py",
    "ares_core/audit/figures.py",
    "ares_core/audit/intervals.py",
    "ares_core/audit/subgroups.py",
    "benchmarks/paper/scene.py",
)


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One figure to compute: a system on a table, with a model, a seed and a protocol."""

    table: str
    family: str
    seed: int
    protocol: str
    system: str

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.table}-{self.protocol}-{self.family}-{self.seed}-{self.system}.json"


@cache
def fingerprint(modules: tuple[str, ...]) -> str:
    """Return a digest of the code that decides figures: the engine's, the scene's and that of some modules here."""
    places = [TOP / place for place in CODE] + [TOP / "benchmarks" / "paper" / f"{name}.py" for name in modules]
    digest = hashlib.sha256()
    for path in (path for place in places for path in _files(place)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


@dataclass(frozen=True, slots=True)
class Results:
    """A folder of results."""

    folder: Path

    def read(self, name: str, mark: str) -> Found | None:
        """Return what a file holds, None where there is none, it is damaged, or it is of other code or data.

        Parameters
        ----------
        mark
            What the result depends on beside its name.
        """
        try:
            held = json.loads((self.folder / name).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return held["found"] if isinstance(held, dict) and held.get("mark") == mark else None

    def get(self, name: str, mark: str, compute: Callable[[], Found]) -> tuple[Found, bool]:
        """Return a result and whether it had to be computed; what was computed is kept at once."""
        known = self.read(name, mark)
        if known is not None:
            return known, False
        found = compute()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / name, dump_json({"mark": mark, "found": found}))
        return found, True
