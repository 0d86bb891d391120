"""A sitting and its words: what is asked, what is kept, and what happens when the store fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ares_core.costs import Answer, Belief, Cycle, Review, Surprise, answers_left
from ares_core.errors import StoreError
from ares_core.store import Given, Item, Studies
from tests.ui.studies import NAMES, begun
from ui.answering import PLAN_EVERY, SKIPPED, Screen, Sitting, seen
from ui.answering_words import cannot_change, doubts, kept_words, left_words, share_words, verdict_words
from ui.cards.answer import ask_head, costs_view, saved_line
from ui.experts_found import own_view

ITEMS = {name: Item(name, name.title()) for name in NAMES}


def sat(*names: str) -> tuple[Studies, Sitting]:
    """Begin a sitting in a new study."""
    studies, study = begun(*names)
    return studies, Sitting.begin(studies, studies.invite(study.id, "Ada").token)


def given(first: str, second: str, verdict: str = "harder", name: str = "", reason: str = "") -> Given:
    """Return an answer; its id is made of the features unless named."""
    answer = name or first + second
    return Given(id=answer, expert="e", first=first, second=second, verdict=verdict, reason=reason)


def test_an_answer_says_what_was_on_the_left() -> None:
    """Where nobody knows, as in an answer from a file, the first feature is taken for the left one."""
    for left in ("savings", "job"):
        assert seen(replace(given("savings", "job"), left=left)).left == left
    for unknown in ("", "housing"):
        assert seen(replace(given("savings", "job"), left=unknown)).left == "savings"
    assert seen(given("savings", "job", SKIPPED)).answer is None


def test_an_undone_question_comes_again_with_the_same_sides() -> None:
    """Also after the window was opened anew, and whichever side was harder."""
    studies, sitting = sat()
    question = sitting.question
    assert question is not None
    sitting.answer(question, question.right)
    again = Sitting.begin(studies, sitting.expert.token)
    again.undo()
    assert again.question is not None
    assert (again.question.left, again.question.right) == (question.left, question.right)


def test_between_two_plans_each_answer_counts_for_one() -> None:
    """A skip counts for nothing, and a new window plans from all that was said."""
    studies, sitting = sat(*"abcdefghij")
    planned = sitting.left
    for more in range(1, PLAN_EVERY):
        for harder, verdict in ((True, str(Answer.HARDER)), (False, SKIPPED)):
            question = sitting.question
            assert question is not None
            sitting.answer(question, question.left if harder else None, verdict)
            assert sitting.left == planned - more
    again = Sitting.begin(studies, sitting.expert.token)
    assert again.left == answers_left(Belief.fit(again.names, again.seen()), again.seen())


def test_an_answer_is_stored_and_the_next_question_follows() -> None:
    """The harder feature comes first whichever side it was on, and the progress goes down."""
    studies, sitting = sat()
    before, question = sitting.left, sitting.question
    assert question is not None
    sitting.answer(question, question.right)
    stored = studies.standing(sitting.study.id)
    assert [(one.first, one.second, one.verdict) for one in stored] == [(question.right, question.left, "harder")]
    assert sitting.saved == stored[0]
    assert stored[0].left == question.left
    assert sitting.question is not None
    assert {sitting.question.left, sitting.question.right} != {question.left, question.right}
    assert sitting.left <= before


def test_a_second_click_changes_nothing() -> None:
    """An answer to a question that is no longer shown is not taken, whatever it says."""
    studies, sitting = sat()
    question = sitting.question
    assert question is not None
    sitting.answer(question, question.left)
    after = sitting.question
    sitting.answer(question, question.left)
    sitting.answer(question, question.right)
    assert len(studies.history(sitting.study.id)) == 1
    assert sitting.question is after


def test_undo_asks_the_same_question_again() -> None:
    """The answer is withdrawn, not deleted; the two features are on the sides they were."""
    studies, sitting = sat()
    question = sitting.question
    assert question is not None
    sitting.answer(question, question.right)
    sitting.undo()
    assert studies.standing(sitting.study.id) == ()
    assert len(studies.history(sitting.study.id)) == 2
    assert sitting.question is not None
    assert (sitting.question.left, sitting.question.right) == (question.left, question.right)
    assert sitting.question.id != question.id
    sitting.undo()
    assert len(studies.history(sitting.study.id)) == 2


def test_what_cannot_change_is_not_asked_about_again() -> None:
    """The reason names the feature for the facilitator, and undoing it brings the feature back."""
    studies, sitting = sat()
    question = sitting.question
    assert question is not None
    sitting.fixed(question, question.left)
    assert cannot_change(studies.standing(sitting.study.id)[0]) == question.left
    assert question.left not in sitting.features
    while (asked := sitting.question) is not None:
        assert question.left not in (asked.left, asked.right)
        sitting.answer(asked, asked.left)
    sitting.undo()
    assert sitting.question is not None


def test_a_changed_answer_takes_the_place_of_the_old_one() -> None:
    """It leads back to the list it was chosen from; leaving it changes nothing."""
    studies, sitting = sat()
    for _ in range(2):
        assert sitting.question is not None
        sitting.answer(sitting.question, sitting.question.left)
    old = sitting.stands[0]
    sitting.look(Screen.ANSWERS)
    sitting.change(old.id)
    question = sitting.question
    assert question is not None
    assert question.supersedes == old.id
    assert sitting.screen is Screen.ASK
    sitting.look(Screen.ANSWERS)
    assert sitting.question is not None
    assert sitting.question.supersedes is None
    sitting.change(old.id)
    assert sitting.question is not None
    sitting.answer(sitting.question, None, Answer.TIE)
    assert str(sitting.screen) == "answers"
    assert [one.verdict for one in studies.standing(sitting.study.id)] == ["harder", "tie"]
    assert sitting.stands == studies.standing(sitting.study.id)


def test_a_failure_keeps_the_question_and_a_second_try_stores_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is called saved that is not; the same id is sent again."""
    studies, sitting = sat()
    question = sitting.question
    assert question is not None
    with monkeypatch.context() as broken:
        broken.setattr(studies, "save", _fail)
        sitting.answer(question, question.left)
    assert (sitting.saved, sitting.question) == (None, question)
    assert sitting.problem is not None
    sitting.answer(question, question.left)
    assert sitting.problem is None
    assert [one.id for one in studies.history(sitting.study.id)] == [question.id]


