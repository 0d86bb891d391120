"""Killing with SIGKILL: whatever an expert was told is saved is saved, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ares_core.store import Store
from tests.store.conftest import NewUrl
from tests.store.crowd import Trial
from tests.store.postgres import NONE_HERE, Server, find_programs

FEW, MANY = 2, 100  # kills


@pytest.fixture(scope="module")
def mortal() -> Iterator[Server]:
    """Lend a PostgreSQL server that may be killed: few databases make it start again soon."""
    programs = find_programs()
    if programs is None:
        pytest.skip(NONE_HERE)
    server = Server(programs)
    yield server
    server.close()


@pytest.mark.parametrize("rounds", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_a_killed_process_loses_and_doubles_nothing(rounds: int, kind: str, new_url: NewUrl) -> None:
    """On both databases a crowd is killed at random moments; its last unacknowledged answers are then sent again."""
    trial = Trial(new_url(kind), None)
    trial.run(rounds)
    assert trial.tally.clean, trial.tally
    assert trial.tally.acknowledged > 6 * rounds


@pytest.mark.parametrize("rounds", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_a_killed_server_loses_and_doubles_nothing(rounds: int, mortal: Server) -> None:
    """All processes of PostgreSQL are killed while the crowd answers; it starts again, and the crowd goes on."""
    trial = Trial(mortal.new_database(), mortal)
    trial.run(rounds)
    assert trial.tally.clean, trial.tally
    assert trial.tally.acknowledged > 6 * rounds


def test_reading_goes_on_after_the_server_was_restarted(mortal: Server) -> None:
    """Connections that died with the server are replaced without anybody noticing."""
    store = Store(mortal.new_database())
    audit = store.documents.begin_audit("Loans")
    mortal.kill()
    mortal.start()
    assert store.documents.of_audit(audit, "note") == ()
    assert store.documents.keep(audit, "note", {})
    store.close()


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_loss_would_be_noticed(kind: str, new_url: NewUrl) -> None:
    """The judge counts an answer that was acknowledged and is not stored."""
    trial = Trial(new_url(kind), None, threads=1)
    expert = next(iter(trial.tally.heard))
    trial._judge([f"{expert}-0"])
    assert trial.tally.lost == 1
    assert not trial.tally.clean
