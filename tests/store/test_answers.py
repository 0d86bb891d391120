"""Answers: stored once, never changed, and the last word of each chain stands."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ares_core.costs import Answer, Comparison
from ares_core.errors import StoreError
from ares_core.store import Expert, Given, Store, Study
from ares_core.store.answers import VERDICTS, WITHDRAWN, standing
from ares_core.store.documents import new_token
from tests.store.conftest import ITEMS

SAID = st.sampled_from([verdict for verdict in VERDICTS if verdict != WITHDRAWN])


def answer(expert: str, verdict: str = "harder", *, supersedes: str | None = None) -> Given:
    """Return an answer with an id of its own."""
    return Given(
        id=new_token(), expert=expert, first="savings", second="job", verdict=verdict, supersedes=supersedes, reason="ü"
    )


def test_an_answer_comes_back_as_it_was_given(store: Store, study: Study, expert: Expert) -> None:
    """What is returned is what is stored: as given, with a number and the time."""
    sent = answer(expert.id)
    saved = store.studies.save(sent)
    assert replace(saved, at="", number=0) == sent
    assert saved.number > 0
    assert saved.at.endswith("+00:00")
    assert store.studies.history(study.id) == (saved,)


def test_an_answer_sent_again_is_stored_once(store: Store, study: Study, expert: Expert) -> None:
    """A retry changes nothing and is told the same."""
    sent = answer(expert.id)
    first = store.studies.save(sent)
    assert store.studies.save(sent) == first
    assert store.studies.history(study.id) == (first,)


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "cannot say"},
        {"first": "housing"},
        {"second": "housing"},
        {"reason": "x"},
        {"supersedes": "x"},
        {"left": "job"},
    ],
)
def test_another_answer_with_the_same_id_is_refused(
    store: Store, study: Study, expert: Expert, change: dict[str, str]
) -> None:
    """An id stands for one answer; the stored one is not touched."""
    saved = store.studies.save(answer(expert.id))
    with pytest.raises(StoreError, match="Another answer has this id"):
        store.studies.save(replace(saved, **change))  # type: ignore[arg-type]
    assert store.studies.history(study.id) == (saved,)


def test_an_id_of_another_expert_is_refused(store: Store, study: Study, expert: Expert) -> None:
    """Nobody overwrites, or is taken for, somebody else."""
    saved = store.studies.save(answer(expert.id))
    other = store.studies.invite(study.id, "Bob")
    with pytest.raises(StoreError, match="Another answer has this id"):
        store.studies.save(replace(saved, expert=other.id))


def test_an_unknown_verdict_is_refused() -> None:
    """The sentence lists what can be said."""
    with pytest.raises(StoreError) as caught:
        answer("e", "perhaps")
    assert "'perhaps'" in caught.value.problem
    assert all(verdict in caught.value.hint for verdict in VERDICTS)


def test_costs_are_learned_from_what_was_compared() -> None:
    """Every verdict of a comparison becomes one; skipped and withdrawn answers none."""
    assert answer("e").comparison == Comparison("savings", "job", Answer.HARDER, "e", "ü")
    assert [answer("e", verdict).comparison is None for verdict in VERDICTS] == [False] * len(Answer) + [True, True]


def test_a_changed_answer_supersedes_and_the_history_stays(store: Store, study: Study, expert: Expert) -> None:
    """Changed, changed again, withdrawn, answered anew: the last word stands, all words are kept in order."""
    told = [store.studies.save(answer(expert.id))]
    for verdict, count in (("tie", 1), ("cannot say", 1), (WITHDRAWN, 0), ("harder", 1)):
        told.append(store.studies.save(answer(expert.id, verdict, supersedes=told[-1].id)))
        assert store.studies.standing(study.id) == tuple(told[-1:] if count else ())
    assert store.studies.history(study.id) == tuple(told)
    assert store.studies.newest(study.id) == told[-1].number


def test_of_two_windows_the_last_word_stands(store: Store, study: Study, expert: Expert) -> None:
    """Two answers that supersede the same one are one chain, so an expert never has two opinions from it."""
    first = store.studies.save(answer(expert.id))
    left = store.studies.save(answer(expert.id, "tie", supersedes=first.id))
    right = store.studies.save(answer(expert.id, "cannot say", supersedes=first.id))
    assert store.studies.standing(study.id) == (right,)
    last = store.studies.save(answer(expert.id, WITHDRAWN, supersedes=left.id))
    assert store.studies.standing(study.id) == ()
    assert store.studies.history(study.id) == (first, left, right, last)


def test_nobody_supersedes_what_another_expert_said(store: Store, study: Study, expert: Expert) -> None:
    """An answer that names another expert's stands beside it."""
    theirs = store.studies.save(answer(expert.id))
    mine = store.studies.save(answer(store.studies.invite(study.id, "Bob").id, "tie", supersedes=theirs.id))
    assert store.studies.standing(study.id) == (theirs, mine)
    assert store.studies.standing(study.id, expert=expert.id) == (theirs,)


