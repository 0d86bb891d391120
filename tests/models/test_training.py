"""Training: above chance, the same every time, indifferent to the order and the names in the file."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ares_core.datasets import load_german
from ares_core.errors import ModelError
from ares_core.models import FAMILIES, FunctionModel, TrainedModel, ask, quality, split_half, train
from ares_core.models.training import CHUNK_ROWS, Labels
from ares_core.people.schema import Schema
from ares_core.people.schema_file import schema_for
from ares_core.people.table import Table

GERMAN = load_german()
TABLE = Table.build(GERMAN.people, GERMAN.schema)
LABELS = GERMAN.labels[TABLE.rows]
TRAIN, AUDIT = split_half(LABELS, 0)


def german(family: str, seed: int = 0) -> TrainedModel:
    return train(family, TABLE.frame.iloc[TRAIN], GERMAN.schema, LABELS[TRAIN], seed)


def simple(people: int = 200) -> tuple[pd.DataFrame, Labels]:
    """Return people accepted when their income is 50 or more, with one column of every kind."""
    random = np.random.default_rng(0)
    income = random.integers(0, 100, people)
    frame = pd.DataFrame(
        {
            "income": income,
            "note": [f"person {n}" for n in range(people)],
            "same": 1,
            "flag": random.integers(0, 2, people),
            "town": random.choice(["A", "B", "C"], people),
        }
    )
    return frame.astype({"note": "str", "town": "str"}), (income >= 50).astype(np.int8)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_learns_something(family: str) -> None:
    """On German Credit each family ranks unseen people better than chance, and refuses some but not most."""
    model = german(family)
    measured = quality(model, TABLE.frame.iloc[AUDIT], LABELS[AUDIT])
    assert model.kind == family
    assert measured.auc is not None
    assert measured.auc > 0.6
    assert measured.accuracy > 0.65
    assert (measured.n, round(measured.majority, 2)) == (500, 0.7)
    assert 0.5 < ask(model, TABLE.frame).mean() < 0.99


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_finds_a_plain_threshold(family: str) -> None:
    """Where one number decides, nearly everybody is predicted rightly, far above the larger class's share."""
    frame, labels = simple(600)
    model = train(family, frame[:300], Schema.infer(frame), labels[:300], 0)
    assert quality(model, frame[300:], labels[300:]).accuracy > 0.9


@pytest.mark.parametrize("family", FAMILIES)
def test_training_twice_gives_the_same_model(family: str) -> None:
    """The same data and seed give the same answers, scores and digest."""
    one, two = german(family, seed=3), german(family, seed=3)
    assert one.sha256 == two.sha256
    assert (one.score(TABLE.frame) == two.score(TABLE.frame)).all()


def test_the_digest_covers_what_decides_the_model() -> None:
    """Another family, seed, table, row order or outcome is another model."""
    frame, labels = simple()
    schema = Schema.infer(frame)
    base = (frame, labels)
    others = [
        (frame.assign(income=frame["income"] + 1), labels),
        (frame, 1 - labels),
        (frame[::-1], labels[::-1]),
    ]
    digests = [train("dt", data, schema, outcome, 0).sha256 for data, outcome in (base, *others)]
    digests += [
        train("dt", *base[:1], schema, labels, 1).sha256,
        train("lr", frame, schema, labels, 0).sha256,
    ]
    assert len(set(digests)) == 6
    assert all(len(digest) == 64 for digest in digests)


@pytest.mark.parametrize("family", ["lr", "rf", "gbt", "dnn3"])
def test_neither_file_order_nor_names_matter(family: str) -> None:
    """Rows, columns and category names in another order give the same answer for the same person."""
    renamed = GERMAN.people.copy()
    renamed["housing"] = renamed["housing"].map({"for free": "z", "rent": "y", "own": "x"}).astype("str")
    renamed["purpose"] = renamed["purpose"].str[::-1]
    names = [n for n in GERMAN.schema.names if n not in ("housing", "purpose")]
    document = GERMAN.schema.to_json()
    document["features"] = [entry for entry in document["features"] if entry["name"] in names] + [
        {"name": "housing", "kind": "ordered", "levels": ["z", "y", "x"], "change": "increase only"},
        {"name": "purpose", "kind": "category", "change": "frozen"},
    ]
    order = np.random.default_rng(1).permutation(1000)
    shuffled = renamed.iloc[order, ::-1].reset_index(drop=True)
    table = Table.build(shuffled, schema_for(shuffled, document))
    labels = GERMAN.labels[order][table.rows]
    to_train, _ = split_half(labels, 0)
    other = train(family, table.frame.iloc[to_train], table.schema, labels[to_train], 0)
    answers = np.empty(1000, dtype=np.int8)
    answers[order[table.rows]] = ask(other, table.frame)
    assert (answers == ask(german(family), GERMAN.people)).all()


