"""Files: read with a limit, JSON without surprises, and written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from ares_core.errors import AresError, DataError

MOST_JSON = 200_000_000
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
    """Return what JSON in UTF-8 says, with or without a byte-order mark; NaN and Infinity are not JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as cause:
        reason = "not even text" if isinstance(cause, UnicodeDecodeError) else str(cause).rstrip(".")
        raise error(f"{subject} is not JSON: {reason}.", hint) from cause


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number JSON knows")


def dump_json(document: Mapping[str, Any]) -> str:
    """Write JSON the same way every time; a number that is not finite is a mistake."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file at once or not at all; text in UTF-8.

    Raises
    ------
    DataError
        If the place cannot be written to.
    """
    check_place(path)
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    except OSError as error:
        raise DataError(f"The file {path.name!r} cannot be written: {error.strerror}.", PLACE_HINT) from error
    finally:
        with suppress(OSError):  # whatever stopped the writing, an interruption too, leaves no half
            beside.unlink(missing_ok=True)


def check_place(path: Path) -> None:
    """Check that a file can be written before the work for it begins.

    Raises
    ------
    DataError
        If its folder is missing or closed to us, or a folder stands in its place.
    """
    name = path.name or str(path)
    try:
        folder, here = path.parent.is_dir(), path.is_dir()
    except OSError as error:
        raise DataError(f"The output {name!r:.60} cannot be written: {error.strerror}.", PLACE_HINT) from error
    if here:
        raise DataError(f"The output {name!r} is a folder, not a file.", "Add the name of a file to write.")
    if not folder:
        raise DataError(f"The folder of the output {name!r} does not exist.", PLACE_HINT)
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"The folder of the output {name!r} may not be written to.", PLACE_HINT)
