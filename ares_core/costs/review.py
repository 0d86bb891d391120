"""Answers an expert may want to look at again: cycles, surprises, and repeats that differ. Nothing here is an error."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from .belief import NODES, SHARES, Answered, Belief, Vector
from .comparison import Answer

SURPRISING = 0.1
MOST_CYCLES = 5
Harder = dict[str, dict[str, int]]
"""For each feature those it is harder than, and the place of the answer that says so."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Features each said to be harder than the next, and the last harder than the first.

    Parameters
    ----------
    features
        At least three, beginning with the one that sorts first.
    places
        Where among the answers each step stands, in the same order.
    """

    features: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Surprise:
    """An answer that the other answers make improbable.

    Parameters
    ----------
    place
        Where among the answers it stands.
    harder, easier
        What it says.
    probability
        Of this answer, given all the others.
    """

    place: int
    harder: str
    easier: str
    probability: float


@dataclass(frozen=True, slots=True)
class Repeat:
    """Two features that were compared more than once, with different answers.

    Parameters
    ----------
    features
        The two, sorted.
    places
        Where among the answers they were compared.
    """

    features: tuple[str, str]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """What one expert may want to look at again, the plainest case of each kind first."""

    cycles: tuple[Cycle, ...]
    surprises: tuple[Surprise, ...]
    repeats: tuple[Repeat, ...]


def review_answers(features: Sequence[str], answers: Sequence[Answered]) -> Review:
    """Find what one expert may want to look at again.

    Parameters
    ----------
    features
        Every feature; the answers name no other.
    answers
        Of one expert, in any order; places count from 0.
    """
    return Review(cycles(answers), surprises(answers, Belief.fit(features, answers)), differing_repeats(answers))


def cycles(answers: Sequence[Answered], most: int = MOST_CYCLES) -> tuple[Cycle, ...]:
    """Find shortest cycles: for each answer that is part of one the shortest through it, the shortest of all first.

    Two features of which each was called harder once contradict each other directly; that is a `Repeat`, and no
    part of a cycle.
    """
    harder = _harder(answers)
    found = {
        _from_the_first(way) for top, easier in harder.items() for step in easier if (way := _way(harder, step, top))
    }
    ranked = sorted(found, key=lambda names: (len(names), names))[:most]
    return tuple(Cycle(names, _places(harder, names)) for names in ranked)


def surprises(answers: Sequence[Answered], belief: Belief, limit: float = SURPRISING) -> tuple[Surprise, ...]:
    """Find answers whose probability under all the others is below a limit, the least probable first.

    Each answer is taken out of the belief in one step, along its slope and curvature at the belief's centre; no
    second fit is made. Ties are never surprising: the model gives them no probability of their own.

    Parameters
    ----------
    answers
        The answers the belief was learned from.
    belief
        What was learned, with a weight of 1 for each answer.
    limit
        Below which an answer surprises.
    """
    places = [place for place, one in enumerate(answers) if one.answer is Answer.HARDER]
    chances = _chances_without([answers[place] for place in places], belief)
    found = [
        Surprise(place, answers[place].first, answers[place].second, float(chance))
        for place, chance in zip(places, chances, strict=True)
        if chance < limit
    ]
    return tuple(sorted(found, key=lambda surprise: (surprise.probability, surprise.place)))


def differing_repeats(answers: Sequence[Answered]) -> tuple[Repeat, ...]:
    """Find pairs compared more than once with different answers, "cannot say" aside, in the order of first asking."""
    said: defaultdict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for place, one in enumerate(answers):
        if one.answer in (Answer.HARDER, Answer.TIE):
            low, high = sorted((one.first, one.second))
            said[low, high][place] = one.first if one.answer is Answer.HARDER else ""
    return tuple(Repeat(pair, tuple(by_place)) for pair, by_place in said.items() if len(set(by_place.values())) > 1)


def _harder(answers: Sequence[Answered]) -> Harder:
    harder: Harder = defaultdict(dict)
    for place, one in enumerate(answers):
        if one.answer is Answer.HARDER:
            harder[one.first][one.second] = place
    return {
        top: {name: place for name, place in easier.items() if top not in harder.get(name, ())}
        for top, easier in harder.items()
    }


def _way(harder: Harder, start: str, end: str) -> tuple[str, ...]:
    """Return the features on a shortest way from one down to another, both included; nothing if there is none."""
    before = {start: ""}
    waiting = deque([start])
    while waiting and end not in before:
        here = waiting.popleft()
        for name in harder.get(here, ()):
            if name not in before:
                before[name] = here
                waiting.append(name)
    way = [end] if end in before else []
    while way and way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def _from_the_first(way: tuple[str, ...]) -> tuple[str, ...]:
    """Turn a cycle so that it begins with the feature that sorts first."""
    start = way.index(min(way))
    return way[start:] + way[:start]


def _places(harder: Harder, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(harder[top][name] for top, name in zip(names, (*names[1:], names[0]), strict=True))


def _chances_without(answers: Sequence[Answered], belief: Belief) -> Vector:
    """Return the probability of each answer given all the others, shape (answers,)."""
    first = [belief.place(one.first) for one in answers]
    second = [belief.place(one.second) for one in answers]
    own = belief.covariance.diagonal()
    variance = own[first] + own[second] - 2 * belief.covariance[first, second]
    mean = belief.mode[first] - belief.mode[second]
    chance = expit(mean)
    # An answer adds chance·(1 − chance) to the precision of this difference, and pulls it by 1 − chance.
    left = np.maximum(1 - variance * chance * (1 - chance), 1e-6)
    without = mean - variance * (1 - chance) / left
    probability: Vector = expit(without[:, None] + np.sqrt(variance / left)[:, None] * NODES) @ SHARES
    return probability
