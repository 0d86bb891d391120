"""Find which columns the category lists in a LightGBM file belong to.

LightGBM keeps one list for each column of pandas' category type, in the order of the columns, and not their names.
Which columns those were follows from the codes the file mentions for each column, or it does not; then nobody guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ares_core.models.loaders.base import Refusal
from ares_core.models.raw import Categories, Label

_INFOS = re.compile(r"^feature_infos=(.*)$", re.MULTILINE)
_CHOSEN = re.compile(r"^\[categorical_feature: ([\d,]*)\]$", re.MULTILINE)
_RANGE = re.compile(r"\[(-?[\d.e+-]+):(-?[\d.e+-]+)\]")
_CONSTANT = "none"

Values = tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Assigned:
    """Which columns the lists belong to.

    Parameters
    ----------
    known
        The categories of each such column.
    lacking
        Columns that may have categories, where the file allows several ways to assign them.
    """

    known: dict[str, Values]
    lacking: tuple[str, ...] = ()


def assign_categories(text: str, names: Sequence[str], lists: Sequence[list[Label]], given: Categories) -> Assigned:
    """Assign the category lists of a file to its columns.

    Parameters
    ----------
    text
        The file.
    names
        Its columns.
    lists
        The categories of each column that was of pandas' category type, in the order of those columns.
    given
        Categories the user gave; they decide which columns the lists belong to.

    Raises
    ------
    Refusal
        If the categories given do not say it either.
    """
    values = [tuple(each) for each in lists]
    if not values:
        return Assigned({})
    found = _INFOS.search(text)
    infos = found[1].split(" ") if found else []
    columns = list(zip(names, infos, strict=False))
    if given:
        places = _only_way([[_belongs(each, given.get(name)) for name in names] for each in values])
        if places is None:
            raise Refusal("categories", "the categories given are not those in its file")
    else:
        fitting = [[_fits(each, info) for _, info in columns] for each in values]
        places = _by_choice(text, values, fitting) or _only_way(fitting)
        if places is None:
            unsure = [
                name for place, name in enumerate(names) if any(row[place : place + 1] != [False] for row in fitting)
            ]
            return Assigned({}, tuple(unsure))
    return Assigned({names[place]: each for place, each in zip(places, values, strict=True)})


def _by_choice(text: str, lists: Sequence[Values], fitting: Sequence[Sequence[bool]]) -> list[int] | None:
    """Return the only way to assign the lists to columns that were trained as categories, if an error would be noticed.

    The lists belong to such columns unless `categorical_feature=` left theirs out. A list of text that goes to a column
    of numbers by mistake is noticed, because the column then holds no known category. A list whose values are its own
    codes does no harm anywhere.
    """
    found = _CHOSEN.search(text)
    chosen = {int(place) for place in found[1].split(",") if place} if found else set()
    if not all(_is_text(each) or _is_own_code(each) for each in lists):
        return None
    return _only_way([[fits and place in chosen for place, fits in enumerate(row)] for row in fitting])


def _only_way(allowed: Sequence[Sequence[bool]]) -> list[int] | None:
    """Return the only way to give each list, in order, a column it is allowed; None if there are several or none."""
    leftmost, rightmost = _leftmost(allowed), _leftmost([row[::-1] for row in allowed[::-1]])
    if leftmost is None or rightmost is None:
        return None
    mirrored = [len(allowed[0]) - 1 - place for place in reversed(rightmost)]
    return leftmost if leftmost == mirrored else None


def _leftmost(allowed: Sequence[Sequence[bool]]) -> list[int] | None:
    places: list[int] = []
    for row in allowed:
        begin = places[-1] + 1 if places else 0
        place = next((place for place in range(begin, len(row)) if row[place]), None)
        if place is None:
            return None
        places.append(place)
    return places


def _belongs(values: Values, given: Values | None) -> bool:
    """Say whether a list can be that of a column with the given categories: one holds all values of the other."""
    if given is None:
        return False
    own, others = set(map(_key, values)), set(map(_key, given))
    return own <= others or others <= own


def _fits(values: Values, info: str) -> bool:
    """Say whether a column whose training data is described so may have held the codes of these categories."""
    if info == _CONSTANT:
        return True
    found = _RANGE.fullmatch(info)
    try:
        codes = [float(code) for code in (found.groups() if found else info.split(":"))]
    except ValueError:
        return False
    # In a list of codes, -1 stands for missing and rare values.
    least = 0 if found else -1
    return all(code.is_integer() and least <= code < len(values) for code in codes)


def _key(value: Label) -> tuple[bool, Label]:
    return isinstance(value, bool), value  # True equals 1, but is another category


def _is_text(values: Values) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_own_code(values: Values) -> bool:
    return all(value == code for code, value in enumerate(values))
