"""The process that decodes Parquet files as a fork of this one, for tests that read hundreds of files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NoReturn
from unittest.mock import patch

import pyarrow as pa

from ares_core.parquet import ParquetFile
from ares_core.parquet.__main__ import Decoder


@contextmanager
def _forked(data: bytes, subject: str, text_bytes: int) -> Iterator[ParquetFile]:
    requests, replies = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        os.close(requests[1])
        os.close(replies[0])
        _decode(requests[0], replies[1])
    os.close(requests[0])
    os.close(replies[1])
    process: Any = SimpleNamespace(stdin=os.fdopen(requests[1], "wb", 0), stdout=os.fdopen(replies[0], "rb"))
    try:
        file = ParquetFile(process, subject)
        file.send(data, text_bytes)
        yield file
    finally:
        process.stdin.close()
        process.stdout.close()
        os.waitpid(pid, 0)


def _decode(requests: int, replies: int) -> NoReturn:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # Arrow says there why it gives up
        pa.set_memory_pool(pa.system_memory_pool())
        Decoder(os.fdopen(requests, "rb"), os.fdopen(replies, "wb")).serve()
    finally:
        os._exit(0)


@contextmanager
def forked_decoding() -> Iterator[None]:
    """Decode files in forks of this process, which start at once; their memory is limited as ever."""
    with patch("ares_core.people.parquet.open_parquet", _forked):
        yield
