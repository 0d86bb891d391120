"""Answering: an expert's sitting, from the invitation to the last answer. Knows the store, nothing of Streamlit.

What was answered is read from the store once, when the sitting begins; from then on each answer the store has taken is
added to it, so that a question costs no reading at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
PLAN_EVERY = 5  # answers between two estimates of how many are left: each costs more than choosing a question


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


def seen(given: Given) -> Seen:
    """Return an answer as the choice of the next question reads it."""
    answer = None if given.verdict == SKIPPED else Answer(given.verdict)
    return Seen(given.first, given.second, answer, _sides(given)[0])


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
    _plan: tuple[int, tuple[str, ...], int] = field(init=False, default=(0, (), 0))

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
        return [seen(given) for given in self.stands]

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
            left=question.left,
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
        if self._save(_withdrawal(last)):
            self.saved, self.screen = None, Screen.ASK
            self.question = _posed(*_sides(last))

    def change(self, answer: str) -> None:
        """Ask again what was answered."""
        given = next((one for one in self.stands if one.id == answer), None)
        if given is not None:
            self.question, self.back = _posed(*_sides(given), given.id), self.screen
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
            self.question = _posed(self.question.left, self.question.right, stored.id)

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
        among = frozenset(features)
        known = [one for one in told if one.pair <= among]
        belief = Belief.fit(features, known)
        asked: Asked | None = next_question(features, told, seed=crc32(self.expert.id.encode()), belief=belief)
        self.left = self._count_left(features, known, belief)
        self.question = None if asked is None else _posed(asked.left, asked.right)

    def _count_left(self, features: tuple[str, ...], known: Sequence[Seen], belief: Belief) -> int:
        """Estimate how many more answers are worth having; the plan behind that is made anew after some of them."""
        planned, of, before = self._plan
        said = sum(one.answer in (Answer.HARDER, Answer.TIE) for one in known)
        more = said - before
        if of != features or not 0 <= more < min(PLAN_EVERY, planned):
            planned, more = answers_left(belief, known) if len(features) > 1 else 0, 0
            self._plan = (planned, features, said)
        return planned - more

    def _doubts(self) -> tuple[Doubt, ...]:
        told = self.seen()
        return doubts(review_answers(self.names, told), self.stands, self.items)


def _sides(given: Given) -> tuple[str, str]:
    """Return what was shown on the left and on the right; the first one left if nobody knows."""
    return (given.second, given.first) if given.left == given.second else (given.first, given.second)


def _posed(left: str, right: str, supersedes: str | None = None) -> Question:
    return Question(left, right, uuid4().hex, supersedes)


def _withdrawal(given: Given) -> Given:
    return replace(given, id=uuid4().hex, verdict=WITHDRAWN, reason="", supersedes=given.id, at="", number=0)
