"""Files: read with a limit, JSON without surprises, and written whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, Self

from ares_core.errors import AresError, DataError
from ares_core.wording import CONTROLS

MOST_JSON = 200_000_000
MOST_DIGITS = 1_000  # of a whole number; Python itself refuses a few thousand with advice to programmers
PLACE_HINT = "Choose a folder that exists and that you may write to."


def read_bytes(path: Path, subject: str, most: int, error: type[AresError], smaller: str) -> bytes:
    """Return what a file holds.

    Parameters
    ----------
    subject
        What a sentence calls the file, at its beginning.
    most
        Bytes it may have; of a larger file no more than that is read.
    error
        What to raise if it cannot be read.
    smaller
        The hint if it is too large.
    """
    hint = "Check the path, and that you may read the file."
    try:
        if not path.exists():
            raise error(f"{subject} does not exist.", "Check the path and the spelling.")
        if path.is_dir():
            raise error(f"{subject} is a folder, not a file.", "Give the path of a file in it.")
        if not path.is_file():
            raise error(f"{subject} is not an ordinary file.", "Save it to a file and give that.")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as cause:
        reason = getattr(cause, "strerror", None) or str(cause)
        raise error(f"{subject} cannot be read: {reason}.", hint) from cause
    refuse_large(data, subject, most, error, smaller)
    return data


def refuse_large(data: bytes, subject: str, most: int, error: type[AresError], smaller: str) -> None:
    """Raise if there are more bytes than allowed."""
    if len(data) > most:
        size = f"{most // 1_000_000:,} MB" if most >= 1_000_000 else f"{most:,} bytes"
        raise error(f"{subject} is larger than {size}.", smaller)


def read_json(path: Path, subject: str, error: type[AresError], hint: str) -> Any:
    """Return the content of a JSON file.

    Parameters
    ----------
    subject, error
        As for `read_bytes`.
    hint
        What to do if it is not JSON, or too large to be what was meant.
    """
    return parse_json(read_bytes(path, subject, MOST_JSON, error, hint), subject, error, hint)


def parse_json(data: bytes, subject: str, error: type[AresError], hint: str) -> Any:
    """Return what JSON in UTF-8 says, with or without a byte-order mark.

    NaN and Infinity are not JSON, and an object that says a key twice contradicts itself.
    """
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            parse_constant=_refuse_constant,
            parse_int=_whole_number,
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError) as cause:
        reason = "not even text" if isinstance(cause, UnicodeDecodeError) else str(cause).rstrip(".")
        raise error(f"{subject} is not JSON: {reason}.", hint) from cause


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number JSON knows")


def _whole_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"one object says {twice!r:.60} twice")
    return found


def dump_json(document: Mapping[str, Any]) -> str:
    """Write JSON the same way every time; a number that is not finite is a mistake.

    Letters of every language stay as they are; what is no letter, such as the codes a terminal obeys, is escaped.
    """
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return CONTROLS.sub(lambda found: json.dumps(found[0])[1:-1], text)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file at once or not at all; text in UTF-8.

    Raises
    ------
    DataError
        If the place cannot be written to.
    """
    with Staged({path: content}) as staged:
        staged.keep()


class Staged:
    """Files written beside their places, which take them all together or not at all.

    Inside the `with` they are there in full, under names of their own; `keep` puts them into their places, and what
    was not kept by the end is gone.

    Parameters
    ----------
    contents
        What is to stand in each place; text in UTF-8.

    Raises
    ------
    DataError
        If a place cannot be written to.
    """

    def __init__(self, contents: Mapping[Path, str | bytes]) -> None:
        self._contents = contents
        self._waiting: dict[Path, Path] = {}

    def __enter__(self) -> Self:
        try:
            for path, content in self._contents.items():
                check_place(path)
                self._write(path, content.encode() if isinstance(content, str) else content)
        except BaseException:  # an interruption too leaves no half
            self._clear()
            raise
        return self

    def _write(self, path: Path, content: bytes) -> None:
        place = destination(path)
        beside = _beside(place)
        self._waiting[place] = beside
        with _writing(path):
            with beside.open("xb") as stream:
                stream.write(content)
            if place.exists():
                shutil.copymode(place, beside)

    def keep(self) -> None:
        """Put every file into its place."""
        for place, beside in list(self._waiting.items()):
            with _writing(place):
                beside.replace(place)
            del self._waiting[place]

    def __exit__(self, *_: object) -> None:
        self._clear()

    def _clear(self) -> None:
        for beside in self._waiting.values():
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def check_place(path: Path) -> None:
    """Check that a file can be written before the work for it begins, by writing and removing an empty one.

    Raises
    ------
    DataError
        If its folder is missing or closed to us, or something that is no ordinary file stands in its place.
    """
    name = name_of(path)
    with _writing(path):
        place = destination(path)
        if place.is_dir():
            raise DataError(f"The output {name!r} is a folder, not a file.", "Add the name of a file to write.")
        if place.exists() and not place.is_file():
            raise DataError(f"The output {name!r} is not an ordinary file.", "Give the path of a file, new or old.")
        if not place.parent.is_dir():
            raise DataError(f"The folder of the output {name!r} does not exist.", PLACE_HINT)
        if not os.access(place.parent, os.W_OK) or (place.exists() and not os.access(place, os.W_OK)):
            raise DataError(f"The output {name!r} may not be written to.", PLACE_HINT)
        trial = _beside(place)
        trial.touch(exist_ok=False)
        trial.unlink()


def name_of(path: Path) -> str:
    """Return what a sentence calls a file: its name, or the path where that has none, such as '.'."""
    return path.name or str(path)


def destination(path: Path) -> Path:
    """Return the file a path leads to through all links: where a link is written to, its target changes."""
    return Path(os.path.realpath(path))


def _beside(place: Path) -> Path:
    """Return a name in the same folder that nobody has; short, since the file's own may be as long as allowed."""
    return place.with_name(f".ares-{secrets.token_hex(8)}.part")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say in a sentence why a file cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError(f"The output {name_of(path)!r:.60} cannot be written: {reason}.", PLACE_HINT) from error
