"""Client: one question to a service and its answer as JSON, with time-outs, retries and caps, and no redirects."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from time import sleep
from typing import Any

from ares_core.errors import ModelError
from ares_core.files import parse_json
from ares_core.models.endpoint.address import Address, Hosts
from ares_core.models.endpoint.explanation import explanation

PIECE = 65_536  # bytes read at a time
BUSY = (429, 500, 502, 503, 504)  # worth another try
LOGIN = (401, 403)
EXPLAINED = (400, 404, 415, 422)  # replies that explain what is wrong with the question
MOST_EXPLAINED = 100_000  # bytes read of such a reply
ANSWER_HINT = "Check that the address is that of the model, and that the service speaks this protocol."


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a service: seconds for one call, tries, and seconds before the second try, then doubled."""

    seconds: float = 30.0
    tries: int = 4
    pause: float = 0.5
    longest_pause: float = 10.0

    def before(self, attempt: int, asked: float | None) -> float:
        """Return how long to wait before another try, counted from 1; the service may ask for longer."""
        return min(self.longest_pause, max(self.pause * 2.0 ** (attempt - 1), asked or 0.0))


class RefusedError(ModelError):
    """The service refused a question, with a status from 400 to 499."""


class TryAgainError(Exception):
    """A call failed in a way that may pass; `asked` is how many seconds the service asks to wait."""

    def __init__(self, reason: str, asked: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.asked = reason, asked


class Client:
    """Asks one service.

    Parameters
    ----------
    address
        Where it is.
    hosts
        Whom this server may ask.
    patience
        How long to wait, and how often to try.
    headers
        Sent with every question; they may hold keys, so nothing shows them.
    """

    def __init__(self, address: Address, hosts: Hosts, patience: Patience, headers: Mapping[str, str]) -> None:
        self.address, self._hosts, self._patience = address, hosts, patience
        self._headers = dict(headers)
        self.calls = 0

    def ask(self, path: str, document: Any = None, *, most: int) -> Any:
        """Send JSON, or nothing, and return the JSON that comes back, of at most so many bytes.

        Raises
        ------
        ModelError
            If no answer can be had, or what comes is not one.
        """
        body = None if document is None else json.dumps(document, allow_nan=False).encode()
        for attempt in range(1, self._patience.tries + 1):
            try:
                return self._call(path, body, most)
            except TryAgainError as problem:
                if attempt == self._patience.tries:
                    tries = f"after {attempt} tries" if attempt > 1 else "at the first try"
                    raise ModelError(
                        f"The service at {self.address.origin} gave no answer {tries}: {problem.reason}.",
                        "Check that it is running and that this server can reach it, then try again.",
                    ) from problem
                sleep(self._patience.before(attempt, problem.asked))
        raise AssertionError("there is at least one try")

    def _call(self, path: str, body: bytes | None, most: int) -> Any:
        self.calls += 1
        try:
            with self._connected() as connection:
                status, wait, content = self._exchange(connection, path, body, most)
        except TimeoutError as error:
            raise TryAgainError(f"it took longer than {self._patience.seconds:g} seconds") from error
        except ssl.SSLCertVerificationError as error:
            raise ModelError(
                f"The certificate of {self.address.host} cannot be trusted: {error.verify_message}.",
                "Have the service show a certificate this server knows.",
            ) from error
        except (OSError, HTTPException) as error:
            raise TryAgainError(_reason(error)) from error
        self._check_status(status, wait, content)
        return parse_json(content, "The service's answer", ModelError, ANSWER_HINT)

    @contextmanager
    def _connected(self) -> Iterator[HTTPConnection]:
        """Connect, and cut the line when the time is over, however slowly bytes trickle in."""
        line = _Line(self._hosts.connect(self.address, self._patience.seconds))
        timer = threading.Timer(self._patience.seconds, line.cut)
        timer.daemon = True
        timer.start()
        connection = HTTPConnection(self.address.host, self.address.port)
        try:
            if self.address.scheme == "https":
                line.secure(self.address.host)
            connection.sock = line.socket
            yield connection
        except (OSError, HTTPException) as error:
            if line.was_cut:
                raise TimeoutError from error
            raise
        finally:
            timer.cancel()
            connection.close()
            line.socket.close()
        if line.was_cut:
            raise TimeoutError

    def _exchange(
        self, connection: HTTPConnection, path: str, body: bytes | None, most: int
    ) -> tuple[int, float | None, bytes]:
        headers = {**self._headers, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request("GET" if body is None else "POST", path, body=body, headers=headers)
        with connection.getresponse() as response:
            wait = response.headers.get("Retry-After", "")
            status = response.status
            content = _content(response, most) if status == 200 else b""
            if status in EXPLAINED:
                content = response.read(MOST_EXPLAINED)
        return status, float(wait) if wait.isascii() and wait.isdecimal() else None, content

    def _check_status(self, status: int, wait: float | None, content: bytes) -> None:
        """Raise unless the call was answered, with the service's own explanation where it gives one."""
        if status == 200:
            return
        if status in BUSY:
            raise TryAgainError(f"it answered with status {status}", wait)
        if 300 <= status < 400:
            raise ModelError(
                f"The service at {self.address.origin} points to another address (status {status}), which is not "
                "followed.",
                "Give the address it leads to.",
            )
        hint = "Whoever runs this server can give it the headers the service wants." if status in LOGIN else ANSWER_HINT
        said = explanation(content, self._headers)
        reason = f": {said.rstrip('.')}" if said else ""
        raise RefusedError(
            f"The service at {self.address.origin} refused the question with status {status}{reason}.", hint
        )


class _Line:
    """A connection that another thread may cut."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket, self.was_cut = connected, False

    def secure(self, host: str) -> None:
        """Go on in secret, with whoever can show that they are this host."""
        context = ssl.create_default_context()
        # The handshake comes after, so that it can be cut too.
        secured = context.wrap_socket(self.socket, server_hostname=host, do_handshake_on_connect=False)
        self.socket = secured
        secured.do_handshake()

    def cut(self) -> None:
        """End the connection, whatever is on its way."""
        self.was_cut = True
        with suppress(OSError):  # it ended by itself at the same moment
            self.socket.shutdown(socket.SHUT_RDWR)


def _content(response: HTTPResponse, most: int) -> bytes:
    pieces, size = [], 0
    while piece := response.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise ModelError(
                f"The service's answer is larger than {most:,} bytes, which no such answer needs.", ANSWER_HINT
            )
    if response.length:  # promised and never sent
        raise IncompleteRead(b"")
    return b"".join(pieces)


def _reason(error: Exception) -> str:
    if isinstance(error, HTTPException):
        return "it does not speak HTTP, or ended in the middle of a sentence"
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"the connection failed ({str(reason).rstrip('.')})"
