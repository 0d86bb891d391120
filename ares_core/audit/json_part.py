"""A part of a JSON file that knows where it stands, so that a sentence can name what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ares_core.errors import AresError, DataError
from ares_core.people.levels import is_number, is_text
from ares_core.people.names import quote

ABSENT = object()  # what stands at a key that is not there; null is something else
LONGEST_PLACE = 80


@dataclass(frozen=True, slots=True)
class Part:
    """A value of a JSON file.

    Parameters
    ----------
    value
        What `json` made of it.
    subject
        What a sentence calls the file, at its beginning.
    hint
        What to do if something is wrong with it.
    place
        The way to it from the top, such as ``rules[0].learn``.
    """

    value: Any
    subject: str
    hint: str
    place: str = ""

    def __getitem__(self, key: str) -> Part:
        """Return what stands at a key of an object; that it is there is checked when it is read."""
        return self._inside(self.content().get(key, ABSENT), f".{key}" if self.place else key)

    def content(self) -> dict[str, Any]:
        """Return an object as it stands."""
        self._check(isinstance(self.value, dict), "object")
        found: dict[str, Any] = self.value
        return found

    def items(self) -> list[tuple[str, Part]]:
        """Return every key of an object with what stands there."""
        return [(key, self[key]) for key in self.content()]

    def entries(self) -> list[Part]:
        """Return the entries of a list."""
        self._check(isinstance(self.value, list), "list")
        return [self._inside(value, f"[{number}]") for number, value in enumerate(self.value)]

    def text(self) -> str:
        """Return text."""
        self._check(is_text(self.value), "text")
        return str(self.value)

    def number(self) -> float:
        """Return a finite number."""
        self._check(is_number(self.value), "number")
        return float(self.value)

    def whole_number(self) -> int:
        """Return a number written without a decimal point."""
        self._check(is_number(self.value) and isinstance(self.value, int), "whole number")
        return int(self.value)

    def truth(self) -> bool:
        """Return true or false."""
        self._check(isinstance(self.value, bool), "true or false")
        return bool(self.value)

    @contextmanager
    def expecting(self, what: str) -> Iterator[None]:
        """Say that this part is not what was expected if making it of the value, in the block, is refused.

        Whoever refuses speaks of what it makes; a reader of this file needs the place.
        """
        try:
            yield
        except (AresError, ValueError) as error:
            raise self._lacks(what) from error

    def _inside(self, value: Any, step: str) -> Part:
        return replace(self, value=value, place=self.place + step)

    def _check(self, right: bool, what: str) -> None:
        if not right:
            raise self._lacks(what)

    def _lacks(self, what: str) -> DataError:
        return DataError(f"{self.subject} has no {what} at {quote(self.place, LONGEST_PLACE)}.", self.hint)
