"""Files: whatever a path leads to, a sentence says so, and nothing is half read or half written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ares_core.errors import AresError, DataError, SchemaError
from ares_core.files import dump_json, parse_json, read_bytes, read_json, write_whole

SUBJECT = "The schema file 's.json'"


def read(path: Path, most: int = 10) -> bytes:
    """Read a file of at most so many bytes."""
    return read_bytes(path, SUBJECT, most, SchemaError, "Leave something out.")


def test_bytes_come_as_they_are_up_to_the_limit(tmp_path: Path) -> None:
    """Ten bytes of ten are read, eleven are refused with the caller's hint."""
    path = tmp_path / "s.json"
    path.write_bytes(b"\r\n34567890")
    assert read(path) == b"\r\n34567890"
    path.write_bytes(b"12345678901")
    with pytest.raises(SchemaError) as caught:
        read(path)
    assert (caught.value.problem, caught.value.hint) == (f"{SUBJECT} is larger than 10 bytes.", "Leave something out.")


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    """A missing file, a folder and a pipe, which would wait for ever, are told apart."""
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("gone", "does not exist"), ("", "is a folder"), ("pipe", "is not an ordinary file")):
        with pytest.raises(SchemaError, match=words):
            read(tmp_path / name)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte-order mark"])
def test_json_is_read_with_or_without_a_mark(mark: bytes, tmp_path: Path) -> None:
    """Some editors put a byte-order mark in front of what they save."""
    path = tmp_path / "s.json"
    path.write_bytes(mark + '{"ä": [1, null]}'.encode())
    assert read_json(path, SUBJECT, SchemaError, "Mend it.") == {"ä": [1, None]}


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"{", "Expecting"), (b"\xff\xfe\x00", "not even text"), (b"[NaN]", "NaN is not a number"), (b"[" * 99_999, "")],
    ids=["half", "binary", "NaN", "nested without end"],
)
def test_what_is_not_json_is_refused_in_one_sentence(data: bytes, reason: str) -> None:
    """The sentence names the file and the reason, and ends with one full stop."""
    with pytest.raises(AresError) as caught:
        parse_json(data, SUBJECT, DataError, "Mend it.")
    assert caught.value.problem.startswith(f"{SUBJECT} is not JSON: {reason}")
    assert caught.value.problem.endswith(".") and not caught.value.problem.endswith("..")


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    """A document comes back as it was, and nothing is left beside it."""
    document = {"name": "Zoë", "numbers": [1, 2.5, None]}
    write_whole(tmp_path / "out.json", dump_json(document))
    assert read_json(tmp_path / "out.json", "It", DataError, "Mend it.") == document
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_writing_fails_without_a_trace(tmp_path: Path) -> None:
    """Where a folder stands in the way, nothing is written."""
    (tmp_path / "out.json").mkdir()
    with pytest.raises(DataError, match="is a folder, not a file"):
        write_whole(tmp_path / "out.json", "{}")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
