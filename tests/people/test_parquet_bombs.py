"""Parquet files that lie: whatever a file claims, memory stays bounded, and one sentence says what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ares_core.parquet.client import MEMORY_BYTES
from ares_core.people import read_table
from tests.people.parquet_bombs import BOMBS, constant, texts
from tests.people.test_parquet import parquet, refusal

TOP = Path(__file__).resolve().parents[2]
ROOM = 300_000_000  # bytes this process and the libraries of the other may take beside the limit
READ = """
import re, resource, sys
from pathlib import Path
from ares_core.errors import DataError
from ares_core.people import read_table
try:
    print(len(read_table(sys.stdin.buffer.read(), name="people.parquet").frame), "rows")
except DataError as error:
    print(error.problem)
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
WORDS = {
    "empty cells beyond the footer's count": "says it has 1,000 rows, but column 'a' holds 420,000,000 values",
    "numbers beyond the footer's count": "says it has 1,000 rows, but column 'a' holds 420,000,000 values",
    "text beyond the footer's count": "says it has 1,000 rows, but column 'a' holds 420,000,000 values",
    "a series of numbers": "says it has 1,000 rows, but column 'a' holds 420,000,000 values",
    "a row group beyond the footer's count": "says it has 1,000 rows, but its row groups hold 420,000,000.",
    "a row group of less than no rows": "says it has 1,000 rows, but row group 2 holds -419,999,000.",
    "lists without end": "Column 'a' holds lists or records",
    "a footer of a million columns": "is a damaged Parquet file",
}
UNPACKS = "'people.parquet' takes more than 800 MB of memory to unpack."


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_that_lies_is_refused_in_a_sentence(name: str) -> None:
    """A few bytes that claim or unpack to gigabytes are named for what they are."""
    error = refusal(BOMBS[name]())
    assert WORDS.get(name, UNPACKS) in error.problem


@pytest.mark.parametrize(
    "name", ["a row group beyond the footer's count", "a series of prefixes", "a page that unpacks by zstd"]
)
def test_a_file_that_lies_takes_bounded_memory(name: str) -> None:
    """The process that asks for the table stays small; the one that decodes it stays below its limit."""
    said = subprocess.run(
        [sys.executable, "-c", READ], input=BOMBS[name](), stdout=subprocess.PIPE, cwd=TOP, check=True
    )
    problem, asking, decoding = said.stdout.decode().splitlines()
    assert problem.endswith(".")
    assert int(asking) * 1024 < ROOM
    assert int(decoding) * 1024 < MEMORY_BYTES + ROOM


@pytest.mark.parametrize("bomb", [constant, texts])
def test_a_page_that_holds_more_than_every_count_is_read_as_far_as_they_say(bomb: type) -> None:
    """Only the page itself claims 420 million values; the rows that all the counts agree on are read."""
    assert len(read_table(bomb(), name="people.parquet").frame) == 1_000


def test_a_file_that_ends_the_process_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow gives up on some damaged files in a way that ends its process; the table is refused all the same."""
    monkeypatch.setattr("ares_core.parquet.client.sys.executable", "/bin/false")
    error = refusal(parquet({"a": [1, 2]}))
    assert error.problem.startswith("'people.parquet' could not be read: it is damaged, or takes more than 800 MB")


def test_text_is_read_whatever_its_encoding() -> None:
    """Text in any encoding a writer may choose gives the same table."""
    words = ["clerk", "cook", None, "clerk"] * 10
    tables = [
        read_table(parquet({"job": words}, use_dictionary=False, column_encoding={"job": encoding})).frame
        for encoding in ("PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY")
    ]
    assert all(table.equals(tables[0]) for table in tables)
