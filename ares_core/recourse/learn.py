"""Learn: from a workbench to a two level recourse set with its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ares_core.costs import Costs
from ares_core.recourse.candidates import people_needed
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.posing import Pair, Posed, Question, pose
from ares_core.recourse.rules import TwoLevelRecourseSet
from ares_core.recourse.search import Effort, Limits, Solution, frontier, solve
from ares_core.recourse.workbench import Subgroups, Triple, Workbench
from ares_core.settings import Settings

CLOSE = 0.001  # a summary proven to be within 0.1 % of the best is good enough …
PATIENCE = 12  # … once this many branches of the search were looked into for the very best
SAME_GAIN = 1e-9
LIVE_SECONDS = 0.7  # of searching; counting the subgroups of another choice comes on top
FRONTIER_BRANCHES = 150  # looked into, on average over sizes; a size not settled by then carries its true gap


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is proven: no set of rules within the limits, from these candidates, gains more than `upper_bound`.

    `narrowed` says in sentences how the candidates were kept few; `lone` is the title of the feature that alone may
    change and alone describes subgroups, where that leaves no candidate.
    """

    gain: float
    upper_bound: float
    gap: float
    proven: bool
    candidates: int
    narrowed: tuple[str, ...] = ()
    lone: str = ""

    def capped(self, upper: float) -> Certificate:
        """Return the certificate with a bound that was found elsewhere, if that is lower."""
        if upper >= self.upper_bound:
            return self
        upper = max(upper, self.gain)
        gap = (upper - self.gain) / self.gain if self.gain > 0 else float(upper > self.gain)
        return replace(self, upper_bound=upper, gap=gap, proven=self.proven or gap == 0)


@dataclass(frozen=True, slots=True)
class Learned:
    """A summary and what is known of it.

    `triples` and `rules` name the same rules in the same order, those of one subgroup together; `stand_ins` of the
    people the rules were chosen on are invented; `pool` holds (subgroup, condition) pairs worth starting from when
    weights or limits change.
    """

    settings: Settings
    groups: Subgroups
    min_people: int
    stand_ins: int
    triples: tuple[Triple, ...]
    rules: TwoLevelRecourseSet
    coverage: Coverage
    certificate: Certificate
    pool: tuple[Pair, ...]

    def capped(self, upper: float) -> Learned:
        """Return the summary with a bound that was found elsewhere, if that is lower."""
        return replace(self, certificate=self.certificate.capped(upper))


def learn(
    bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str] = (), *, start: Sequence[Pair] = ()
) -> Learned:
    """Find the best set of rules; the model is not asked.

    Parameters
    ----------
    settings
        Weights, limits and the way of searching; what decides the candidates is taken from the workbench.
    start
        The `pool` of an earlier answer with the same features of interest.
    """
    posed = question(bench, settings, costs, interest)
    effort = Effort(settings.time_limit, CLOSE, PATIENCE)
    solution = solve(posed.problem, limits(settings), effort, settings.search, posed.places(start))
    return learned(bench, posed, bench.subgroups(interest, settings.selection), solution)


def learn_live(
    bench: Workbench,
    settings: Settings,
    costs: Costs,
    interest: Sequence[str] = (),
    *,
    start: Sequence[Pair] = (),
) -> Learned:
    """Answer a change of weights, limits, costs or subgroups within about a second.

    As `learn`, but what is not proven by then carries its true gap; `learn` goes on to prove it. Good sets are found
    early, so a gap is mostly a proof that is missing, but it is to be taken at its word.
    """
    hurried = replace(settings, time_limit=min(settings.time_limit, LIVE_SECONDS))
    return replace(learn(bench, hurried, costs, interest, start=start), settings=settings)


def question(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str]) -> Posed:
    """Pose the search problem on the people rules are chosen on."""
    groups = bench.subgroups(interest, settings.selection)
    fewest = people_needed(bench.settings, len(bench.split.learn))
    return pose(bench, groups, groups.tally, Question(settings, bench.prices(settings, costs), fewest, groups.people))


def limits(settings: Settings) -> Limits:
    """Return the search limits of some settings."""
    return Limits(settings.max_rules, settings.max_subgroups)


