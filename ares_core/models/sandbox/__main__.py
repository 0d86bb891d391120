"""A model's process: locks itself, loads the one model it is given, answers about rows, and ends with its parent.

Whatever happens here after the model is loaded may be the model's doing; the parent relies on nothing of it.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any, BinaryIO, NoReturn

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.models.labels import MOST_LABEL, long_label
from ares_core.models.loaders import Loaded, Loader, Reason, Refusal, loader
from ares_core.models.raw import Categories, Output
from ares_core.models.sandbox.lockdown import lock_down
from ares_core.models.sandbox.messages import (
    ANSWERED,
    BEGIN,
    DESCRIBED,
    LABELS,
    LOAD,
    READY,
    REFUSED,
    SCORES,
    dump_array,
    dump_rows,
    dump_signature,
    head,
    load_rows,
    open_message,
)
from ares_core.processes import die_with_parent, own_stdout, read_frame, write_frame

_MOST = 1 << 40  # what comes from the parent is as long as the parent allows
_OUTPUTS: dict[bytes, Output] = {LABELS: "label", SCORES: "score"}
_FLAT_KINDS = "biuU"
_EXAMPLE = pd.DataFrame({"number": [1.0, None], "text": ["a", None], "truth": [True, None]})


class Server:
    """Answers the parent's messages one after the other."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests, self._replies = requests, replies
        self._read: Loader | None = None
        self._categories: Categories = {}
        self._model: Loaded | None = None

    def serve(self) -> NoReturn:
        """Answer until the parent closes the pipe."""
        while (body := read_frame(self._requests, _MOST)) is not None:
            letter, number, content = open_message(body)
            del body
            try:
                reply, answer = self._take(letter, content)
            except BaseException as error:  # the model's own way out, sys.exit, is an error like any other
                reply, answer = REFUSED, json.dumps(_worded(error, self._model is not None)).encode()
            write_frame(self._replies, head(reply, number), answer)
        sys.exit()

    def _take(self, letter: bytes, content: memoryview) -> tuple[bytes, bytes]:
        if letter == BEGIN:
            return READY, self._begin(json.loads(bytes(content)))
        if letter == LOAD:
            assert self._read is not None
            self._model = None
            self._model = self._read(bytes(content), self._categories)
            _check_classes(self._model)
            return DESCRIBED, dump_signature(self._model.signature)
        assert self._model is not None
        return ANSWERED, dump_array(_flat(self._model.answer(load_rows(content), _OUTPUTS[letter])))

    def _begin(self, plan: dict[str, Any]) -> bytes:
        self._read = loader(plan["kind"], plan["packages"])
        self._categories = {name: tuple(values) for name, values in plan["categories"].items()}
        load_rows(dump_rows(_EXAMPLE))  # what Arrow sets up at its first use needs calls that are refused later
        lock_down(plan["memory_bytes"], plan["cpu_seconds"])
        return b""


def _flat(answer: Any) -> NDArray[Any]:
    """Return an answer as an array of numbers or text.

    Raises
    ------
    Refusal
        If it is something else.
    """
    if isinstance(answer, list):
        _check_labels(answer)  # before NumPy gives each as much room as the longest
    array = np.asarray(answer)
    if array.dtype.kind == "U":
        return _narrow(array)
    if array.dtype.kind == "O":
        array = _from_objects(array)
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.dtype.kind not in _FLAT_KINDS:
        raise Refusal("answer", f"values of the type {array.dtype}")
    return array


def _check_classes(model: Loaded) -> None:
    found = long_label(model.signature.classes)
    if found is not None:
        raise Refusal("class", f"{found[1]:,}")


def _check_labels(values: list[Any]) -> None:
    found = long_label(values)
    if found is not None:
        raise Refusal("label", f"row {found[0]:,} with a label of {found[1]:,} characters")


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """Return labels with no more room for each than the longest takes.

    Raises
    ------
    Refusal
        If that one is too long.
    """
    lengths = np.char.str_len(array).ravel()
    longest = int(lengths.max(initial=1))
    if longest > MOST_LABEL:
        row = int((lengths > MOST_LABEL).argmax())
        raise Refusal("label", f"row {row + 1:,} with a label of {lengths[row]:,} characters")
    return array.astype(f"U{longest}")


def _from_objects(array: NDArray[Any]) -> NDArray[Any]:
    values = array.ravel().tolist()
    _check_labels(values)
    for kinds in ((str,), (bool, np.bool_), (int, float, np.number)):
        if values and all(isinstance(value, kinds) for value in values):
            return np.array(values).reshape(array.shape)
    strange = next((value for value in values if not isinstance(value, str | int | float)), None)
    raise Refusal("answer", f"{strange!r:.60}" if strange is None else f"a {type(strange).__name__}")


def _worded(error: BaseException, loaded: bool) -> tuple[Reason, str]:
    if isinstance(error, Refusal):
        return error.reason, error.detail
    if isinstance(error, MemoryError):
        return "memory", ""
    detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, PermissionError):
        return "forbidden", detail
    return ("failed" if loaded else "damaged"), detail[:2_000]


def main() -> None:
    """Serve on the standard streams."""
    die_with_parent()
    warnings.simplefilter("ignore")
    # No thread can be started behind the locks, so a model that asks for several gets one; its answers are the same.
    with joblib.parallel_config(backend="sequential"):
        Server(sys.stdin.buffer, own_stdout()).serve()


if __name__ == "__main__":
    main()
