"""Encoding: what is missing takes the median of what is known, and numbers no classifier can hold are refused."""

from __future__ import annotations

import math
import pickle
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import ModelError
from ares_core.models import FAMILIES, TrainedModel, ask, quality, train
from ares_core.models.encoding import encode, encoder
from ares_core.models.loaders import skops_file
from ares_core.models.saving import to_skops
from ares_core.models.training import Labels
from ares_core.people.schema import Schema
from ares_core.people.schema_file import schema_for

TURNS = np.arange(20)
LABELS: Labels = (TURNS % 2).astype(np.int8)


def numbers(*cells: float) -> pd.DataFrame:
    return pd.DataFrame({"x": np.array(cells)})


def with_missing(frame: pd.DataFrame, *missing: float) -> Schema:
    """Return a schema that says which numbers mean missing in each column."""
    entries = [{"name": name, "kind": "number", "missing": list(missing)} for name in frame.columns]
    return schema_for(frame, {"format": "ares-schema", "version": 1, "features": entries})


def encoded(frame: pd.DataFrame, *missing: float) -> np.ndarray[Any, Any]:
    return encode(encoder(frame, with_missing(frame, *missing)).fit(frame), frame)


def scaled(*cells: float) -> list[float]:
    return pytest.approx((np.array(cells) - np.mean(cells)) / np.std(cells))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("frame", "missing"),
    [
        (numbers(math.nan, -999, -999, -999, -999, 10, 20, 30, 40, 50), (-999,)),
        (numbers(math.nan, -999, -998, -999, -998, 10, 20, 30, 40, 50), (-999, -998)),
        (numbers(math.nan, 0, 0, 0, 0, 10, 20, 30, 40, 50), (0,)),
        (numbers(-9, 0, -9, 0, -9, 10, 20, 30, 40, 50), (0, -9)),
        (numbers(math.nan, -999, -999, 1e300, -999, 10, 20, 30, 40, 50), (0.5, -999, 1e300)),
        (pd.DataFrame({"x": [-9, 10**15, 10**15, -9, -9, 10, 20, 30, 40, 50]}), (10**15, 0.5, -9)),
    ],
)
def test_every_missing_number_takes_the_median_of_the_known(frame: pd.DataFrame, missing: tuple[float, ...]) -> None:
    """Empty cells and every marker become 30, the median of 10 to 50; one column of its own says who was missing."""
    both = encoded(frame, *missing)
    assert both.shape == (10, 2)
    assert both[:, 0].tolist() == scaled(*[30] * 5, 10, 20, 30, 40, 50)
    assert both[:, 1].tolist() == scaled(*[1] * 5, *[0] * 5)


def test_columns_that_share_markers_keep_their_medians() -> None:
    """Each column has its own median, and one without missing cells gets no column that says so."""
    frame = pd.DataFrame({"a": [-9, 1, 2, 3, 4], "b": [5, 7, 9, 11, 13], "c": [10.0, -9, 30, 50, math.nan]})
    both = encoded(frame, -9)
    assert both.shape == (5, 5)
    assert both[:, 0].tolist() == scaled(2.5, 1, 2, 3, 4)
    assert both[:, 1].tolist() == scaled(5, 7, 9, 11, 13)
    assert both[:, 2].tolist() == scaled(10, 30, 30, 50, 30)