def learned(bench: Workbench, posed: Posed, groups: Subgroups, solution: Solution) -> Learned:
    """Turn a solution of the search into rules with figures."""
    triples = sorted(posed.triples(solution.rules), key=lambda triple: _reading_order(posed, triple))
    narrowed = bench.candidates.narrowed + groups.narrowed
    certificate = Certificate(
        solution.gain,
        solution.upper_bound,
        solution.gap,
        solution.proven,
        posed.candidates,
        narrowed,
        bench.lone_feature(groups),
    )
    found = restore(bench, posed.question.settings, groups, triples, certificate)
    return replace(found, pool=posed.named(solution.pool))


def restore(
    bench: Workbench, settings: Settings, groups: Subgroups, triples: Sequence[Triple], certificate: Certificate
) -> Learned:
    """Build a summary from rules that were chosen earlier on the same workbench; nothing is searched.

    Its `pool` is empty.
    """
    learn_people = len(bench.split.learn)
    return Learned(
        settings,
        groups,
        people_needed(bench.settings, learn_people),
        len(groups.people) - learn_people,
        tuple(triples),
        bench.rules(groups, triples),
        bench.coverage(groups, triples),
        certificate,
        (),
    )


def _reading_order(posed: Posed, triple: Triple) -> tuple[int, int, int]:
    """Subgroup by subgroup, the rule for most people first."""
    return triple.subgroup, -int(posed.tally.pairs.covers[triple.subgroup, triple.condition]), triple.condition


def learn_frontier(
    bench: Workbench,
    settings: Settings,
    costs: Costs,
    interest: Sequence[str] = (),
    *,
    best: Learned | None = None,
) -> tuple[Learned, ...]:
    """Find the best set of at most 1, 2, … `max_rules` rules, each as `learn` does but with less patience.

    Parameters
    ----------
    best
        The answer for `max_rules`, if there is one. If it is proven to be close it answers every size it fits into, so
        that only smaller ones are searched; its bound holds for all of them.
    """
    posed = question(bench, settings, costs, interest)
    fits = len(best.rules) if best is not None and best.certificate.gap <= CLOSE else settings.max_rules + 1
    sizes = range(1, fits)
    effort = Effort(settings.time_limit, CLOSE, PATIENCE // 2, FRONTIER_BRANCHES * len(sizes))
    groups = bench.subgroups(interest, settings.selection)
    solutions = frontier(posed.problem, sizes, limits(settings), effort)
    found = [learned(bench, posed, groups, solution) for solution in solutions]
    return tuple(found) if best is None else _with_best(best, found, settings.max_rules)


def _with_best(best: Learned, found: Sequence[Learned], max_rules: int) -> tuple[Learned, ...]:
    """Return the answer of every size: the best one wherever it fits and is as good, else the one found for it."""
    points: list[Learned] = []
    for size in range(1, max_rules + 1):
        point = found[min(size, len(found)) - 1] if found else best
        as_good = best.certificate.gain >= point.certificate.gain - SAME_GAIN
        chosen = best if as_good and len(best.rules) <= size else point
        own = found[size - 1 : size] or [best]  # sizes the best one fits into may not have been searched
        points.append(chosen.capped(min(best.certificate.upper_bound, own[0].certificate.upper_bound)))
    return tuple(points)


def agreed(best: Learned, frontier: Sequence[Learned]) -> Learned:
    """Return the summary after every size was measured: with the bound of its own size if that is lower.

    The frontier is always searched exactly. Where an exact search ran out of time before and that one came further,
    its set is the better summary.
    """
    last = frontier[-1]
    better = last.certificate.gain > best.certificate.gain + SAME_GAIN
    return last if better and best.settings.search == "exact" else best.capped(last.certificate.upper_bound)


def cost_sweep(
    bench: Workbench,
    settings: Settings,
    costs: Costs,
    interest: Sequence[str] = (),
    prices: Sequence[float] = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 5.0),
) -> tuple[Learned, ...]:
    """Find the best set at growing weights of feature cost: what cheaper recourse costs in accuracy."""
    found: list[Learned] = []
    for price in prices:
        weighted = replace(settings, weights=replace(settings.weights, feature_cost=price))
        found.append(learn(bench, weighted, costs, interest, start=found[-1].pool if found else ()))
    return tuple(found)
