"""Secrets of the server: no worker inherits them, and a service that wants a header still gets it, and it alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest

from ares_core.costs import Costs
from ares_core.errors import ModelError
from ares_core.models import Reading
from ares_core.recourse import Certificate
from ares_core.settings import Settings
from ares_core.worker import (
    Brought,
    CompareGroups,
    Describe,
    Errands,
    Evaluate,
    Evaluated,
    InspectModel,
    MeetModel,
    ModelFile,
    Pool,
    ServiceAt,
    Source,
    Subject,
    SummaryKey,
    Wish,
)
from ares_core.worker.frames import Ask
from ares_core.worker.secrets import service_headers, worker_environment
from tests.saved_models import table
from tests.services import Asked, Reply, Served, mlflow, served
from tests.worker.conftest import Files, process

KEY = "s3cret-of-this-service"
OTHER_KEY = "s3cret-of-another-service"
SECRETS = {"ARES_STORE": "postgresql://ares:s3cret-password@host/ares", "api_key": "s3cret-by-streamlit"}
SETTINGS = {
    "SSL_CERT_FILE": "/etc/ssl/ours.pem",
    "ARES_SANDBOX": "landlock",
    "LC_ALL": "C.UTF-8",
    "MALLOC_ARENA_MAX": "2",
}


def decide(frame: pd.DataFrame) -> list[str]:
    """Grant loans to people with income enough for their debts."""
    return ["granted" if row.income > 20 * row.debts else "refused" for row in frame.itertuples()]


def closed(asked: Asked) -> Reply:
    """Answer whoever shows the key, and nobody else."""
    return mlflow(decide)(asked) if asked.headers.get("x-key") == KEY else Reply({"error": "who?"}, status=401)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serve a model that wants a key, and give the server's environment that key and other secrets."""
    with served(closed) as server:
        headers = {server.origin: {"X-Key": KEY}, "https://other.example": {"X-Key": OTHER_KEY}}
        for name, value in {**SECRETS, "ARES_HEADERS": json.dumps(headers)}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)
        yield server


@pytest.fixture
def visitor(service: Served, files: Files) -> Iterator[Errands]:
    """Return a visitor of a server with these secrets."""
    pool = Pool(most=2)
    yield Errands(pool, files.__getitem__)
    pool.close()


@pytest.fixture
def source(files: Files) -> Source:
    """Return a table of loans."""
    return Source(files.put(table().to_csv(index=False).encode()), "loans.csv", "loan", "granted")


def environment_of(pid: int) -> dict[str, str]:
    """Return what a process was started with."""
    entries = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return dict(entry.split("=", 1) for entry in entries if entry)


def holds(pid: int, secret: str) -> bool:
    """Say whether a text is anywhere in what a process may write to: its heap, its stack, its buffers."""
    with Path(f"/proc/{pid}/maps").open(encoding="utf-8") as maps, Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in maps:
            span, rights, *_ = line.split()
            if not rights.startswith("rw"):
                continue
            begin, end = (int(place, 16) for place in span.split("-"))
            try:
                memory.seek(begin)
                if secret.encode() in memory.read(end - begin):
                    return True
            except (OSError, OverflowError, ValueError):  # a part no process may read
                continue
    return False


def test_a_worker_inherits_no_secret_and_a_service_gets_its_header(
    visitor: Errands, service: Served, source: Source
) -> None:
    """The environment of a worker holds settings alone, and the service sees its key with every question."""
    inherited = environment_of(process(visitor))
    assert "s3cret" not in str(inherited)
    assert {"PATH", "PYTHONPATH", "ARES_ALLOWED_HOSTS", "OMP_NUM_THREADS"} <= set(inherited)
    question = InspectModel(source, ServiceAt(service.mlflow))
    found = visitor.ask(question).result()
    assert {asked.headers["x-key"] for asked in service.asked} == {KEY}
    assert "s3cret" not in f"{found}{question}"


def test_a_key_comes_with_the_first_question_about_its_service(
    visitor: Errands, service: Served, source: Source
) -> None:
    """A worker that asks no service holds no key in its memory, and one that does holds no other service's."""
    visitor.ask(Describe(source)).result()
    pid = process(visitor)
    try:
        before = holds(pid, KEY)
    except PermissionError:
        pytest.skip("this machine lets nobody read another process's memory")
    visitor.ask(InspectModel(source, ServiceAt(service.mlflow))).result()
    assert process(visitor) == pid
    assert (before, holds(pid, KEY), holds(pid, OTHER_KEY)) == (False, True, False)


def test_malformed_headers_are_told_in_a_sentence(
    visitor: Errands, service: Served, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the variable and never what it holds; other questions are answered as before."""
    monkeypatch.setenv("ARES_HEADERS", '{"https://host": "s3cret"}{')
    with pytest.raises(ModelError, match="ARES_HEADERS") as caught:
        visitor.ask(InspectModel(source, ServiceAt(service.mlflow))).result()
    assert "s3cret" not in f"{caught.value.problem}{caught.value.hint}"
    assert visitor.ask(Describe(source)).result().schema.names


def test_settings_are_passed_on_and_nothing_else() -> None:
    """A worker's environment is a list of known settings, so a secret of any name stays behind."""
    given = {**SECRETS, **SETTINGS, "ARES_HEADERS": "{}", "AWS_SECRET_ACCESS_KEY": "s3cret", "PYTHONPATH": "ours"}
    found = worker_environment(given)
    assert SETTINGS.items() <= found.items()
    assert found["PYTHONPATH"].endswith(":ours")
    assert "s3cret" not in str(found)
    assert set(found) == {*SETTINGS, "PYTHONPATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}


def questions(origin: Any) -> list[Any]:
    """Return questions that name a model in every place one may stand in."""
    source = Source("0" * 64, "loans.csv", "loan", "granted")
    subject = Subject(source, Brought(origin, Reading("granted")))
    evaluated = Evaluated(subject, Settings())
    shown = SummaryKey(evaluated, Wish(Settings(), Costs.unit(("income",))), (), cast(Certificate, None))
    return [InspectModel(source, origin), MeetModel(subject), Evaluate(evaluated), CompareGroups(shown)]


@pytest.mark.parametrize("place", range(4))
def test_the_headers_of_a_question_are_those_of_its_service(place: int) -> None:
    """They are found wherever the service stands, are no part of the question, and are not shown."""
    url = "https://models.example/invocations"
    variable = {
        "ARES_HEADERS": f'{{"https://models.example": {{"X-Key": "{KEY}"}}, "http://models.example": {{"X": "y"}}}}'
    }
    question = questions(ServiceAt(url))[place]
    headers = service_headers(question, variable)
    assert headers == {url: {"X-Key": KEY}}
    assert KEY not in repr(Ask(1, question, headers))
    assert service_headers(questions(ModelFile("0" * 64, "m.skops"))[place], variable) == {}
    assert service_headers(question, {}) == {}
