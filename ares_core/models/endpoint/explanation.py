"""Explanations: what a service writes when it refuses a question, short and without the keys it was sent."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ares_core.models.sandbox.messages import plain

LONGEST = 200
KEPT_START = 60  # characters of a longer one; its end says more, since most quote the question first
MOST_TEXT = 5_000
PIECE = 6  # characters of a key in a row that are never shown
KEYS = ("message", "error", "detail", "msg", "error_message", "reason")
MASK = "[hidden]"


def explanation(content: bytes, headers: Mapping[str, str]) -> str:
    """Return a service's own explanation on one line, at most 200 characters; empty where it gives none.

    Of a longer one the start and the end are kept.

    Parameters
    ----------
    content
        The body of its reply: JSON, or text that is not a web page.
    headers
        What was sent with the question, which may hold keys. Neither their values nor pieces of them are returned.
    """
    text = content.decode("utf-8", errors="replace")
    try:
        found = _message(json.loads(text))
    except (ValueError, RecursionError):
        found = "" if text.lstrip().startswith(("<", "{", "[")) else text
    clean = without_secrets(plain(found, MOST_TEXT), headers)
    return clean if len(clean) <= LONGEST else f"{clean[:KEPT_START]}…{clean[KEPT_START + 1 - LONGEST :]}"


def without_secrets(text: str, headers: Mapping[str, str]) -> str:
    """Replace every occurrence of a header's value, of its parts and of their usual encodings."""
    secrets = {secret for value in headers.values() for secret in _secrets(value)}
    pieces = {piece.casefold() for secret in secrets for piece in _pieces(secret)}
    small = text.casefold()
    if len(small) != len(text):  # letters that change their length with their case
        text = small
    hidden = bytearray(len(text))
    for size in {len(piece) for piece in pieces}:
        for place in range(len(text) - size + 1):
            if small[place : place + size] in pieces:
                hidden[place : place + size] = b"\1" * size
    return "".join(_shown(text, hidden))


def _shown(text: str, hidden: bytearray) -> Iterator[str]:
    for place, sign in enumerate(text):
        if not hidden[place]:
            yield sign
        elif place == 0 or not hidden[place - 1]:
            yield MASK


def _message(document: Any) -> str:
    """Return the first text under a usual name, in an object or the first entry of a list."""
    for _ in range(4):  # objects in objects
        if isinstance(document, str):
            return document
        if isinstance(document, list) and document:
            document = document[0]
        elif isinstance(document, dict):
            document = next((document[key] for key in KEYS if document.get(key)), "")
    return document if isinstance(document, str) else ""


def _secrets(value: str) -> Iterator[str]:
    """Yield what a header's value may look like in a reply: whole, its token, decoded and encoded."""
    words = value.split()
    for part in (value, *(words[1:] if len(words) > 1 else words)):
        yield part
        yield quote(part, safe="")
        yield base64.b64encode(part.encode()).decode().rstrip("=")
        try:
            decoded = base64.b64decode(part, validate=True).decode()
        except (binascii.Error, ValueError):
            continue
        yield from (each for each in (decoded, *decoded.split(":", 1)) if len(each) > 2)


def _pieces(secret: str) -> Iterator[str]:
    """Yield the parts of a secret that are hidden: every few characters in a row, or all of a short one."""
    if 0 < len(secret) <= PIECE:
        yield secret
    for begin in range(len(secret) - PIECE):
        yield secret[begin : begin + PIECE]
    if len(secret) > PIECE:
        yield secret[-PIECE:]