def test_an_answer_stored_but_not_acknowledged_is_changed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the first try was stored after all, another answer takes its place and does not stand beside it."""
    studies, sitting = sat()
    question, save = sitting.question, studies.save
    assert question is not None

    def lose(one: Given) -> Given:
        save(one)
        return _fail(one)

    with monkeypatch.context() as broken:
        broken.setattr(studies, "save", lose)
        sitting.answer(question, question.left)
    assert sitting.question is not None
    assert sitting.question.supersedes == question.id
    sitting.answer(sitting.question, question.right)
    assert [one.first for one in studies.standing(sitting.study.id)] == [question.right]


def _fail(_: Given) -> Given:
    raise StoreError("The disk is full.", "Try again.")


def test_answers_that_go_round_are_offered_for_review() -> None:
    """After ten answers and not before; looked at once, they are not offered again at once."""
    _, sitting = sat("a", "b", "c", "d", "e")
    for count in range(10):
        assert (sitting.doubts, len(sitting.stands)) == ((), count)
        asked = sitting.question
        assert asked is not None
        ahead = ("abcde".index(asked.left) - "abcde".index(asked.right)) % 5
        sitting.answer(asked, asked.left if ahead < 3 else asked.right)  # each harder than the two before it
    assert sitting.doubts
    sitting.look(Screen.REVIEW)
    answer = sitting.doubts[0].answers[0]
    sitting.change(answer)
    assert sitting.question is not None
    sitting.answer(sitting.question, None, Answer.TIE)
    assert str(sitting.screen) == "review"
    assert answer not in {one for doubt in sitting.doubts for one in doubt.answers}
    sitting.look(Screen.ASK)
    assert sitting.doubts == ()


def test_doubts_name_each_answer_once() -> None:
    """A surprise that is part of a circle is said once, in words that blame nobody."""
    stands = [given("job", "phone"), given("phone", "savings"), given("savings", "job"), given("job", "housing")]
    review = Review(
        (Cycle(("job", "phone", "savings"), (0, 1, 2)),),
        (Surprise(1, "phone", "savings", 0.05), Surprise(3, "job", "housing", 0.06)),
        (),
    )
    found = doubts(review, stands, ITEMS)
    assert [doubt.answers for doubt in found] == [("jobphone", "phonesavings", "savingsjob"), ("jobhousing",)]
    assert "“Job” is harder than “Phone” is harder than “Savings” is harder than “Job”" in found[0].words


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (None, ""),
        (0.001, "Fewer than 1 in 100 people here have that."),
        (0.2, "1 in 5 people here has that."),
        (0.62, "6 in 10 people here have that."),
        (0.99, "Nearly everybody here has that."),
    ],
)
def test_shares_are_said_as_people(share: float | None, words: str) -> None:
    """A share is so many people of a few."""
    assert share_words(share) == words


def test_answers_are_said_in_words() -> None:
    """Every verdict has its words; a feature the study does not know goes by its name."""
    assert verdict_words(given("savings", "job"), ITEMS) == "“Savings” is harder than “Job”"
    assert verdict_words(given("savings", "job", "tie"), ITEMS) == "“Savings” and “Job” are about the same"
    assert verdict_words(given("savings", "x", "cannot say"), ITEMS) == "“Savings” or “x”: cannot compare"
    assert verdict_words(given("savings", "job", SKIPPED), ITEMS) == "“Savings” or “Job”: skipped"
    fixed = given("savings", "job", "cannot say", reason="cannot change: job")
    assert verdict_words(fixed, ITEMS) == "“Savings” or “Job”: “Job” cannot change at all"
    assert left_words(1, 3) == "About 1 more answer to go, and you can stop at any time."
    assert left_words(0, 0) == ""
    assert kept_words(1, closed=False).startswith("1 answer of yours is kept. You can close")
    assert kept_words(0, closed=True) == "No answer is kept, and no more are taken."


def test_cards_show_text_as_it_is() -> None:
    """Titles are escaped, and both views stand side by side."""
    items = {"a": Item("a", "<b>"), "b": Item("b", "&")}
    own = own_view(("a", "b"), [given("a", "b")])
    assert own is not None
    table = str(costs_view(items, own, own))
    assert "&lt;b&gt;" in table
    assert "Everybody together" in table
    assert "Everybody together" not in str(costs_view(items, own, None))
    assert "&lt;i&gt;" in str(ask_head("<i>", "", changing=False))
    assert "Saved" not in str(saved_line(""))
    assert own_view(("a", "b"), [given("a", "b", "cannot say")]) is None