def test_answers_are_those_of_one_study(store: Store, study: Study, expert: Expert) -> None:
    """Another study's answers are in neither list, nor its newest number."""
    other = store.studies.create("Other", ITEMS)
    store.studies.save(answer(expert.id))
    assert store.studies.history(other.id) == store.studies.standing(other.id) == ()
    assert store.studies.newest(other.id) == 0


def test_two_experts_at_once_lose_nothing(store: Store, study: Study) -> None:
    """Many answers from many threads, each sent twice: each is stored once, an expert's in the order they came."""
    people = [store.studies.invite(study.id, str(number)) for number in range(4)]
    sent = {expert.id: [answer(expert.id) for _ in range(15)] for expert in people}

    def session(expert: str) -> None:
        for one in sent[expert]:
            assert store.studies.save(one) == store.studies.save(one)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(session, [*sent, *sent]))
    history = store.studies.history(study.id)
    assert len(history) == 60
    assert [one.number for one in history] == sorted({one.number for one in history})
    for expert, mine in sent.items():
        assert [one.id for one in store.studies.history(study.id, expert=expert)] == [one.id for one in mine]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("answer"), st.integers(0, 1), SAID),
        st.tuples(st.just("change"), st.integers(0, 9), SAID),
        st.tuples(st.just("withdraw"), st.integers(0, 9), st.just(WITHDRAWN)),
        st.tuples(st.just("resend"), st.integers(0, 9), st.just("")),
    ),
    max_size=14,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_sequence_of_answers_agrees_with_a_plain_dict(store: Store, steps: list[tuple[str, int, str]]) -> None:
    """Whatever is answered, changed, withdrawn and sent again, what stands is what a dict by first answer holds."""
    study = store.studies.create("Loans", ITEMS)
    people = [store.studies.invite(study.id, name).id for name in ("Ada", "Bob")]
    told: list[Given] = []
    begun: dict[str, str] = {}
    model: dict[str, Given] = {}
    for step, place, verdict in steps:
        if step != "answer" and not told:
            continue
        before = told[place % len(told)] if step != "answer" else None
        if before is not None and step == "resend":
            assert store.studies.save(replace(before, at="", number=0)) == before
            continue
        by = people[place] if before is None else before.expert
        now = store.studies.save(answer(by, verdict, supersedes=None if before is None else before.id))
        begun[now.id] = now.id if before is None else begun[before.id]
        model[begun[now.id]] = now
        told.append(now)
    assert store.studies.history(study.id) == tuple(told)
    expected = {one for one in model.values() if one.verdict != WITHDRAWN}
    found = store.studies.standing(study.id)
    assert set(found) == expected
    assert [one.number for one in found] == sorted(one.number for one in expected)


def test_what_supersedes_something_unknown_stands() -> None:
    """An answer whose predecessor was never stored is no less an answer."""
    lone = answer("e", supersedes="never-stored")
    assert standing([lone]) == (lone,)
