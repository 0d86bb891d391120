"""Service: a model behind an address, asked in batches, within a budget, and never the same row twice."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.endpoint.address import Address, Hosts
from ares_core.models.endpoint.client import Client, Patience
from ares_core.models.endpoint.columns import Answer, Layout
from ares_core.models.endpoint.description import Description
from ares_core.models.endpoint.dialects import Dialect, cells_of, dialect_of
from ares_core.models.endpoint.open_inference import Cells
from ares_core.models.endpoint.secrets import headers_for
from ares_core.models.labels import refuse_wide_labels
from ares_core.models.raw import Label, Output, RawModel, Signature
from ares_core.wording import counted

BATCH = 1_000  # rows of one call
CALLS_AT_ONCE = 5  # between two looks at how far it is
USUAL_BUDGET = 1_000_000
MOST_REMEMBERED = 500_000  # rows; some 100 bytes each
LEAST_ANSWER, PER_ROW = 64_000, 2_000  # bytes an answer may have
Pair = tuple[Any, Any]  # the label and the score or scores of a row; None for what was not given


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
    """Remembers answers by what was asked, the last ones used, so that the same row is not asked twice."""

    def __init__(self) -> None:
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
        while len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)


@dataclass(slots=True)
class Learned:
    """What a service's answers have shown of it.

    Parameters
    ----------
    layouts
        Where labels and scores are found in its answers.
    gives_scores
        Whether it gave scores that it does not list; None while it was not asked for them.
    scores_mislead
        Whether the score beside each label is that of the label, and so of one class here and of the other there.
    """

    layouts: dict[Output, Layout] = field(default_factory=dict)
    gives_scores: bool | None = None
    scores_mislead: bool = False

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that its scores were named by."""
        return next((layout.classes for layout in self.layouts.values() if layout.classes), ())


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
    learned
        What earlier answers have shown; nothing unless given.
    """

    def __init__(
        self,
        client: Client,
        dialect: Dialect,
        budget: Budget,
        memory: Memory | None,
        learned: Learned | None = None,
    ) -> None:
        self._client, self._dialect = client, dialect
        self.budget, self._memory = budget, memory
        self._learned = learned or Learned()

    @property
    def kind(self) -> str:
        """What the service is called, in one word."""
        return self._dialect.kind

    @property
    def sha256(self) -> str:
        """Digest of the address and of what the model says of itself; a service may change behind both.

        What its answers show, such as the names of its classes, is left out, so that the digest is the same before and
        after the first of them.
        """
        told = f"{self._client.address}\n{self.kind}\n{self._dialect.signature}"
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def signature(self) -> Signature:
        """What the model says of itself; where it names its classes only in its answers, they are known after one."""
        said = self._dialect.signature
        return said if said.classes else replace(said, classes=self._learned.classes)

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
        return Service(self._client, self._dialect, self.budget, None, self._learned)

    def answer(self, frame: pd.DataFrame, output: Output) -> NDArray[Any]:
        """Return what the model says of each row: labels or scores, shape (n,) or (n, classes)."""
        columns, rows = list(map(str, frame.columns)), cells_of(frame)
        asked = self._asked_as(output)
        if self._memory is None:
            return self._joined(self._asked(columns, rows, asked), output)
        keys = list(_keys(columns, rows, asked))
        known = {key: self._memory.find(key) for key in keys}
        fresh = {key: row for key, row in zip(keys, rows, strict=True) if known[key] is None}
        if fresh:
            found = self._asked(columns, list(fresh.values()), asked)
            for key, value in zip(fresh, found, strict=True):
                known[key] = value
                self._memory.keep(key, value)
        return self._joined([known[key] for key in keys], output)

    def _joined(self, pairs: Sequence[Pair], output: Output) -> NDArray[Any]:
        """Return the labels or scores of several calls as one array, or the other where there is only that."""
        place = int(output == "score" and not self._learned.scores_mislead)
        return _array([pair[1 - place] if pair[place] is None else pair[place] for pair in pairs])

    def _asked_as(self, output: Output) -> Output:
        """Return what to ask for: labels where the same comes back, so that it is remembered for both."""
        return "label" if self._dialect.one_answer or self._learned.gives_scores is False else output

    def _asked(self, columns: list[str], rows: Cells, output: Output) -> list[Pair]:
        self.budget.spend(len(rows))
        pairs: list[Pair] = []
        for begin in range(0, len(rows), BATCH):
            part = rows[begin : begin + BATCH]
            is_trial = output == "score" and self._dialect.has_trial and self._learned.gives_scores is None
            answer = self._tried(columns, part) if is_trial else self._call(columns, part, self._asked_as(output))
            pairs += answer.pairs()
        return pairs

    def _tried(self, columns: list[str], rows: Cells) -> Answer:
        """Ask for scores that the service does not list, and for labels if it refuses."""
        try:
            answer = self._call(columns, rows, "score")
        except ModelError as refusal:
            self.budget.spend(len(rows))
            try:
                answer = self._call(columns, rows, "label")
            except ModelError:
                raise refusal from None
        self._learned.gives_scores = answer.scores is not None
        return answer

    def _call(self, columns: list[str], rows: Cells, output: Output) -> Answer:
        question = self._dialect.question(columns, rows, output)
        document = self._client.ask(self._dialect.path, question, most=LEAST_ANSWER + PER_ROW * len(rows))
        answer = self._dialect.answers(document, len(rows), output, self._learned.layouts.get(output))
        self._learned.layouts.setdefault(output, answer.layout)
        self._learned.scores_mislead |= answer.has_score_of_label
        return answer


def open_service(
    url: str,
    *,
    budget: int = USUAL_BUDGET,
    hosts: Hosts | None = None,
    patience: Patience | None = None,
    headers: Mapping[str, str] | None = None,
    description: Description | None = None,
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
    description
        What the model wants and gives, see `parse_description`; the service is then not asked for it.

    Raises
    ------
    ModelError
        If the address is not allowed, or nobody answers there as a protocol wants.
    """
    address = Address.parse(url)
    allowed = Hosts.of_server() if hosts is None else hosts
    client = Client(address, allowed, patience or Patience(), headers_for(address) if headers is None else headers)
    return Service(client, dialect_of(client, address, description), Budget(budget), Memory())


def _keys(columns: Sequence[str], rows: Cells, output: Output) -> Iterator[bytes]:
    """Yield a digest of each row as it is asked; what all rows share is digested once."""
    start = hashlib.blake2b(json.dumps([output, columns]).encode(), digest_size=20)
    for row in rows:
        one = start.copy()
        one.update(json.dumps(row).encode())
        yield one.digest()


def _array(values: list[Any]) -> NDArray[Any]:
    """Return values of several calls as one array; they must be of one kind."""
    if len({len(value) if isinstance(value, list) else -1 for value in values}) > 1:
        raise ModelError(
            "The service gave some rows more answers than others.", "Have it return as many scores for every row."
        )
    texts = [len(value) for value in values if isinstance(value, str)]
    if texts and len(texts) < len(values):
        return np.array(values, dtype=object)
    refuse_wide_labels(len(values), max(texts, default=0))
    return np.array(values)
