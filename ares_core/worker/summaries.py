"""Summaries: what a worker answers about rules, and about what goes into them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter

from ares_core.audit import Prepared, agreement_of, report, run_to_json
from ares_core.audit.blockers import Blockers
from ares_core.audit.figures import PeopleFigures, people_figures, rule_figures, totals
from ares_core.audit.intervals import Share
from ares_core.audit.moves import compare_moves
from ares_core.audit.subgroups import compare_subgroups
from ares_core.costs import cost_draws
from ares_core.files import dump_json
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Workbench, cost_sweep, learn_frontier, stability
from ares_core.worker.brought import expected_of
from ares_core.worker.desk import Desk
from ares_core.worker.dispatch import answer
from ares_core.worker.questions import (
    CompareGroups,
    CostTradeOff,
    Evaluate,
    Export,
    Stability,
    Summarise,
    TradeOff,
    WhatBlocks,
)
from ares_core.worker.recipe import Evaluated, SummaryKey, Wish
from ares_core.worker.views import EvaluationView, GroupsView, Lists, RuleView, StabilityView, SummaryView


@answer.register
def evaluate(question: Evaluate, desk: Desk) -> EvaluationView:
    """Ask the model everything."""
    began = perf_counter()
    bench, met = desk.bench(question.evaluated), desk.met(question.evaluated.subject)
    recourse, check = bench.recourse, bench.split.check
    return EvaluationView(
        people=len(bench.table),
        affected=len(bench.affected),
        learn=len(bench.split.learn),
        check=len(check),
        same_people=bench.split.same_people,
        stand_ins=bench.standins,
        moves=len(bench.candidates.moves),
        model_rows=bench.evaluation.model_rows,
        without_recourse=Share(int((~recourse[check]).sum()), len(check)),
        recheck=desk.recheck(question.evaluated),
        agreement=agreement_of(met.people, met.model, bench),
        seconds=perf_counter() - began,
    )


@answer.register
def summarise(question: Summarise, desk: Desk) -> SummaryView:
    """Find the best rules."""
    learned = desk.learned(question.evaluated, question.wish, thorough=question.thorough)
    return _summary(desk, question.evaluated, question.wish, learned)


@answer.register
def trade_off(question: TradeOff, desk: Desk) -> tuple[SummaryView, ...]:
    """Find the best rules of each size."""
    evaluated, wish = question.best.evaluated, question.best.wish
    best, settings = desk.summary(question.best), wish.settings
    points = learn_frontier(desk.bench(evaluated), settings, wish.costs, wish.interest, best=best)
    sized = (replace(point, settings=replace(settings, max_rules=size)) for size, point in enumerate(points, start=1))
    return tuple(_summary(desk, evaluated, wish, point) for point in sized)


@answer.register
def cost_trade_off(question: CostTradeOff, desk: Desk) -> tuple[SummaryView, ...]:
    """Find the best rules at growing weights of cost."""
    wish, bench = question.wish, desk.bench(question.evaluated)
    points = cost_sweep(bench, wish.settings, wish.costs, wish.interest)
    return tuple(_summary(desk, question.evaluated, wish, point) for point in points)


def _summary(desk: Desk, evaluated: Evaluated, wish: Wish, learned: Learned) -> SummaryView:
    bench, prices = desk.bench(evaluated), desk.prices(evaluated, wish)
    figures = people_figures(bench, learned, prices)
    of_rules = rule_figures(bench, learned, prices)
    return SummaryView(
        key=SummaryKey(evaluated, replace(wish, settings=learned.settings), learned.triples, learned.certificate),
        rules=tuple(RuleView(rule, each) for rule, each in zip(learned.rules, of_rules, strict=True)),
        learn=totals(figures, learned, bench.split.learn),
        check=totals(figures, learned, bench.split.check),
        same_people=bench.split.same_people,
        certificate=learned.certificate,
        settings=learned.settings,
        min_people=learned.min_people,
        stand_ins=learned.stand_ins,
        lists=_lists(bench, figures, bench.split.check),
    )


def _lists(bench: Workbench, figures: PeopleFigures, people: Indices) -> Lists:
    helped, covered = figures.helped[people], figures.rules[people] > 0
    chosen = {
        "helped": helped,
        "failed": covered & ~helped,
        "uncovered": ~covered,
        "conflicts": figures.rules[people] > 1,
        "without_recourse": ~figures.recourse[people],
    }
    rows = bench.table.lines[bench.affected[people]]
    return Lists(**{name: tuple(sorted(rows[mask].tolist())) for name, mask in chosen.items()})


@answer.register
def steadiness(question: Stability, desk: Desk) -> StabilityView:
    """Say how often each rule stays if features cost what the answers leave possible."""
    wish, bench = question.wish, desk.bench(question.evaluated)
    learned = desk.learned(question.evaluated, wish, thorough=True)
    names = [feature.name for feature in bench.table.features]
    said, weights, direct = dict(question.answers), dict(question.weights), dict(question.direct)
    draws = cost_draws(said, weights, names, direct, question.draws)
    found = stability(bench, learned, draws, partial(desk.watch, "stability"))
    return StabilityView(tuple(learned.rules), found.shares, found.unchanged, found.draws)


@answer.register
def compare_groups(question: CompareGroups, desk: Desk) -> GroupsView:
    """Compare the groups under the rules of a summary."""
    evaluated, wish = question.summary.evaluated, question.summary.wish
    bench, learned = desk.bench(evaluated), desk.summary(question.summary)
    prices, check = desk.prices(evaluated, wish), bench.split.check
    figures, need = people_figures(bench, learned, prices), bench.need(prices)
    groups = compare_subgroups(bench, learned, figures, need, check)
    changes = figures.changes[check[figures.helped[check]]]
    needed = need[check[figures.recourse[check]]]
    return GroupsView(
        groups,
        compare_moves(bench, learned, check),
        totals(figures, learned, check),
        float(changes.mean()) if len(changes) else None,
        float(needed.mean()) if len(needed) else None,
    )


@answer.register
def what_blocks(question: WhatBlocks, desk: Desk) -> Blockers:
    """Say what stands between people and recourse."""
    return desk.blockers(question.evaluated)


@answer.register
def export(question: Export, desk: Desk) -> str:
    """Write the run file of a summary, in the form the command line writes."""
    evaluated, wish = question.summary.evaluated, question.summary.wish
    who = evaluated.subject
    met, bench = desk.met(who), desk.bench(evaluated)
    prepared = Prepared(
        people=met.people,
        model=met.model,
        bench=bench,
        trained_on=met.trained_on,
        interest=wish.interest,
        notes=(*met.notes, *question.notes),
        spent={"read": desk.seconds(who.source), "model": desk.seconds(who), **bench.timings},
        behaviour=desk.behaviour(who),
        recheck=desk.recheck(evaluated),
        expected=expected_of(who.source, who.model, desk),
    )
    frontier = tuple(desk.summary(point) for point in question.frontier)
    audit = report(prepared, desk.summary(question.summary), frontier, wish.costs, desk.watch)
    return dump_json(run_to_json(audit))
