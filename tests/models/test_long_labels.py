"""Labels of thousands of characters are refused on arrival, before NumPy pads every row to the longest."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from onnx import TensorProto, helper

from ares_core.errors import ModelError
from ares_core.models.endpoint.answers import as_array
from ares_core.models.labels import MOST_LABEL, MOST_LABEL_BYTES, refuse_wide_labels
from ares_core.models.loaders import Refusal
from ares_core.models.raw import Signature
from ares_core.models.reading import distinct_labels
from ares_core.models.sandbox import level_in_force, open_model
from ares_core.models.sandbox.__main__ import _check_classes, _flat
from ares_core.models.sandbox.limits import LIMITS, MOST_ROWS
from ares_core.models.sandbox.messages import (
    GarbledError,
    dump_array,
    dump_signature,
    load_array,
    load_signature,
)
from ares_core.models.sandbox.trouble import Subject, Trouble
from tests.services import mlflow, served

LONG = "x" * 5_000
ROOM = 100_000_000  # bytes an answer of a few hundred kilobytes may take here
needs_sandbox = pytest.mark.skipif(level_in_force() is None, reason="this machine has no sandbox")


def most_memory() -> int:
    """Return the most memory this process has held since `forget_most`, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) * 1024


def forget_most() -> int:
    """Begin to measure again, and return what this process holds now."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    return most_memory()


def long_onnx(length: int) -> bytes:
    """Return a model that answers with a long label where its column is above a half, else with a short one."""
    constants = [
        helper.make_tensor("long", TensorProto.STRING, [1], [b"x" * length]),
        helper.make_tensor("short", TensorProto.STRING, [1], [b"y"]),
        helper.make_tensor("half", TensorProto.FLOAT, [1], [0.5]),
    ]
    nodes = [
        helper.make_node("Greater", ["a", "half"], ["above"]),
        helper.make_node("Where", ["above", "long", "short"], ["label"]),
    ]
    rows = helper.make_tensor_value_info("a", TensorProto.FLOAT, [None, 1])
    labels = helper.make_tensor_value_info("label", TensorProto.STRING, [None, 1])
    model = helper.make_model(
        helper.make_graph(nodes, "labels", [rows], [labels], constants), opset_imports=[helper.make_opsetid("", 17)]
    )
    model.ir_version = 9
    return bytes(model.SerializeToString())


@pytest.mark.parametrize("values", [["a", "b", LONG], [1, True, LONG]])
def test_a_long_label_of_a_service_is_named_with_its_row(values: list[Any]) -> None:
    """The row, the length and the limit are said; text among numbers is no exception."""
    with pytest.raises(ModelError) as caught:
        as_array(values, 3)
    assert caught.value.problem == (
        "The model's answer to row 3 is a label of 5,000 characters; at most 200 are allowed."
    )
    assert caught.value.hint == "Have it answer with labels of at most 200 characters."


def test_labels_up_to_the_limit_arrive() -> None:
    """The longest label allowed is allowed, from a service and in a message from a model's process."""
    longest = "y" * MOST_LABEL
    assert as_array([longest, "n"], 2).tolist() == [longest, "n"]
    assert load_array(memoryview(dump_array(np.array([longest, "n"])))).tolist() == [longest, "n"]


def test_a_reply_of_300_kilobytes_takes_little_memory() -> None:
    """One label of 300,000 characters among a thousand rows took gigabytes."""
    frame = pd.DataFrame({"a": range(1_000)})
    with served(mlflow(lambda rows: ["x" * 300_000] + ["y"] * (len(rows) - 1))) as service:
        model = service.opened()
        before = forget_most()
        with pytest.raises(ModelError, match="a label of 300,000 characters"):
            model.answer(frame, "label")
        assert most_memory() - before < ROOM


@needs_sandbox
def test_an_onnx_file_of_444_kilobytes_takes_little_memory() -> None:
    """One long label among many rows is refused by the model's process, and its parent never holds it."""
    frame = pd.DataFrame({"a": np.zeros(30, np.float32)})
    frame.iloc[29] = 1.0
    with open_model(long_onnx(444_000), "long.onnx") as model:
        before = forget_most()
        with pytest.raises(ModelError) as caught:
            model.answer(frame, "label")
        assert most_memory() - before < ROOM
        assert caught.value.problem == (
            "The model 'long.onnx' answered row 30 with a label of 444,000 characters; at most 200 are allowed."
        )
        assert model.answer(frame.iloc[:29], "label").tolist() == ["y"] * 29


@needs_sandbox
def test_one_long_label_does_not_widen_the_other_batches() -> None:
    """A label in the second batch must not give every row of the first as much room."""
    frame = pd.DataFrame({"a": np.zeros(MOST_ROWS + 1, np.float32)})
    frame.iloc[MOST_ROWS] = 1.0
    with open_model(long_onnx(444_000), "long.onnx") as model, pytest.raises(ModelError, match="444,000 characters"):
        model.answer(frame, "label")


@pytest.mark.parametrize(
    "answer", [["a", LONG], np.array(["a", LONG], dtype=object), np.array(["a", LONG])], ids=["list", "objects", "text"]
)
def test_a_process_never_sends_a_long_label(answer: Any) -> None:
    """However a model gives its labels, the long one is found."""
    with pytest.raises(Refusal) as caught:
        _flat(answer)
    assert (caught.value.reason, caught.value.detail) == ("label", "row 2 with a label of 5,000 characters")


def test_short_labels_in_a_wide_array_are_sent_narrow() -> None:
    """Room that no label uses is left out."""
    assert _flat(np.array(["a", "bc"], dtype="U5000")).dtype == np.dtype("U2")


def test_the_parent_takes_no_wide_array() -> None:
    """A process that checks nothing cannot make its parent hold long labels."""
    with pytest.raises(GarbledError, match="labels wider than 200 characters"):
        load_array(memoryview(dump_array(np.array(["a"], dtype="U201"))))


def test_the_parent_takes_no_long_class_name() -> None:
    """The names of classes are labels too."""
    with pytest.raises(GarbledError):
        load_signature(memoryview(dump_signature(Signature(classes=("yes", LONG)))))


def test_a_process_refuses_a_model_with_a_long_class_name() -> None:
    """The length is said when the model is opened."""
    model: Any = SimpleNamespace(signature=Signature(classes=("yes", LONG)))
    with pytest.raises(Refusal) as caught:
        _check_classes(model)
    assert "has a class whose name has 5,000 characters; at most 200 are allowed." in (
        Subject("m", "a model", LIMITS).error(Trouble(caught.value.reason, caught.value.detail)).problem
    )


def test_many_labels_are_bounded_in_all() -> None:
    """Labels that are each short enough may still be too many to hold side by side."""
    rows = MOST_LABEL_BYTES // (4 * MOST_LABEL)
    refuse_wide_labels(rows, MOST_LABEL)
    with pytest.raises(ModelError, match="take more than 512 MB"):
        refuse_wide_labels(rows + 1, MOST_LABEL)


def test_mixed_labels_are_bounded_before_they_are_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text among numbers becomes text for every row, within the same bound."""
    monkeypatch.setattr("ares_core.models.labels.MOST_LABEL_BYTES", 1_000)
    with pytest.raises(ModelError, match="labels for 100 rows, of up to 3 characters"):
        distinct_labels(np.array([1, "yes"] * 50, dtype=object), 100)
