"""The Data page when a table is too much: a file that lies, and a worker that the system kills."""

from __future__ import annotations

import os
import signal

from streamlit.testing.v1 import AppTest

from ares_core.worker import Errands
from tests.patience import PATIENCE
from tests.people.parquet_bombs import BOMBS
from tests.ui.test_data_page import PAGE, given, own_table, sound
from ui.session import Session
from ui.shared import pool, shelf
from ui.state import AuditState


def only_error(page: AppTest) -> str:
    """Return the one error on the page, without what keeps markdown from being read."""
    (error,) = page.error
    return str(error.value).replace("\\", "")


def test_a_file_that_lies_is_named_on_the_page() -> None:
    """A table that claims 1,000 rows and holds 420 million is refused in a sentence with a hint."""
    page = given(BOMBS["a row group beyond the footer's count"](), "people.parquet")
    assert "says it has 1,000 rows, but its row groups hold 420,000,000." in only_error(page)
    assert "Save it again as Parquet, or as CSV." in only_error(page)


def test_a_worker_killed_while_it_reads_is_said_on_the_page() -> None:
    """When the system kills the worker, the page says so, says what to do, and offers to try again."""

    def file_of_a_killed_worker(sha256: str) -> bytes:
        assert errands._worker is not None
        os.kill(errands._worker._process.pid, signal.SIGKILL)
        return shelf().file(sha256)

    errands = Errands(pool(), file_of_a_killed_worker)
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    page.session_state["ares"] = Session(AuditState(), errands)
    content = own_table().to_csv(index=False).encode()
    page = sound(sound(page.run()).file_uploader[0].set_value(("people.csv", content, "")).run())
    assert "The server stopped the computation, most likely because it took too much memory." in only_error(page)
    assert "Try again with fewer rows or columns" in only_error(page)
    assert page.button(key="try_again").label == "Try again"
