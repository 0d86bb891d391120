"""The store's commands: what they print, what they refuse, and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest

from ares_core.cli import main
from ares_core.store import Store


@pytest.fixture
def audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an audit of the store that is in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARES_STORE", raising=False)
    store = Store("sqlite:///ares.sqlite3")
    audit = store.documents.begin_audit("Loans")
    store.documents.keep(audit, "setup", {"a": 1}, [store.documents.keep_file(b"rows")])
    store.close()
    return audit


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command of the store and return its exit code, what it printed and what went wrong."""
    code = main(["store", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_backup_restore_and_check(audit: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A store is written to a file, filled into another one, and both are found whole."""
    assert told(capsys, "backup", "b.sqlite3") == (0, "4 rows written to b.sqlite3.\n", "")
    other = ("--store", "sqlite:///other.sqlite3")
    assert told(capsys, "restore", "b.sqlite3", *other) == (0, "4 rows restored from b.sqlite3.\n", "")
    first, second = told(capsys, "check"), told(capsys, "check", *other)
    assert first == second
    assert first[0] == 0
    assert first[1].startswith("The store is whole. Rows: ")
    assert "audits 1" in first[1]


def test_the_variable_names_the_store(
    audit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """ARES_STORE is used unless --store is said."""
    monkeypatch.setenv("ARES_STORE", "sqlite:///nowhere.sqlite3")
    assert told(capsys, "check")[0] == 2
    assert told(capsys, "check", "--store", "sqlite:///ares.sqlite3")[0] == 0


def test_delete_deletes(audit: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The audit is gone, with its document and its file; deleting it again ends with 2."""
    code, said, _ = told(capsys, "delete", audit)
    assert (code, said) == (0, "The audit is deleted, with everything that belonged to it alone.\n")
    assert "audits 0" in told(capsys, "check")[1]
    assert "files 0" in told(capsys, "check")[1]
    code, said, wrong = told(capsys, "delete", audit)
    assert (code, said) == (2, "")
    assert "not in the store" in wrong


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["backup"], "needs to know which"),
        (["restore"], "needs to know which"),
        (["delete"], "needs to know which"),
        (["check", "this"], "takes nothing, not 'this'"),
        (["polish"], "unknown choice"),
        ([], "not understood"),
        (["backup", "there"], "'there' is there already"),
        (["restore", "gone"], "no file 'gone'"),
        (["restore", "there"], "is no backup"),
        (["check", "--store", "sqlite:///gone.sqlite3"], "holds no store"),
        (["delete", "x", "--store", "sqlite:///gone.sqlite3"], "holds no store"),
        (["check", "--store", "postgresql://nobody@127.0.0.1:1/none"], "cannot be read"),
        (["check", "--store", "nonsense"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_told(
    audit: str, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence and a hint, exit code 2, nothing printed and nothing made."""
    Path("there").write_text("precious", "utf-8")
    before = sorted(Path().iterdir())
    code, said, wrong = told(capsys, *words)
    assert (code, said) == (2, "")
    assert problem in wrong
    assert [line.split(":")[0] for line in wrong.splitlines()] == ["error", "hint"]
    assert sorted(Path().iterdir()) == before
    assert Path("there").read_text("utf-8") == "precious"
