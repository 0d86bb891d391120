"""What people type about a schema: levels as lines 'value in the file = what people call it', cuts, single cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ares_core.errors import SchemaError
from ares_core.people import Kind
from ares_core.people.cells import number
from ares_core.people.levels import Cell, number_text, truth

BETWEEN = " = "
HINT = "Begin each line with what the file says, as it stood there, then ' = ' and what people should read."


def write_lines(levels: Sequence[Mapping[str, Any]]) -> str:
    """Write levels as lines; a level that is called what the file says needs no second part."""
    lines = []
    for level in levels:
        key, name = key_of(level), str(level.get("name") or key_of(level))
        lines.append(key if name == key else f"{key}{BETWEEN}{name}")
    return "\n".join(lines)


def key_of(level: Mapping[str, Any]) -> str:
    """Return what a line begins with: the file's value, or the name of an option that several columns make."""
    return str(level["value"] if "value" in level else level["name"])


def read_lines(text: str, levels: Sequence[Mapping[str, Any]], feature: str) -> list[tuple[int, str]]:
    """Return, line by line, the place of the level meant and the name it is given.

    Raises
    ------
    SchemaError
        If a line names no level, or a level has no line or two.
    """
    keys = [key_of(level) for level in levels]
    found = [_read_line(line, keys, feature) for line in text.splitlines() if line.strip()]
    places = [place for place, _ in found]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise SchemaError(f"{keys[twice]!r} of {feature!r} stands in two lines.", "Keep one of them.")
    lost = next((key for place, key in enumerate(keys) if place not in places), None)
    if lost is not None:
        raise SchemaError(
            f"{lost!r} of {feature!r} has no line, but people are there.",
            "Add a line for it; to leave nobody there, list it as missing or forbid it.",
        )
    return found


def _read_line(line: str, keys: Sequence[str], feature: str) -> tuple[int, str]:
    """Read one line; of values that begin alike the longest counts, so a value may hold ' = ' itself."""
    best = -1
    for place, key in enumerate(keys):
        fits = line.strip() == key.strip() or line.startswith(key + BETWEEN) or line.rstrip() == key + BETWEEN.rstrip()
        if fits and (best < 0 or len(key) > len(keys[best])):
            best = place
    if best < 0:
        raise SchemaError(f"The line {line.strip()!r:.80} begins with no value of {feature!r}.", HINT)
    name = line[len(keys[best]) + len(BETWEEN) :].strip() if line.strip() != keys[best].strip() else ""
    return best, name or keys[best]


def read_cuts(text: str, name: str) -> list[float]:
    """Read the numbers at which a feature is cut: '1000, 2000, 5000', in any order.

    Raises
    ------
    SchemaError
        If a word is not a number.
    """
    words = text.replace(";", " ").replace(", ", " ").split()
    parts = [part for word in words for part in ([word] if looks_grouped(word) else word.split(",")) if part]
    found = {part: number(part) for part in parts}
    wrong = next((part for part, value in found.items() if value is None), None)
    if wrong is not None:
        raise SchemaError(
            f"{wrong!r} among the cuts of {name!r} is not a plain number.",
            "Write 1000 rather than 1,000, and put a comma and a space between numbers.",
        )
    return sorted({value for value in found.values() if value is not None})


def looks_grouped(word: str) -> bool:
    """Say whether a word is a number with thousands separators, or may be one."""
    head, *groups = word.lstrip("-").split(",")
    return bool(groups) and 0 < len(head) <= 3 and head.isdecimal() and all(len(group) == 3 for group in groups)


def cuts_text(cuts: Sequence[float]) -> str:
    """Write cuts as `read_cuts` reads them."""
    return ", ".join(number_text(cut, 17).replace(",", "") for cut in cuts)


def read_cell(text: str, entry: Mapping[str, Any]) -> Cell:
    """Return what a typed word stands for in a feature's column: a number, or true or false, where it holds such."""
    values = [level.get("value") for level in entry.get("levels") or []]
    if any(isinstance(value, bool) for value in (*values, *(entry.get("missing") or ()))):
        found = truth(text)
        return text if found is None else found
    numeric = entry["kind"] == Kind.NUMBER or (bool(values) and not any(isinstance(value, str) for value in values))
    value = number(text) if numeric else None
    return text if value is None else value
