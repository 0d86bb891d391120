"""Starts real MLflow and MLServer servers on this machine, and records what they are asked and answer.

Usage: python -m tests.models.endpoint.real_servers, which writes the recordings again.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.endpoint import Hosts, Patience, Service, client, open_service
from tests.models.endpoint import real_models
from tests.patience import PATIENCE

HERE = Path(__file__).resolve().parent
RECORDINGS = HERE / "recordings"
VARIABLE = "ARES_TEST_SERVERS"  # a folder with the environments, so that they need not be made again
PACKAGES = {"mlflow": ["mlflow"], "mlserver": ["mlserver", "mlserver-sklearn"]}
KINDS = ("mlflow-labels", "mlflow-records", "mlserver")


@dataclass(frozen=True)
class Running:
    """A server that runs: the address of its model, and the model's own answers about `people`."""

    url: str
    own: dict[str, Any]

    def opened(self) -> Service:
        """Open the model."""
        host = self.url.split("/")[2]
        return open_service(self.url, hosts=Hosts(frozenset({host})), patience=Patience(seconds=PATIENCE, tries=1))


def people() -> pd.DataFrame:
    """Return the people the models are asked about."""
    return pd.DataFrame(real_models.people()).astype({"income": float})


def environment(kind: str, home: Path) -> Path:
    """Return the folder of an environment with a server, made where there is none.

    Raises
    ------
    subprocess.CalledProcessError
        If its packages cannot be installed.
    """
    name = kind.partition("-")[0]
    folder = home / name
    if not (folder / ".made").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, capture_output=True)
        install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *PACKAGES[name]]
        subprocess.run(install, check=True, capture_output=True, text=True)
        (folder / ".made").touch()
    return folder


@contextmanager
def running(kind: str, home: Path) -> Iterator[Running]:
    """Build a model in its server's environment and serve it until the end of the block."""
    bin_folder = environment(kind, home) / "bin"
    variables = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    with TemporaryDirectory() as place:
        folder = Path(place) / "served"
        build = [bin_folder / "python", HERE / "real_models.py", kind, folder]
        subprocess.run(build, check=True, capture_output=True, text=True, env=variables, cwd=place)
        ports = free_ports(3)
        if kind == "mlserver":
            names = ("http_port", "grpc_port", "metrics_port")
            settings = {"host": "127.0.0.1", "parallel_workers": 0, **dict(zip(names, ports, strict=True))}
            (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
            command = ["mlserver", "start", str(folder)]
            url, ready = f"http://127.0.0.1:{ports[0]}/v2/models/loans", "/v2/models/loans/ready"
        else:
            command = ["mlflow", "models", "serve", "-m", str(folder / "model"), "-p", str(ports[0])]
            command += ["--env-manager", "local"]
            url, ready = f"http://127.0.0.1:{ports[0]}/invocations", "/ping"
        with ExitStack() as stack:
            log = stack.enter_context((Path(place) / "log").open("wb"))
            program = [str(bin_folder / command[0]), *command[1:]]
            server = subprocess.Popen(program, stdout=log, stderr=log, env=variables, cwd=place, start_new_session=True)
            stack.callback(end, server)
            await_ready(f"http://127.0.0.1:{ports[0]}{ready}", server)
            yield Running(url, json.loads((folder / "own.json").read_text("utf-8")))


def end(server: subprocess.Popen[bytes]) -> None:
    """End a server and what it started."""
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on."""
    with ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in found:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in found]


def await_ready(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(url):
                return
        except (OSError, urllib.error.HTTPError):
            time.sleep(0.2)
    raise RuntimeError(f"the server ended with {server.poll()}, or did not start within {PATIENCE} seconds")


def asked_about(service: Service) -> None:
    """Ask a service everything a recording holds: labels, scores, and a question that it refuses."""
    frame = people()
    for output in service.signature.outputs:
        service.answer(frame, output)
    with suppress(ModelError):
        service.answer(frame.head(2).drop(columns="debts"), "label")


def record(kind: str, home: Path) -> None:
    """Write what a server is asked and answers, and the model's own answers."""
    exchanges: list[dict[str, Any]] = []
    exchange = client.Client._exchange

    def recorded(self: Any, connection: Any, path: str, body: bytes | None, most: int) -> Any:
        found = exchange(self, connection, path, body, most)
        status, _, content = found
        asked = None if body is None else json.loads(body)
        exchanges.append({"path": path, "asked": asked, "status": status, "answer": json.loads(content or b"null")})
        return found

    client.Client._exchange = recorded  # type: ignore[method-assign]
    try:
        with running(kind, home) as server:
            asked_about(server.opened())
    finally:
        client.Client._exchange = exchange  # type: ignore[method-assign]
    document = {"path": "/" + server.url.split("/", 3)[3], "own": server.own, "exchanges": exchanges}
    (RECORDINGS / f"{kind}.json").write_text(json.dumps(document) + "\n", "utf-8")


def home_folder(cache: Path) -> Path:
    """Return the folder of the environments."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else cache


if __name__ == "__main__":
    RECORDINGS.mkdir(exist_ok=True)
    for kind_of_server in KINDS:
        record(kind_of_server, home_folder(Path(".pytest_cache", "servers").resolve()))
        print(f"recorded {kind_of_server}")
