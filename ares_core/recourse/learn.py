"""Learn: from a workbench to a two level recourse set with its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ares_core.costs import Costs
from ares_core.recourse.candidates import people_needed
from ares_core.recourse.coverage import Coverage
from ares_core.recourse.posing import Posed, Question, pose
from ares_core.recourse.robust import choose_guard
from ares_core.recourse.rules import TwoLevelRecourseSet
from ares_core.recourse.scoring import Guard
from ares_core.recourse.search import Effort, Limits, Solution, frontier, solve
from ares_core.recourse.workbench import Subgroups, Triple, Workbench
from ares_core.settings import Settings


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is proven: no set of rules within the limits, from these candidates, gains more than `upper_bound`."""

    gain: float
    upper_bound: float
    gap: float
    proven: bool
    candidates: int


@dataclass(frozen=True, slots=True)
class Learned:
    """A summary and what is known of it.

    `triples` and `rules` name the same rules in the same order, those of one subgroup together.
    """

    settings: Settings
    groups: Subgroups
    guard: Guard
    triples: tuple[Triple, ...]
    rules: TwoLevelRecourseSet
    coverage: Coverage
    certificate: Certificate
    pool: tuple[Triple, ...]


def learn(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str] = (), *,
          guard: Guard | None = None, start: Sequence[Triple] = ()) -> Learned:
    """Find the best set of rules; the model is not asked.

    Parameters
    ----------
    settings
        Weights, limits and the way of searching; what decides the candidates is taken from the workbench.
    guard
        How small numbers are distrusted; chosen by cross-validation when not given.
    start
        Rules of an earlier answer to start from.
    """
    posed = question(bench, settings, costs, interest, guard)
    solution = solve(posed.problem, limits(settings), Effort(time_limit=settings.time_limit), method=settings.search,
                     pool=posed.pairs(start))
    return learned(bench, posed, bench.subgroups(interest), solution)


def question(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str],
             guard: Guard | None = None) -> Posed:
    """Pose the search problem on the learn people."""
    groups = bench.subgroups(interest)
    prices = bench.prices(settings, costs)
    plain = Guard(people_needed(bench.settings, len(bench.split.learn)))
    asked = Question(settings, prices, plain, bench.split.learn)
    if guard is None and settings.selection == "robust":
        guard = choose_guard(bench, groups, asked)
    return pose(bench, groups, groups.tally, replace(asked, guard=guard or plain))


def limits(settings: Settings) -> Limits:
    """Return the search limits of some settings."""
    return Limits(settings.max_rules, settings.max_subgroups)


def learned(bench: Workbench, posed: Posed, groups: Subgroups, solution: Solution) -> Learned:
    """Turn a solution of the search into rules with figures."""
    triples = tuple(sorted(posed.triples(solution.rules), key=lambda triple: _reading_order(posed, triple)))
    certificate = Certificate(solution.gain, solution.upper_bound, solution.gap, solution.proven, posed.candidates)
    return Learned(posed.question.settings, groups, posed.question.guard, triples, bench.rules(groups, triples),
                   bench.coverage(groups, triples), certificate, posed.triples(solution.pool))


def _reading_order(posed: Posed, triple: Triple) -> tuple[int, int, int]:
    """Subgroup by subgroup, the rule for most people first."""
    return triple.subgroup, -int(posed.tally.covers[triple.subgroup, triple.condition]), triple.condition


def learn_frontier(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str],
                   guard: Guard) -> tuple[Learned, ...]:
    """Find the best set of at most 1, 2, … `max_rules` rules, each exactly."""
    posed = question(bench, settings, costs, interest, guard)
    sizes = range(1, settings.max_rules + 1)
    effort = Effort(time_limit=settings.time_limit)
    groups = bench.subgroups(interest)
    return tuple(learned(bench, posed, groups, solution)
                 for solution in frontier(posed.problem, sizes, limits(settings), effort))


def cost_sweep(bench: Workbench, settings: Settings, costs: Costs, interest: Sequence[str], guard: Guard,
               prices: Sequence[float] = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 5.0)) -> tuple[Learned, ...]:
    """Find the best set at growing weights of feature cost: what cheaper recourse costs in accuracy."""
    found: list[Learned] = []
    for price in prices:
        weighted = replace(settings, weights=replace(settings.weights, feature_cost=price))
        found.append(learn(bench, weighted, costs, interest, guard=guard, start=found[-1].pool if found else ()))
    return tuple(found)
