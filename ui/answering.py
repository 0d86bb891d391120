"""Answering: an expert's sitting, from the invitation to the last answer. Knows the store, nothing of Streamlit.

What was answered is read from the store once, when the sitting begins; from then on each answer the store has taken is
added to it, so that a question costs no reading at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import uuid4
from zlib import crc32

from ares_core.costs import Answer, Asked, Belief, Seen, answers_left, next_question, review_answers
from ares_core.errors import StoreError
from ares_core.store import Expert, Given, Item, Studies, Study
from ares_core.store.answers import WITHDRAWN, standing
from ui.answering_words import CANNOT_CHANGE, Doubt, cannot_change, doubts

SKIPPED = "skipped"
REVIEW_EVERY = 10


class Screen(StrEnum):
    """What the expert looks at."""

    ASK = "ask"
    WHY = "why"
    ANSWERS = "answers"
    REVIEW = "review"
    ENOUGH = "enough"


@dataclass(frozen=True, slots=True)
class Question:
    """Two features side by side.

    Parameters
    ----------
    id
        Of the answer to come, made before anybody answers: a second click or a second try stores it once.
    supersedes
        The answer that is being changed.
    """

    left: str
    right: str
    id: str
    supersedes: str | None = None


def new_id(left: str, names: Sequence[str]) -> str:
    """Return an id for an answer, which ends in the place of the feature shown on the left."""
    return f"{uuid4().hex}-{names.index(left)}"


def left_of(given: Given, names: Sequence[str]) -> str:
    """Return which feature was on the left, as the answer's id says; the first one if it was not made here."""
    _, _, place = given.id.rpartition("-")
    known = place.isascii() and place.isdecimal() and len(place) < 4 and int(place) < len(names)
    left = names[int(place)] if known else given.first
    return left if left in (given.first, given.second) else given.first


def seen(given: Given, names: Sequence[str]) -> Seen:
    """Return an answer as the choice of the next question reads it."""
    answer = None if given.verdict == SKIPPED else Answer(given.verdict)
    return Seen(given.first, given.second, answer, left_of(given, names))


