"""Say what a file's bytes are: text or not, in which encoding, cut by which delimiter.

Nothing here reads the table. Each check is cheap, and a file that fails one is refused before it is parsed.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from ares_core.errors import DataError

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}

_SAVE_AS_CSV = "Open it in the program it came from and save it as CSV."
_UNPACK = "Unpack it first and give the CSV file inside."
_SAVE_AS_UTF8 = "Save it again as CSV with the encoding UTF-8."

# Signatures made of printable letters are long enough that no header can begin with them by chance.
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (.xls)", _SAVE_AS_CSV),
    (b"%PDF-", "a PDF document", "Export the table behind it as CSV."),
    (b"\x1f\x8b", "a gzip archive (.gz)", _UNPACK),
    (b"BZh91AY&SY", "a bzip2 archive (.bz2)", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive (.xz)", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive (.7z)", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive (.zst)", _UNPACK),
    (b"\x89PNG\r\n", "a PNG picture", "Give the table as CSV."),
    (b"\xff\xd8\xff", "a JPEG picture", "Give the table as CSV."),
    (b"SQLite format 3\x00", "an SQLite database", "Export the table you need as CSV."),
    (b"ARROW1\x00\x00", "a Feather or Arrow file", _SAVE_AS_CSV),
)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is a prefix of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL_BYTE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_ONE_COLUMN = "The header holds no comma, semicolon, tab or vertical bar, so the file was read as one column."
_STEP = 1 << 24  # bytes decoded at a time while checking, so that the check needs little memory
_SAMPLE = 1 << 20  # bytes that decide on the delimiter
_SAMPLE_ROWS = 100


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to turn a file's bytes into rows of cells.

    Attributes
    ----------
    encoding
        The Python codec.
    skip
        Bytes of the byte-order mark, which the codec must not see.
    delimiter
        The character between cells.
    width
        Cells of the header as far as the sample reaches: never more than there are.
    notes
        What was decided and could be otherwise.
    """

    encoding: str
    skip: int
    delimiter: str
    width: int
    notes: tuple[str, ...]

    def open(self, data: bytes) -> TextIO:
        """Return the text of `data`, line ends untouched."""
        stream = io.BytesIO(data)
        stream.seek(self.skip)
        return io.TextIOWrapper(stream, encoding=self.encoding, newline="")


def detect(data: bytes, subject: str) -> Dialect:
    """Find encoding and delimiter, or refuse what is not a text file.

    Parameters
    ----------
    data
        The whole file.
    subject
        What to call the file in a sentence.
    """
    refuse_binary(data, subject)
    encoding, skip, notes = find_encoding(data, subject)
    sample = data[skip : skip + _SAMPLE].decode(encoding, errors="ignore")
    delimiter, width, more = find_delimiter(sample, complete=len(data) - skip <= _SAMPLE)
    return Dialect(encoding, skip, delimiter, width, (*notes, *more))


def refuse_binary(data: bytes, subject: str) -> None:
    """Raise if the bytes carry the signature of a known kind of file that is not CSV."""
    found = _signature(data)
    if found is not None:
        kind, hint = found
        raise DataError(f"{subject} looks like {kind}, not a CSV file.", hint)


def _signature(data: bytes) -> tuple[str, str] | None:
    if data.startswith(b"PK\x03\x04"):
        return _zip_kind(data)
    if data.startswith(b"PAR1") and data.endswith(b"PAR1") and len(data) > 8:
        return "a Parquet file", _SAVE_AS_CSV
    if data[:256].lstrip(codecs.BOM_UTF8).lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "a web page (HTML)", "Download the table itself as CSV."
    return next(((kind, hint) for mark, kind, hint in _SIGNATURES if data.startswith(mark)), None)


def _zip_kind(data: bytes) -> tuple[str, str]:
    if b"xl/workbook" in data:
        return "an Excel workbook (.xlsx)", _SAVE_AS_CSV
    if b"application/vnd.oasis.opendocument.spreadsheet" in data[:200]:
        return "an OpenDocument spreadsheet (.ods)", _SAVE_AS_CSV
    return "a zip archive (.zip)", _UNPACK


