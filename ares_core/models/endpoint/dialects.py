"""Dialects: how a question about people is put to a service, and how its answer is found in what comes back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.errors import ModelError
from ares_core.models.endpoint.address import HINT, Address
from ares_core.models.endpoint.answers import SHAPE_HINT, as_array, reshaped
from ares_core.models.endpoint.client import Client
from ares_core.models.raw import Output, Signature, Wanted

MOST_METADATA = 1_000_000
V2 = re.compile(r"(?P<model>.*/v2/models/[^/]+(?:/versions/[^/]+)?)(?:/infer)?/?")
Cells = list[list[Any]]
META_HINT = "Check that the address names a model of an Open Inference (KServe V2) server."


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
        """Whether the same list comes back, labels or scores, whatever is asked for."""
        ...

    def question(self, columns: list[str], rows: Cells) -> Any:
        """Return the document that asks about some rows; empty cells are None."""
        ...

    def answers(self, document: Any, rows: int, output: Output) -> NDArray[Any]:
        """Find the answers in what came back."""
        ...


@dataclass(frozen=True, slots=True)
class MLflow:
    """An MLflow scoring server: rows as a split table, predictions as a list. It says nothing of itself."""

    path: str
    kind: str = "mlflow"
    one_answer: bool = True

    @property
    def signature(self) -> Signature:
        """What the model says of itself: nothing, so its predictions may be labels or scores."""
        return Signature(outputs=("label", "score"), by_name=True)

    def question(self, columns: list[str], rows: Cells) -> Any:
        """Return the document that asks about some rows."""
        return {"dataframe_split": {"columns": columns, "data": rows}}

    def answers(self, document: Any, rows: int, output: Output) -> NDArray[Any]:  # noqa: ARG002 - there is one kind
        """Find the answers in what came back."""
        if not isinstance(document, dict) or "predictions" not in document:
            raise ModelError('The service\'s answer has no "predictions".', SHAPE_HINT)
        return as_array(document["predictions"], rows)


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor as a service describes it: its name, its datatype, and how many columns it has; 1 unless it says."""

    name: str
    datatype: str
    width: int

    @property
    def kind(self) -> Literal["number", "text"]:
        """What it holds."""
        return "text" if self.datatype == "BYTES" else "number"


@dataclass(frozen=True, slots=True)
class OpenInference:
    """An Open Inference (KServe V2) server: a tensor for each column, or one for all of them."""

    path: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    kind: str = "kserve"

    @property
    def one_answer(self) -> bool:
        """Whether there is a single tensor to answer with."""
        return len(self.outputs) == 1

    @classmethod
    def of(cls, client: Client, model: str) -> OpenInference:
        """Ask a server what its model wants and gives.

        Raises
        ------
        ModelError
            If it does not say so as the protocol wants.
        """
        document = client.ask(model, most=MOST_METADATA)
        inputs, outputs = (_tensors(document, part) for part in ("inputs", "outputs"))
        if len(inputs) > 1 and any(tensor.width != 1 for tensor in inputs):
            raise ModelError("The service wants several tensors of more than one column.", META_HINT)
        return cls(f"{model}/infer", inputs, outputs)

    @property
    def signature(self) -> Signature:
        """What the model says of itself; a single tensor of several columns does not name them."""
        columns = () if self._is_matrix else tuple(Wanted(each.name, each.kind) for each in self.inputs)
        found: list[Output] = []
        if any(not _is_float(each) for each in self.outputs):
            found.append("label")
        if any(_is_float(each) for each in self.outputs):
            found += ["score"] if found else ["label", "score"]  # some servers write labels as floats
        return Signature(columns, outputs=tuple(found))

    @property
    def _is_matrix(self) -> bool:
        return len(self.inputs) == 1 and self.inputs[0].width != 1

    def question(self, columns: list[str], rows: Cells) -> Any:
        """Return the document that asks about some rows."""
        if self._is_matrix:
            return {"inputs": [_matrix(self.inputs[0], columns, rows)]}
        named = {tensor.name: tensor for tensor in self.inputs}
        parts = [
            _column(named[name], [row[place] for row in rows]) for place, name in enumerate(columns) if name in named
        ]
        return {"inputs": parts, "parameters": {"content_type": "pd"}}

    def answers(self, document: Any, rows: int, output: Output) -> NDArray[Any]:
        """Find the answers in what came back: of several tensors that of the kind asked for."""
        outputs = document.get("outputs") if isinstance(document, dict) else None
        if not isinstance(outputs, list) or not outputs or not all(isinstance(each, dict) for each in outputs):
            raise ModelError('The service\'s answer has no "outputs".', SHAPE_HINT)
        fitting = [each for each in outputs if str(each.get("datatype")).startswith("FP") == (output == "score")]
        chosen = (fitting or outputs)[0]
        return as_array(reshaped(chosen.get("data"), chosen.get("shape"), rows), rows)


def dialect_of(client: Client, address: Address) -> Dialect:
    """Return how to speak to a service, by its address.

    Raises
    ------
    ModelError
        If the address is that of neither protocol, or the service does not describe itself as its protocol wants.
    """
    model = check_path(address)
    return MLflow(address.path) if model is None else OpenInference.of(client, model)


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
    """Return the rows of a table as JSON can hold them; empty cells are None."""
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def _tensors(document: Any, part: str) -> tuple[Tensor, ...]:
    listed = document.get(part) if isinstance(document, dict) else None
    if not isinstance(listed, list) or not listed or not all(_is_described(each) for each in listed):
        raise ModelError(f'The service does not describe its model\'s "{part}".', META_HINT)
    return tuple(Tensor(each["name"], each["datatype"], _width(each["shape"])) for each in listed)


def _is_described(entry: Any) -> bool:
    wanted = {"name": str, "datatype": str, "shape": list}
    return isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in wanted.items())


def _width(shape: list[Any]) -> int:
    last = shape[-1] if len(shape) > 1 else 1
    return last if isinstance(last, int) else 1


def _is_float(tensor: Tensor) -> bool:
    return tensor.datatype.startswith("FP")


def _matrix(tensor: Tensor, columns: list[str], rows: Cells) -> dict[str, Any]:
    if tensor.width > 0 and tensor.width != len(columns):
        raise ModelError(
            f"The service wants {tensor.width} columns without saying which; the table has {len(columns)}.",
            "Serve the model with a named input for each column.",
        )
    data = [_cell(tensor, cell) for row in rows for cell in row]
    return {"name": tensor.name, "shape": [len(rows), len(columns)], "datatype": tensor.datatype, "data": data}


def _column(tensor: Tensor, cells: list[Any]) -> dict[str, Any]:
    data = [_cell(tensor, cell) for cell in cells]
    part: dict[str, Any] = {"name": tensor.name, "shape": [len(cells), 1], "datatype": tensor.datatype, "data": data}
    return {**part, "parameters": {"content_type": "str"}} if tensor.kind == "text" else part


def _cell(tensor: Tensor, cell: Any) -> Any:
    """Return a cell as the tensor's datatype wants it; JSON has no number for a missing one, so it stays null."""
    if cell is None or tensor.kind == "text":
        return cell if cell is None else str(cell)
    if isinstance(cell, str):
        raise ModelError(
            f"The service wants numbers in {tensor.name!r:.60}, but a cell holds {cell!r:.40}.",
            "Serve the model together with what encodes its columns.",
        )
    whole = tensor.datatype.startswith(("INT", "UINT")) and float(cell).is_integer()
    return bool(cell) if tensor.datatype == "BOOL" else int(cell) if whole else float(np.float64(cell))
