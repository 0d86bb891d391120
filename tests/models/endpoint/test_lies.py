"""Services that lie: whatever comes back, the audit ends in a sentence and the next one works."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from ares_core.errors import ModelError
from ares_core.models import ask
from ares_core.models.endpoint import parse_description
from ares_core.models.reading import Reading
from tests.models.endpoint.loans import COLUMNS, PEOPLE, black_box, labels
from tests.services import Reply, kserve, mlflow, served

BAD_ANSWERS: dict[str, tuple[Any, str]] = {
    "too few": ({"predictions": [1, 0]}, "2 answers for 60 rows"),
    "too many": ({"predictions": [1] * 61}, "61 answers for 60 rows"),
    "none": ({"predictions": []}, "0 answers for 60 rows"),
    "no predictions": ({"outputs": [1] * 60}, 'has no "predictions"'),
    "a list": ([1] * 60, 'has no "predictions"'),
    "an object": ({"predictions": {"a": 1}}, "with an object in place of a list"),
    "a number": ({"predictions": 1}, "with a number in place of a list"),
    "text": ({"predictions": "1" * 60}, "with text in place of a list"),
    "null": ({"predictions": [None] * 60}, "answer to row 1 is null"),
    "objects in lists": ({"predictions": [0] * 59 + [{"label": 1}]}, "answer to row 60 is an object"),
    "records with nothing": ({"predictions": [{}] * 60}, "0 named answers for each row"),
    "records of other names": (
        {"predictions": [{"a": 0.1, "b": 0.9}] * 59 + [{"a": 0.1, "c": 0.9}]},
        "answer to row 60 does not name the same things",
    ),
    "records and others": ({"predictions": [{"a": 1}] * 59 + [1]}, "answer to row 60 does not name the same things"),
    "nested records": ({"predictions": [{"a": {"b": 1}, "c": 0.5}] * 60}, "answer to row 1 is an object"),
    "several lists in records": (
        {"predictions": [{"a": [0.5], "b": [0.5]}] * 60},
        "'a' hold other things than numbers",
    ),
    "null in records": ({"predictions": [{"a": None, "c": 0.5}] * 60}, "answer to row 1 is null"),
    "two labels in records": ({"predictions": [{"a": "x", "b": "y"}] * 60}, "several columns of labels: 'a', 'b'"),
    "a long name": ({"predictions": [{"a" * 201: 1, "b": 0.5}] * 60}, "names an answer 'aaa.*is longer than 200"),
    "a name that cannot be printed": ({"predictions": [{"\u202e": 1, "b": 0.5}] * 60}, "cannot be printed"),
    "half a character": (
        b'{"predictions": [' + b", ".join([b'{"\\ud800": 1, "b": 2}'] * 60) + b"]}",
        "cannot be printed",
    ),
    "a name twice": (
        b'{"predictions": [' + b", ".join([b'{"a": 1, "a": 2}'] * 60) + b"]}",
        "is not JSON: one object says 'a' twice",
    ),
    "a hundred and one names": (
        {"predictions": [{f"c{number}": 0.5 for number in range(101)}] * 60},
        "101 named answers for each row",
    ),
    "ragged": ({"predictions": [[0.1, 0.9]] * 59 + [[1.0]]}, "some rows more answers than others"),
    "deep": ({"predictions": [[[1]]] * 60}, "hold other things than numbers"),
    "words in lists": ({"predictions": [["a", "b"]] * 60}, "hold other things than numbers"),
    "empty lists": ({"predictions": [[]] * 60}, "some rows more answers"),
    "three labels": ({"predictions": ["a", "b", "c"] * 20}, r"3 different labels \('a', 'b', 'c'\), not two"),
    "other labels": ({"predictions": ["yes", "no"] * 30}, "answers 'no' and 'yes', never '1'"),
    "NaN": (b'{"predictions": [' + b", ".join([b"NaN"] * 60) + b"]}", "is not JSON: NaN is not a number"),
    "not JSON": (b"<html>Please log in</html>", "is not JSON"),
    "nothing": (b"", "is not JSON"),
    "nested without end": (b"[" * 50_000, "is not JSON"),
    "oversized": (b'{"predictions": [' + b" " * 400_000 + b"]}", "larger than 184,000 bytes"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_lies_end_in_a_sentence(name: str) -> None:
    """Whatever a service sends back, the audit ends with what is wrong and what to do, and the next one works."""
    content, words = BAD_ANSWERS[name]
    replies = itertools.chain([Reply(content)], itertools.repeat(None))
    honest = mlflow(labels)
    with served(lambda asked: next(replies) or honest(asked)) as server:
        model = black_box(server.opened(), Reading("1"))
        with pytest.raises(ModelError, match=words) as caught:
            ask(model.without_memory(), PEOPLE)
        assert caught.value.hint.endswith(".")
        assert ask(model, PEOPLE).tolist() == labels(PEOPLE)


def tensor(**entries: Any) -> dict[str, Any]:
    """Return an entry of a description, changed; None leaves a key out."""
    entry = {"name": "x", "datatype": "FP32", "shape": [-1, 1], **entries}
    return {key: value for key, value in entry.items() if value is not None}


METADATA: dict[str, tuple[Any, str]] = {
    "nothing": ({}, 'does not say what the model wants: it has no "inputs"'),
    "a list": ([], "is not a JSON object"),
    "no entries": ({"inputs": [], "outputs": []}, 'has no "inputs"'),
    "text": ({"inputs": "x"}, '"inputs" that are not a list'),
    "too many": ({"inputs": [tensor(name=f"{number}") for number in range(2_001)]}, "not a list of at most 2,000"),
    "no object": ({"inputs": [1]}, "input 1 is not an object"),
    "no name": ({"inputs": [tensor(), tensor(name=None)]}, 'input 2 has no "name"'),
    "a name that is a number": ({"inputs": [tensor(name=1)]}, 'input 1 has no "name"'),
    "a long name": ({"inputs": [tensor(name="x" * 201)]}, 'input 1 has no "name" of 1 to 200'),
    "no datatype": ({"inputs": [tensor(datatype=None)]}, r"input 1 \('x'\) has no \"datatype\""),
    "an unknown datatype": ({"inputs": [tensor(datatype="FLOAT")]}, "has the datatype 'FLOAT', not one of BOOL, INT8"),
    "an odd shape": ({"inputs": [tensor(shape=[-1, "a"])]}, 'has a "shape" that is not a list of whole numbers'),
    "a name twice": ({"inputs": [tensor(), tensor()]}, "names 'x' twice among its \"inputs\""),
    "two matrices": ({"inputs": [tensor(shape=[-1, 2]), tensor(name="y")]}, "several inputs of more than one column"),
    "odd outputs": ({"inputs": [tensor()], "outputs": [tensor(), 1]}, "output 2 is not an object"),
    "one class": ({"inputs": [tensor()], "outputs": [tensor(classes=["a"])]}, "not a list of 2 to 100 labels"),
    "a class twice": ({"inputs": [tensor()], "outputs": [tensor(classes=["a", "a"])]}, 'one of its "classes" twice'),
}


@pytest.mark.parametrize("name", METADATA)
def test_a_bad_description_is_told_whoever_wrote_it(name: str) -> None:
    """What is wrong with a server's metadata, or with a user's description, is said with its place."""
    content, words = METADATA[name]
    with served(lambda asked: Reply(content)) as server, pytest.raises(ModelError, match=words) as caught:
        server.opened(server.kserve)
    assert str(caught.value).startswith("The service's metadata")
    with pytest.raises(ModelError, match=words) as caught:
        parse_description(json.dumps(content))
    assert str(caught.value).startswith("The description")
    assert caught.value.hint.endswith(".")


def test_a_description_that_is_no_json_is_told() -> None:
    """A file of another kind is refused in a sentence."""
    for content in (b"", b"inputs: x", b"\xff\xfe", b"[" * 50_000):
        with pytest.raises(ModelError, match="The description is not JSON"):
            parse_description(content)


TENSORS: dict[str, tuple[Any, str]] = {
    "no outputs": ({}, 'has no "outputs"'),
    "odd outputs": ({"outputs": [1]}, 'has no "outputs"'),
    "no data": ({"outputs": [{"name": "y", "datatype": "INT64", "shape": [60]}]}, "for 60 rows"),
    "no shape": ({"outputs": [{"name": "y", "datatype": "INT64", "data": [1] * 60}]}, "with shape None"),
    "a lying shape": ({"outputs": [{"datatype": "INT64", "shape": [60, 2], "data": [1] * 60}]}, "60 answers for shape"),
    "a deep shape": ({"outputs": [{"datatype": "INT64", "shape": [60, 1, 1], "data": [1] * 60}]}, "with shape"),
    "a huge shape": ({"outputs": [{"datatype": "INT64", "shape": [60, 10**12], "data": [1]}]}, "1 answers for shape"),
}


@pytest.mark.parametrize("name", TENSORS)
def test_tensors_that_lie_are_told(name: str) -> None:
    """A tensor's shape is believed only if its data has it."""
    content, words = TENSORS[name]
    honest = kserve(labels, COLUMNS)
    with served(lambda asked: honest(asked) if asked.document is None else Reply(content)) as server:
        raw = server.opened(server.kserve)
        with pytest.raises(ModelError, match=words):
            raw.answer(PEOPLE, "label")