def find_encoding(data: bytes, subject: str) -> tuple[str, int, tuple[str, ...]]:
    """Return codec, length of the byte-order mark and notes.

    UTF-8, or what a byte-order mark says. Anything else is read as Windows-1252 and noted, but only if every
    byte has a meaning there and none is a control character: otherwise the file is refused.
    """
    for mark, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            _require(data, codec, len(mark), subject)
            return codec, len(mark), ()
    nul = data.find(b"\0")
    if nul >= 0:
        line = line_at(data, nul, "latin-1", 0)
        raise DataError(f"{subject} holds a NUL byte in line {line}, as binary files do.", _SAVE_AS_UTF8)
    bad = _first_bad(data, "utf-8", 0)
    if bad is None:
        return "utf-8", 0, ()
    if _CONTROL_BYTE.search(data) or _first_bad(data, "cp1252", 0) is not None:
        _require(data, "utf-8", 0, subject)
    line = line_at(data, bad, "cp1252", 0)
    note = f"The file is not UTF-8; it was read as Windows-1252 (first such byte in line {line})."
    return "cp1252", 0, (note,)


def _require(data: bytes, codec: str, skip: int, subject: str) -> None:
    """Raise unless every byte after the first `skip` is text in `codec`."""
    bad = _first_bad(data, codec, skip)
    if bad is not None:
        line = line_at(data, bad, codec, skip)
        found = f"the byte 0x{data[bad]:02x} at offset {bad}"
        raise DataError(f"{subject} is not {codec.upper()} text: line {line} holds {found}.", _SAVE_AS_UTF8)


def _first_bad(data: bytes, codec: str, skip: int) -> int | None:
    """Return the offset of the first byte that `codec` cannot read or that spells NUL, or None."""
    decoder = codecs.getincrementaldecoder(codec)()
    for begin in range(skip, len(data), _STEP):
        start = begin - len(decoder.getstate()[0])
        try:
            text = decoder.decode(data[begin : begin + _STEP], final=begin + _STEP >= len(data))
        except UnicodeDecodeError as error:
            return start + error.start
        nul = text.find("\0")
        if nul >= 0:
            return start + len(text[:nul].encode(codec))
    return None


def line_at(data: bytes, offset: int, codec: str, skip: int) -> int:
    """Return the number, from 1, of the line that holds the byte at `offset`."""
    before = data[skip:offset].decode(codec, errors="ignore")
    return len(_LINE_BREAK.findall(before)) + 1


def find_delimiter(sample: str, *, complete: bool) -> tuple[str, int, tuple[str, ...]]:
    """Return the delimiter that cuts the first lines most evenly, the header's width and notes.

    Parameters
    ----------
    sample
        The beginning of the file.
    complete
        Whether the sample is the whole file; if not, its last row may be cut short and does not count.
    """
    rated: list[tuple[tuple[float, int, int], str]] = []
    for delimiter in DELIMITERS:
        rows = _sample_rows(sample, delimiter, complete)
        if rows and len(rows[0]) > 1:
            rated.append((_evenness(rows), delimiter))
    if not rated:
        return ",", 1, (_ONE_COLUMN,)
    rated.sort(key=lambda pair: pair[0], reverse=True)
    (share, strays, width), best = rated[0]
    rivals = [DELIMITERS[d] for (s, q, _), d in rated[1:] if s == share == 1.0 and q == strays]
    cut = f"The file was cut at each {DELIMITERS[best]}"
    return best, width, tuple(f"{cut}; a {rival} would fit too." for rival in rivals)


def _sample_rows(sample: str, delimiter: str, complete: bool) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
            rows += [row] if row else []
            if len(rows) == _SAMPLE_ROWS:
                return rows
    except csv.Error:
        return rows  # a cell beyond all limits: parsing will say where
    return rows if complete or len(rows) < 2 else rows[:-1]


def _evenness(rows: Sequence[Sequence[str]]) -> tuple[float, int, int]:
    """Rate a cut: share of rows as wide as the header, then few quotes left in cells, then the width."""
    width = len(rows[0])
    share = sum(len(row) == width for row in rows) / len(rows)
    strays = sum('"' in cell for row in rows for cell in row)
    return share, -strays, width
