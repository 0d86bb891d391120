"""Hostile ONNX files, and the honest one beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onnx import AttributeProto, TensorProto, helper


def onnx_model(nodes: list[Any], initializers: tuple[Any, ...] = ()) -> bytes:
    """Return an ONNX file that turns two columns of numbers into scores."""
    rows = helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, 2])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "hostile", [rows], [scores], list(initializers))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 9
    return bytes(made.SerializeToString())


def honest_onnx() -> bytes:
    """Return a sum of two columns."""
    axes = helper.make_tensor("axes", TensorProto.INT64, [1], [1])
    return onnx_model([helper.make_node("ReduceSum", ["rows", "axes"], ["scores"], keepdims=0)], (axes,))


def onnx_memory() -> bytes:
    """Return a file of some 200 bytes that asks for 16 gigabytes."""
    shape = helper.make_tensor("shape", TensorProto.INT64, [1], [4_000_000_000])
    nodes = [
        helper.make_node("ConstantOfShape", ["shape"], ["large"]),
        helper.make_node("ReduceSum", ["large"], ["one"], keepdims=1),
        helper.make_node("Add", ["rows", "one"], ["scores"]),
    ]
    return onnx_model(nodes, (shape,))


def onnx_loop() -> bytes:
    """Return a file that turns round for ever when it is asked."""
    float_info = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["again_in"], ["again"]),
            helper.make_node("Mul", ["value_in", "value_in"], ["value"]),
        ],
        "body",
        [
            float_info("turn", TensorProto.INT64, []),
            float_info("again_in", TensorProto.BOOL, []),
            float_info("value_in", TensorProto.FLOAT, [None, 2]),
        ],
        [float_info("again", TensorProto.BOOL, []), float_info("value", TensorProto.FLOAT, [None, 2])],
    )
    most = helper.make_tensor("most", TensorProto.INT64, [], [(1 << 63) - 1])
    begin = helper.make_tensor("begin", TensorProto.BOOL, [], [True])
    loop = helper.make_node("Loop", ["most", "begin", "rows"], ["scores"])
    loop.attribute.append(helper.make_attribute("body", body))
    assert loop.attribute[0].type == AttributeProto.GRAPH
    return onnx_model([loop], (most, begin))


def onnx_external(place: str) -> Callable[[], bytes]:
    """Return what makes a file whose weights are in another file."""

    def make() -> bytes:
        weights = TensorProto(name="weights", data_type=TensorProto.FLOAT, dims=[2])
        weights.data_location = TensorProto.EXTERNAL
        weights.external_data.add(key="location", value=place)
        return onnx_model([helper.make_node("Add", ["rows", "weights"], ["scores"])], (weights,))

    return make


def onnx_unknown() -> bytes:
    """Return a file with an operator of nobody's."""
    return onnx_model([helper.make_node("RunCommand", ["rows"], ["scores"], domain="evil")])


def onnx_short_weights() -> bytes:
    """Return a file whose weights say they are larger than they are."""
    weights = TensorProto(name="weights", data_type=TensorProto.FLOAT, dims=[1 << 40], raw_data=b"\0" * 8)
    return onnx_model([helper.make_node("Add", ["rows", "weights"], ["scores"])], (weights,))
