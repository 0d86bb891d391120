"""What is left out of a skops file is never loaded, and leaving it out opens no way around the list of types."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import lightgbm
import pytest
import sklearn
import skops.io
import xgboost
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from ares_core.errors import ModelError
from ares_core.models.formats import extra_packages
from ares_core.models.loaders import Refusal, pickle_file, skops_file
from tests.models.hostile.cells import Cell
from tests.models.hostile.files import FRAME, LABELS, Json, honest_skops, rewritten

SEARCH = skops.io.dumps(GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2).fit(FRAME, LABELS))
COMMAND = {"__module__": "os", "__class__": "system", "__loader__": "FunctionNode"}


def with_attribute(model: bytes, /, *path: str, **part: Any) -> bytes:
    """Return a skops file with an attribute of the model, or of a model in it, replaced by a part."""

    def change(schema: Json, _: dict[str, bytes]) -> None:
        node = schema
        for name in path[:-1]:
            node = node["content"]["content"][name]
        node["content"]["content"][path[-1]] = part

    return rewritten(model, change)


@pytest.mark.parametrize("name", ["scoring", "cv", "param_grid", "cv_results_", "scorer_", "error_score", "estimator"])
def test_parts_of_a_search_are_never_loaded(name: str, warm_cell: Cell) -> None:
    """Whatever a search holds beside its best estimator is left out, even a command, and the model answers."""
    content = with_attribute(SEARCH, name, **COMMAND)
    assert len(warm_cell.answer(content, FRAME, "label")) == len(FRAME)


@pytest.mark.parametrize("path", [("best_estimator_", "max_depth"), ("best_estimator_",), ("best_estimator_", "tree_")])
def test_the_best_estimator_is_checked(path: tuple[str, ...], warm_cell: Cell) -> None:
    """What is loaded of a search is checked against the list like any other file."""
    with pytest.raises(ModelError, match=r"'os\.system'"):
        warm_cell.load(with_attribute(SEARCH, *path, **COMMAND))


def test_other_classes_of_that_name_are_no_search(warm_cell: Cell) -> None:
    """A class that is only called like a search is checked itself, and is not on the list."""

    def change(schema: Json, _: dict[str, bytes]) -> None:
        schema["__module__"] = "os"

    with pytest.raises(ModelError, match=r"'os\.GridSearchCV'"):
        warm_cell.load(rewritten(SEARCH, change))


def test_attributes_of_other_objects_are_kept_and_checked(warm_cell: Cell) -> None:
    """Only attributes of scikit-learn's objects are left out by name."""
    part = {"__module__": "builtins", "__class__": "dict", "__loader__": "DictNode", "content": {"cv": COMMAND}}
    with pytest.raises(ModelError, match=r"'os\.system'"):
        warm_cell.load(with_attribute(honest_skops(), "max_depth", **part, key_types={}))


def test_references_to_what_was_left_out_fail(warm_cell: Cell) -> None:
    """A part that refers to one that was left out ends in a sentence, and does not bring it back."""
    kept = {**COMMAND, "__id__": 77}
    content = with_attribute(SEARCH, "scoring", **kept)
    again = {"__module__": "builtins", "__class__": "dict", "__loader__": "CachedNode", "__id__": 77}
    with pytest.raises(ModelError, match="unknown object id"):
        warm_cell.load(with_attribute(content, "best_estimator_", "max_depth", **again))


def test_an_id_does_not_stand_for_another_part(warm_cell: Cell) -> None:
    """Two parts with one id are both checked, whichever of them is loaded."""
    content = with_attribute(honest_skops(), "max_depth", **COMMAND, __id__=5)
    with pytest.raises(ModelError, match=r"'os\.system'"):
        warm_cell.load(with_attribute(content, "criterion", **COMMAND, __id__=5))


def test_searches_without_a_best_estimator_are_refused(warm_cell: Cell) -> None:
    """A search that was not refitted cannot be asked, and says what to do."""
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2, refit=False).fit(FRAME, LABELS)
    with pytest.raises(ModelError, match="holds a GridSearchCV that was not refitted") as caught:
        warm_cell.load(skops.io.dumps(search))
    assert "refit=True" in caught.value.hint


def test_other_libraries_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of a library that was not imported before the process was locked is refused by that library's name."""
    content = skops.io.dumps(xgboost.XGBClassifier(n_estimators=1, n_jobs=1).fit(FRAME, LABELS))
    monkeypatch.delitem(sys.modules, "xgboost")
    with pytest.raises(Refusal) as caught:
        skops_file.load(content, {})
    assert (caught.value.reason, caught.value.detail) == ("package", "xgboost")


def test_libraries_are_found_before_the_process_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a file that names a library, or may hide that it does, costs the import of it."""
    trees = skops.io.dumps(lightgbm.LGBMClassifier(n_estimators=1, n_jobs=1, verbose=-1).fit(FRAME, LABELS))
    assert extra_packages(honest_skops(), "skops") == ()
    assert extra_packages(trees, "skops") == ("lightgbm",)
    assert extra_packages(rewritten(trees, lambda *_: None), "skops") == ("xgboost", "lightgbm")  # compressed
    assert extra_packages(trees, "onnx") == ()
    monkeypatch.setattr("ares_core.models.formats.find_spec", lambda _: None)
    assert extra_packages(trees, "skops") == ()


def test_pickles_of_other_versions_are_told() -> None:
    """A pickle of another version says so as a skops file does."""
    here = sklearn.__version__.encode()
    content = pickle.dumps(DecisionTreeClassifier().fit(FRAME, LABELS)).replace(here, here[:-1] + b"x")
    note = pickle_file.load(content, {}).signature.notes[0]
    assert note.startswith(f"The model file was made with scikit-learn {sklearn.__version__[:-1]}x and is read with")


def test_versions_are_told_first(warm_cell: Cell) -> None:
    """A file of another version says so in a note; if it fails, the sentence begins with both versions."""

    def older(schema: Json, _: dict[str, bytes]) -> None:
        schema["content"]["content"]["_sklearn_version"]["content"] = '"1.3.2"'

    content = rewritten(honest_skops(), older)
    assert warm_cell.load(honest_skops()).notes == ()
    assert warm_cell.load(content).notes[0].startswith("The model file was made with scikit-learn 1.3.2 and is read ")
    nothing = {"__module__": "builtins", "__class__": "str", "__loader__": "JsonNode", "content": "null"}
    with pytest.raises(ModelError, match=r"^The model 'hostile' was made with scikit-learn 1\.3\.2 and is read with"):
        warm_cell.answer(with_attribute(content, "tree_", **nothing, is_json=True), FRAME, "label")
