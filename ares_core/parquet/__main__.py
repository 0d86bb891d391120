"""The process that decodes one Parquet file within a memory limit, sends its rows to the parent, and ends."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ares_core.parquet.messages import END, FOOTER, MOST_FILE, REFUSED, ROWS, SCHEMA, Reason
from ares_core.processes import die_with_parent, limit_memory, own_stdout, read_frame, write_frame

BATCH_ROWS, BATCH_CELLS = 16_384, 1_000_000  # decoded at a time, whichever is fewer
PART_BYTES = 1 << 20  # sent at a time
TEXT_WIDTHS = {"string": 4, "large_string": 8, "string_view": 16}  # bytes that say where a cell is
MOST_REASON = 200  # characters of what Arrow says is wrong


class Refusal(Exception):
    """The file is not what its footer says, or is too large.

    Parameters
    ----------
    reason
        What is wrong, in one word; the parent has the sentence.
    detail
        What the sentence should name.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class Decoder:
    """Decodes one file for the parent.

    Parameters
    ----------
    requests, replies
        The pipes from and to the parent.
    """

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests, self._replies = requests, replies

    def serve(self) -> None:
        """Decode the file, or say why that is not possible."""
        plan = json.loads(self._read())
        limit_memory(plan["memory_bytes"])
        try:
            self._decode(self._read(), plan["text_bytes"])
        except Refusal as error:
            self._refuse(error.reason, error.detail)
        except MemoryError:  # Arrow's own error is a subclass
            self._refuse("memory")
        except (pa.ArrowException, OSError, ValueError) as error:
            self._refuse("damaged", _reason(error))

    def _decode(self, data: bytes, text_bytes: int) -> None:
        file = pq.ParquetFile(pa.BufferReader(data))
        about, schema = file.metadata, file.schema_arrow.remove_metadata()
        groups = (about.row_group(place) for place in range(about.num_row_groups))
        unpacked = sum(max(0, group.total_byte_size) for group in groups)
        facts = {"rows": about.num_rows, "columns": len(schema), "unpacked": unpacked}
        write_frame(self._replies, FOOTER, json.dumps(facts).encode())
        write_frame(self._replies, SCHEMA, memoryview(schema.serialize()))
        self._read()  # the parent has checked both
        _check_counts(about, schema.names)
        self._send(_batches(file, text_bytes), pa.schema([(field.name, _plain(field.type)) for field in schema]))
        write_frame(self._replies, END)

    def _send(self, batches: Iterator[list[Any]], schema: pa.Schema) -> None:
        """Send batches as one Arrow stream, each as soon as it is decoded."""
        with (
            io.BufferedWriter(_Parts(self._replies), PART_BYTES) as sink,
            pa.ipc.new_stream(sink, schema) as stream,
        ):
            for columns in batches:
                stream.write_batch(pa.record_batch(columns, schema=schema))

    def _read(self) -> bytes:
        body = read_frame(self._requests, MOST_FILE)
        return sys.exit() if body is None else body  # the parent has gone

    def _refuse(self, reason: Reason, detail: str = "") -> None:
        write_frame(self._replies, REFUSED, json.dumps([reason, detail]).encode())


class _Parts(io.RawIOBase):
    """A stream whose writes become messages to the parent."""

    def __init__(self, replies: BinaryIO) -> None:
        super().__init__()
        self._replies = replies

    def writable(self) -> bool:
        """Say yes, as a stream to write to must."""
        return True

    def write(self, part: Any) -> int:
        """Send a part."""
        with memoryview(part) as view:
            write_frame(self._replies, ROWS, view)
            return len(view)


def _check_counts(about: Any, names: list[str]) -> None:
    """Compare the rows of the footer with those of its row groups, and with the values of their columns.

    Raises
    ------
    Refusal
        If they differ.
    """
    total = 0
    for place in range(about.num_row_groups):
        group = about.row_group(place)
        if group.num_rows < 0:
            raise Refusal("count", f"row group {place + 1:,} holds {group.num_rows:,}")
        total += group.num_rows
        for column, name in enumerate(names):
            values = group.column(column).num_values
            if values != group.num_rows:
                raise Refusal(
                    "count", f"column {name[:60]!r} holds {values:,} values in a row group of {group.num_rows:,}"
                )
    if total != about.num_rows:
        raise Refusal("count", f"its row groups hold {total:,}")


def _batches(file: pq.ParquetFile, text_bytes: int) -> Iterator[list[Any]]:
    """Decode batch by batch, and stop as soon as there is more than the footer says or the limit allows.

    Raises
    ------
    Refusal
        If there are more rows or fewer, or the text takes more than so many bytes.
    """
    rows, count, used = file.metadata.num_rows, 0, 0
    size = max(1, min(BATCH_ROWS, BATCH_CELLS // len(file.schema_arrow)))
    for batch in file.iter_batches(size, use_threads=False):
        batch.validate(full=True)
        columns = [cells.dictionary_decode() if _is_dictionary(cells) else cells for cells in batch.columns]
        count += len(batch)
        used += sum(map(_text_bytes, columns))
        if count > rows:
            raise Refusal("count", "its pages hold more")
        if used > text_bytes:
            raise Refusal("text")
        yield columns
    if count < rows:
        raise Refusal("count", f"its pages hold {count:,}")


def _is_dictionary(cells: Any) -> bool:
    return bool(pa.types.is_dictionary(cells.type))


def _text_bytes(cells: Any) -> int:
    """Return how many bytes of text a column holds, without what says where each cell begins; 0 if it is no text."""
    begins = TEXT_WIDTHS.get(str(cells.type))
    return 0 if begins is None else max(0, cells.nbytes - begins * len(cells))


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's cells, whether or not they come as a dictionary."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _reason(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:MOST_REASON].rstrip(". ") if lines else type(error).__name__


def main() -> None:
    """Serve on the standard streams."""
    die_with_parent()
    Decoder(sys.stdin.buffer, own_stdout()).serve()


if __name__ == "__main__":
    main()
