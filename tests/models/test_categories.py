"""Categories for files that lack them: read from JSON or from a table, typed and in order, or refused in words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import ModelError
from ares_core.models.categories import categories_of, parse_categories
from ares_core.models.sandbox import open_model
from tests.models.hostile.files import honest_skops


def test_documents_are_typed_and_ordered() -> None:
    """Values keep their types and their order."""
    found = parse_categories(b'{"job": ["nurse", "clerk"], "code": [3, 1], "card": [false, true], "rate": [0.5]}')
    assert found == {"job": ("nurse", "clerk"), "code": (3, 1), "card": (False, True), "rate": (0.5,)}
    assert [type(value) for value in found["card"]] == [bool, bool]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"job: a", "are not JSON"),
        (b"\xff", "are not JSON"),
        (b"[" * 100_000, "are not JSON"),
        (b"[]", "are not a JSON object"),
        (b"{}", "are not a JSON object"),
        (b'{"job": "a"}', "of column 'job' are not a list with values"),
        (b'{"job": []}', "of column 'job' are not a list with values"),
        (b'{"job": ["a", null]}', "has the category null"),
        (b'{"job": ["a", NaN]}', "has the category NaN"),
        (b'{"job": ["a", ["b"]]}', "neither text, number, true nor false"),
        (b'{"job": ["a", "a"]}', "of column 'job' repeat a value"),
        (b'{"job": [1, 1.0]}', "of column 'job' repeat a value"),
        (b'{"job": ["a"], "job": ["b"]}', "of column 'job' are given twice"),
        (b" " * 5_000_001, "take more than 5,000,000 bytes"),
    ],
)
def test_bad_documents_are_refused(content: bytes, words: str) -> None:
    """Each fault has its sentence."""
    with pytest.raises(ModelError, match=words):
        parse_categories(content)


def test_true_and_one_are_different_categories() -> None:
    """True equals 1 in Python, but not in a table."""
    assert parse_categories(b'{"a": [1, true]}') == {"a": (1, True)}


@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1).filter(any))
def test_the_order_is_that_of_pandas(cells: list[str | None]) -> None:
    """Text is ordered as `astype("category")` orders it, and missing values are left out."""
    frame = pd.DataFrame({"job": pd.Series(cells, dtype="str")})
    assert list(categories_of(frame, ["job"])["job"]) == frame["job"].astype("category").cat.categories.tolist()


def test_numbers_and_truths_keep_their_types() -> None:
    """Numbers are in numeric order, and what was found can be written down and read again."""
    frame = pd.DataFrame({"code": [10, 9, 9], "rate": [0.5, np.nan, 0.1], "card": [True, False, True]})
    found = categories_of(frame, list(frame.columns))
    assert found == {"code": (9, 10), "rate": (0.1, 0.5), "card": (False, True)}
    assert parse_categories(json.dumps(found).encode()) == found


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"a": [1]}), "has no column 'job'"),
        (pd.DataFrame({"job": [None, None]}), "of column 'job' are not a list with values"),
        (pd.DataFrame({"job": [1, "a"]}), "mixes text and numbers"),
    ],
)
def test_tables_without_categories_are_refused(frame: pd.DataFrame, words: str) -> None:
    """A table that does not have them says so."""
    with pytest.raises(ModelError, match=words):
        categories_of(frame, ["job"])


def test_files_that_hold_everything_need_no_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Categories for a form of file that never lacks them are a mistake, and start no process."""
    monkeypatch.setattr("ares_core.models.sandbox.model.ModelProcess", None)
    with pytest.raises(ModelError, match="is a skops file, which needs no categories"):
        open_model(honest_skops(), "model.skops", categories={"job": ("a",)})
