"""What is refused as a CSV file: one sentence that names the place, one that says what to do."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import time
import zipfile
from pathlib import Path

import pytest

from ares_core.errors import DataError, SettingError
from ares_core.people import dialect
from ares_core.people.reading import LONGEST_CELL, Limits, read_csv


def _zip(member: str, content: str = "content") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(member, content)
    return stream.getvalue()


def _refusal(source: bytes | Path | str, limits: Limits | None = None) -> DataError:
    with pytest.raises(DataError) as caught:
        read_csv(source, limits=limits)
    error = caught.value
    assert error.problem.endswith(".")
    assert error.hint.endswith(".")
    assert error.problem[0] == error.problem[0].upper()
    return error


BAD_BYTES: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "The file is empty."),
    ("white space", b" \n\n", "The file is empty."),
    ("a byte-order mark", codecs.BOM_UTF8, "The file is empty."),
    ("a header alone", b"a,b\n", "The file has a header but no rows."),
    ("xlsx", _zip("xl/workbook.xml"), "looks like an Excel workbook (.xlsx), not a CSV file."),
    ("zip", _zip("people.csv"), "looks like a zip archive (.zip)"),
    ("ods", _zip("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), "an OpenDocument"),
    ("xls", bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 99, "an old Excel workbook (.xls)"),
    ("parquet", b"PAR1" + b"\x15\x04" * 9 + b"PAR1", "a Parquet file"),
    ("pdf", b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
    ("gzip", gzip.compress(b"a,b\n1,2\n"), "a gzip archive (.gz)"),
    ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
    ("html", b"\n<!DOCTYPE html><html>Not found", "a web page (HTML)"),
    ("sqlite", b"SQLite format 3\0\x10\0", "an SQLite database"),
    ("a NUL byte", b"a,b\n1,2\n3,\0\n", "holds a NUL byte in line 3"),
    ("UTF-16 without a mark", "a,b\n1,2\n".encode("utf-16-le"), "holds a NUL byte in line 1"),
    ("NUL in UTF-16", "a,b\n1,\0\n".encode("utf-16"), "line 2 holds the byte 0x00 at offset 14."),
    ("half a UTF-16 letter", "a,b\n1,2\n".encode("utf-16") + b"x", "is not UTF-16-LE text: line 3"),
    ("bytes no encoding has", b"a,b\n1,\x81\n", "is not UTF-8 text: line 2 holds the byte 0x81 at offset 6."),
    ("control bytes beside Latin-1", b"a,b\n1,\xe9\n\x01,2\n", "line 2 holds the byte 0xe9 at offset 6."),
    ("a mark that lies", codecs.BOM_UTF8 + b"a,b\r\n1,\xe9\r\n", "line 2 holds the byte 0xe9 at offset 10."),
    ("a cell too many", b"a,b\n1,2\n3,4,5\n", "Row 3 has 3 cells where the header has 2."),
    ("a cell too few", b"a,b,c\n1,2,3\n4,5\n", "Row 3 has 2 cells where the header has 3."),
    ("one cell in a row", b"a,b\nx\n", "Row 2 has 1 cell where the header has 2."),
    ("an extra cell in every row", b"a,b\n1,2,3\n4,5,6\n", "Row 2 has 3 cells where the header has 2."),
    ("ragged below a long cell", b'a,b\n"1\n1",2\n\n3\n', "Row 5 has 1 cell where the header has 2."),
    ("an open quote", b'a,b\n1,2\n3,"4\n5,6\n', "Row 3 opens a quote that is never closed."),
    ("text behind a quote", b'a,b\n1,"2"x\n', "Row 2 holds a closing quote with more text behind it."),
    ("an endless cell", b'a,b\n1,"' + b"x" * (LONGEST_CELL + 9), "Row 2 holds a cell of more than 10,000"),
    ("a long cell", b"a,b\n1,2\n1," + b"x" * 10_001 + b"\n", "Row 3 holds 10,001 characters in column 'b'"),
    ("a long name", b"a," + b"x" * 10_001 + b"\n1,2\n", "name of column 2 in the header (row 1) has 10,001"),
    ("a name twice", b"a,b,a\n1,2,3\n", "Columns 1 and 3 are both called 'a'."),
    ("no name", b"a,,c\n1,2,3\n", "The name of column 2 in the header (row 1) is empty."),
    ("a name of spaces", b"a, ,c\n1,2,3\n", "The name of column 2 in the header (row 1) is empty."),
    ("an invisible name", "a,\u200b\n1,2\n".encode(), "The name of column 2 in the header (row 1) is empty."),
    ("names alike in case", b"Age,b,age \n1,2,3\n", "Columns 1 and 3 have names that look alike: 'Age' and"),
    ("names alike in spaces", b"a  b,a b\n1,2\n", "Columns 1 and 2 have names that look alike"),
    ("names alike in width", "age,ａｇｅ\n1,2\n".encode(), "look alike: 'age' and 'ａｇｅ'."),
    ("a Cyrillic twin", "age,\u0430ge\n1,2\n".encode(), "Columns 1 and 2 have names that look alike"),
    ("a Greek twin", "AGE,\u0391GE\n1,2\n".encode(), "Columns 1 and 2 have names that look alike"),
    ("an invisible twin", "age,a\u200bge\n1,2\n".encode(), "Columns 1 and 2 have names that look alike"),
    ("a bell in a name", b"a,b\x07c\n1,2\n", "holds a control character: 'b\\x07c'."),
    ("a line break in a name", b'a,"b\nc"\n1,2\n', "holds a control character: 'b\\nc'."),
    ("a reversed name", "a,b\u202ec\n1,2\n".encode(), "column 2 in the header (row 1) holds a control"),
]


@pytest.mark.parametrize(("content", "words"), [case[1:] for case in BAD_BYTES], ids=[case[0] for case in BAD_BYTES])
def test_bad_content_is_refused_and_the_place_named(content: bytes, words: str) -> None:
    """Whatever cannot be read exactly is refused in one sentence that names the place."""
    assert words in _refusal(content).problem


BAD_SIZES: list[tuple[str, bytes, Limits, str]] = [
    ("bytes", b"a,b\n1,2\n", Limits(bytes=7), "The file is larger than 7 bytes."),
    ("rows", b"a\n1\n2\n3\n", Limits(rows=2), "more than 2 rows of 1 cells (row 4 is one too many)."),
    ("columns", b"a,b,c\n1,2,3\n", Limits(columns=2), "The file has more than 2 columns in its header."),
    ("cell", b"a,b\n1,xyz\n", Limits(cell=2), "Row 2 holds 3 characters in column 'b', where 2 are allowed."),
    ("cells", b"a,b\n1,2\n3,4\n", Limits(cells=3), "more than 1 rows of 2 cells (row 3 is one too many)."),
    ("blank lines", b"a,b\n\n\n\n1,2\n", Limits(rows=2), "more than 2 blank lines (line 4 is one)."),
]


@pytest.mark.parametrize(
    ("content", "limits", "words"), [case[1:] for case in BAD_SIZES], ids=[case[0] for case in BAD_SIZES]
)
def test_each_limit_holds(content: bytes, limits: Limits, words: str) -> None:
    """A table one over a limit is refused."""
    assert words in _refusal(content, limits).problem


def test_a_table_at_its_limits_is_read() -> None:
    """A limit names the largest table allowed, not the smallest one refused."""
    content = b"a,b\n1,xy\n3,4\n"
    table = read_csv(content, limits=Limits(bytes=len(content), rows=2, columns=2, cell=2, cells=4))
    assert table.frame.shape == (2, 2)


@pytest.mark.parametrize("limits", [{"rows": 0}, {"bytes": -1}, {"cell": LONGEST_CELL + 1}])
def test_impossible_limits_are_refused(limits: dict[str, int]) -> None:
    """A limit below 1, or beyond what a cell can hold, is a setting out of its range."""
    with pytest.raises(SettingError, match=f"The limit '{next(iter(limits))}' is "):
        Limits(**limits)


def test_bad_paths_are_refused(tmp_path: Path) -> None:
    """A missing file, a folder and a device are told apart, by name."""
    assert _refusal(tmp_path / "people.csv").problem == "'people.csv' does not exist."
    assert _refusal(str(tmp_path / "a\0b.csv")).problem.endswith(" does not exist.")
    assert _refusal(tmp_path).problem == f"{tmp_path.name!r} is a folder, not a file."
    os.mkfifo(tmp_path / "pipe.csv")
    assert _refusal(tmp_path / "pipe.csv").problem == "'pipe.csv' is not an ordinary file."


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason the system gives is passed on."""
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n1,2\n")

    def forbid(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbid)
    assert _refusal(path).problem == "'people.csv' cannot be read: Permission denied."


