"""Small Parquet files that lie about their size, written byte by byte, since no library writes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa

MANY = 420_000_000
FEW = 1_000
GIGABYTE = 1_000_000_000
LARGEST = 2**31 - 1

I32, I64, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12  # kinds of fields in Thrift's compact protocol
INT64, BYTE_ARRAY = 2, 6  # types of Parquet
PLAIN, RLE, DELTA_PACKED, DELTA_LENGTH, DELTA_BYTES, DICTIONARY = 0, 3, 5, 6, 7, 8  # its encodings
CODECS = {"none": 0, "snappy": 1, "gzip": 2, "brotli": 4, "zstd": 6}
REQUIRED, OPTIONAL, REPEATED = 0, 1, 2

Field = tuple[int, int, bytes]


def varint(number: int) -> bytes:
    """Write a whole number, seven bits to a byte."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def zigzag(number: int) -> bytes:
    """Write a whole number that may be negative."""
    return varint(number * 2 if number >= 0 else -number * 2 - 1)


def number(place: int, value: int, kind: int = I32) -> Field:
    """Return a field that holds a whole number."""
    return place, kind, zigzag(value)


def text(value: bytes) -> bytes:
    """Write text with its length."""
    return varint(len(value)) + value


def array(place: int, kind: int, items: list[bytes]) -> Field:
    """Return a field that holds a list."""
    count = len(items)
    head = bytes([count << 4 | kind]) if count < 15 else bytes([0xF0 | kind]) + varint(count)
    return place, LIST, head + b"".join(items)


def struct(*fields: Field) -> bytes:
    """Write fields in increasing order, and the stop."""
    found, before = b"", 0
    for place, kind, content in fields:
        found += bytes([(place - before) << 4 | kind]) + content
        before = place
    return found + b"\0"


@dataclass(frozen=True, slots=True)
class Bomb:
    """A file of one column and one data page; each size may lie.

    Parameters
    ----------
    page
        The page's bytes, packed by `codec`.
    unpacked
        Bytes the page claims to have unpacked; the true number if None.
    rows, group_rows, values, page_values
        How many there are according to the footer, to its only row group, to that group's column, and to the page.
    dictionary
        The bytes of a dictionary page and how many values it claims, if there is one.
    """

    page: bytes
    kind: int = INT64
    encoding: int = PLAIN
    repetition: int = REQUIRED
    codec: str = "none"
    unpacked: int | None = None
    rows: int = FEW
    group_rows: int = FEW
    values: int = FEW
    page_values: int = MANY
    dictionary: tuple[bytes, int] | None = None

    def content(self) -> bytes:
        """Return the file."""
        pages = b"PAR1"
        places = [number(9, 4, I64)]
        if self.dictionary is not None:
            values, count = self.dictionary
            pages += self._page(2, values, (7, STRUCT, struct(number(1, count), number(2, PLAIN))))
            places = [number(9, len(pages), I64), number(11, 4, I64)]
        about = struct(
            *(number(place, value) for place, value in enumerate((self.page_values, self.encoding, RLE, RLE), 1))
        )
        pages += self._page(0, self.page, (5, STRUCT, about))
        return closed(pages, self._footer(len(pages) - 4, places))

    def _page(self, kind: int, content: bytes, about: Field) -> bytes:
        unpacked = len(content) if self.unpacked is None else self.unpacked
        return struct(number(1, kind), number(2, unpacked), number(3, len(content)), about) + content

    def _footer(self, size: int, places: list[Field]) -> bytes:
        column = struct(
            number(1, self.kind),
            array(2, I32, [zigzag(self.encoding)]),
            array(3, TEXT, [text(b"a")]),
            number(4, CODECS[self.codec]),
            number(5, self.values, I64),
            number(6, size, I64),
            number(7, size, I64),
            *places,
        )
        chunks = array(1, STRUCT, [struct(number(2, 4, I64), (3, STRUCT, column))])
        return footer(self._leaf(), self.rows, [struct(chunks, number(2, size, I64), number(3, self.group_rows, I64))])

    def _leaf(self) -> bytes:
        meaning = [number(6, 0)] if self.kind == BYTE_ARRAY else []
        return struct(number(1, self.kind), number(3, self.repetition), (4, TEXT, text(b"a")), *meaning)


def footer(leaf: bytes, rows: int, groups: list[bytes]) -> bytes:
    """Write the metadata of a file with one column."""
    root = struct((4, TEXT, text(b"schema")), number(5, 1))
    return struct(number(1, 1), array(2, STRUCT, [root, leaf]), number(3, rows, I64), array(4, STRUCT, groups))


def closed(pages: bytes, about: bytes) -> bytes:
    """Return pages with their footer behind them."""
    return pages + about + len(about).to_bytes(4, "little") + b"PAR1"


def run(count: int, value: bytes = b"\0") -> bytes:
    """Write the same value many times, as one run."""
    return varint(count << 1) + value


