"""Files: whatever a path leads to, a sentence says so, and nothing is half read or half written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ares_core.errors import AresError, DataError, SchemaError
from ares_core.files import Staged, check_place, dump_json, parse_json, read_bytes, read_json, write_whole

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
    [
        (b"{", "Expecting"),
        (b"\xff\xfe\x00", "not even text"),
        (b"[NaN]", "NaN is not a number"),
        (b"[" * 99_999, ""),
        (b"9" * 5_000, "a number has 5,000 digits"),
        (b'[{"a": 1, "b": 2, "a": 3}]', "one object says 'a' twice"),
    ],
    ids=["half", "binary", "NaN", "nested without end", "endless digits", "a key twice"],
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


def test_what_has_a_name_like_ours_is_left_alone(tmp_path: Path) -> None:
    """A file beside the output that happens to be called like a part of it is somebody's."""
    (tmp_path / "out.json.part").write_text("mine", "utf-8")
    write_whole(tmp_path / "out.json", "{}")
    assert (tmp_path / "out.json.part").read_text("utf-8") == "mine"


def test_a_link_is_written_through_and_modes_stay(tmp_path: Path) -> None:
    """The file a link leads to is the one that changes, and who may read it does not."""
    (tmp_path / "run.json").write_text("old", "utf-8")
    (tmp_path / "run.json").chmod(0o600)
    (tmp_path / "link.json").symlink_to("run.json")
    write_whole(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "run.json").read_text("utf-8") == "new"
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o600


def test_a_name_as_long_as_allowed_can_be_written(tmp_path: Path) -> None:
    """What is written first, under another name, does not need a longer one."""
    write_whole(tmp_path / ("a" * 255), "{}")
    with pytest.raises(DataError, match="cannot be written: File name too long"):
        check_place(tmp_path / ("a" * 256))


def test_no_pipe_is_replaced_by_a_file(tmp_path: Path) -> None:
    """A pipe, and a device likewise, stays what it is."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="not an ordinary file"):
        check_place(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


def test_two_files_appear_together_or_not_at_all(tmp_path: Path) -> None:
    """If the second cannot be written the first is not there either, and nothing else is."""
    with pytest.raises(DataError), Staged({tmp_path / "one": "1", tmp_path / "gone" / "two": "2"}):
        pass
    with pytest.raises(KeyboardInterrupt), Staged({tmp_path / "one": "1", tmp_path / "two": b"2"}):
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
    with Staged({tmp_path / "one": "1", tmp_path / "two": b"2"}) as staged:
        staged.keep()
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two"}
