"""Load a single ONNX file: one input for each column, or one for all columns side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.loaders.base import Loaded, Refusal
from ares_core.models.loaders.columns import numbers, texts
from ares_core.models.loaders.onnx_classes import zipmap_classes
from ares_core.models.raw import Categories, Kind, Label, Output, Signature, Wanted

_NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}
_TEXT = "tensor(string)"
_KINDS: dict[str, Kind] = {
    _TEXT: "text",
    "tensor(int64)": "whole number",
    "tensor(int32)": "whole number",
    "tensor(bool)": "true/false",
}
_LABELS = ("tensor(int64)", "tensor(int32)", "tensor(bool)", _TEXT)
_QUIET = 4  # of onnxruntime's messages only what ends the process


def load(content: bytes, _: Categories) -> Loaded:
    """Read a model with everything it needs in one file.

    Raises
    ------
    Refusal
        If its inputs or outputs are not those of a model of rows.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    options.enable_cpu_mem_arena = False  # it would hold on to the most memory a batch ever took
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except MemoryError:
        raise
    except Exception as error:  # onnxruntime has a type of error for each of its codes
        raise Refusal("damaged", str(error)) from error
    return OnnxModel(session, content)


class OnnxModel:
    """A session that can be asked about rows."""

    def __init__(self, session: Any, content: bytes) -> None:
        self._session = session
        self._inputs = session.get_inputs()
        self._by_column = all(_width(tensor) == 1 for tensor in self._inputs)
        self._outputs = _outputs(session.get_outputs())
        self._check()
        self._classes = zipmap_classes(content, self._outputs["score"]) if "score" in self._outputs else ()
        columns = tuple(Wanted(tensor.name, _kind(tensor)) for tensor in self._inputs) if self._by_column else ()
        width = len(columns) or _width(self._inputs[0])
        self.signature = Signature(
            columns,
            self._classes,
            tuple(self._outputs),
            width if isinstance(width, int) else None,
            first_wins="label" in self._outputs,
        )

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return what it says of each row."""
        if output not in self._outputs:
            raise Refusal("output", "scores" if output == "score" else "labels")
        (answer,) = self._session.run([self._outputs[output]], self._feed(frame))
        return self._from_mappings(answer) if isinstance(answer, list) else answer

    def _from_mappings(self, rows: list[dict[Label, float]]) -> list[list[float]]:
        """Return scores in the order of the classes from a mapping of class to score for each row."""
        order = self._classes or (tuple(rows[0]) if rows else ())
        if any(set(row) != set(order) for row in rows):
            raise Refusal("answer", "scores of some classes for some rows, and of others for others")
        return [[row[name] for name in order] for row in rows]

    def _feed(self, frame: pd.DataFrame) -> dict[str, NDArray[Any]]:
        if not self._by_column:
            (tensor,) = self._inputs
            wanted = self.signature.width
            if wanted is not None and frame.shape[1] != wanted:
                raise Refusal("failed", f"it wants {wanted:,} columns and was shown {frame.shape[1]:,}")
            columns = [_cells(frame.iloc[:, place], tensor) for place in range(frame.shape[1])]
            return {tensor.name: np.column_stack(columns)}
        lacking = [tensor.name for tensor in self._inputs if tensor.name not in frame.columns]
        if lacking:
            raise Refusal("failed", f"it wants a column {lacking[0]!r}, which is not there")
        return {
            tensor.name: _cells(frame[tensor.name], tensor).reshape(-1, *[1] * (len(tensor.shape) - 1))
            for tensor in self._inputs
        }

    def _check(self) -> None:
        strange = [tensor for tensor in self._inputs if tensor.type not in (*_NUMBERS, _TEXT)]
        if strange:
            raise Refusal("damaged", f"its input {strange[0].name!r} is a {strange[0].type}, not numbers or text")
        if not self._inputs or not (self._by_column or len(self._inputs) == 1):
            raise Refusal("damaged", "it has neither one input for each column nor one for all of them")
        if any(len(tensor.shape) > 2 for tensor in self._inputs) or not self._outputs:
            raise Refusal("damaged", "it does not take rows and return labels or scores")


def _width(tensor: Any) -> Any:
    return tensor.shape[1] if len(tensor.shape) == 2 else 1


def _kind(tensor: Any) -> Kind:
    return _KINDS.get(tensor.type, "number")


def _cells(cells: pd.Series[Any], tensor: Any) -> NDArray[Any]:
    return texts(cells) if tensor.type == _TEXT else numbers(cells, _NUMBERS[tensor.type])


def _outputs(tensors: list[Any]) -> dict[Output, str]:
    """Return the name of the first output that can be labels and of the first that can be scores."""
    labels = [tensor.name for tensor in tensors if tensor.type in _LABELS]
    scores = [tensor.name for tensor in tensors if tensor.type not in _LABELS]
    found: dict[Output, str] = {}
    if labels:
        found["label"] = labels[0]
    if scores:
        found["score"] = scores[0]
    return found
