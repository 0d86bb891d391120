"""Recheck: models that answer otherwise in the batches of an audit are found out, and honest ones are not accused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.audit import Audit, People, Request, behaviour_of, run_audit, run_to_json, summary_text
from ares_core.costs import Costs
from ares_core.errors import Cancelled
from ares_core.files import dump_json
from ares_core.models import FunctionModel, check_behaviour
from ares_core.models.foreign import ForeignModel
from ares_core.models.raw import Output, Signature
from ares_core.models.reading import Reading
from ares_core.people import Change, Schema
from ares_core.recourse import Recheck, prepare, recheck
from ares_core.recourse.prepare import with_standins
from ares_core.recourse.recheck import DECIDED_BY_ROUNDING, DISTRUST, MOST_PEOPLE, MOST_ROWS, _sample, rows_of_recheck
from ares_core.settings import Settings
from tests.models.raws import PlainRaw
from tests.saved_models import table
from tests.services import mlflow, served

SETTINGS = Settings(max_changes=2, condition_width=2, selection="paper", max_rules=3)
Function = Callable[[pd.DataFrame], Any]


@cache
def people(count: int = 2000) -> People:
    """Return people who apply for loans, each with another account, so that changed rows are not in the table."""
    frame = table(count)
    frame.insert(0, "account", 1000 + 7 * np.arange(count))
    return People.of(frame, "loan", "granted", lambda seen: Schema.infer(seen).with_change(["account"], Change.FROZEN))


@cache
def real_rows() -> frozenset[tuple[Any, ...]]:
    """Return every row of the table."""
    return frozenset(people().table.frame.itertuples(index=False, name=None))


def is_real(frame: pd.DataFrame) -> Any:
    """Return which rows stand in the table."""
    return np.array([row in real_rows() for row in frame.itertuples(index=False, name=None)])


def score(frame: pd.DataFrame) -> Any:
    """Return what an honest model gives: income against debts, as a share."""
    return 1 / (1 + np.exp(-(frame["income"] - 20.3 * frame["debts"]).to_numpy() / 20))


def honest(frame: pd.DataFrame) -> Any:
    """Accept whoever has income enough for their debts."""
    return (score(frame) >= 0.5).astype(int)


def labelled(function: Function) -> ForeignModel:
    """Return an external model that answers with 1 and 0."""
    return ForeignModel.fitted(PlainRaw(function), people().table.frame, Reading("1"))


def scored(function: Function, threshold: float = 0.5) -> ForeignModel:
    """Return an external model that answers with a score."""
    raw = PlainRaw(function, Signature(outputs=("score",), by_name=True))
    return ForeignModel.fitted(raw, people().table.frame, Reading("", threshold))


def rechecked(model: ForeignModel, count: int = 2000) -> Recheck:
    """Check a model before its audit, ask it everything, and ask again."""
    behaviour_of(people(count), model)
    return recheck(model, prepare(model, people(count).table, SETTINGS))


def above(size: int) -> Function:
    """Accept everybody in batches of more than so many rows."""
    return lambda frame: np.ones(len(frame), dtype=int) if len(frame) > size else honest(frame)


def alone(frame: pd.DataFrame) -> Any:
    """Accept every batch without a real person."""
    return honest(frame) if is_real(frame).any() else np.ones(len(frame), dtype=int)


def few_people(frame: pd.DataFrame) -> Any:
    """Accept every batch in which real people are not the majority."""
    return honest(frame) if is_real(frame).mean() > 0.5 else np.ones(len(frame), dtype=int)


def strangers(frame: pd.DataFrame) -> Any:
    """Accept rows that are not in the table, unless some of the others are."""
    real = is_real(frame)
    return honest(frame) if real.any() else np.where(real, honest(frame), 1)


def first_row(frame: pd.DataFrame) -> Any:
    """Accept everybody if the first row is not in the table."""
    return honest(frame) if is_real(frame.head(1))[0] else np.ones(len(frame), dtype=int)


def in_groups(frame: pd.DataFrame) -> Any:
    """Accept one of five refused people, unless asked about a person alone."""
    lucky = (frame["income"] % 5 == 0).to_numpy()
    return honest(frame) if len(frame) == 1 else honest(frame) | lucky


def by_place(frame: pd.DataFrame) -> Any:
    """Accept also every seventh row of a large batch."""
    return honest(frame) | ((np.arange(len(frame)) % 7 == 3) & (len(frame) > 400))


def drifting(calls: int) -> Function:
    """Return a model that accepts everybody after so many calls."""
    asked: list[int] = []

    def answer(frame: pd.DataFrame) -> Any:
        asked.append(len(frame))
        return np.ones(len(frame), dtype=int) if len(asked) > calls else honest(frame)

    return answer


def random_at(share: float) -> Function:
    """Return a model that errs on a share of the rows, on others each time."""
    dice = np.random.default_rng(5)
    return lambda frame: honest(frame) ^ (dice.random(len(frame)) < share)


CALLS_BEFORE = 8 + 1  # of the check before the audit, and the one that finds the affected


@pytest.mark.parametrize(
    ("cheat", "count"),
    [
        (lambda: above(200), 200),
        (lambda: above(400), 400),
        (lambda: above(5000), 2000),
        (lambda: alone, 2000),
        (lambda: few_people, 2000),
        (lambda: strangers, 2000),
        (lambda: first_row, 2000),
        (lambda: by_place, 400),
        (lambda: drifting(CALLS_BEFORE), 2000),
        (lambda: drifting(CALLS_BEFORE + 1), 2000),
    ],
)
def test_a_model_that_cheats_the_audit_is_found_out(cheat: Callable[[], Function], count: int) -> None:
    """Each of these passes the check before the audit, and would have made its figures worthless."""
    before = behaviour_of(people(count), labelled(cheat()))
    assert before is not None
    assert (before.deterministic, before.stateless, before.batch_free) == (True, True, True)
    found = rechecked(labelled(cheat()), count)
    assert found.passed is False
    assert found.rows_differ + found.people_differ >= 100
    assert found.warning.endswith(DISTRUST)


def test_a_model_that_is_honest_about_one_person_at_a_time_is_found_out() -> None:
    """Whoever lies only to groups answers another way in use, where people come one by one."""
    assert rechecked(labelled(in_groups)).passed is False


@pytest.mark.parametrize("share", [0.01, 0.003])
def test_a_model_that_errs_at_random_is_found_out(share: float) -> None:
    """Also where the dice decide a few rows only."""
    found = rechecked(labelled(random_at(share)))
    assert found.passed is False
    assert found.rows_differ > 0


@pytest.mark.parametrize("model", [labelled(honest), scored(score)], ids=["labels", "scores"])
def test_an_honest_model_is_not_accused(model: ForeignModel) -> None:
    """The sentence says what was tried, and nothing is to be warned of."""
    found = rechecked(model)
    assert (found.passed, found.warning, found.rounding) == (True, "", 0)
    assert (found.rows, found.people, found.smallest_batch) == (MOST_ROWS, MOST_PEOPLE, 1)
    assert found.largest_batch >= 5000
    assert found.words == (
        f"Asked again about 1,000 changed rows, in batches of 1 to {found.largest_batch:,}, shuffled and mixed with "
        "300 people of the table: 0 answers differed."
    )


def noisy(size: float) -> Function:
    """Return scores with an error that depends on the batch; one person of a hundred is exactly at the cut-off."""

    def answer(frame: pd.DataFrame) -> Any:
        exactly = (frame["account"] % 700 == 300).to_numpy()
        return np.where(exactly, 0.5, score(frame)) + size * np.cos(len(frame))

    return answer


def test_rounding_is_not_taken_for_cheating() -> None:
    """Scores within rounding of the cut-off flip with the batch; that is counted and told, not held against a model."""
    found = rechecked(scored(noisy(1e-9)))
    assert (found.passed, found.rows_differ, found.people_differ, found.warning) == (True, 0, 0, "")
    assert found.rounding > 0
    assert "within rounding of the cut-off" in found.words
    before = behaviour_of(people(), scored(noisy(1e-9)))
    assert before is not None
    assert before.rounding > 0
    assert (before.again, before.parts, before.shuffled, before.later, before.batch_free) == (0, 0, 0, 0, True)
    assert any("within rounding of the cut-off" in finding.words for finding in before.findings())


def test_an_error_larger_than_rounding_is_reported() -> None:
    """Scores that move by a thousandth with the batch are no rounding."""
    found = rechecked(scored(noisy(1e-3)))
    assert found.passed is False
    assert found.rows_differ > 0


def test_a_cheat_does_not_pass_as_rounding() -> None:
    """A model that keeps all scores next to the cut-off, and lies in large batches, has nothing to audit."""

    def squeezed(frame: pd.DataFrame) -> Any:
        return 0.5 + 1e-9 * (np.where(above(2000)(frame), 1, -1))

    found = rechecked(scored(squeezed))
    assert (found.passed, found.rows_differ) == (False, 0)
    assert found.rounding > 100
    assert found.warning.endswith(DECIDED_BY_ROUNDING)


@dataclass(frozen=True)
class LabelsAndScores:
    """A raw model that gives labels and, asked for them, scores."""

    labels: Function
    scores: Function
    signature: Signature = field(
        default_factory=lambda: Signature(classes=(0, 1), outputs=("label", "score"), by_name=True)
    )
    sha256: str = "0" * 64
    kind: str = "both"

    def answer(self, frame: pd.DataFrame, output: Output) -> Any:
        """Return labels or scores."""
        return np.asarray(self.labels(frame) if output == "label" else self.scores(frame))


@pytest.mark.parametrize("columns", [1, 2])
def test_scores_behind_labels_tell_rounding_from_cheating(columns: int) -> None:
    """Labels that flip at a tie are rounding; labels that flip far from one are not, however honest the scores."""

    def both(frame: pd.DataFrame) -> Any:
        shares = noisy(1e-9)(frame)
        return shares if columns == 1 else np.column_stack([1 - shares, shares])

    frame = people().table.frame
    tied = LabelsAndScores(lambda rows: (noisy(1e-9)(rows) >= 0.5).astype(int), both)
    found = rechecked(ForeignModel.fitted(tied, frame, Reading("1")))
    assert (found.passed, found.rows_differ + found.people_differ) == (True, 0)
    assert found.rounding > 0
    lying = LabelsAndScores(above(2000), both)
    assert rechecked(ForeignModel.fitted(lying, frame, Reading("1"))).rows_differ > 100


def test_labels_without_scores_are_taken_as_they_are() -> None:
    """A model that gives no score has no rounding to excuse a flip; neither has a plain object."""
    flips = lambda frame: (noisy(1e-9)(frame) >= 0.5).astype(int)  # noqa: E731
    assert rechecked(labelled(flips)).passed is False
    before = check_behaviour(FunctionModel(flips), people().table.frame, people().outcomes)
    assert (before.rounding, before.batch_free) == (0, False)


def test_the_sample_holds_both_answers_and_people_of_both_kinds() -> None:
    """Half of the rows were accepted, half refused; what one side lacks the other gives."""
    bench = prepare(labelled(honest), people().table, SETTINGS)
    frame, known, rows = _sample(bench, np.random.default_rng(0))
    assert (len(frame), rows) == (MOST_ROWS + MOST_PEOPLE, MOST_ROWS)
    assert known[:rows].sum() == MOST_ROWS // 2
    assert known[rows:].sum() == MOST_PEOPLE // 2
    assert (honest(frame) == known).all()
    assert not is_real(frame.iloc[:rows]).any()
    assert is_real(frame.iloc[rows:]).all()
    works = np.zeros_like(bench.evaluation.works)
    works[np.nonzero(bench.evaluation.asked)[0][:3], np.nonzero(bench.evaluation.asked)[1][:3]] = True
    few = replace(bench, evaluation=replace(bench.evaluation, works=works))
    assert _sample(few, np.random.default_rng(0))[1][:MOST_ROWS].sum() == 3


def test_stand_ins_are_left_aside() -> None:
    """Only rows of people who exist are asked about again."""
    model = labelled(honest)
    bench = with_standins(prepare(model, people(200).table, SETTINGS), model)
    assert bench.standins
    assert recheck(model, bench).passed


def test_the_same_seed_asks_the_same() -> None:
    """Two checks of the same audit ask the same batches and write the same record; another seed asks otherwise."""

    def asked(seed: int) -> tuple[list[int], Recheck]:
        seen: list[int] = []

        def watched(frame: pd.DataFrame) -> Any:
            seen.append(int(pd.util.hash_pandas_object(frame).sum()))
            return honest(frame)

        bench = prepare(labelled(honest), people().table, replace(SETTINGS, seed=seed))
        return seen, recheck(labelled(watched), bench)

    assert asked(0) == asked(0)
    assert asked(0)[0] != asked(1)[0]


def test_a_model_that_fails_when_asked_again_is_not_trusted() -> None:
    """Whoever refuses small batches cannot be checked, and the audit says so and goes on."""

    def picky(frame: pd.DataFrame) -> Any:
        if len(frame) == 1:
            raise ValueError("too few")
        return honest(frame)

    found = rechecked(labelled(picky))
    assert found.passed is False
    assert "the model failed" in found.warning
    assert "too few" in found.warning


def test_asking_again_can_be_cancelled() -> None:
    """Whoever watches may stop it between two batches."""
    model = labelled(honest)
    bench = prepare(model, people().table, SETTINGS)
    with pytest.raises(Cancelled):
        recheck(model, bench, lambda share: share < 0.5)


def audited(model: Any) -> Audit:
    """Run an audit from end to end."""
    costs = Costs.unit(people().table.schema.names)
    return run_audit(Request(people=people(), model=model, settings=SETTINGS, costs=costs))


def test_the_verdict_is_everywhere() -> None:
    """A failed check is on top of the text, in the run file and in the result; the audit is finished all the same."""
    audit = audited(labelled(alone))
    text, document = summary_text(audit), json.loads(dump_json(run_to_json(audit)))
    assert audit.recheck is not None
    assert text.startswith("WARNING: Asked again about 1,000 changed rows")
    assert "Same answers in other batches: NO." in text
    assert document["behaviour"]["warning"] == audit.warning == audit.recheck.words
    assert document["behaviour"]["recheck"]["passed"] is False
    assert document["rules"]
    again = json.loads(dump_json(run_to_json(audited(labelled(alone)))))
    assert {**again, "timings": 0} == {**document, "timings": 0}


def test_an_honest_model_has_no_warning_and_one_made_here_no_check() -> None:
    """The verdict stands among the findings of an external model only."""
    audit = audited(labelled(honest))
    assert "WARNING" not in summary_text(audit)
    assert "Same answers in other batches: yes. Asked again" in summary_text(audit)
    assert run_to_json(audit)["behaviour"]["warning"] is None
    own = audited(FunctionModel(honest))
    assert (own.recheck, own.warning, run_to_json(own)["behaviour"]) == (None, "", None)


def test_a_service_is_asked_again_within_its_budget_and_without_its_memory() -> None:
    """Rows asked again count, and calls are few. Where the budget is short, the record says that it was not checked."""
    sizes: list[int] = []

    def reply(frame: pd.DataFrame) -> list[int]:
        sizes.append(len(frame))
        return [int(each) for each in honest(frame)]

    with served(mlflow(reply)) as server:
        model = ForeignModel.fitted(server.opened(), people().table.frame, Reading("1"))
        bench = prepare(model, people().table, SETTINGS)
        before, spent = len(sizes), model.rows_left or 0
        found = recheck(model, bench)
        assert found.passed
        assert found.model_rows == sum(sizes[before:]) == spent - (model.rows_left or 0)
        assert found.calls == len(sizes) - before < 80
        assert (found.largest_batch, found.evaluation_batch) == (1000, 1000)
        assert found.model_rows <= rows_of_recheck(bench.evaluation.model_rows, len(people().table))
        poor = ForeignModel.fitted(server.opened(budget=5000), people().table.frame, Reading("1"))
        unasked = len(sizes)
        short = recheck(poor, bench)
    assert len(sizes) == unasked
    assert (short.passed, short.warning, short.model_rows) == (None, "", 0)
    assert short.words.startswith("Not asked again in other batches: that takes")
