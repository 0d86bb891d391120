"""Small model services for tests: real HTTP servers on this machine that speak MLflow or KServe V2, or misbehave."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd

from ares_core.models.endpoint import Hosts, Patience, Service, open_service

HASTE = Patience(seconds=60.0, tries=3, pause=0.01)
Predict = Callable[[pd.DataFrame], list[Any]]


@dataclass(frozen=True)
class Asked:
    """A question as it came: path, headers in small letters, and the document, None for a GET."""

    path: str
    headers: Mapping[str, str]
    document: Any


@dataclass(frozen=True)
class Reply:
    """What to send back: a document or bytes as they are, and seconds between two bytes."""

    content: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: float = 0.0

    def body(self) -> bytes:
        """Return the bytes."""
        return self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()


@dataclass
class Served:
    """A server that runs: its port, its address and every question it was asked."""

    port: int
    asked: list[Asked] = field(default_factory=list)

    @property
    def host(self) -> str:
        """What ARES_ALLOWED_HOSTS must list."""
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        """The beginning of its address."""
        return f"http://{self.host}"

    @property
    def mlflow(self) -> str:
        """Where an MLflow model is."""
        return f"{self.origin}/invocations"

    @property
    def kserve(self) -> str:
        """Where a KServe V2 model is."""
        return f"{self.origin}/v2/models/loans"

    def opened(self, url: str = "", **options: Any) -> Service:
        """Open the service, which is allowed, with little patience."""
        allowed = Hosts(frozenset({self.host}))
        return open_service(url or self.mlflow, **{"hosts": allowed, "patience": HASTE, **options})


@contextmanager
def served(reply: Callable[[Asked], Reply], certificate: Path | None = None) -> Iterator[Served]:
    """Serve replies on a free port until the end of the block, in secret if there is a certificate."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            self._answer(json.loads(self.rfile.read(length)))

        def _answer(self, document: Any) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, headers, document)
            found.asked.append(asked)
            self._send(reply(asked))

        def _send(self, sent: Reply) -> None:
            body = sent.body()
            try:
                self.send_response(sent.status)
                for name, value in {"Content-Length": str(len(body)), **sent.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                for place in range(len(body)) if sent.drip else ():
                    self.wfile.write(body[place : place + 1])
                    time.sleep(sent.drip)
                self.wfile.write(b"" if sent.drip else body)
            except OSError:  # whoever asked has hung up
                self.close_connection = True

        def log_message(self, format: str, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    found = Served(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


TYPES = {"boolean": "bool", "long": "int64", "double": "float64", "string": "object"}


def mlflow(predict: Predict, signature: Mapping[str, str] | None = None) -> Callable[[Asked], Reply]:
    """Return an MLflow scoring server's replies.

    Parameters
    ----------
    signature
        The type of each column, enforced as MLflow 3.17 does: whatever stands in a boolean column is turned into true
        or false by its truth, fractions of a long are cut off, and text columns keep numbers.
    """

    def reply(asked: Asked) -> Reply:
        if asked.path != "/invocations" or asked.document is None:
            return Reply({"error": "not found"}, status=404)
        split = asked.document["dataframe_split"]
        frame = pd.DataFrame(split["data"], columns=split["columns"])
        try:
            typed = frame.astype({name: TYPES[kind] for name, kind in (signature or {}).items()})
        except (KeyError, ValueError) as error:
            return Reply({"error_code": "BAD_REQUEST", "message": f"Invalid input. {error}"}, status=400)
        return Reply({"predictions": predict(typed)})

    return reply


def kserve(
    predict: Predict, columns: Mapping[str, str], output: str = "INT64", scores: Predict | None = None
) -> Callable[[Asked], Reply]:
    """Return the replies of a KServe V2 server such as MLServer.

    Parameters
    ----------
    columns
        The datatype of each input.
    output
        The datatype of the labels, the only output that the server lists.
    scores
        What it answers when it is asked for predict_proba, which it refuses where this is None.
    """
    inputs = [{"name": name, "datatype": kind, "shape": [-1, 1]} for name, kind in columns.items()]
    outputs = [{"name": "predict", "datatype": output, "shape": [-1]}]
    metadata = {"name": "loans", "versions": ["1"], "platform": "sklearn", "inputs": inputs, "outputs": outputs}

    def tensor(name: str, frame: pd.DataFrame) -> Any:
        if name == "predict":
            found = predict(frame)
            return {"name": name, "datatype": output, "shape": [len(found)], "data": found}
        rows = scores(frame) if scores is not None else []
        data = [score for row in rows for score in row]
        return {"name": name, "datatype": "FP64", "shape": [len(rows), len(rows[0])], "data": data}

    def reply(asked: Asked) -> Reply:
        if asked.path == "/v2/models/loans" and asked.document is None:
            return Reply(metadata)
        if asked.path != "/v2/models/loans/infer":
            return Reply({"error": "not found"}, status=404)
        names = [each["name"] for each in asked.document.get("outputs", [{"name": "predict"}])]
        if scores is None and names != ["predict"]:
            return Reply({"error": f"the model does not support {names[0]!r}"}, status=400)
        parts = {part["name"]: part for part in asked.document["inputs"]}
        assert [parts[name]["datatype"] for name in columns] == list(columns.values())
        frame = pd.DataFrame({name: parts[name]["data"] for name in columns})
        return Reply({"model_name": "loans", "outputs": [tensor(name, frame) for name in names]})

    return reply
