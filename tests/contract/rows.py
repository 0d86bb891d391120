"""A run's table read again with plain loops: typed rows, levels, predicates and moves.

Nothing here knows the engine: the promises of the run file and of the schema in it are all there is to go by.
"""

from __future__ import annotations

import csv
import hashlib
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Predicate = dict[str, Any]
TRUTHS = {word: word.lower() == "true" for word in ("True", "TRUE", "true", "False", "FALSE", "false")}
NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def read_rows(path: Path, schema: dict[str, Any], target: str) -> list[Row]:
    """Read the table without its target: numbers as float, true and false as bool, text as str, nothing as None.

    A column is a number when every cell is one, apart from empty cells and those the schema calls missing. The same
    holds for true and false.
    """
    with path.open(encoding="utf-8-sig", newline="") as stream:
        records = list(csv.DictReader(stream))
    words = {
        feature["name"]: {word for word in feature["missing"] or () if isinstance(word, str)}
        for feature in schema["features"]
    }
    rows: list[Row] = [{} for _ in records]
    for column in records[0]:
        if column != target:
            cells = [record[column] for record in records]
            for row, value in zip(rows, _typed(cells, words.get(column, set())), strict=True):
                row[column] = value
    return rows


def _typed(cells: list[str], missing: set[str]) -> list[Any]:
    known = [cell for cell in cells if cell.strip() and cell not in missing]
    if known and all(cell.strip() in TRUTHS for cell in known):
        return [None if not cell.strip() or cell in missing else TRUTHS[cell.strip()] for cell in cells]
    if known and all(NUMBER.fullmatch(cell.strip()) for cell in known):
        return [None if not cell.strip() or cell in missing else float(cell) for cell in cells]
    return [cell or None for cell in cells]


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def same(cell: Any, value: Any) -> bool:
    """Compare a cell with a value of the run file: text with text, numbers with numbers, true with true."""
    kinds = [next(kind for kind in (bool, str, object) if isinstance(each, kind)) for each in (cell, value)]
    return cell is not None and kinds[0] is kinds[1] and bool(cell == value)


def holds(predicate: Predicate, row: Row) -> bool:
    """Say whether a predicate of the run file describes a row."""
    if "columns" in predicate:
        return all(same(row[column], value) for column, value in predicate["columns"].items())
    cell = row[predicate["feature"]]
    if predicate.get("missing"):
        return cell is None or any(same(cell, value) for value in predicate.get("values", ()))
    if "equals" in predicate:
        return same(cell, predicate["equals"])
    if cell is None or isinstance(cell, str | bool) or cell in predicate.get("except", ()):
        return False
    low, high = predicate["at_least"], predicate["below"]
    return (low is None or cell >= low) and (high is None or cell < high)


def all_hold(predicates: list[Predicate], row: Row) -> bool:
    """Say whether a conjunction describes a row."""
    return all(holds(predicate, row) for predicate in predicates)


@dataclass
class Feature:
    """A feature of the schema in the run file, its levels written as predicates, "missing" last."""

    entry: dict[str, Any]
    levels: list[Predicate] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        name, missing = self.entry["name"], self.entry["missing"]
        if self.entry["kind"] == "number":
            edges = [None, *self.entry["cuts"], None]
            spans = [{"at_least": low, "below": high} for low, high in pairwise(edges)]
            excluded = [value for value in missing or () if not isinstance(value, str)]
            self.levels = [{"feature": name, **span, **({"except": excluded} if excluded else {})} for span in spans]
            self.names = list(self.entry["level_names"])
        else:
            for level in self.entry["levels"]:
                several = "columns" in level
                says = {"equals": level["name"], "columns": level["columns"]} if several else {"equals": level["value"]}
                self.levels.append({"feature": name, **says})
                self.names.append(level["name"])
        if missing is not None:
            self.levels.append({"feature": name, "missing": True, **({"values": missing} if missing else {})})

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.entry["name"])

    def index(self, predicate: Predicate) -> int:
        """Return which level a predicate names; -1 for none."""
        return self.levels.index(predicate) if predicate in self.levels else -1

    def level_of(self, row: Row) -> int:
        """Return the one level a row is at; -1 for none or several."""
        found = [index for index, level in enumerate(self.levels) if holds(level, row)]
        return found[0] if len(found) == 1 else -1

    def allows(self, start: int, target: int) -> bool:
        """Say whether the schema lets a person move from one level to another."""
        known = len(self.names)
        if start == target or start >= known or target >= known or self.entry["change"] == "frozen":
            return False
        if self.names[target] in self.entry["forbidden"]:
            return False
        rises = {"increase only": True, "decrease only": False}.get(self.entry["change"])
        return rises is None or rises == (target > start)

    def crossed(self, start: int, target: int) -> int:
        """Count the levels crossed; a category crosses one."""
        return 1 if self.entry["kind"] == "category" else abs(target - start)


def features_of(schema: dict[str, Any]) -> dict[str, Feature]:
    """Return the features of a schema by name, sorted."""
    return {entry["name"]: Feature(entry) for entry in sorted(schema["features"], key=lambda entry: str(entry["name"]))}


class Mover:
    """Rewrites rows as they are after a move; remembers which values the audited people have."""

    def __init__(self, audited: list[Row]) -> None:
        self.audited = audited
        self.observed: dict[tuple[Any, ...], list[float]] = {}

    def moved(self, row: Row, changes: list[Predicate]) -> Row:
        """Change only what the move names; a number goes to the nearest observed value of its target."""
        after = dict(row)
        for change in changes:
            if holds(change, row):
                continue
            if "columns" in change:
                after.update(change["columns"])
            elif "equals" in change:
                after[change["feature"]] = change["equals"]
            else:
                after[change["feature"]] = self._nearest(row[change["feature"]], change)
        return after

    def _nearest(self, value: float, change: Predicate) -> float:
        key = (change["feature"], change["at_least"], change["below"])
        if key not in self.observed:
            self.observed[key] = [row[change["feature"]] for row in self.audited if holds(change, row)]
        return min(self.observed[key], key=lambda other: abs(other - value))
