"""Edits of a schema document: each takes the content of a schema file and returns another. Nothing else is touched.

A document is what `Schema.to_json` returns. Whether the edited one fits the table is asked of the engine afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ares_core.people import Change, Kind
from ares_core.people.cells import number
from ares_core.people.levels import Cell, interval_names
from ui.schema_text import read_lines

Document = dict[str, Any]
Entry = dict[str, Any]

LEFT_OUT = "left out by hand"
ONE_WAY = (str(Change.INCREASE), str(Change.DECREASE))


def entry_of(document: Document, name: str) -> Entry:
    """Return what a document says of a feature."""
    return next(dict(entry) for entry in document["features"] if entry["name"] == name)


def with_words(document: Document, name: str, label: str, unit: str) -> Document:
    """Give a feature other words; levels of numbers that were named automatically follow the unit."""
    entry = {**entry_of(document, name), "label": label}
    names = _renamed(entry, unit) if unit != entry.get("unit", "") else None
    if names is not None:
        entry = entry_of(with_level_names(_replaced(document, name, entry), name, "\n".join(names)), name)
    return _replaced(document, name, {**entry, "unit": unit})


def with_kind(document: Document, name: str, kind: Kind) -> Document:
    """Make a feature a category, ordered or a number; what does not go with that is inferred anew."""
    entry = {**entry_of(document, name), "kind": str(kind)}
    if kind is Kind.NUMBER:
        entry = _without(entry, "levels", "forbidden")
    elif "cuts" in entry:
        entry = _without(entry, "cuts", "level_names", "forbidden")
    if kind is Kind.CATEGORY and entry.get("change") in ONE_WAY:
        entry["change"] = str(Change.FREE)
    return _replaced(document, name, entry)


def with_change(document: Document, names: Collection[str], change: Change) -> Document:
    """Say which way features may change."""
    return _each(document, lambda entry: {**entry, "change": str(change)} if entry["name"] in names else entry)


def with_frozen(document: Document, names: Collection[str]) -> Document:
    """Freeze exactly these features: others that were frozen may change freely."""

    def thawed(entry: Entry) -> Entry:
        if entry["name"] in names:
            return {**entry, "change": str(Change.FROZEN)}
        return {**entry, "change": str(Change.FREE)} if entry.get("change") == Change.FROZEN else entry

    return _each(document, thawed)


def with_levels(document: Document, name: str, text: str) -> Document:
    """Order and rename the levels of a feature by lines of text, one for each level (see `schema_lines`)."""
    entry = entry_of(document, name)
    if entry["kind"] == Kind.NUMBER:
        return with_level_names(document, name, text)
    order = read_lines(text, entry["levels"], entry["name"])
    renamed = {entry["levels"][place]["name"]: words for place, words in order}
    levels = [{**entry["levels"][place], "name": words} for place, words in order]
    forbidden = [renamed.get(word, word) for word in entry.get("forbidden") or []]
    return _replaced(document, name, {**entry, "levels": levels, "forbidden": forbidden})


def with_level_names(document: Document, name: str, text: str) -> Document:
    """Name the levels of a number from low to high, one line each; no lines at all name them automatically."""
    entry = entry_of(document, name)
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if not names:
        return _replaced(document, name, _without(entry, "level_names", "forbidden"))
    renamed = dict(zip(entry.get("level_names", ()), names, strict=False))
    forbidden = [renamed.get(word, word) for word in entry.get("forbidden") or []]
    return _replaced(document, name, {**entry, "level_names": names, "forbidden": forbidden})


def with_cuts(document: Document, name: str, cuts: Sequence[float]) -> Document:
    """Cut the numbers of a feature elsewhere; its levels are named automatically."""
    entry = _without(entry_of(document, name), "level_names", "forbidden")
    return _replaced(document, name, {**entry, "cuts": list(cuts)})


def with_missing(document: Document, name: str, words: Sequence[Cell]) -> Document:
    """Say which cells of a feature mean that no value is known; numbers are then cut anew.

    Once only numbers are left of a column of text, it is described anew as well.
    """
    entry = {**entry_of(document, name), "missing": list(words) or None}
    if entry["kind"] == Kind.NUMBER:
        return _replaced(document, name, _without(entry, "cuts", "level_names", "forbidden"))
    levels = [level for level in entry["levels"] if level["value"] not in words]
    if len(levels) < len(entry["levels"]) and _spell_numbers(levels):
        return _replaced(document, name, _without(entry, "kind", "levels", "forbidden"))
    known = {level["name"] for level in levels}
    before = entry_of(document, name).get("missing") or []
    levels += [{"value": word} for word in before if word not in words]
    forbidden = [word for word in entry.get("forbidden") or [] if word in known]
    return _replaced(document, name, {**entry, "levels": levels, "forbidden": forbidden})


def with_forbidden(document: Document, name: str, levels: Sequence[str]) -> Document:
    """Say to which levels of a feature nobody may be told to move."""
    return _replaced(document, name, {**entry_of(document, name), "forbidden": list(levels)})


def left_out(document: Document, name: str) -> Document:
    """Leave a feature out of the rules."""
    columns = entry_of(document, name).get("columns", [name])
    ignored = {**document.get("ignored", {}), **dict.fromkeys(columns, LEFT_OUT)}
    return {**_replaced(document, name), "ignored": ignored}


def brought_back(document: Document, column: str, missing: Sequence[Cell] = ()) -> Document:
    """Let rules speak of a column that was left out."""
    ignored = {name: reason for name, reason in document.get("ignored", {}).items() if name != column}
    entry = {"name": column, **({"missing": list(missing)} if missing else {})}
    return {**document, "features": [*document["features"], entry], "ignored": ignored}


def as_missing(document: Document, column: str, value: Cell) -> Document:
    """Let a value of a column mean that nothing is known, whether or not rules speak of the column yet."""
    if column in document.get("ignored", {}):
        return brought_back(document, column, [value])
    return with_missing(document, column, [*(entry_of(document, column).get("missing") or []), value])


def confirmed(document: Document, name: str) -> Document:
    """Accept a proposed choice of several columns."""
    return _replaced(document, name, _without(entry_of(document, name), "proposed"))


def separated(document: Document, name: str) -> Document:
    """Take a choice apart: each of its columns is a feature of its own, frozen if the choice was."""
    entry = entry_of(document, name)
    frozen = {"change": entry["change"]} if entry.get("change") == Change.FROZEN else {}
    return _replaced(document, name, *({"name": column, **frozen} for column in entry["columns"]))


def _renamed(entry: Mapping[str, Any], unit: str) -> list[str] | None:
    """Return what the levels of a number are called with another unit, or None if somebody named them by hand."""
    cuts, names = entry.get("cuts") or [], entry.get("level_names")
    for whole in (True, False):
        for single in (True, False):
            if names == _automatic_names(cuts, entry.get("unit", ""), whole, single):
                return _automatic_names(cuts, unit, whole, single)
    return None


def _automatic_names(cuts: Sequence[float], unit: str, whole: bool, single: bool) -> list[str]:
    """Name levels as the engine does; the lowest may hold a `single` whole number."""
    lowest = cuts[0] - 1 if single and cuts else None
    return interval_names([lowest, *cuts, None], unit, whole=whole)


def _spell_numbers(levels: Sequence[Mapping[str, Any]]) -> bool:
    values = [level["value"] for level in levels]
    return bool(values) and all(isinstance(value, str) and number(value) is not None for value in values)


def _without(entry: Entry, *keys: str) -> Entry:
    return {key: value for key, value in entry.items() if key not in keys}


def _each(document: Document, edit: Callable[[Entry], Entry]) -> Document:
    return {**document, "features": [edit(entry) for entry in document["features"]]}


def _replaced(document: Document, name: str, *entries: Entry) -> Document:
    features = [new for entry in document["features"] for new in (entries if entry["name"] == name else (entry,))]
    return {**document, "features": features}
