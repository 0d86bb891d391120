"""What a worker process gets from the server: the settings it needs, and keys only for a service it is to ask."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ares_core.models.endpoint import Address
from ares_core.models.endpoint.secrets import headers_for
from ares_core.processes import HERE, ONE_THREAD
from ares_core.worker.questions import Question
from ares_core.worker.recipe import Brought, Evaluated, ServiceAt, Subject, SummaryKey

Headers = Mapping[str, Mapping[str, str]]  # by the address of a service
# A list of what is passed on, not of what is kept back: a secret may be called anything, and Streamlit copies the top
# of its secrets.toml into the environment.
PASSED_ON = {
    *("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LD_PRELOAD"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("ARES_SANDBOX", "ARES_ALLOWED_HOSTS", "ARES_ALLOW_PICKLE"),
}
PASSED_ON_PREFIXES = ("LC_", "PYTHON", "MALLOC_")
HOLDERS = (Question, SummaryKey, Evaluated, Subject, Brought)  # values that may hold a service


def worker_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of a worker process: known settings of this one, and nothing else."""
    passed = {
        name: value for name, value in environment.items() if name in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    paths = [str(HERE), *filter(None, [environment.get("PYTHONPATH")])]
    return {**passed, "PYTHONPATH": os.pathsep.join(paths), **ONE_THREAD}


def service_headers(question: Question[Any], environment: Mapping[str, str] = os.environ) -> Headers:
    """Return the headers of each service that a question is about; services without any are left out.

    Raises
    ------
    ModelError
        If the variable that holds them is malformed, or an address is none.
    """
    urls = {service.url for service in _services(question)}
    found = {url: headers_for(Address.parse(url), environment) for url in sorted(urls)}
    return {url: headers for url, headers in found.items() if headers}


def _services(value: object) -> Iterator[ServiceAt]:
    if isinstance(value, ServiceAt):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _services(each)
    elif isinstance(value, HOLDERS):
        for field in fields(value):  # type: ignore[arg-type]  # every question is a dataclass
            yield from _services(getattr(value, field.name))
