"""Descriptions: what a model wants and gives, as its service's metadata or the user's own file says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ares_core.errors import ModelError
from ares_core.files import parse_json
from ares_core.models.raw import Kind, Label, Wanted
from ares_core.people.names import quote

MOST_TENSORS = 2_000
MOST_CLASSES = 100
LONGEST_NAME = 200
# The names of the Open Inference protocol, then those of an MLflow signature.
DATATYPES: dict[str, Kind] = {
    "BOOL": "true/false",
    **dict.fromkeys(
        ("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"),
        "whole number",
    ),
    **dict.fromkeys(("FP16", "FP32", "FP64", "BF16"), "number"),
    "BYTES": "text",
}
MLFLOW_TYPES = {
    "boolean": "BOOL",
    "integer": "INT32",
    "long": "INT64",
    "float": "FP32",
    "double": "FP64",
    "string": "BYTES",
}
META_HINT = (
    "Check that the address names a model of an Open Inference (KServe V2) server, or describe the model's inputs and "
    'outputs yourself: --service-description FILE, or on the page under "Describe the service".'
)
OWN_HINT = (
    'Write it as {"inputs": [{"name": "income", "datatype": "FP64"}, …], "outputs": [{"name": "predict", '
    '"datatype": "BYTES"}]}.'
)


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor as a service describes it.

    Parameters
    ----------
    name, datatype
        As the protocol writes them.
    width
        How many columns it has; 1 unless its shape says otherwise, -1 for any number.
    classes
        The classes its scores are of, in order; empty where nobody says.
    """

    name: str
    datatype: str
    width: int = 1
    classes: tuple[Label, ...] = ()

    @property
    def kind(self) -> Kind:
        """What its cells must be."""
        return DATATYPES[self.datatype]

    @property
    def wanted(self) -> Wanted:
        """The column that a table must have for it."""
        return Wanted(self.name, self.kind)


@dataclass(frozen=True, slots=True)
class Description:
    """What a model wants and gives.

    Parameters
    ----------
    inputs
        At least one; a tensor for each column, or one of several columns.
    outputs
        Empty where nobody says.
    """

    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...] = ()

    @property
    def is_matrix(self) -> bool:
        """Whether one tensor holds all columns, which then have no names."""
        return len(self.inputs) == 1 and self.inputs[0].width != 1

    @property
    def columns(self) -> tuple[Wanted, ...]:
        """The columns a table must have; empty where they have no names."""
        return () if self.is_matrix else tuple(each.wanted for each in self.inputs)

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that scores are of, in order; empty where nobody says."""
        return next((each.classes for each in self.outputs if each.classes), ())


def parse_description(content: bytes | str) -> Description:
    """Read a user's own description of a service's model, which is JSON.

    Inputs and outputs are lists of {"name", "datatype", "shape"}. The shape may be left out, an MLflow signature's
    "type" may stand for "datatype", and an output may list its "classes".

    Raises
    ------
    ModelError
        If it is not such a description; the sentence says which entry is wrong.
    """
    data = content.encode() if isinstance(content, str) else content
    return read_description(parse_json(data, "The description", ModelError, OWN_HINT), "The description", OWN_HINT)


def read_description(document: Any, subject: str, hint: str) -> Description:
    """Return what a JSON document says of a model; `subject` begins the sentence on what is wrong with it."""
    if not isinstance(document, dict):
        raise ModelError(f"{subject} is not a JSON object.", hint)
    inputs, outputs = (_tensors(document.get(part), part, subject, hint) for part in ("inputs", "outputs"))
    if not inputs:
        raise ModelError(f'{subject} does not say what the model wants: it has no "inputs".', hint)
    if len(inputs) > 1 and any(tensor.width != 1 for tensor in inputs):
        raise ModelError(f"{subject} has several inputs of more than one column.", hint)
    return Description(inputs, outputs)


def _tensors(listed: Any, part: str, subject: str, hint: str) -> tuple[Tensor, ...]:
    if listed is None:
        return ()
    if not isinstance(listed, list) or len(listed) > MOST_TENSORS:
        raise ModelError(f'{subject} has "{part}" that are not a list of at most {MOST_TENSORS:,}.', hint)
    try:
        found = tuple(_tensor(entry) for entry in listed)
    except _EntryError as problem:
        raise ModelError(f"{subject}'s {part[:-1]} {problem.place(listed)} {problem}.", hint) from problem
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise ModelError(f'{subject} names {quote(twice)} twice among its "{part}".', hint)
    return found


class _EntryError(Exception):
    """What is wrong with one entry of a description."""

    def __init__(self, entry: Any, reason: str) -> None:
        super().__init__(reason)
        self._entry = entry

    def place(self, listed: Sequence[Any]) -> int:
        """Return the number of the entry in its list, counted from 1."""
        return next(number for number, each in enumerate(listed, start=1) if each is self._entry)


def _tensor(entry: Any) -> Tensor:
    if not isinstance(entry, dict):
        raise _EntryError(entry, "is not an object")
    name, datatype = entry.get("name"), entry.get("datatype", entry.get("type"))
    if not isinstance(name, str) or not name.isprintable() or not 1 <= len(name) <= LONGEST_NAME:
        raise _EntryError(entry, f'has no "name" of 1 to {LONGEST_NAME} printable characters')
    if not isinstance(datatype, str):
        raise _EntryError(entry, f'({quote(name)}) has no "datatype"')
    datatype = MLFLOW_TYPES.get(datatype, datatype)
    if datatype not in DATATYPES:
        raise _EntryError(
            entry, f"({quote(name)}) has the datatype {quote(datatype)}, not one of {', '.join(DATATYPES)}"
        )
    return Tensor(name, datatype, _width(entry, name), _classes(entry, name))


def _width(entry: dict[str, Any], name: str) -> int:
    shape = entry.get("shape", [-1])
    if not isinstance(shape, list) or not all(type(size) is int and size >= -1 for size in shape):
        raise _EntryError(entry, f'({quote(name)}) has a "shape" that is not a list of whole numbers from -1')
    return shape[-1] if len(shape) > 1 else 1


def _classes(entry: dict[str, Any], name: str) -> tuple[Label, ...]:
    parameters = entry.get("parameters")
    listed = entry.get("classes", parameters.get("classes") if isinstance(parameters, dict) else None)
    if listed is None:
        return ()
    if not isinstance(listed, list) or not 2 <= len(listed) <= MOST_CLASSES or not all(map(_is_class, listed)):
        raise _EntryError(entry, f'({quote(name)}) has "classes" that are not a list of 2 to {MOST_CLASSES} labels')
    if len(set(map(str, listed))) < len(listed):
        raise _EntryError(entry, f'({quote(name)}) names one of its "classes" twice')
    return tuple(listed)


def _is_class(value: Any) -> bool:
    if isinstance(value, str):
        return value.isprintable() and 1 <= len(value) <= LONGEST_NAME
    return isinstance(value, bool | int) or (isinstance(value, float) and abs(value) < 1e300)
