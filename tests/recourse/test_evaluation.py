"""Evaluation: the model is asked once about each person and move, and never about anybody else."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import Cancelled, ModelError
from ares_core.models import FunctionModel, blackbox
from ares_core.recourse import Evaluation, Progress, Workbench, prepare
from ares_core.recourse.evaluation import evaluate
from ares_core.settings import Settings
from tests.recourse.readings import conditions, move
from tests.recourse.worlds import World, holds, levels_of, random_world, substituted

SETTINGS = Settings(support=0.05, min_people=2, max_changes=2, selection="paper")
SEEDS = pytest.mark.parametrize("seed", range(3))


def prepared(seed: int, settings: Settings = SETTINGS, people: int = 60) -> tuple[World, Workbench]:
    world = random_world(seed, people)
    return world, prepare(world.model, world.table, settings)


def kept_in(reports: list[float], agreed: float = math.inf) -> Progress:
    """Keep every report, and agree to go on so many times."""

    def progress(share: float) -> bool:
        reports.append(share)
        return len(reports) <= agreed

    return progress


def expected_pairs(bench: Workbench) -> set[tuple[int, int]]:
    """List (move, place among the affected) for the people in some condition that the move fits."""
    people = levels_of(bench.table)
    known = conditions(bench.table, bench.candidates)
    options = bench.candidates.options
    return {
        (int(number), place)
        for condition, number in zip(options.condition, options.move, strict=True)
        for place, row in enumerate(bench.affected)
        if holds(known[condition], people[row])
    }


@SEEDS
def test_exactly_the_people_some_rule_covers_are_asked_about(seed: int) -> None:
    """`asked` holds the people of the conditions each move fits, check people included, and nobody else."""
    _, bench = prepared(seed)
    asked = np.argwhere(bench.evaluation.asked).tolist()
    assert {(number, place) for number, place in asked} == expected_pairs(bench)


@SEEDS
def test_each_person_and_move_is_asked_once(seed: int) -> None:
    """The rows the model saw are the substituted rows of `asked`, each as often as it occurs there."""
    world, bench = prepared(seed)
    pairs = expected_pairs(bench)
    assert bench.evaluation.model_rows == len(pairs)
    assert world.rows == len(bench.table) + len(pairs)
    seen = Counter(tuple(row) for frame in world.asked[1:] for row in frame.itertuples(index=False))
    columns = list(bench.table.frame.columns)
    rows = [
        substituted(bench.table, int(bench.affected[place]), move(bench.table, bench.candidates, number))
        for number, place in pairs
    ]
    assert seen == Counter(tuple(row[column] for column in columns) for row in rows)


@SEEDS
def test_works_is_what_the_model_says_of_the_person_after_the_move(seed: int) -> None:
    """For every pair asked, substituting plainly and predicting gives the same; elsewhere nothing works."""
    world, bench = prepared(seed)
    pairs = sorted(expected_pairs(bench))
    rows = [
        substituted(bench.table, int(bench.affected[place]), move(bench.table, bench.candidates, number))
        for number, place in pairs
    ]
    frame = pd.DataFrame(rows)[list(bench.table.frame.columns)]
    said = world.model.function(frame)
    expected = np.zeros_like(bench.evaluation.works)
    for (number, place), answer in zip(pairs, said, strict=True):
        expected[number, place] = answer
    assert (bench.evaluation.works == expected).all()
    assert expected.any()
    assert not expected.all()


def test_the_model_sees_the_types_it_was_trained_on() -> None:
    """Columns keep their names, order and types after moves: integers stay integers."""
    world, bench = prepared(0)
    for frame in world.asked[1:]:
        assert list(frame.columns) == list(bench.table.frame.columns)
        assert frame.dtypes.tolist() == bench.table.frame.dtypes.tolist()


@pytest.mark.parametrize("rows", [1, 7, 40, 10**6])
def test_batches_change_how_often_the_model_is_called_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """A batch holds at most the rows allowed, or a single person; the answers are the same."""
    _, whole = prepared(1)
    monkeypatch.setattr(blackbox, "BATCH_ROWS", rows)
    world, bench = prepared(1)
    assert (bench.evaluation.works == whole.evaluation.works).all()
    assert bench.evaluation.model_rows == whole.evaluation.model_rows
    most = int(bench.evaluation.asked.sum(axis=0).max())
    sizes = [len(frame) for frame in world.asked[1:]]
    assert max(sizes) <= max(rows, most)
    assert all(first + second > rows for first, second in pairwise(sizes)) or rows < most


def test_the_model_is_called_in_large_batches() -> None:
    """All moves of a small table fit one call, after the one that asks who is affected."""
    world, bench = prepared(2)
    assert len(bench.candidates.moves) > 10
    assert len(world.asked) == 2


def test_progress_rises_from_none_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The share done begins at 0, never falls, and ends at 1."""
    monkeypatch.setattr(blackbox, "BATCH_ROWS", 30)
    shares: list[float] = []
    world = random_world(0)
    prepare(world.model, world.table, SETTINGS, progress=kept_in(shares))
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert len(set(shares)) > 5


@pytest.mark.parametrize("calls", [1, 2, 4])
def test_cancelling_stops_before_the_next_batch(monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    """Saying no at the n-th report means that the model has answered n - 1 batches and no more."""
    monkeypatch.setattr(blackbox, "BATCH_ROWS", 30)
    world = random_world(0)
    reports: list[float] = []
    with pytest.raises(Cancelled):
        prepare(world.model, world.table, SETTINGS, progress=kept_in(reports, calls - 1))
    assert len(reports) == calls
    assert len(world.asked) == 1 + calls - 1


def test_not_covered_and_covered_in_vain_are_kept_apart() -> None:
    """There are people nobody asked about and people asked in vain, and neither counts as the other."""
    _, bench = prepared(0)
    found = bench.evaluation
    assert (~found.asked).any()
    assert (found.asked & ~found.works).any()
    with pytest.raises(ValueError, match="part of asked"):
        Evaluation(found.asked & False, found.works, 0)
    with pytest.raises(ValueError, match="part of asked"):
        Evaluation(found.asked[:1], found.works[:1, :-1], 0)


def _broken(_frame: pd.DataFrame) -> Any:
    raise KeyError("income")


@pytest.mark.parametrize(
    "answer",
    [
        _broken,
        lambda frame: np.full(len(frame), 0.5),
        lambda frame: np.ones(len(frame) + 1),
        lambda frame: ["yes"] * len(frame),
        lambda frame: np.full(len(frame), np.nan),
    ],
    ids=["raises", "shares", "too many", "words", "nan"],
)
def test_a_model_that_fails_is_reported_in_words(answer: Any) -> None:
    """Whether it raises or answers nonsense, the error is ours, and says what to do."""
    world, bench = prepared(0)
    model = FunctionModel(answer)
    with pytest.raises(ModelError) as caught:
        evaluate(model, world.table, bench.affected, bench.candidates)
    assert caught.value.problem.endswith(".")
    assert caught.value.hint


def test_without_candidates_the_model_is_not_asked() -> None:
    """No moves mean no rows; progress still ends at 1."""
    shares: list[float] = []
    world = random_world(0)
    settings = Settings(min_people=1000, selection="paper")
    bench = prepare(world.model, world.table, settings, progress=kept_in(shares))
    assert bench.evaluation.model_rows == 0
    assert bench.evaluation.asked.shape == (0, len(bench.affected))
    assert shares == [1.0]
    assert len(world.asked) == 1
