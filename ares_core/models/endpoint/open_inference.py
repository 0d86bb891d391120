"""Open Inference (KServe V2): columns are sent as tensors, and answers are found among the tensors that come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ares_core.errors import ModelError
from ares_core.models.endpoint.answers import SHAPE_HINT, reshaped
from ares_core.models.endpoint.client import Client, RefusedError
from ares_core.models.endpoint.columns import Answer, Layout, check_names, read_columns
from ares_core.models.endpoint.description import META_HINT, Description, Tensor, read_description
from ares_core.models.raw import Label, Output, Signature
from ares_core.people.levels import plain
from ares_core.people.names import quote

MOST_METADATA = 1_000_000
PREDICT, PREDICT_PROBA = "predict", "predict_proba"  # how MLServer names labels, and scores it gives on request
FILL_HINT = "Fill empty cells as the model's training data did, or leave those rows out."
Cells = list[list[Any]]


@dataclass(frozen=True, slots=True)
class OpenInference:
    """An Open Inference (KServe V2) server: a tensor for each column, or one for all of them."""

    path: str
    description: Description
    kind: str = "kserve"

    @classmethod
    def of(cls, client: Client, model: str, description: Description | None) -> OpenInference:
        """Return how to ask a server, which is asked what its model wants unless a description says so.

        Raises
        ------
        ModelError
            If it does not say so as the protocol wants.
        """
        if description is None:
            try:
                document = client.ask(model, most=MOST_METADATA)
            except RefusedError as error:
                raise ModelError(f"The service does not describe its model. {error}", META_HINT) from error
            description = read_description(document, "The service's metadata", META_HINT)
        return cls(f"{model}/infer", description)

    @property
    def one_answer(self) -> bool:
        """Whether the same tensors come back for labels and for scores."""
        return self._is_table or (len(self.description.outputs) == 1 and not self.has_trial)

    @property
    def _is_table(self) -> bool:
        """Whether a tensor comes back for each column of a table, of labels, scores or both."""
        return len(self.description.outputs) > 1 and all(each.width == 1 for each in self.description.outputs)

    @property
    def has_trial(self) -> bool:
        """Whether scores are worth asking for although the server does not list them."""
        names = [tensor.name for tensor in self.description.outputs]
        return not names or names == [PREDICT]

    @property
    def signature(self) -> Signature:
        """What the model says of itself; a single tensor of several columns does not name them."""
        outputs = self.description.outputs
        found: list[Output] = []
        if any(not _is_float(each) for each in outputs):
            found.append("label")
        if any(_is_float(each) for each in outputs) or self.has_trial:
            found += ["score"] if found else ["label", "score"]  # some servers write labels as floats
        return Signature(self.description.columns, self.description.classes, tuple(found))

    def question(self, columns: list[str], rows: Cells, output: Output) -> Any:
        """Return the document that asks about some rows."""
        document: dict[str, Any] = {"inputs": self._inputs(columns, rows)}
        if not self.description.is_matrix:
            document["parameters"] = {"content_type": "pd"}
        names = self._asked_for(output)
        return {**document, "outputs": [{"name": name} for name in names]} if names else document

    def _inputs(self, columns: list[str], rows: Cells) -> list[dict[str, Any]]:
        if self.description.is_matrix:
            return [_matrix(self.description.inputs[0], columns, rows)]
        named = {tensor.name: tensor for tensor in self.description.inputs}
        placed = [(place, name) for place, name in enumerate(columns) if name in named]
        return [_column(named[name], [row[place] for row in rows]) for place, name in placed]

    def _asked_for(self, output: Output) -> list[str]:
        """Return the names of the tensors to ask for; none for what the server gives by itself."""
        if self.has_trial:
            return [PREDICT_PROBA] if output == "score" else []
        outputs = self.description.outputs
        if self._is_table:
            return [each.name for each in outputs]
        fitting = [each.name for each in outputs if _is_float(each) == (output == "score")]
        return fitting if len(fitting) < len(outputs) else []

    def answers(self, document: Any, rows: int, output: Output, known: Layout | None) -> Answer:
        """Find the answers in what came back, in the tensors of the kind asked for where there are any."""
        outputs = document.get("outputs") if isinstance(document, dict) else None
        if not isinstance(outputs, list) or not outputs or not all(isinstance(each, dict) for each in outputs):
            raise ModelError('The service\'s answer has no "outputs".', SHAPE_HINT)
        if len(outputs) > 1 and all(_is_narrow(each) for each in outputs):
            return self._named(outputs, rows, known)
        floats = [each for each in outputs if str(each.get("datatype")).startswith("FP")]
        others = [each for each in outputs if each not in floats]
        fitting = (floats or others) if output == "score" else (others or floats)
        chosen = next((each for each in fitting if each.get("name") == PREDICT_PROBA), fitting[0])
        return Answer.unnamed(_data(chosen, rows), rows, self.description.classes or _own_classes(chosen))

    def _named(self, tensors: list[dict[str, Any]], rows: int, known: Layout | None) -> Answer:
        names = [each.get("name") for each in tensors]
        found = [name for name in names if isinstance(name, str)]
        if len(set(found)) < len(tensors):
            raise ModelError("The service gave several answers of one name, or without one.", SHAPE_HINT)
        check_names(found)
        return read_columns(dict(zip(found, (_data(each, rows) for each in tensors), strict=True)), rows, known)


def _is_float(tensor: Tensor) -> bool:
    return tensor.kind == "number"


def _is_narrow(tensor: dict[str, Any]) -> bool:
    shape = tensor.get("shape")
    return isinstance(shape, list) and (len(shape) < 2 or shape[1] == 1)


def _own_classes(tensor: dict[str, Any]) -> tuple[Label, ...]:
    """Return the classes that a tensor of an answer lists among its parameters, if they are names."""
    parameters = tensor.get("parameters")
    listed = parameters.get("classes") if isinstance(parameters, dict) else None
    if not isinstance(listed, list) or not listed or not all(isinstance(each, str) for each in listed):
        return ()
    check_names(listed)
    return tuple(listed) if len(set(listed)) == len(listed) else ()


def _data(tensor: dict[str, Any], rows: int) -> list[Any]:
    return reshaped(tensor.get("data"), tensor.get("shape"), rows)


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
    """Return a cell as the tensor's datatype wants it, in which nothing is rounded and no text becomes a number.

    Servers read null as a missing number or text, but turn a missing truth value into false and fail at a missing
    whole number, so that these are refused.
    """
    match tensor.kind, cell:
        case ("true/false", bool()) | ("text", str()) | ("number" | "text", None):
            return cell
        case "true/false", int() | float() if cell in (0, 1):
            return bool(cell)
        case "whole number", int() | float() if float(cell).is_integer():
            return int(cell)
        case "number", int() | float():
            return float(cell)
        case "text", bool():
            return str(cell)
        case "text", int() | float():
            return str(plain(cell))
    if cell is None:
        raise ModelError(
            f"The service wants {_what(tensor)} in {quote(tensor.name)}, which has empty cells.", FILL_HINT
        )
    raise ModelError(
        f"The service wants {_what(tensor)} in {quote(tensor.name)}, but a cell holds {quote(str(cell))}.",
        "Bring the table with the types the model was trained on, or serve the model with what encodes its columns.",
    )


def _what(tensor: Tensor) -> str:
    return {"true/false": "true or false", "whole number": "whole numbers"}.get(tensor.kind, "numbers")
