"""Services that lie: whatever comes back, the audit ends in a sentence and the next one works."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ares_core.errors import ModelError
from ares_core.models import ask
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
    "objects": ({"predictions": [{"label": 1}] * 60}, "answer to row 1 is an object"),
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


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        {"inputs": [], "outputs": []},
        {"inputs": [{"name": "x"}], "outputs": [{"name": "y"}]},
        {"inputs": "x", "outputs": "y"},
        {"inputs": [{"name": 1, "datatype": "FP32", "shape": [1]}], "outputs": []},
    ],
)
def test_a_server_that_does_not_describe_its_model_is_told(content: Any) -> None:
    """Metadata that lacks inputs or outputs cannot be guessed."""
    with served(lambda asked: Reply(content)) as server, pytest.raises(ModelError, match="does not describe"):
        server.opened(server.kserve)


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
