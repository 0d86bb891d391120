"""Stand-ins: invented people the model refuses, so that rules are not fitted to a handful of real ones.

With forty affected people and a hundred thousand candidate rules, the best rule on paper is often the luckiest. The
model can be asked about anybody, so it is asked about people who do not exist: an affected person of the learn part
keeps everything frozen and takes some changeable features from people outside the check part; whoever the model then
refuses stands in. Rules are chosen on the real learn people and their stand-ins together, weighted so that they count
as many as the real ones; every figure is still measured on real people.
"""

from __future__ import annotations

from functools import reduce
from math import ceil

import numpy as np

from ares_core.models.blackbox import BlackBox, ask
from ares_core.people.feature import Change
from ares_core.people.table import Crowd, Indices, Table

ENOUGH_PEOPLE = 300
ROUNDS = 12
FIRST_ROUNDS = 3  # asked together, since a call costs more than its rows; enough if the model refuses every third


def invent(model: BlackBox, table: Table, learners: Indices, donors: Indices, seed: int) -> tuple[Crowd, int]:
    """Invent people until, with the learners, there are enough of them.

    Parameters
    ----------
    learners
        Places in the table of the real people to start from.
    donors
        Places of the people whose values may be taken.

    Returns
    -------
    The stand-ins, fewer than wanted if the model refuses few, and how many rows it was asked.
    """
    originals, givers = Crowd.of(table, learners), Crowd.of(table, donors)
    found, wanted, done = originals.take(np.zeros(0, dtype=np.intp)), max(ENOUGH_PEOPLE - len(learners), 0), 0
    if not len(learners) or not len(donors):
        return found, 0
    started = originals.take(np.resize(np.arange(len(learners)), wanted))
    random = np.random.default_rng(seed)
    while len(found) < wanted and done < ROUNDS:
        rounds = _further_rounds(len(found), wanted, done)
        mixed = reduce(Crowd.joined, [_mixed(table, started, givers, random) for _ in range(rounds)])
        found = found.joined(mixed.take(np.flatnonzero(ask(model, mixed.frame(table)) == 0)))
        done += rounds
    # Whoever a round too many has found is cut off, so the stand-ins do not depend on how many go together.
    return found.take(np.arange(min(len(found), wanted))), done * wanted


def _further_rounds(found: int, wanted: int, done: int) -> int:
    """Return how many rounds to ask in the next call: as many as it takes if they find as much as those done."""
    if not done:
        return FIRST_ROUNDS
    return min(ceil((wanted - found) * done / found) if found else ROUNDS, ROUNDS - done)


def _mixed(table: Table, people: Crowd, givers: Crowd, random: np.random.Generator) -> Crowd:
    """Replace some changeable features of each person, one to all of them, each by a random giver's."""
    free = [position for position, feature in enumerate(table.features) if feature.change is not Change.FROZEN]
    order = random.random((len(people), len(free))).argsort(axis=1)
    replaced = order < random.integers(1, len(free) + 1, len(people))[:, None]
    levels = people.levels.copy()
    places = {name: column.copy() for name, column in people.places.items()}
    for nth, position in enumerate(free):
        who = np.flatnonzero(replaced[:, nth])
        giver = random.integers(0, len(givers), len(who))
        levels[who, position] = givers.levels[giver, position]
        for column in table.features[position].columns:
            places[column][who] = givers.places[column][giver]
    return Crowd(levels, places)