def test_a_column_of_nothing_but_markers_says_nothing() -> None:
    """It is neither an error nor a warning."""
    frame = pd.DataFrame({"a": [-9, -8, -7, -9, -8], "b": [1, 2, 3, 4, 5]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = encoded(frame, -9, -8, -7)
    assert np.unique(both[:, 0]).tolist() == [0]


def test_cells_missing_only_later_are_filled() -> None:
    """Whole numbers without a missing one in training may be empty, or a fraction, when the model is asked."""
    frame = pd.DataFrame({"x": TURNS})
    encoding = encoder(frame, with_missing(frame, -0.5)).fit(frame)
    later = encode(encoding, numbers(math.nan, -0.5, 9.5))
    assert later[:, 0].tolist() == [0, 0, 0]


@pytest.mark.parametrize("family", ["lr", "svm", "gbt"])
def test_a_model_with_markers_is_kept(family: str) -> None:
    """Pickled, or saved as a skops file and read by our list of types, it answers as before."""
    frame = pd.DataFrame({"x": np.where(TURNS % 5 == 0, -9, TURNS), "y": np.where(TURNS % 7 == 0, math.nan, TURNS % 3)})
    model = train(family, frame, with_missing(frame, -9, -8), (TURNS > 9).astype(np.int8), 0)
    kept = skops_file.load(to_skops(model), {})
    assert kept.answer(frame, "label").tolist() == ask(model, frame).tolist()
    assert ask(pickle.loads(pickle.dumps(model)), frame).tolist() == ask(model, frame).tolist()


def trained(family: str, frame: pd.DataFrame, *missing: float) -> TrainedModel:
    """Train, ask and measure without a single warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = train(family, frame, with_missing(frame, *missing), LABELS, 0)
        quality(model, frame, LABELS)
    return model


TOO_MUCH: dict[str, tuple[Any, str]] = {
    "differences of 1e-200": (TURNS % 3 * 1e-200, "The numbers in column 'x' differ by 2e-200 at most"),
    "differences of 1e-308": (TURNS % 3 * 1e-308, "The numbers in column 'x' differ by 2e-308 at most"),
    "hardly any differences": (
        1e-90 * (1 + TURNS % 3 * np.finfo(float).eps),
        "The numbers in column 'x' differ by 4.36015e-106 at most",
    ),
    "numbers of 1e308": ((TURNS % 3 - 1) * 1e308, "Column 'x' holds -1e+308"),
    "one of 1e308": (np.where(TURNS == 3, 1e308, TURNS), "Column 'x' holds 1e+308"),
    "large and hardly different": (1e90 * (1 + TURNS % 3 * np.finfo(float).eps), "Column 'x' holds 1e+90"),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("case", TOO_MUCH)
def test_numbers_that_cannot_be_scaled_are_refused(case: str, family: str) -> None:
    """No family hangs on them, warns of them, or silently learns nothing from them."""
    cells, words = TOO_MUCH[case]
    with pytest.raises(ModelError) as caught:
        trained(family, numbers(*cells))
    assert caught.value.problem.startswith(words)
    assert caught.value.hint.endswith(".")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [1e-99, 1e-30, 1e30, 1e99])
def test_numbers_of_any_other_size_are_learnt_from(size: float, family: str) -> None:
    """What can be scaled is learnt from whatever its unit: up to rounding a unit changes no answer."""
    cells = TURNS % 3
    expected = ask(trained(family, numbers(*cells)), numbers(0, 1, 2))
    assert ask(trained(family, numbers(*cells * size)), numbers(0, size, 2 * size)).tolist() == expected.tolist()


def test_a_large_number_may_mean_missing() -> None:
    """What the schema calls missing is never scaled, however large."""
    frame = numbers(*np.where(TURNS % 4 == 0, 1e308, TURNS))
    assert np.abs(encoded(frame, 1e308)).max() < 3
    trained("svm", frame, 1e308)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("number", [1e40, -1e200, 1e308])
def test_a_large_number_met_later_is_refused(number: float, family: str) -> None:
    """Asked about a number far from all it was trained on, a model says so and names the column."""
    frame = pd.DataFrame({"x": TURNS, "job": pd.Series(list("abcd") * 5, dtype="str"), "y": TURNS % 7})
    model = train(family, frame, Schema.infer(frame), LABELS, 0)
    later = frame.assign(y=np.where(TURNS == 5, number, 1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ModelError, match=f"Column 'y' holds {re.escape(f'{number:g}')}, "):
            ask(model, later)
