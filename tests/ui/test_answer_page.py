"""The answer page: experts who answer, undo, change, come back, or may not answer any more."""

from __future__ import annotations

import pytest

from ares_core.errors import StoreError
from ares_core.store import Given
from tests.ui.studies import begun, opened, press, said, sitting


def test_an_expert_answers_undoes_changes_and_comes_back() -> None:
    """Every kind of answer is kept as it was given, and a reload goes on where the expert was."""
    studies, study = begun()
    expert = studies.invite(study.id, "Ada")
    page = opened(expert)
    assert "Which is harder to change?" in said(page)
    assert "Saved" not in said(page)
    press(page, "left_")
    assert "Saved" in said(page)
    press(page, "same_")
    press(page, "skip_")
    press(page, "undo_")
    assert "Saved" not in said(page)
    press(page, "skip_")
    press(page, "why_")
    page.text_input(key="answer_reason").set_value("it depends")
    press(page, "unsure")
    stored = studies.standing(study.id)
    assert [one.verdict for one in stored] == ["harder", "tie", "skipped", "cannot say"]
    assert stored[-1].reason == "it depends"
    asked = sitting(page).question
    again = opened(expert)
    assert sitting(again).stands == stored
    assert (sitting(again).question.left, sitting(again).question.right) == (asked.left, asked.right)
    press(again, "to_answers")
    press(again, f"change_{stored[0].id[:12]}")
    assert "takes the place" in said(again)
    press(again, "same_")
    assert "Choose an answer to change it." in said(again)
    assert [one.verdict for one in studies.standing(study.id)].count("tie") == 2


def test_thanks_come_with_what_was_learned_and_the_group_after_revealing() -> None:
    """Everybody's view is not shown before it is revealed, nor to somebody without a view of their own."""
    studies, study = begun()
    ada, ben = studies.invite(study.id, "Ada"), studies.invite(study.id, "Ben")
    page, other = opened(ada), opened(ben)
    for _ in range(2):
        press(page, "left_")
    press(page, "to_enough")
    assert "2 answers of yours are kept" in said(page)
    assert "Your view" in said(page)
    assert "Everybody together" not in said(page)
    studies.set(study.id, revealed=True)
    press(page, "to_ask")
    press(page, "to_enough")
    assert "Everybody together" in said(page)
    press(other, "to_enough")
    assert "No answer is kept" in said(other)
    assert "Everybody together" not in said(other)


def test_two_experts_at_once_do_not_meet() -> None:
    """Each has their own questions and answers."""
    studies, study = begun()
    pages = [opened(studies.invite(study.id, name)) for name in ("Ada", "Ben")]
    for _ in range(3):
        for page in pages:
            press(page, "right_")
    assert [len(sitting(page).stands) for page in pages] == [3, 3]
    assert len(studies.standing(study.id)) == 6
    assert len({one.id for one in studies.history(study.id)}) == 6


def test_what_cannot_change_is_marked() -> None:
    """The reason names the feature."""
    studies, study = begun()
    page = opened(studies.invite(study.id, "Ada"))
    name = sitting(page).question.left
    press(page, "why_")
    press(page, "fixed_0")
    assert studies.standing(study.id)[0].reason == f"cannot change: {name}"


def test_a_failure_is_said_and_nothing_is_called_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question stays, and the next click stores the answer."""
    studies, study = begun()
    page = opened(studies.invite(study.id, "Ada"))
    asked = sitting(page).question

    def fail(_: Given) -> Given:
        raise StoreError("The disk is full.", "Try again.")

    with monkeypatch.context() as broken:
        broken.setattr(studies, "save", fail)
        press(page, "left_")
    assert "The disk is full." in said(page)
    assert "<strong>Saved" not in said(page)
    assert sitting(page).question == asked
    press(page, "left_")
    assert "<strong>Saved" in said(page)
    assert len(studies.history(study.id)) == 1


@pytest.mark.parametrize("token", ["", "nobody-knows-this"])
def test_an_unknown_invitation_says_what_to_do(token: str) -> None:
    """There is no question, only a sentence and a hint."""
    page = opened(token=token)
    assert "This invitation is not known here." in said(page)
    assert "Ask for a new link." in said(page)
    assert not page.button


def test_an_invitation_that_was_taken_back_ends_kindly() -> None:
    """On opening and in the middle; nothing more is stored."""
    studies, study = begun()
    expert = studies.invite(study.id, "Ada")
    page = opened(expert)
    press(page, "left_")
    studies.change_expert(expert.id, revoked=True)
    press(page, "left_")
    assert "This invitation was taken back." in said(page)
    assert len(studies.history(study.id)) == 1
    assert "This invitation was taken back." in said(opened(expert))


def test_a_closed_study_shows_what_was_said_and_asks_nothing() -> None:
    """In the middle the answer is refused with a sentence; on opening there is no question."""
    studies, study = begun()
    expert = studies.invite(study.id, "Ada")
    page = opened(expert)
    press(page, "left_")
    studies.set(study.id, closed=True)
    press(page, "left_")
    assert "No more answers are taken" in said(page)
    assert "This study is closed" in said(page)
    again = opened(expert)
    assert "1 answer of yours is kept, and no more are taken." in said(again)
    assert not again.button
    studies.set(study.id, closed=False)
    assert "Which is harder to change?" in said(opened(expert))


def test_when_nothing_is_left_to_ask_the_page_says_so() -> None:
    """Two features make one question, and a repeat needs more than that."""
    studies, study = begun("job", "phone")
    page = opened(studies.invite(study.id, "Ada"))
    press(page, "left_")
    assert "There is nothing left to ask you" in said(page)
    press(page, "undo_")
    assert "Which is harder to change?" in said(page)


def test_a_failure_while_reading_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only a part of the page runs; the next click works."""
    studies, study = begun()
    page = opened(studies.invite(study.id, "Ada"))
    press(page, "left_")
    studies.set(study.id, revealed=True)

    def fail(_: str) -> None:
        raise StoreError("The store cannot be read: it is away.", "Try again in a moment.")

    with monkeypatch.context() as broken:
        broken.setattr(studies, "experts", fail)
        press(page, "to_enough")
    assert "The store cannot be read: it is away." in said(page)
    page.run()
    assert "Everybody together" in said(page)
