"""Stability: how often each rule would stay if features cost what answers leave possible; the model is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ares_core.costs import Costs
from ares_core.errors import Cancelled
from ares_core.recourse.evaluation import Progress, unwatched
from ares_core.recourse.learn import CLOSE, Learned, limits
from ares_core.recourse.posing import Pair, Posed, Question, pose
from ares_core.recourse.scoring import Floats
from ares_core.recourse.search import Effort, Limits, Rule, Solution, solve
from ares_core.recourse.search.exchange import Chosen, Few
from ares_core.recourse.shortlist import Shortlist
from ares_core.recourse.workbench import Workbench

EXPLORED = 12  # draws at which all candidates are searched
BRANCHES = 5  # looked into at each of these: counted, not timed, so that the machine does not decide
SMALL = 150_000  # pairs times distinct people up to which an exact search takes some hundredths of a second
STARTS = 2  # sets found before that each draw begins from

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stability:
    """How stable a summary is under the uncertainty of the costs.

    Parameters
    ----------
    shares
        For each rule, in the order of `Learned.rules`: the share of the draws it stays in.
    unchanged
        The share of the draws in which the whole set stays.
    draws
        How many draws of the costs.
    """

    shares: tuple[float, ...]
    unchanged: float
    draws: int

    def __post_init__(self) -> None:
        if self.draws < 1 or not all(0 <= share <= 1 for share in (*self.shares, self.unchanged)):
            raise ValueError(f"shares of at least one draw must lie between 0 and 1: {self!r}")


def stability(bench: Workbench, learned: Learned, draws: Floats, progress: Progress = unwatched) -> Stability:
    """Search again at other costs, and count how often each rule stays.

    In one draw the whole set *stays* if its gain at the drawn costs is within 0.1 % of the best gain found: a summary
    that is as good needs no other. Otherwise a rule stays if the best set found holds it (the same subgroup, before
    and after), or could hold it, beside its rules or in place of one, and still gain as much within 0.1 %: of two
    rules that are as good the search takes either. So every rule may stay alone although not all stay together, and
    rules that join count as a change of the set. When cost has no weight everything stays.

    All candidates are searched at 12 draws that lie far apart. At every draw the search is then among the pairs
    (subgroup, condition) of `learned.pool` and of those 12 searches, each with its best move at the drawn costs: it
    is exact if those 12 were easy and the table is not large, else the sets found so far are improved by exchanging
    rules one at a time. Where that misses the best set by more than 0.1 %, the whole set seems to stay although it
    would not.

    Parameters
    ----------
    learned
        The summary, of this workbench. Unless it is within 0.1 % of the best at its own costs, it may change for this
        reason too.
    draws
        (draws, features): costs of the table's features, all above 0.
    progress
        Told the share that is done; returns False to cancel.

    Raises
    ------
    Cancelled
        If `progress` says so.
    """
    rules = len(learned.triples)
    if not learned.settings.weights.feature_cost:
        return Stability((1.0,) * rules, 1.0, len(draws))
    own = [(triple.subgroup, triple.condition) for triple in learned.triples]
    known = _Known({*learned.pool, *own}, {tuple(sorted(own))})
    far = _far_apart(draws, EXPLORED)
    for number, costs in enumerate(draws[far], start=1):
        known.add(*_explore(bench, learned, costs))
        _tell(progress, number / (len(draws) + len(far)))
    trial = _Trial.of(bench, learned, known)
    stays = np.ones((len(draws), rules + 1), dtype=bool)
    for number, costs in enumerate(draws):
        stays[number] = trial.stays(costs)
        _tell(progress, (number + 1 + len(far)) / (len(draws) + len(far)))
    *shares, unchanged = stays.mean(axis=0).tolist()
    return Stability(tuple(shares), unchanged, len(draws))


def _far_apart(draws: Floats, count: int) -> list[int]:
    """Return the places of some draws, each as far as can be from those before it."""
    places = [0]
    distance = np.full(len(draws), np.inf)
    while len(places) < min(count, len(draws)):
        distance = np.minimum(distance, np.abs(draws - draws[places[-1]]).sum(axis=1))
        places.append(int(np.argmax(distance)))
    return places


def _tell(progress: Progress, share: float) -> None:
    if not progress(share):
        raise Cancelled


@dataclass(slots=True)
class _Known:
    """Pairs worth a look, sets of pairs that were best somewhere, and whether finding them was easy."""

    pairs: set[Pair]
    sets: set[tuple[Pair, ...]]
    easy: bool = True

    def add(self, solution: Solution, posed: Posed) -> None:
        """Take in what a search of all candidates found."""
        best = tuple(sorted(posed.named(solution.rules)))
        self.pairs.update(posed.named(solution.pool), best)
        self.sets.add(best)
        self.easy &= solution.gap <= CLOSE


def _explore(bench: Workbench, learned: Learned, costs: Floats) -> tuple[Solution, Posed]:
    """Search all candidates at some costs."""
    settings, groups = learned.settings, learned.groups
    names = [feature.name for feature in bench.table.features]
    entered = Costs.unit(names).with_direct(dict(zip(names, costs.tolist(), strict=True)))
    question = Question(settings, bench.prices(settings, entered), learned.min_people, groups.people)
    posed = pose(bench, groups, groups.tally, question)
    effort = Effort(settings.time_limit, CLOSE, 0, BRANCHES)
    return solve(posed.problem, limits(settings), effort, settings.search, posed.places(learned.pool)), posed


@dataclass(slots=True, eq=False)
class _Trial:
    """A summary tried at one draw after the other; sets of rules found at one are where the next begins."""

    shortlist: Shortlist
    place: dict[Rule, int]
    few: Few
    limits: Limits
    effort: Effort
    current: Chosen
    options: NDArray[np.intp]
    worths: dict[Chosen, float]
    exact: bool

    @classmethod
    def of(cls, bench: Workbench, learned: Learned, known: _Known) -> _Trial:
        shortlist = Shortlist.of(bench, learned.groups, learned.settings, known.pairs)
        few = Few.of(shortlist.blank, shortlist.rules)
        place = {pair: number for number, pair in enumerate(shortlist.pairs)}
        sets = {tuple(sorted(place[pair] for pair in chosen)) for chosen in known.sets}
        return cls(
            shortlist,
            {rule: number for number, rule in enumerate(shortlist.rules)},
            few,
            limits(learned.settings),
            Effort(learned.settings.time_limit, CLOSE, 0, BRANCHES),
            tuple(place[triple.subgroup, triple.condition] for triple in learned.triples),
            np.array([shortlist.place(triple) for triple in learned.triples], dtype=np.intp),
            {chosen: few.worth(chosen) for chosen in sets},
            known.easy and learned.settings.search == "exact" and few.masks.size <= SMALL,
        )

    def stays(self, costs: Floats) -> Mask:
        """Say of each rule, and lastly of the whole set, whether it stays at these costs."""
        weights = self.shortlist.weights(costs)
        lightest, own = self.shortlist.lightest(weights), weights[self.options]
        gain, best = max((self._gain(chosen, lightest), chosen) for chosen in self._improved(lightest))
        enough = gain - CLOSE * gain
        if self.few.worth(self.current) - own.sum() >= enough:
            return np.ones(len(own) + 1, dtype=bool)
        # The best exchange that brings each rule in, at the weight of the move it has, not of its best one.
        bringing = self.few.exchanges(best, lightest, self.limits).max(axis=0)[list(self.current)]
        return np.append(bringing + lightest[list(self.current)] - own >= enough, False)

    def _improved(self, lightest: Floats) -> Iterator[Chosen]:
        """Yield sets that no exchange makes better, from the best ones known."""
        known = sorted(self.worths, key=lambda chosen: (-self._gain(chosen, lightest), chosen))
        for start in known[:STARTS]:
            better = self.few.improve(start, lightest, self.limits)
            self.worths.setdefault(better, self.few.worth(better))
            yield better
        if self.exact:
            yield self._best(max(self.worths, key=lambda chosen: self._gain(chosen, lightest)), lightest)

    def _best(self, start: Chosen, lightest: Floats) -> Chosen:
        """Search the shortlist from a good set on."""
        rules = self.shortlist.rules
        begin = tuple(rules[place] for place in start)
        found = solve(self.shortlist.posed(lightest), self.limits, self.effort, pool=rules, start=begin).rules
        best = tuple(sorted(self.place[rule] for rule in found))
        self.worths.setdefault(best, self.few.worth(best))
        return best

    def _gain(self, chosen: Chosen, lightest: Floats) -> float:
        return self.worths[chosen] - float(lightest[list(chosen)].sum())