def test_a_million_columns_are_refused_at_once() -> None:
    """A header of a million columns costs no more than a look at its beginning."""
    content = ",".join(f"c{i}" for i in range(1_000_000)).encode() + b"\n"
    start = time.process_time()
    assert "more than 2,000 columns" in _refusal(content).problem
    assert time.process_time() - start < 0.2


def test_a_wide_header_beyond_the_sample_is_refused() -> None:
    """Long names cannot hide a header that is too wide from the check."""
    content = ",".join(f"c{i}" + "x" * 1000 for i in range(2_001)).encode() + b"\n"
    assert "more than 2,000 columns" in _refusal(content).problem


def test_the_name_given_is_the_name_used() -> None:
    """An uploaded file has bytes and a name, and errors use the name."""
    with pytest.raises(DataError, match=r"^'upload\.csv' is empty\.$"):
        read_csv(b"", name="upload.csv")


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
def test_a_bad_byte_is_found_far_into_a_file(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The offset of a bad byte is counted from the file's beginning, in however many steps it is checked."""
    monkeypatch.setattr(dialect, "_STEP", step)
    content = b"a\n" + "ä\n€\n".encode() * 300
    error = _refusal(content + b"\x81\n")
    assert f"line 602 holds the byte 0x81 at offset {len(content)}." in error.problem


@pytest.mark.parametrize("cells", [b"ab," * 25_000, b'"\n",' * 25_000], ids=["one line", "quoted lines"])
def test_a_row_of_countless_cells_is_refused_before_it_is_cut(cells: bytes) -> None:
    """A line of millions of cells takes sixty bytes for each, so it is refused by its delimiters."""
    problem = _refusal(b"a,b\n1,2\n" + cells + b"x\n").problem
    assert problem == "Row 3 holds a comma more than 20,002 times, far more than its header allows."


def test_a_cell_may_hold_as_many_delimiters_as_characters() -> None:
    """Delimiters inside quotes are text."""
    commas = "," * 10_000
    assert read_csv(f'a,b\n"{commas}","{commas}"\n'.encode()).frame.iloc[0].tolist() == [commas, commas]