@dataclass(slots=True)
class Sitting:
    """One expert at one window.

    Parameters
    ----------
    history
        Every answer this expert ever gave, as stored.
    stands
        Those of them that stand.
    question
        The one shown; None if nothing is left to ask.
    left
        About how many more answers are worth having.
    saved
        The answer the store took last; None before.
    problem
        Why the last answer was not taken.
    doubts
        Answers worth a second look, found after every ten answers.
    back
        Where a changed answer leads back to.
    """

    studies: Studies
    expert: Expert
    study: Study
    history: list[Given]
    stands: tuple[Given, ...] = ()
    question: Question | None = None
    left: int = 0
    saved: Given | None = None
    problem: StoreError | None = None
    doubts: tuple[Doubt, ...] = ()
    screen: Screen = Screen.ASK
    back: Screen = Screen.ASK
    names: tuple[str, ...] = field(init=False)
    items: dict[str, Item] = field(init=False)

    def __post_init__(self) -> None:
        self.items = {item.name: item for item in self.study.items}
        self.names = tuple(self.items)
        self._settle()

    @classmethod
    def begin(cls, studies: Studies, token: str) -> Sitting:
        """Go on where the expert of an invitation stopped.

        Raises
        ------
        StoreError
            If the invitation is not known or was taken back.
        """
        expert, study = studies.invited(token)
        return cls(studies, expert, study, list(studies.history(study.id, expert=expert.id)))

    @property
    def features(self) -> tuple[str, ...]:
        """The features worth asking about: those of which this expert has not said that they cannot change."""
        fixed = {cannot_change(given) for given in self.stands}
        return tuple(name for name in self.names if name not in fixed)

    def seen(self) -> list[Seen]:
        """Return the answers that stand, as questions are chosen from them."""
        return [seen(given, self.names) for given in self.stands]

    def answer(self, question: Question, harder: str | None, verdict: str = Answer.HARDER, reason: str = "") -> None:
        """Keep an answer to the question shown; one to another question is a second click, and changes nothing.

        Parameters
        ----------
        harder
            The harder feature; None with any other verdict.
        """
        if self.question is None or self.question.id != question.id:
            return
        first, second = question.left, question.right
        if harder == second:
            first, second = second, first
        given = Given(
            id=question.id,
            expert=self.expert.id,
            first=first,
            second=second,
            verdict=verdict,
            reason=reason,
            supersedes=question.supersedes,
        )
        if self._save(given):
            self._go_on()

    def fixed(self, question: Question, name: str) -> None:
        """Keep that a feature cannot change at all, for the facilitator to freeze."""
        self.answer(question, None, Answer.CANNOT_SAY, CANNOT_CHANGE + name)

    def undo(self) -> None:
        """Take the last answer back, and ask the same question again."""
        if not self.stands:
            return
        last = self.stands[-1]
        left = left_of(last, self.names)
        if self._save(self._withdrawal(last)):
            self.saved, self.screen = None, Screen.ASK
            self.question = self._posed(left, last.second if left == last.first else last.first)

    def change(self, answer: str) -> None:
        """Ask again what was answered."""
        given = next((one for one in self.stands if one.id == answer), None)
        if given is not None:
            left = left_of(given, self.names)
            right = given.second if left == given.first else given.first
            self.question, self.back = self._posed(left, right, given.id), self.screen
            self.screen = Screen.ASK

    def look(self, screen: Screen) -> None:
        """Look at something else; an answer that was to be changed stays as it is."""
        self.problem = None
        if screen is Screen.ASK and self.screen is Screen.REVIEW:
            self.doubts = ()  # looked at, and left as they are
        if screen is not Screen.WHY and (self.question is None or self.question.supersedes):
            self._choose()
        if screen in (Screen.REVIEW, Screen.ENOUGH):
            self._refresh()
            self.doubts = self._doubts()
        self.screen = screen

    def _go_on(self) -> None:
        """Show what comes after an answer."""
        self.screen, self.back = self.back, Screen.ASK
        if self.screen is Screen.REVIEW or len(self.stands) % REVIEW_EVERY == 0:
            self.doubts = self._doubts()

    def _save(self, given: Given) -> bool:
        """Store an answer and go on from what is stored; if it cannot be stored, say why and keep the question."""
        self.problem = None
        try:
            self.saved = self.studies.save(given)
        except StoreError as error:
            self.problem, self.saved = error, None
            self._look_up(given)
            return False
        self.history.append(self.saved)
        self._settle()
        return True

    def _look_up(self, given: Given) -> None:
        """After a failure, see whether an earlier try was stored all the same; what is said next then changes it."""
        if not self._refresh() or self.question is None:
            return
        stored = next((one for one in self.history if one.id == given.id), None)
        if stored is not None:
            self.question = self._posed(self.question.left, self.question.right, stored.id)

    def _refresh(self) -> bool:
        """Read again what is stored, since the facilitator may have opened a question again; say whether it went."""
        try:
            self.expert, self.study = self.studies.invited(self.expert.token)
            self.history = list(self.studies.history(self.study.id, expert=self.expert.id))
        except StoreError as error:
            self.problem = error
            return False
        self.stands = standing(self.history)
        return True

    def _settle(self) -> None:
        self.stands = standing(self.history)
        self._choose()

    def _choose(self) -> None:
        """Choose the next question, and estimate how many more are worth asking."""
        features, told = self.features, self.seen()
        known = [one for one in told if one.pair <= set(features)]
        belief = Belief.fit(features, known)
        asked: Asked | None = next_question(features, told, seed=crc32(self.expert.id.encode()), belief=belief)
        self.left = answers_left(belief, known) if len(features) > 1 else 0
        self.question = None if asked is None else self._posed(asked.left, asked.right)

    def _posed(self, left: str, right: str, supersedes: str | None = None) -> Question:
        return Question(left, right, new_id(left, self.names), supersedes)

    def _withdrawal(self, given: Given) -> Given:
        return Given(
            id=new_id(left_of(given, self.names), self.names),
            expert=self.expert.id,
            first=given.first,
            second=given.second,
            verdict=WITHDRAWN,
            supersedes=given.id,
        )

    def _doubts(self) -> tuple[Doubt, ...]:
        told = self.seen()
        return doubts(review_answers(self.names, told), self.stands, self.items)
