"""A Parquet file seen from the parent of the process that decodes it; every problem becomes a `DataError`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from ares_core import processes
from ares_core.errors import DataError
from ares_core.parquet.messages import END, FOOTER, REFUSED, ROWS, SCHEMA, Reason
from ares_core.processes import LongFrameError, read_frame, write_frame

if TYPE_CHECKING:
    import pyarrow as pa

MEMORY_BYTES = 800_000_000  # the process may take on top of what it holds before it sees the file
DECODED_BYTES = 1_000_000_000  # of decoded rows
SCHEMA_BYTES = 100_000_000
AGAIN = "Save it again as Parquet, or as CSV."
FEWER = "Save it again as Parquet or CSV; if it is that large, give fewer rows or only the columns you need."
_SENTENCES: dict[Reason, tuple[str, str]] = {
    "damaged": ("{subject} is a damaged Parquet file: {detail}.", AGAIN),
    "memory": (f"{{subject}} takes more than {MEMORY_BYTES // 10**6} MB of memory to unpack.", FEWER),
    "text": ("The table's text takes more room than a file may have.", FEWER),
    "count": ("{subject} says it has {rows:,} rows, but {detail}.", AGAIN),
}


@dataclass(frozen=True, slots=True)
class Footer:
    """What a file says of itself: rows, columns, and the bytes its columns take unpacked."""

    rows: int
    columns: int
    unpacked: int


class ParquetFile:
    """A file in the process that decodes it; see `open_parquet`.

    Attributes
    ----------
    footer
        What the file says of itself.
    """

    def __init__(self, process: subprocess.Popen[bytes], subject: str) -> None:
        self._process, self._subject = process, subject
        self.footer = Footer(0, 0, 0)

    def send(self, data: bytes, text_bytes: int) -> None:
        """Send the file, and read its footer."""
        self._write(json.dumps({"memory_bytes": MEMORY_BYTES, "text_bytes": text_bytes}).encode())
        self._write(data)
        self.footer = Footer(**json.loads(bytes(self._take(FOOTER, SCHEMA_BYTES))))

    def schema(self) -> pa.Schema:
        """Return the names and types of the columns, before a cell is decoded."""
        import pyarrow as pa

        return pa.ipc.read_schema(pa.py_buffer(self._take(SCHEMA, SCHEMA_BYTES)))

    def read(self) -> pa.Table:
        """Return all rows, after a look at the schema; no column is a dictionary.

        Raises
        ------
        DataError
            If the file is damaged, holds another number of rows than it says, or takes too much memory.
        """
        import pyarrow as pa

        self._write(b"")
        stream = bytearray()
        while part := self._take(ROWS, DECODED_BYTES - len(stream), last=END):
            stream += part
        return pa.ipc.open_stream(pa.py_buffer(stream)).read_all()

    def _write(self, content: bytes) -> None:
        try:
            write_frame(cast(BinaryIO, self._process.stdin), content)
        except OSError as error:
            raise self._ended() from error

    def _take(self, wanted: bytes, most: int, last: bytes = b"") -> memoryview:
        """Return the content of the next message; nothing if it is the last one."""
        try:
            body = read_frame(cast(BinaryIO, self._process.stdout), most + 1)
        except LongFrameError as error:
            raise self._error("memory") from error
        if not body:
            raise self._ended()
        letter, content = body[:1], memoryview(body)[1:]
        if letter == REFUSED:
            raise self._error(*json.loads(bytes(content)))
        assert letter in (wanted, last)
        return content

    def _error(self, reason: Reason, detail: str = "") -> DataError:
        problem, hint = _SENTENCES[reason]
        return DataError(problem.format(subject=self._subject, detail=detail, rows=self.footer.rows), hint)

    def _ended(self) -> DataError:
        return DataError(
            f"{self._subject} could not be read: it is damaged, or takes more than {MEMORY_BYTES // 10**6} MB of "
            "memory to unpack.",
            FEWER,
        )


@contextmanager
def open_parquet(data: bytes, subject: str, text_bytes: int) -> Iterator[ParquetFile]:
    """Open the bytes of a Parquet file in a process of its own, which ends with the context.

    Parameters
    ----------
    subject
        What sentences call the file, at their beginning.
    text_bytes
        How much text the table may hold.

    Raises
    ------
    DataError
        If the footer is damaged, or takes too much memory.
    """
    paths = [str(processes.HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        **processes.ONE_THREAD,
        "PYTHONPATH": os.pathsep.join(paths),
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # other pools reserve more than they use, which the limit counts
    }
    process = processes.start([sys.executable, "-m", "ares_core.parquet"], environment)
    try:
        processes.widen_pipes(process)
        file = ParquetFile(process, subject)
        file.send(data, text_bytes)
        yield file
    finally:
        processes.end(process)
        processes.close_pipes(process)
