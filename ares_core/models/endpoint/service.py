"""Service: a model behind an address, asked in batches, within a budget, and never the same row twice."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.endpoint.address import Address, Hosts
from ares_core.models.endpoint.client import Client, Patience
from ares_core.models.endpoint.dialects import Cells, Dialect, cells_of, dialect_of
from ares_core.models.endpoint.secrets import headers_for
from ares_core.models.labels import refuse_wide_labels
from ares_core.models.raw import Output, RawModel, Signature
from ares_core.wording import counted

BATCH = 1_000  # rows of one call
CALLS_AT_ONCE = 5  # between two looks at how far it is
USUAL_BUDGET = 1_000_000
MOST_REMEMBERED = 500_000  # rows; some 100 bytes each
LEAST_ANSWER, PER_ROW = 64_000, 2_000  # bytes an answer may have


class Budget:
    """Counts what a service was asked, and ends it at a limit.

    Parameters
    ----------
    most
        Rows it may be asked about.
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ModelError(f"The budget is {most:,} rows.", "Allow at least one row.")
        self.most, self.rows = most, 0

    @property
    def left(self) -> int:
        """Rows that may still be asked about."""
        return self.most - self.rows

    def spend(self, rows: int) -> None:
        """Count rows about to be asked.

        Raises
        ------
        ModelError
            If they are more than are left.
        """
        if rows > self.left:
            raise ModelError(
                f"The service was asked about {self.rows:,} rows, and {rows:,} more would be over the budget of "
                f"{self.most:,}.",
                "Allow more rows, or ask for less: fewer changes at once, a higher support, fewer people.",
            )
        self.rows += rows


class Memory:
    """Remembers answers by what was asked, the last ones used, so that the same row is not asked twice.

    Parameters
    ----------
    most
        Rows remembered.
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[bytes, Any] = OrderedDict()

    def find(self, key: bytes) -> Any:
        """Return the answer to a row, None if it was not asked or is forgotten."""
        found = self._known.get(key)
        if found is not None:
            self._known.move_to_end(key)
        return found

    def keep(self, key: bytes, answer: Any) -> None:
        """Remember an answer, and forget the oldest beyond the limit."""
        self._known[key] = answer
        while len(self._known) > self._most:
            self._known.popitem(last=False)


class Service:
    """A model behind an address.

    Parameters
    ----------
    client, dialect
        Whom to ask, and how.
    budget
        How much may be asked.
    memory
        What was answered before; None asks every time.
    """

    def __init__(self, client: Client, dialect: Dialect, budget: Budget, memory: Memory | None) -> None:
        self._client, self._dialect = client, dialect
        self.budget, self._memory = budget, memory

    @property
    def kind(self) -> str:
        """What the service is called, in one word."""
        return self._dialect.kind

    @property
    def sha256(self) -> str:
        """Digest of the address and of what the model says of itself; a service may change behind both."""
        told = f"{self._client.address}\n{self.kind}\n{self.signature}"
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def signature(self) -> Signature:
        """What the model says of itself."""
        return self._dialect.signature

    @property
    def batch_rows(self) -> int:
        """How many rows to ask about at once: some calls' worth."""
        return CALLS_AT_ONCE * BATCH

    @property
    def call_rows(self) -> int:
        """The most rows that one call holds."""
        return BATCH

    @property
    def rows_left(self) -> int:
        """How many rows it may still be asked about."""
        return self.budget.left

    @property
    def address(self) -> str:
        """Where it is; an address never holds a secret."""
        return str(self._client.address)

    @property
    def calls(self) -> int:
        """How many calls were made, tries that failed included."""
        return self._client.calls

    def asked_words(self) -> str:
        """Say how much it was asked."""
        rows, calls = counted(self.budget.rows, "row"), counted(self.calls, "call")
        return f"{rows} in {calls}; the budget is {self.budget.most:,}."

    def without_memory(self) -> RawModel:
        """Return the same service, asked afresh each time, on the same budget."""
        return Service(self._client, self._dialect, self.budget, None)

    def answer(self, frame: pd.DataFrame, output: Output) -> NDArray[Any]:
        """Return what the model says of each row: labels or scores, shape (n,) or (n, classes)."""
        columns, rows = list(map(str, frame.columns)), cells_of(frame)
        if self._dialect.one_answer:
            output = "label"  # so that what was answered once is remembered for both
        if self._memory is None:
            return self._asked(columns, rows, output)
        keys = list(_keys(columns, rows, output))
        known = {key: self._memory.find(key) for key in keys}
        fresh = {key: row for key, row in zip(keys, rows, strict=True) if known[key] is None}
        if fresh:
            found = self._asked(columns, list(fresh.values()), output)
            for key, value in zip(fresh, found.tolist(), strict=True):
                known[key] = value
                self._memory.keep(key, value)
        return _joined([known[key] for key in keys])

    def _asked(self, columns: list[str], rows: Cells, output: Output) -> NDArray[Any]:
        self.budget.spend(len(rows))
        parts = []
        for begin in range(0, len(rows), BATCH):
            part = rows[begin : begin + BATCH]
            most = LEAST_ANSWER + PER_ROW * len(part)
            document = self._client.ask(self._dialect.path, self._dialect.question(columns, part), most=most)
            parts.append(self._dialect.answers(document, len(part), output))
        return _joined([value for part in parts for value in part.tolist()])


def open_service(
    url: str,
    *,
    budget: int = USUAL_BUDGET,
    hosts: Hosts | None = None,
    patience: Patience | None = None,
    memory: int = MOST_REMEMBERED,
    headers: Mapping[str, str] | None = None,
) -> Service:
    """Open a model behind an address, asking the service what it wants where its protocol says so.

    Parameters
    ----------
    budget
        Rows it may be asked about.
    hosts
        Whom this server may ask; what its environment allows unless given.
    headers
        Sent with every question; those that the environment holds for this service unless given.

    Raises
    ------
    ModelError
        If the address is not allowed, or nobody answers there as a protocol wants.
    """
    address = Address.parse(url)
    allowed = Hosts.of_server() if hosts is None else hosts
    client = Client(address, allowed, patience or Patience(), headers_for(address) if headers is None else headers)
    return Service(client, dialect_of(client, address), Budget(budget), Memory(memory))


def _keys(columns: Sequence[str], rows: Cells, output: Output) -> Iterator[bytes]:
    """Yield a digest of each row as it is asked; what all rows share is digested once."""
    start = hashlib.blake2b(json.dumps([output, columns]).encode(), digest_size=20)
    for row in rows:
        one = start.copy()
        one.update(json.dumps(row).encode())
        yield one.digest()


def _joined(values: list[Any]) -> NDArray[Any]:
    """Return answers of several calls as one array; they must be of one kind."""
    if len({len(value) if isinstance(value, list) else -1 for value in values}) > 1:
        raise ModelError(
            "The service gave some rows more answers than others.", "Have it return as many scores for every row."
        )
    texts = [len(value) for value in values if isinstance(value, str)]
    if texts and len(texts) < len(values):
        return np.array(values, dtype=object)
    refuse_wide_labels(len(values), max(texts, default=0))
    return np.array(values)
