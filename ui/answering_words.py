"""What the answer page says: features, answers and what may be worth a second look. Values and sentences only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ares_core.costs import Answer, Review
from ares_core.store import Given, Item
from ares_core.wording import counted

CANNOT_CHANGE = "cannot change: "
MOST_DOUBTS = 5
Items = Mapping[str, Item]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something worth a second look: a sentence, and the ids of the answers it is about."""

    words: str
    answers: tuple[str, ...]


def cannot_change(given: Given) -> str:
    """Return the feature of which an answer says that it cannot change at all; nothing if it says no such thing."""
    said = given.verdict == Answer.CANNOT_SAY and given.reason.startswith(CANNOT_CHANGE)
    return given.reason.removeprefix(CANNOT_CHANGE) if said else ""


def share_words(share: float | None) -> str:
    """Say how many people are where a change leads: '1 in 5 people here has that'. Nothing if that is not known."""
    if share is None:
        return ""
    if share < 0.01:
        return "Fewer than 1 in 100 people here have that."
    if share < 0.4:
        return f"1 in {round(1 / share)} people here has that."
    tenths = round(10 * share)
    return "Nearly everybody here has that." if tenths >= 10 else f"{tenths} in 10 people here have that."


def verdict_words(given: Given, items: Items) -> str:
    """Say an answer: '“Savings” is harder than “Telephone”'."""
    first, second = quoted(given.first, items), quoted(given.second, items)
    fixed = cannot_change(given)
    if fixed:
        return f"{first} or {second}: {quoted(fixed, items)} cannot change at all"
    words = {
        str(Answer.HARDER): f"{first} is harder than {second}",
        str(Answer.TIE): f"{first} and {second} are about the same",
        str(Answer.CANNOT_SAY): f"{first} or {second}: cannot compare",
    }
    return words.get(given.verdict, f"{first} or {second}: skipped")


def quoted(name: str, items: Items) -> str:
    """Return what a feature is called, in quotation marks."""
    return f"“{items[name].title if name in items else name}”"


def left_words(left: int, given: int) -> str:
    """Say how many more answers are worth having: 'About 9 more answers'."""
    if left == 0:
        return "Your answers are precise enough now. More are welcome." if given else ""
    return f"About {counted(left, 'more answer')} to go, and you can stop at any time."


def kept_words(given: int, closed: bool) -> str:
    """Say what is kept, and how to come back."""
    kept = f"{counted(given, 'answer')} of yours {'is' if given == 1 else 'are'} kept" if given else "No answer is kept"
    if closed:
        return f"{kept}, and no more are taken."
    return f"{kept}. You can close this window; the same link brings you back to where you are now."


def doubts(review: Review, stands: Sequence[Given], items: Items) -> tuple[Doubt, ...]:
    """Say what may be worth a second look, repeats first; each answer is named once."""
    told = chain(
        (Doubt(_repeat_words(one.features, items), _ids(stands, one.places)) for one in review.repeats),
        (Doubt(_cycle_words(one.features, items), _ids(stands, one.places)) for one in review.cycles),
        (
            Doubt("This does not go well with your other answers.", _ids(stands, [one.place]))
            for one in review.surprises
        ),
    )
    found: list[Doubt] = []
    named: set[str] = set()
    for doubt in told:
        if not named & set(doubt.answers):
            named |= set(doubt.answers)
            found.append(doubt)
    return tuple(found[:MOST_DOUBTS])


def _ids(stands: Sequence[Given], places: Sequence[int]) -> tuple[str, ...]:
    return tuple(stands[place].id for place in places)


def _repeat_words(features: tuple[str, str], items: Items) -> str:
    first, second = (quoted(name, items) for name in features)
    return f"You were asked about {first} and {second} more than once, and the answers differ."


def _cycle_words(features: tuple[str, ...], items: Items) -> str:
    names = [quoted(name, items) for name in (*features, features[0])]
    return f"These answers go round in a circle: {' is harder than '.join(names)}."