def levels(content: bytes) -> bytes:
    """Write levels with their length."""
    return len(content).to_bytes(4, "little") + content


def delta(count: int, first: int = 0, step: int = 0) -> bytes:
    """Write an arithmetic series, in blocks so large that one is enough."""
    return varint(1 << 30) + varint(4) + varint(count) + zigzag(first) + zigzag(step) + b"\0\0\0\0"


def packed(codec: str, size: int) -> bytes:
    """Return zeros, packed, without holding them."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as stream:
        for _ in range(size // 10_000_000):
            stream.write(bytes(10_000_000))
    return sink.getvalue().to_pybytes()


def nulls(**lies: int) -> bytes:
    """Return a column of nothing but empty cells: ten bytes, however many they are."""
    return replace(Bomb(levels(run(MANY)), repetition=OPTIONAL), **lies).content()


def constant(**lies: int) -> bytes:
    """Return a column of one number, from a dictionary of one."""
    bomb = Bomb(b"\1" + run(MANY), encoding=DICTIONARY, dictionary=(bytes(8), 1))
    return replace(bomb, **lies).content()


def texts(**lies: int) -> bytes:
    """Return a column of one word, from a dictionary of one."""
    word = (4).to_bytes(4, "little") + b"word"
    bomb = Bomb(b"\1" + run(MANY), kind=BYTE_ARRAY, encoding=DICTIONARY, dictionary=(word, 1))
    return replace(bomb, **lies).content()


def unpacking(codec: str, kind: int = INT64) -> bytes:
    """Return a page of zeros that takes a gigabyte once it is unpacked."""
    page = packed(codec, GIGABYTE)
    return Bomb(page, kind=kind, codec=codec, unpacked=GIGABYTE, page_values=FEW).content()


def balanced() -> bytes:
    """Return two row groups, one with many rows and one with as many less than none, so that the sum is small."""
    leaf = struct(number(1, INT64), number(3, OPTIONAL), (4, TEXT, text(b"a")))
    page = levels(run(MANY))
    about = struct(*(number(place, value) for place, value in enumerate((MANY, PLAIN, RLE, RLE), 1)))
    pages = b"PAR1" + struct(number(1, 0), number(2, len(page)), number(3, len(page)), (5, STRUCT, about)) + page
    column = struct(
        number(1, INT64),
        array(2, I32, [zigzag(PLAIN)]),
        array(3, TEXT, [text(b"a")]),
        number(4, 0),
        number(5, MANY, I64),
        number(6, len(pages), I64),
        number(7, len(pages) - 4, I64),
        number(9, 4, I64),
    )
    chunks = array(1, STRUCT, [struct(number(2, 4, I64), (3, STRUCT, column))])
    groups = [struct(chunks, number(2, 0, I64), number(3, rows, I64)) for rows in (MANY, FEW - MANY)]
    return closed(pages, footer(leaf, FEW, groups))


def crowded(groups: int) -> bytes:
    """Return row groups that list a million columns each, three bytes a column."""
    leaf = struct(number(1, INT64), number(3, REQUIRED), (4, TEXT, text(b"a")))
    chunks = array(1, STRUCT, [struct(number(2, 0, I64))] * 999_999)
    return closed(b"PAR1", footer(leaf, FEW, [struct(chunks, number(2, 0, I64), number(3, FEW, I64))] * groups))


BOMBS: dict[str, Callable[[], bytes]] = {
    "empty cells beyond the footer's count": lambda: nulls(values=MANY),
    "numbers beyond the footer's count": lambda: constant(values=MANY),
    "text beyond the footer's count": lambda: texts(values=MANY),
    "a row group beyond the footer's count": lambda: constant(values=MANY, group_rows=MANY),
    "a row group of less than no rows": balanced,
    "a page that unpacks by zstd": lambda: unpacking("zstd"),
    "a page that unpacks by brotli": lambda: unpacking("brotli", BYTE_ARRAY),
    "a page that claims to unpack by gzip": lambda: Bomb(b"\0", codec="gzip", unpacked=LARGEST).content(),
    "a page that claims to unpack by snappy": lambda: Bomb(b"\0", codec="snappy", unpacked=LARGEST).content(),
    "a dictionary that claims to be long": lambda: constant(page_values=FEW, dictionary=(bytes(8), LARGEST)),
    "a series of lengths": lambda: Bomb(delta(MANY), kind=BYTE_ARRAY, encoding=DELTA_LENGTH).content(),
    "a series of prefixes": lambda: Bomb(delta(MANY) + delta(MANY), kind=BYTE_ARRAY, encoding=DELTA_BYTES).content(),
    "a series of numbers": lambda: Bomb(delta(MANY), encoding=DELTA_PACKED, values=MANY).content(),
    "lists without end": lambda: Bomb(levels(run(MANY)) + levels(run(MANY)), repetition=REPEATED).content(),
    "a footer of a million columns": lambda: crowded(2),
}
