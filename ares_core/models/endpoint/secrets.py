"""Secrets: headers that whoever runs this server adds to questions, each for one service and no other."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from ares_core.errors import ModelError
from ares_core.files import parse_json
from ares_core.models.endpoint.address import Address

VARIABLE = "ARES_HEADERS"
HINT = f'Whoever runs this server writes {VARIABLE}=\'{{"https://host": {{"Authorization": "Bearer …"}}}}\'.'
NAME = re.compile(r"[A-Za-z0-9-]{1,100}")
VALUE = re.compile(r"[\x20-\x7e]{1,8000}")
OURS = {"host", "content-length", "content-type", "transfer-encoding", "connection", "accept-encoding"}


def headers_for(address: Address, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the headers of a service, by scheme, host and port, so that none goes to another or in the clear.

    Raises
    ------
    ModelError
        If the variable is not what it should be; the message never holds what it says.
    """
    text = environment.get(VARIABLE, "")
    if not text:
        return {}
    document = parse_json(text.encode(), f"The variable {VARIABLE}", ModelError, HINT)
    headers = document.get(address.origin, {}) if isinstance(document, dict) else None
    if not isinstance(headers, dict) or not all(_is_header(name, value) for name, value in headers.items()):
        raise ModelError(f"The variable {VARIABLE} does not give headers by service.", HINT)
    return headers


def _is_header(name: str, value: object) -> bool:
    known = NAME.fullmatch(name) is not None and name.casefold() not in OURS
    return known and isinstance(value, str) and VALUE.fullmatch(value) is not None
