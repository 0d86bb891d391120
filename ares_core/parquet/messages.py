"""Messages between the process that decodes a Parquet file and its parent: one letter, then bytes.

The parent sends the limits and the file. The process replies with the footer and the schema. When the parent has
checked them it sends an empty message, and gets the rows as an Arrow stream in several parts. Any reply may be a
refusal instead.
"""

from __future__ import annotations

from typing import Literal

FOOTER, SCHEMA, ROWS, END, REFUSED = b"F", b"S", b"R", b"Z", b"E"
MOST_FILE = 1 << 34  # bytes the parent sends; it checks the size of files itself

Reason = Literal["damaged", "memory", "count", "text"]
