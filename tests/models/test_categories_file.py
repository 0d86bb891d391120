"""Categories that a model file lacks, read from JSON or from the training table."""

from __future__ import annotations

import pandas as pd
import pytest

from ares_core.errors import AresError, ModelError
from ares_core.models.categories import read_categories, refuse_lacking
from ares_core.models.raw import Signature


def test_json_gives_categories_in_its_own_order_and_types() -> None:
    """Numbers stay numbers and text stays text; columns nobody asks about are passed over."""
    content = b'\xef\xbb\xbf{"home": ["rent", "own"], "rooms": [3, 1], "other": ["x"]}'
    assert read_categories(content, "c.json", ["rooms", "home"]) == {"rooms": (3, 1), "home": ("rent", "own")}


def test_a_file_may_name_some_of_the_columns() -> None:
    """Where a model file leaves open which columns have categories, the user names those that have."""
    assert read_categories(b'{"home": ["rent", "own"]}', "c.json", ["card", "home"]) == {"home": ("rent", "own")}


def test_a_training_table_gives_categories_as_pandas_orders_them() -> None:
    """The order is that of astype("category"), and empty cells are no category."""
    frame = pd.DataFrame({"home": ["rent", None, "own", "rent"], "rooms": [10, 2, 2, 1], "id": range(4)})
    found = read_categories(frame.to_csv(index=False).encode(), "train.csv", ["home", "rooms"])
    expected = {name: tuple(frame[name].astype("category").cat.categories) for name in ("home", "rooms")}
    assert found == expected == {"home": ("own", "rent"), "rooms": (1, 2, 10)}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"rooms": [1]}', "holds the categories of none of 'home'"),
        (b'{"home": []}', "not a list with values"),
        (b'{"home": ["a", "a"]}', "repeat a value"),
        (b'{"home": [null]}', "neither text, number"),
        (b'{"home"', "not JSON"),
        (b"rooms\n1\n2\n", "no column 'home'"),
    ],
)
def test_files_that_do_not_say_enough_are_refused(content: bytes, words: str) -> None:
    """One sentence says what is missing, one what to do."""
    with pytest.raises(AresError) as caught:
        read_categories(content, "c", ["home"])
    assert words in str(caught.value)
    assert caught.value.hint.endswith(".")


def test_a_model_that_lacks_categories_names_the_option() -> None:
    """The sentence names the column, the hint the option; a model that lacks none passes."""
    refuse_lacking(Signature())
    with pytest.raises(ModelError, match="categories of column 'home' and 1 more") as caught:
        refuse_lacking(Signature(lacking=("home", "job")))
    assert "--categories FILE" in caught.value.hint
