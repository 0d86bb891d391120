"""Read a schema file: what it leaves out is inferred from the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from ares_core.errors import SchemaError
from ares_core.people.cells import number
from ares_core.people.feature import Change, Feature, Kind
from ares_core.people.infer import (
    cut,
    infer_feature,
    infer_features,
    intervals,
    level_names,
    missing_level,
    value_levels,
    value_names,
)
from ares_core.people.levels import (
    TRUTHS,
    Cell,
    Choice,
    Interval,
    Level,
    Mask,
    Missing,
    Value,
    as_held,
    holds_numbers,
    is_cell,
    is_number,
    plain,
)
from ares_core.people.lines import row_text
from ares_core.people.schema import Schema
from ares_core.people.schema_document import entries_of
from ares_core.wording import brief

E = TypeVar("E", bound=StrEnum)
KEYS = {
    "name",
    "label",
    "unit",
    "kind",
    "change",
    "columns",
    "cuts",
    "level_names",
    "levels",
    "missing",
    "forbidden",
    "proposed",
}


def schema_for(frame: pd.DataFrame, document: Any) -> Schema:
    """Describe a table by a schema file's content.

    Raises
    ------
    SchemaError
        If the file contradicts itself or the table.
    """
    entries, ignored = entries_of(document)
    features = tuple(_feature(frame, entry, number) for number, entry in enumerate(entries, start=1))
    unknown = [column for column in ignored if column not in frame.columns]
    if unknown:
        raise _no_column("The schema's list of ignored columns", unknown[0], frame)
    named = {column for feature in features for column in feature.columns} | set(ignored)
    silent = [column for column in frame.columns if column not in named]
    rest, left_out = infer_features(frame[silent], taken=[feature.name for feature in features])
    return Schema((*features, *rest), (*ignored.items(), *left_out))


def _feature(frame: pd.DataFrame, entry: Mapping[str, Any], number: int) -> Feature:
    name = entry.get("name")
    if not isinstance(name, str) or not name:
        raise SchemaError(f"Feature {number} of the schema has no name.", 'Give every feature a "name".')
    strange = sorted(map(str, set(entry) - KEYS))
    if strange:
        raise SchemaError(
            f"Feature {name!r} of the schema has an unknown key {strange[0]!r}.",
            f"Known keys: {', '.join(sorted(KEYS))}.",
        )
    entry = {key: value for key, value in entry.items() if value is not None}
    for key, kind, words in (("label", str, "text"), ("unit", str, "text"), ("proposed", bool, "true or false")):
        if key in entry and not isinstance(entry[key], kind):
            raise SchemaError(
                f'Feature {name!r}: "{key}" is {brief(entry[key])}, not {words}.',
                f'Write {words}, or leave "{key}" out.',
            )
    columns = _columns(frame, entry, name)
    several = len(columns) > 1
    described = _choice(frame, entry, name, columns) if several else _single(frame[columns[0]], entry, name)
    return replace(
        described,
        label=entry.get("label", ""),
        unit=entry.get("unit", ""),
        change=_member(Change, entry.get("change"), described.change, name),
        forbidden=frozenset(_forbidden(entry, described)),
        proposed=entry.get("proposed", False),
    )


def _columns(frame: pd.DataFrame, entry: Mapping[str, Any], name: str) -> list[str]:
    columns = entry.get("columns", [name])
    if not isinstance(columns, list) or not columns or not all(isinstance(column, str) for column in columns):
        raise SchemaError(
            f'Feature {name!r}: "columns" is not a list of names.', "Name the columns behind the feature."
        )
    for column in columns:
        if column not in frame.columns:
            raise _no_column(f"Feature {name!r} of the schema", column, frame)
    if len(columns) == 1 and columns[0] != name:
        raise SchemaError(
            f"Feature {name!r} has the one column {columns[0]!r}.",
            'Name the feature as its column, and give it a "label" for people.',
        )
    return columns


def _no_column(where: str, column: str, frame: pd.DataFrame) -> SchemaError:
    return SchemaError(
        f"{where} names the column {column!r}, which the table does not have.",
        f"The table's columns: {', '.join(map(str, frame.columns[:12]))}.",
    )


def _single(cells: pd.Series[Any], entry: Mapping[str, Any], name: str) -> Feature:
    """Describe a feature of one column by the entry, and by the column where the entry is silent."""
    missing = _missing(cells, entry, name)
    guess = infer_feature(cells, missing=missing, unit=entry.get("unit", ""))
    kind = _member(Kind, entry.get("kind"), Kind.NUMBER if "cuts" in entry else guess.kind, name)
    held = ~Missing(values=tuple(missing or ())).mask(cells.to_frame(), str(cells.name))
    known = cells[held]
    _refuse(entry, name, ("levels",) if kind is Kind.NUMBER else ("cuts", "level_names"), f"is a {kind}")
    levels: list[Level]
    if kind is Kind.NUMBER:
        _check_numbers(cells, held, name)
        levels = list(_number_levels(known, entry, name, missing or ()))
    elif "levels" in entry:
        levels = list(_values(cells, entry["levels"], name, may_be_empty=missing is not None))
    else:
        levels = list(value_levels(known))
    if missing is not None or len(known) < len(cells):
        levels.append(missing_level(missing or (), levels))
    return Feature(name, kind, (name,), tuple(levels), change=guess.change)


def _refuse(entry: Mapping[str, Any], name: str, keys: Sequence[str], because: str) -> None:
    """Refuse keys that do not go with what the feature is, rather than pass over them in silence."""
    for key in keys:
        if key in entry:
            raise SchemaError(
                f"Feature {name!r} {because} but has {key!r}.", f"Leave {key!r} out, or change the rest to go with it."
            )


def _missing(cells: pd.Series[Any], entry: Mapping[str, Any], name: str) -> list[Cell] | None:
    words = entry.get("missing")
    if words is None:
        return None
    if not isinstance(words, list) or not all(is_cell(word) for word in words):
        raise SchemaError(
            f'Feature {name!r}: "missing" is {brief(words)}, not a list of cells.',
            "List the cells that mean missing, or write null.",
        )
    return list(dict.fromkeys(as_held(cells, plain(word)) for word in words))


def _check_numbers(cells: pd.Series[Any], held: Mask, name: str) -> None:
    if holds_numbers(cells) or not held.any():
        return
    for row in np.flatnonzero(held).tolist():
        cell = plain(cells.iloc[row])
        if number(str(cell)) is None:
            raise SchemaError(
                f"Column {name!r} is declared a number but {row_text(cells.index, row)} holds {cell!r}.",
                'Declare it a category, or list that word under "missing".',
            )
    raise SchemaError(
        f"Column {name!r} is declared a number but was read as text.",
        "Empty the cells that hold words for missing, or declare it a category.",
    )


def _number_levels(
    known: pd.Series[Any], entry: Mapping[str, Any], name: str, missing: Sequence[Cell]
) -> list[Interval]:
    unit, cuts, names = entry.get("unit", ""), entry.get("cuts"), entry.get("level_names")
    if cuts is None:
        _refuse(entry, name, ("level_names",), 'has no "cuts"')
        return cut(known, missing, unit)
    if not isinstance(cuts, list) or not all(map(is_number, cuts)) or sorted(set(cuts)) != cuts:
        raise SchemaError(
            f'Feature {name!r}: "cuts" is {brief(cuts)}, not numbers in increasing order.',
            "Write for example [100, 500, 1000].",
        )
    if names is not None and not (
        isinstance(names, list) and len(names) == len(cuts) + 1 and all(map(_is_name, names))
    ):
        raise SchemaError(
            f'Feature {name!r} has {len(cuts)} cuts but "level_names" does not have {len(cuts) + 1} names.',
            "Give one name more than cuts, or leave the names out.",
        )
    return intervals(cuts, missing, level_names(cuts, known, unit) if names is None else names)


def _values(column: pd.Series[Any], entries: Any, name: str, *, may_be_empty: bool) -> list[Value]:
    if not isinstance(entries, list) or not (entries or may_be_empty):
        raise SchemaError(f'Feature {name!r}: "levels" is not a list of levels.', "List the levels in order.")
    objects = [entry if isinstance(entry, Mapping) else {"value": entry} for entry in entries]
    for entry in objects:
        named = entry.get("name") is None or _is_name(entry["name"])
        if not is_cell(entry.get("value")) or not set(entry) <= {"value", "name"} or not named:
            raise SchemaError(
                f"Feature {name!r} has a level that is not a value with a name: {brief(dict(entry))}.",
                'Write {"value": …, "name": …} for each level, or the values alone.',
            )
    cells = [as_held(column, plain(entry["value"])) for entry in objects]
    described = zip(objects, value_names(cells), cells, strict=True)
    return [Value(entry.get("name") or text, cell) for entry, text, cell in described]


def _is_name(word: Any) -> bool:
    return isinstance(word, str) and bool(word)


def _choice(frame: pd.DataFrame, entry: Mapping[str, Any], name: str, columns: list[str]) -> Feature:
    kind = _member(Kind, entry.get("kind"), Kind.CATEGORY, name)
    if kind is Kind.NUMBER:
        raise SchemaError(
            f"Feature {name!r} is a number but is made of {len(columns)} columns.", "Declare it a category, or ordered."
        )
    _refuse(entry, name, ("cuts", "level_names", "missing"), f"is made of {len(columns)} columns")
    entries = entry.get("levels")
    if not isinstance(entries, list) or not entries:
        raise SchemaError(
            f"Feature {name!r} is made of {len(columns)} columns but lists no levels.",
            "List its levels, each with a value for every column.",
        )
    levels = []
    for level in entries:
        assignment = level.get("columns") if isinstance(level, Mapping) else None
        if (
            not isinstance(assignment, Mapping)
            or set(assignment) != set(columns)
            or not all(map(is_cell, assignment.values()))
        ):
            raise SchemaError(
                f"Feature {name!r} has a level that does not give a value to each of its columns: {brief(level)}.",
                f"Give values to {', '.join(map(repr, columns))}.",
            )
        if not _is_name(level.get("name")) or set(level) != {"name", "columns"}:
            raise SchemaError(
                f"Feature {name!r} has a level that is not a name with columns: {brief(level)}.",
                'Write {"name": …, "columns": …} for each level.',
            )
        given = tuple((column, as_held(frame[column], plain(assignment[column]))) for column in columns)
        levels.append(Choice(level["name"], given))
    return Feature(name, kind, tuple(columns), tuple(levels))


def _forbidden(entry: Mapping[str, Any], feature: Feature) -> list[str]:
    """Return names of forbidden levels; a value of the data may stand for its level."""
    words = entry.get("forbidden", [])
    if not isinstance(words, list) or not all(map(is_cell, words)):
        raise SchemaError(
            f'Feature {feature.name!r}: "forbidden" is {brief(words)}, not a list of levels.',
            "List the names of levels nobody may be told to move to.",
        )
    values = [level for level in feature.levels if isinstance(level, Value)]
    by_value: dict[object, str] = {key: level.name for level in values for key in (level.value, str(level.value))}
    by_value |= {word: by_value[str(value)] for word, value in TRUTHS.items() if str(value) in by_value}
    names = {level.name for level in feature.levels}
    texts = [str(plain(word)) for word in words]
    return [text if text in names else by_value.get(word, text) for word, text in zip(words, texts, strict=True)]


def _member(options: type[E], word: Any, default: E, name: str) -> E:
    if word is None:
        return default
    try:
        return options(word)
    except ValueError as error:
        known = ", ".join(repr(str(option)) for option in options)
        what = options.__name__.lower()
        raise SchemaError(
            f"Feature {name!r} of the schema has the {what} {brief(word)}.", f"Use one of: {known}."
        ) from error
