"""Damaged Parquet files: whichever bytes are wrong, a table or a refusal in words comes out, in bounded memory."""

from __future__ import annotations

import datetime as dt
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ares_core.errors import DataError
from ares_core.people import read_table
from tests.people.decoding import forked_decoding
from tests.people.test_parquet import parquet

TOP = Path(__file__).resolve().parents[2]
MEMORY = 3_000_000_000  # bytes of address space of the process that asks, most of it taken by libraries
MUTATIONS = 80  # of each file
ODD_BYTES = (0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF)


def whole_files() -> list[bytes]:
    """Return small sound files: plain and packed, dictionaries and series, one row group and several."""
    columns = {
        "a": [1, 2, 3, None] * 5,
        "b": ["x", "y", None, "naïve"] * 5,
        "c": np.linspace(0, 1, 20),
        "d": [True, False] * 10,
        "e": [dt.date(1970, 1, day) for day in range(1, 21)],
    }
    series = {"a": "DELTA_BINARY_PACKED", "b": "DELTA_BYTE_ARRAY", "c": "BYTE_STREAM_SPLIT"}
    return [
        parquet(columns, compression="none", use_dictionary=False),
        parquet(columns, compression="snappy"),
        parquet(columns, compression="zstd", data_page_version="2.0", row_group_size=7),
        parquet(columns, compression="gzip", use_dictionary=False, column_encoding=series),
        parquet(columns, compression="brotli", store_schema=False, write_statistics=False),
    ]


def damaged(whole: bytes, seed: int) -> Iterator[bytes]:
    """Yield a file with bytes changed, bits flipped, pieces cut out or doubled, and lengths replaced."""
    chance = random.Random(seed)
    for count in range(MUTATIONS):
        data = bytearray(whole)
        place = chance.randrange(4, len(data) - 4)
        match count % 5:
            case 0:
                data[place] = chance.choice(ODD_BYTES)
            case 1:
                data[place] ^= 1 << chance.randrange(8)
            case 2:
                del data[place : min(place + chance.randrange(1, 9), len(data) - 4)]
            case 3:
                data[place:place] = data[place : place + chance.randrange(1, 40)]
            case 4:
                data[place : place + 5] = b"\xff\xff\xff\xff\x07"  # the largest length, as a varint
        yield bytes(data[:-4]) + whole[-4:]


def check_all() -> None:
    """Read every damaged file; anything but a table or a refusal in words ends this process with an error."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tables = refusals = 0
    with forked_decoding():
        for seed, whole in enumerate(whole_files()):
            rows = len(read_table(whole).frame)
            for data in damaged(whole, seed):
                try:
                    frame = read_table(data).frame
                    assert set(map(len, (frame[name] for name in frame))) == {len(frame)}
                    tables += 1
                except DataError as error:
                    assert error.problem.endswith(".") and error.hint.endswith(".")
                    refusals += 1
            assert rows == 20
    print(tables, refusals)


def test_every_damaged_file_is_a_table_or_a_refusal_in_bounded_memory() -> None:
    """Hundreds of damaged files, read one after the other by one process with a memory limit, never break it."""
    run = subprocess.run(
        [sys.executable, "-c", "from tests.people.test_parquet_damage import check_all; check_all()"],
        capture_output=True,
        cwd=TOP,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    tables, refusals = map(int, run.stdout.split())
    assert tables + refusals == MUTATIONS * len(whole_files())
    assert min(tables, refusals) > 30