def test_columns_may_stand_in_any_order_when_asking() -> None:
    """A model finds its columns by name, and looks at no others."""
    model = german("gbt")
    shuffled = TABLE.frame[sorted(TABLE.frame.columns, reverse=True)].assign(extra="x")
    assert (model.predict(shuffled) == model.predict(TABLE.frame)).all()


def test_many_rows_are_asked_in_parts_with_the_same_answers() -> None:
    """A table larger than what is encoded at once is answered row by row as a small one."""
    model = german("rf")
    times = CHUNK_ROWS // 1000 + 2
    many = pd.concat([TABLE.frame] * times, ignore_index=True)
    assert (model.predict(many).reshape(times, -1) == model.predict(TABLE.frame)).all()
    assert model.predict(many.iloc[:0]).shape == (0,)


def test_useless_columns_do_not_matter() -> None:
    """A constant column and text that never repeats are not learnt from."""
    frame, labels = simple()
    model = train("lr", frame, Schema.infer(frame), labels, 0)
    assert (ask(model, frame) == ask(model, frame.assign(note="somebody", same=5))).all()


def test_values_never_seen_are_answered() -> None:
    """A category that did not occur in training is none of the known ones, and no failure."""
    frame, labels = simple()
    model = train("lr", frame, Schema.infer(frame), labels, 0)
    assert set(ask(model, frame.assign(town="D")).tolist()) == {0, 1}


def test_missing_cells_are_answered() -> None:
    """Empty cells and numbers that mean missing are learnt from, not failed on."""
    frame, labels = simple(300)
    frame["income"] = frame["income"].astype(float).where(frame.index % 5 != 0)
    frame["town"] = frame["town"].where(frame.index % 7 != 0)
    frame["debt"] = np.where(frame.index % 3 == 0, -9, 40 + frame.index)
    schema = schema_for(
        frame,
        {
            "format": "ares-schema",
            "version": 1,
            "features": [{"name": "debt", "kind": "number", "missing": [-9]}],
        },
    )
    model = train("lr", frame, schema, labels, 0)
    assert quality(model, frame, labels).accuracy > 0.85
    encoded = model.pipeline[:-1].transform(frame[sorted(frame.columns)])
    assert not np.isnan(encoded).any()
    assert np.abs(encoded[frame["debt"] == -9]).max() < 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"family": "magic"}, "no family of models 'magic'"),
        ({"labels": np.ones(200, dtype=np.int8)}, "200 people to learn from have the same outcome"),
        ({"columns": ["note", "same"]}, "no column to learn from"),
    ],
)
def test_what_cannot_be_learnt_is_said(change: dict[str, object], words: str) -> None:
    """An unknown family, one outcome only, and no usable column are each refused in a sentence."""
    frame, labels = simple()
    chosen = {"family": "lr", "labels": labels, "columns": list(frame.columns)} | change
    with pytest.raises(ModelError, match=words):
        train(chosen["family"], frame[chosen["columns"]], Schema.infer(frame), chosen["labels"], 0)  # type: ignore[arg-type]


def test_a_lacking_column_is_named() -> None:
    """Asked about a table without one of its columns, a model names it."""
    with pytest.raises(ModelError, match="trained on the column 'age'"):
        ask(german("dt"), TABLE.frame.drop(columns="age"))


def test_quality_without_scores_or_with_one_outcome() -> None:
    """A model without scores has no AUC, nor has any model where all outcomes are the same."""
    frame, labels = simple()
    plain = quality(FunctionModel(lambda people: people["income"] >= 50), frame, labels)
    assert (plain.accuracy, plain.auc, plain.n) == (1.0, None, 200)
    assert quality(german("dt"), TABLE.frame[LABELS == 1], LABELS[LABELS == 1]).auc is None


def test_halves_are_halves() -> None:
    """Every person is in one half, outcomes are shared evenly, and the seed decides who is where."""
    labels = np.array([1] * 7 + [0] * 4 + [1] * 6, dtype=np.int8)
    one, other = split_half(labels, 5)
    assert sorted([*one, *other]) == list(range(17))
    assert (labels[one].sum(), labels[other].sum(), len(one), len(other)) == (7, 6, 9, 8)
    assert (np.diff(one) > 0).all()
    assert np.array_equal(one, split_half(labels, 5)[0])
    assert any(not np.array_equal(one, split_half(labels, seed)[0]) for seed in range(3))
