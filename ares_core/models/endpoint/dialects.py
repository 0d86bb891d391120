"""Dialects: how a question about people is put to a service, and how its answer is found in what comes back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from ares_core.errors import ModelError
from ares_core.models.endpoint.address import HINT, Address
from ares_core.models.endpoint.answers import SHAPE_HINT
from ares_core.models.endpoint.client import Client
from ares_core.models.endpoint.columns import Answer, Layout, columns_of, read_columns
from ares_core.models.endpoint.description import OWN_HINT, Description
from ares_core.models.endpoint.open_inference import FILL_HINT, Cells, OpenInference
from ares_core.models.raw import Output, Signature
from ares_core.people.names import quote

V2 = re.compile(r"(?P<model>.*/v2/models/[^/]+(?:/versions/[^/]+)?)(?:/infer)?/?")


class Dialect(Protocol):
    """A way of speaking to a service."""

    @property
    def kind(self) -> str:
        """What the service is called, in one word."""
        ...

    @property
    def signature(self) -> Signature:
        """What the model says of itself."""
        ...

    @property
    def path(self) -> str:
        """Where questions go."""
        ...

    @property
    def one_answer(self) -> bool:
        """Whether the same comes back for labels and for scores."""
        ...

    @property
    def has_trial(self) -> bool:
        """Whether scores are worth asking for although the service may refuse them."""
        ...

    def question(self, columns: list[str], rows: Cells, output: Output) -> Any:
        """Return the document that asks about some rows; empty cells are None."""
        ...

    def answers(self, document: Any, rows: int, output: Output, known: Layout | None) -> Answer:
        """Find the answers in what came back.

        Parameters
        ----------
        known
            Where earlier answers were found; None for the first.
        """
        ...


@dataclass(frozen=True, slots=True)
class MLflow:
    """An MLflow scoring server: rows as a split table, predictions as a list.

    It does not tell its signature over HTTP. Columns go in the types of the table, as booleans, whole numbers, numbers
    and text, unless a description says what the model wants.
    """

    path: str
    description: Description | None = None
    kind: str = "mlflow"
    one_answer: bool = True
    has_trial: bool = False

    @property
    def signature(self) -> Signature:
        """What is known of the model; its predictions may be labels or scores."""
        if self.description is None:
            return Signature(outputs=("label", "score"), by_name=True)
        return Signature(self.description.columns, self.description.classes, ("label", "score"))

    def question(self, columns: list[str], rows: Cells, output: Output) -> Any:  # noqa: ARG002 - there is one kind
        """Return the document that asks about some rows."""
        self._refuse_missing(columns, rows)
        return {"dataframe_split": {"columns": columns, "data": rows}}

    def _refuse_missing(self, columns: list[str], rows: Cells) -> None:
        """Raise where a column of true and false has empty cells, which MLflow would turn into false."""
        wanted = () if self.description is None else self.description.columns
        truths = {column.name for column in wanted if column.kind == "true/false"}
        for place, name in enumerate(columns):
            if name in truths and any(row[place] is None for row in rows):
                raise ModelError(f"The model wants true or false in {quote(name)}, which has empty cells.", FILL_HINT)

    def answers(self, document: Any, rows: int, output: Output, known: Layout | None) -> Answer:  # noqa: ARG002
        """Find the answers in what came back: values, lists of scores, or records with names."""
        if not isinstance(document, dict) or "predictions" not in document:
            raise ModelError('The service\'s answer has no "predictions".', SHAPE_HINT)
        found = document["predictions"]
        if isinstance(found, list) and len(found) == rows and found and isinstance(found[0], dict):
            return read_columns(columns_of(found), rows, known)
        return Answer.unnamed(found, rows, self.signature.classes)


def dialect_of(client: Client, address: Address, description: Description | None = None) -> Dialect:
    """Return how to speak to a service, by its address.

    Raises
    ------
    ModelError
        If the address is that of neither protocol, or the service does not describe itself as its protocol wants.
    """
    model = check_path(address)
    if model is not None:
        return OpenInference.of(client, model, description)
    if description is not None and description.is_matrix:
        raise ModelError("The description has one input of several columns, which MLflow does not take.", OWN_HINT)
    return MLflow(address.path, description)


def check_path(address: Address) -> str | None:
    """Return the path of an Open Inference model, None for that of MLflow; nobody is asked.

    Raises
    ------
    ModelError
        If the path is that of neither.
    """
    if address.path.endswith("/invocations"):
        return None
    found = V2.fullmatch(address.path)
    if found is None:
        raise ModelError(f"The path {address.path[:60]!r} is that of no model service known here.", HINT)
    return found["model"]


def cells_of(frame: pd.DataFrame) -> Cells:
    """Return the rows of a table as JSON can hold them, each cell in its own type; empty cells are None."""
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame.columns]
    return [list(row) for row in zip(*columns, strict=True)]
